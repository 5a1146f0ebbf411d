/// The view of a split view. It places the columns, draws the rules between them, and handles drags at their edges.
@MainActor
final class SplitColumnsView: View {
    private unowned let owner: SplitViewController
    private(set) var ruleColumns: [Int] = []
    private var stackedRule: Int?
    /// The frame of a list over the detail with its border, or an empty rectangle.
    private var floating: Rect = .zero
    private var arrow: Point?
    /// The visible share of the sliding list, from 0 to 1.
    private var share = 1.0
    private var leaving: Snapshot?
    /// The list over the detail before a change.
    private var pictured: Snapshot?
    private var drag = Drag.none
    private var passesThrough = false

    private enum Drag {
        case none
        case rule
        case edge(start: Int)
    }

    /// The number of columns at the detail's edge where a drag shows the hidden list.
    private static let edge = 2

    init(owner: SplitViewController) {
        self.owner = owner
        super.init()
    }

    private var arrangement: SplitArrangement { owner.arrangement }
    private var isTrailing: Bool { owner.primaryEdge == .trailing }

    /// Whether a list is over the detail.
    var hasFloatingList: Bool { !floating.isEmpty }

    // MARK: Placing

    override func layoutSubviews() {
        ruleColumns = []
        stackedRule = nil
        floating = .zero
        arrow = nil
        let visible = owner.visibleChildren
        for column in SplitViewController.Column.allCases {
            let stack = owner.navigationController(for: column)
            if !visible.contains(where: { $0 === stack }) { stack.viewIfLoaded?.removeFromSuperview() }
        }
        // The list is drawn after the detail, because it may be over it.
        for child in visible.reversed() where child.view.superview !== self { addSubview(child.view) }
        // A popover presented from a list in a popover replaces it (row POP-05).
        let isReplaced = arrangement.form == .popover && window?.presented.hasPopover == true
        owner.navigationController(for: .primary).view.isHidden = isReplaced
        switch arrangement.form {
        case .collapsed: visible.first?.view.frame = bounds
        case .beside: placeSideBySide()
        case .above: placeAbove()
        case .over, .displacing, .popover: placeFloating()
        }
    }

    private func setFrame(_ column: SplitViewController.Column, _ frame: Rect) {
        owner.navigationController(for: column).view.frame = frame
    }

    /// Returns a column counted from the other edge if the lists are on the right.
    private func mirrored(x: Int, width: Int) -> Int { isTrailing ? bounds.width - x - width : x }

    private func placeAbove() {
        let height = bounds.height * 2 / 5
        setFrame(.primary, Rect(x: 0, y: 0, width: bounds.width, height: height))
        setFrame(.secondary, bounds.inset(top: height + 1))
        stackedRule = height
    }

    private func placeSideBySide() {
        let groups = arrangement.groups
        var widths: [Int] = []
        if groups.count == 3 {
            let maximum = owner.maximumPrimaryColumnWidth
            let primary = min(maximum, max(26, min(bounds.width * 18 / 100, 40)))
            let rest = bounds.width - primary - 1
            widths = [primary, min(maximum, max(40, min(owner.listWidths.beside(in: rest), rest - 60)))]
        } else {
            widths = [owner.listWidths.beside(in: bounds.width)]
        }
        var left = 0
        for (group, width) in zip(groups, widths) {
            setFrame(group[0], Rect(x: mirrored(x: left, width: width), y: 0, width: width, height: bounds.height))
            left += width
            ruleColumns.append(mirrored(x: left, width: 1))
            left += 1
        }
        let width = bounds.width - left
        setFrame(.secondary, Rect(x: mirrored(x: left, width: width), y: 0, width: width, height: bounds.height))
    }

    private func placeFloating() {
        setFrame(.secondary, bounds)
        guard owner.focusedColumn != .secondary else { return }
        let list = owner.navigationController(for: .primary).view
        guard !list.isHidden else { return }
        addSubview(list)
        let width = owner.listWidths.over(in: bounds.width)
        if arrangement.form == .popover { return placePopover(list, width: width) }
        let shown = Int(clamping: (Double(width + 1) * share).rounded())
        let left = shown - width - 1
        list.frame = Rect(x: mirrored(x: left, width: width), y: 0, width: width, height: bounds.height)
        floating = Rect(x: mirrored(x: left, width: width + 1), y: 0, width: width + 1, height: bounds.height)
        ruleColumns = [mirrored(x: left + width, width: 1)]
        if !owner.hasDetail {
            // Without a detail, the placeholder is shown only if it fits beside the list.
            let rest = bounds.width - width - 1
            setFrame(
                .secondary, Rect(x: mirrored(x: width + 1, width: rest), y: 0, width: rest, height: bounds.height))
        } else if arrangement.form == .displacing {
            // The detail keeps its width, so that its text isn't wrapped again.
            let offset = isTrailing ? -shown : shown
            setFrame(.secondary, bounds.offsetBy(x: offset, y: 0))
        }
    }

    /// Places the list in a popover at its button, as high as its rows need (row SPL-13).
    private func placePopover(_ list: View, width: Int) {
        let content = list.sizeThatFits(Size(width: width, height: max(1, bounds.height - 4)))
        let origin = convertToWindow(Point.zero)
        let item = window?.presented.rect(of: owner.displayModeButtonItem)
        let button = item?.offsetBy(x: -origin.x, y: -origin.y)
        let anchor = button ?? Rect(x: isTrailing ? bounds.width - 2 : 1, y: 0, width: 1, height: 1)
        let size = Size(width: width, height: max(3, content.height))
        // In low panes without space below the button, the list uses the whole height.
        let placement = PopoverPlacement.place(content: size, anchor: anchor, pane: bounds.size, permitted: [.up])
        floating = placement?.box ?? Rect(x: 0, y: 0, width: width + 2, height: bounds.height)
        arrow = placement?.arrow
        list.frame = floating.inset(left: 1, top: 1, right: 1, bottom: 1)
    }

    // MARK: Movement

    /// Pictures a list over the detail before a change, so that it can slide away.
    func pictureFloatingList() {
        pictured = window?.motion == .full && hasFloatingList ? Snapshot(of: self) : nil
    }

    /// Animates the list in or out. Called before the new arrangement is laid out.
    func slide(out: Bool) {
        defer { pictured = nil }
        guard let window, window.motion == .full, arrangement.form != .popover else { return }
        leaving = out && hasFloatingList ? pictured : nil
        if out, leaving == nil { return }
        let width = floating.width
        window.animate { [weak self] share in
            guard let self else { return }
            self.share = out ? 1 : share
            self.leavingOffset = Int(clamping: Double(width) * share)
            if share >= 1 { self.leaving = nil }
            self.setNeedsLayout()
        }
    }

    private var leavingOffset = 0

    // MARK: Drawing

    override func drawOver(in surface: Surface) {
        let style = theme[hasFloatingList ? .popoverBorder : .rule]
        if let stackedRule {
            let rule = Rect(x: 0, y: stackedRule, width: bounds.width, height: 1)
            surface.fill(rule, with: symbols.horizontal, style: style)
        }
        for column in ruleColumns {
            surface.fill(Rect(x: column, y: 0, width: 1, height: bounds.height), with: symbols.vertical, style: style)
        }
        if hasFloatingList { drawAroundFloatingList(in: surface, style: style) }
        if let leaving { drawLeaving(leaving, in: surface) }
    }

    /// Dims what is below the list (row SPL-04).
    private func drawAroundFloatingList(in surface: Surface, style: Style) {
        // The detail's bars react to clicks and are not dimmed.
        let inside = owner.navigationController(for: .secondary).contentFrame
        let detail = owner.navigationController(for: .secondary).view.frame
        let live = bounds.intersection(inside.offsetBy(x: detail.minX, y: detail.minY))
        let left = Rect(x: 0, y: live.minY, width: floating.minX, height: live.height)
        let right = Rect(x: floating.maxX, y: live.minY, width: bounds.width - floating.maxX, height: live.height)
        let middle = Rect(
            x: floating.minX, y: floating.maxY, width: floating.width, height: live.maxY - floating.maxY)
        for area in [left, right, middle] where !area.isEmpty {
            // Where nothing can be dim, the remains of words beside the list would look like its own. While it slides
            // in, the pane would be nearly blank without them.
            if theme.fading == nil, arrangement.form == .over, owner.hasDetail, share >= 1 {
                surface.fill(area, style: theme[.text])
            } else {
                surface.dim(area, theme)
            }
        }
        if arrangement.form == .popover {
            surface.drawBorder(floating, symbols: symbols, style: style)
            if let arrow { surface.draw(symbols.arrowUp, at: arrow, style: style) }
        }
        guard arrangement.form != .displacing else { return }
        let shadow = isTrailing ? floating.minX - 1 : floating.maxX
        surface.shade(Rect(x: shadow, y: floating.minY, width: 1, height: floating.height), theme)
    }

    private func drawLeaving(_ snapshot: Snapshot, in surface: Surface) {
        let width = owner.listWidths.over(in: bounds.width) + 1
        let frame = Rect(x: mirrored(x: 0, width: width), y: 0, width: width, height: bounds.height)
        let offset = isTrailing ? leavingOffset : -leavingOffset
        let place = frame.offsetBy(x: offset, y: 0).intersection(frame)
        // Only the list's part of the picture moves.
        surface.subsurface(place).draw(snapshot.grid, at: Point(x: offset - place.minX, y: 0))
    }

    // MARK: Mouse

    private func isOutsideFloatingList(_ point: Point) -> Bool { hasFloatingList && !floating.contains(point) }

    /// Whether a drag from a point shows the hidden list.
    private func isAtEdge(_ point: Point) -> Bool {
        guard !passesThrough, owner.presentsWithGesture, arrangement.form.canHideLists, !hasFloatingList else {
            return false
        }
        let distance = isTrailing ? bounds.width - 1 - point.x : point.x
        return distance < SplitColumnsView.edge && point.y > 0
    }

    override func hitTest(_ point: Point) -> View? {
        guard !isHidden, frame.contains(point) else { return nil }
        let inside = Point(x: point.x - frame.minX, y: point.y - frame.minY)
        // Rules between columns react to drags. A detail beside a list over it reacts to nothing.
        if ruleColumns.contains(inside.x) || isAtEdge(inside) { return self }
        let hit = super.hitTest(point)
        // Its bars still react (row SPL-04).
        if isOutsideFloatingList(inside), !(hit is any BarButtonItemHost) { return self }
        return hit
    }

    override func handle(_ event: MouseEvent) -> Bool {
        let place = event.location
        switch event.action {
        case .press(.left) where isOutsideFloatingList(place):
            owner.focus(.secondary)
            return true
        case .press(.left) where ruleColumns.contains(place.x):
            drag = .rule
            if event.clicks == 2, arrangement.form == .beside {
                owner.setFraction(owner.standardPrimaryColumnWidthFraction)
            }
            return true
        case .press(.left) where isAtEdge(place):
            drag = .edge(start: place.x)
            return true
        case .drag(.left): return dragged(to: place)
        case .release:
            // A click at the edge that was no drag belongs to the content there.
            if case .edge = drag { passOn(.press(.left), at: place, event.modifiers) }
            drag = .none
            return true
        case .horizontalWheel(let columns) where owner.presentsWithGesture && arrangement.form.canHideLists:
            // Dragging towards the middle shows the list, towards its edge hides it.
            owner.showList((columns > 0) != isTrailing)
            return true
        case .wheel, .horizontalWheel: return passOnWheel(event)
        default:
            return false
        }
    }

    /// Passes wheel events on: over a rule to the column with the focus if it is adjacent, otherwise to the other one;
    /// at the edge to the content there.
    private func passOnWheel(_ event: MouseEvent) -> Bool {
        let place = event.location
        guard !passesThrough, ruleColumns.contains(place.x) || stackedRule == place.y || isAtEdge(place) else {
            return false
        }
        let list = owner.navigationController(for: .primary).view
        let columns = owner.visibleChildren.map(\.view).filter { view in
            !hasFloatingList || view === list
        }.filter { $0.frame.inset(left: -1, top: -1, right: -1, bottom: -1).contains(place) }
        let focused = owner.focusedChild?.view
        guard let frame = (columns.first { $0 === focused } ?? columns.last)?.frame, !frame.isEmpty else {
            return false
        }
        let inside = Point(
            x: max(frame.minX, min(place.x, frame.maxX - 1)), y: max(frame.minY, min(place.y, frame.maxY - 1)))
        passOn(event.action, at: inside, event.modifiers)
        return true
    }

    private func dragged(to place: Point) -> Bool {
        switch drag {
        case .rule where !hasFloatingList:
            let isTriple = ruleColumns.count == 2
            let x = isTrailing ? bounds.width - 1 - place.x : place.x
            let start = isTriple ? mirrored(x: ruleColumns[0], width: 1) + 1 : 0
            owner.setFraction(Double(x - start) / Double(max(1, bounds.width - start)))
        case .edge(let start) where abs(place.x - start) > SplitColumnsView.edge:
            drag = .none
            owner.showList(true)
        case .none, .rule, .edge: break
        }
        return true
    }

    /// Sends an action to the column at a place.
    private func passOn(_ action: MouseEvent.Action, at place: Point, _ modifiers: KeyModifiers) {
        passesThrough = true
        window?.send(MouseEvent(action, at: convertToWindow(place), modifiers))
        passesThrough = false
    }
}
