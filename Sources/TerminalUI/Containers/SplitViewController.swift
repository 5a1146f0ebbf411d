/// Lists beside a detail: two or three columns where there is room, one stack where there is not (rows SPL-01 to SPL-12).
///
/// Each column has a navigation stack. How the columns are arranged follows from the width alone: beside each other, the
/// list sliding over the detail, or all joined flat into one stack. Every controller remembers the column it was shown
/// in, so that a joined stack can be taken apart again wherever pushes and pops have moved the joint (row SPL-07).
open class SplitViewController: ViewController {
    /// A column.
    public enum Column: Int, CaseIterable, Comparable, Sendable {
        /// The first list.
        case primary
        /// The list beside it, in three columns.
        case supplementary
        /// The detail.
        case secondary

        /// Columns on the left come first.
        public static func < (left: Column, right: Column) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is shown of the lists.
    public enum DisplayMode: Hashable, Sendable {
        /// What suits the width.
        case automatic
        /// Lists beside the detail.
        case allVisible
        /// The detail alone.
        case primaryHidden
        /// The list over the detail.
        case primaryOverlay
    }

    /// How many columns there can be.
    public enum ColumnStyle: Hashable, Sendable {
        /// One list and the detail.
        case double
        /// Two lists and the detail.
        case triple
    }

    /// How many columns there can be.
    public let style: ColumnStyle
    /// What is asked for; the width decides (row SPL-01).
    public var preferredDisplayMode: DisplayMode = .automatic { didSet { rearrange() } }
    /// The list's share of the width, in two columns (row SPL-09).
    public var preferredPrimaryColumnWidthFraction = 0.38 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The least columns of the list.
    public var minimumPrimaryColumnWidth = 26 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The most columns of the list.
    public var maximumPrimaryColumnWidth = 56 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// Who takes part in changes of the display mode, and in collapsing and expanding.
    public weak var delegate: (any SplitViewControllerDelegate)?
    /// Whether the list stands above the detail, rather than sliding over it, in panes that are narrow but at least 30 rows
    /// high (row SPL-16).
    public var stacksListInTallPanes = false { didSet { rearrange() } }
    /// Hears when the user has changed the list's share of the width.
    public var primaryColumnWidthFractionDidChange: (Double) -> Void = { _ in }
    /// What the detail shows before anything was chosen.
    public let placeholder: ViewController
    /// The column that keys are directed at.
    public private(set) var focusedColumn: Column = .primary

    private let navigations: [Column: NavigationController]
    private var arrangement: [[Column]] = []
    /// Stacks of columns that have no place in the present arrangement, because another column is looked at.
    private var setAside: [Column: [ViewController]] = [:]
    /// What the delegate had replaced or taken away for the collapsed state.
    private var primaryBeforeCollapse: [ViewController]?
    private var secondaryBeforeCollapse: [ViewController]?
    private var announcedMode: DisplayMode?

    /// Makes a split view.
    ///
    /// - Parameters:
    ///   - style: Two or three columns.
    ///   - primary: The root of the first list.
    ///   - placeholder: What the detail shows before anything was chosen.
    public init(style: ColumnStyle = .double, primary: ViewController, placeholder: ViewController) {
        self.style = style
        self.placeholder = placeholder
        navigations = Dictionary(uniqueKeysWithValues: Column.allCases.map { ($0, NavigationController()) })
        super.init()
        primary.splitColumn = .primary
        placeholder.splitColumn = .secondary
        stack(.primary).setViewControllers([primary])
        stack(.secondary).setViewControllers([placeholder])
        for column in Column.allCases { addChild(stack(column)) }
    }

    /// The navigation stack of a column; while columns are joined, that of the leftmost of them holds all.
    public func navigationController(for column: Column) -> NavigationController { stack(column) }

    private func stack(_ column: Column) -> NavigationController {
        guard let navigation = navigations[column] else { preconditionFailure("every column has a stack") }
        return navigation
    }

    // MARK: Arrangement

    /// Whether all columns are joined into one stack.
    public var isCollapsed: Bool { arrangement.count == 1 && arrangement[0].count > 1 }

    /// What is shown of the lists now; never automatic, and of no meaning while collapsed (row SPL-01).
    public var displayMode: DisplayMode {
        if !slidesList { return .allVisible }
        return focusedColumn == .secondary ? .primaryHidden : .primaryOverlay
    }

    /// Whether the list slides over the detail rather than standing beside it.
    private var slidesList: Bool {
        guard !isCollapsed, !stacksList else { return false }
        return traits.horizontal == .narrow || preferredDisplayMode == .primaryHidden
            || preferredDisplayMode == .primaryOverlay
    }

    /// The least rows of a pane in which the list can stand above the detail.
    private static let tallPane = 30

    /// Whether the list stands above the detail now.
    private var stacksList: Bool {
        stacksListInTallPanes && traits.horizontal == .narrow && preferredDisplayMode != .primaryHidden
            && (window?.size.height ?? 0) >= SplitViewController.tallPane
    }

    /// The columns that stand beside each other, each with those that are joined onto it.
    /// Tells the delegate of another mode before anything of it can be seen; a collapsed split view has none.
    private func announceDisplayMode() {
        guard !isCollapsed, displayMode != announcedMode else { return }
        announcedMode = displayMode
        delegate?.splitViewController(self, willChangeTo: displayMode)
        let name = stack(.primary).viewControllers.first?.navigationItem.effectiveTitle ?? .empty
        displayModeButtonItem.title = name.isEmpty ? "List" : name.truncated(to: 16)
    }

    /// A button that brings the hidden list back, named after it; navigation bars show it where the list is hidden, and
    /// only there (row SPL-03).
    public private(set) lazy var displayModeButtonItem = BarButtonItem("List", key: "\\") { [weak self] in
        self?.pressDisplayModeButton()
    }

    private func pressDisplayModeButton() {
        guard let wanted = delegate?.targetDisplayMode(for: self), wanted != .automatic else { return toggleList() }
        preferredDisplayMode = wanted == .primaryOverlay ? preferredDisplayMode : wanted
        focus(wanted == .primaryHidden ? .secondary : deepestList(allStacks()))
    }

    /// Whether a stack is the detail's and the list cannot be seen beside it.
    func needsDisplayModeButton(in navigation: NavigationController) -> Bool {
        !isCollapsed && navigation === navigations[.secondary] && displayMode == .primaryHidden
    }

    private func wantedArrangement(_ stacks: [Column: [ViewController]]) -> [[Column]] {
        let hasSecondList = style == .triple && !(stacks[.supplementary] ?? []).isEmpty
        return switch traits.horizontal {
        case .minimal, .compact: [[.primary, .supplementary, .secondary]]
        case .wide where hasSecondList: [[.primary], [.supplementary], [.secondary]]
        case .narrow, .regular, .wide: [[.primary, .supplementary], [.secondary]]
        }
    }

    /// The stack that holds a column's controllers now.
    private func host(of column: Column) -> NavigationController {
        let group = arrangement.first { $0.contains(column) } ?? [column]
        return stack(group.first ?? column)
    }

    /// The column of the controller on top of a stack.
    private func shownColumn(in group: [Column]) -> Column {
        stack(group[0]).topViewController?.splitColumn ?? group[0]
    }

    /// The children of a column, wherever they are.
    private func controllers(of column: Column) -> [ViewController] {
        if let aside = setAside[column] { return aside }
        return host(of: column).viewControllers.filter { ($0.splitColumn ?? .primary) == column && $0 !== placeholder }
    }

    /// Whether the detail shows something that was chosen.
    public var hasDetail: Bool { !controllers(of: .secondary).isEmpty }

    /// The root of the detail that was chosen, wherever it is now.
    public var detailViewController: ViewController? { controllers(of: .secondary).first }

    /// The controllers of the second list, wherever they are now.
    public var supplementaryViewController: ViewController? { controllers(of: .supplementary).first }

    /// Takes the arrangement that the width asks for, keeping every controller and what is looked at.
    private func rearrange() {
        guard viewIfLoaded != nil else { return }
        noteFocus()
        var stacks = allStacks()
        let wasCollapsed = isCollapsed
        let collapses = wantedArrangement(stacks).count == 1
        if collapses, !wasCollapsed {
            askDelegateToCollapse(&stacks)
        } else if !collapses, wasCollapsed {
            askDelegateToExpand(&stacks)
        }
        distribute(stacks)
    }

    /// Row SPL-06: the delegate may supply the primary, and may take the collapse on itself; else stacks are joined flat.
    private func askDelegateToCollapse(_ stacks: inout [Column: [ViewController]]) {
        guard let delegate else { return }
        if let primary = delegate.primaryViewController(forCollapsing: self) {
            primaryBeforeCollapse = stacks[.primary]
            primary.splitColumn = .primary
            stacks[.primary] = [primary]
        }
        let secondary = stacks[.secondary] ?? []
        if let primary = stacks[.primary]?.last, let detail = secondary.first,
            delegate.splitViewController(self, collapse: detail, onto: primary)
        {
            secondaryBeforeCollapse = secondary
            stacks[.secondary] = []
            if focusedColumn == .secondary { focusedColumn = deepestList(stacks) }
        }
    }

    /// Row SPL-07: the delegate may supply the primary and the secondary; else the stack is cut where it was joined.
    private func askDelegateToExpand(_ stacks: inout [Column: [ViewController]]) {
        if let primary = delegate?.primaryViewController(forExpanding: self) {
            primary.splitColumn = .primary
            stacks[.primary] = [primary]
        } else if let before = primaryBeforeCollapse {
            stacks[.primary] = before
        }
        let joined = stacks[.primary]?.last ?? placeholder
        if let secondary = delegate?.splitViewController(self, separateSecondaryFrom: joined) {
            secondary.splitColumn = .secondary
            stacks[.secondary] = [secondary]
        } else if (stacks[.secondary] ?? []).isEmpty, let before = secondaryBeforeCollapse {
            stacks[.secondary] = before
        }
        primaryBeforeCollapse = nil
        secondaryBeforeCollapse = nil
    }

    private func allStacks() -> [Column: [ViewController]] {
        Dictionary(uniqueKeysWithValues: Column.allCases.map { ($0, controllers(of: $0)) })
    }

    /// In a joined stack the top tells what is looked at.
    private func noteFocus() {
        guard let group = arrangement.first(where: { $0.contains(focusedColumn) }), group.count > 1 else { return }
        focusedColumn = shownColumn(in: group)
    }

    /// Fills the stacks of the present arrangement.
    private func distribute(_ stacks: [Column: [ViewController]]) {
        setAside.removeAll()
        arrangement = wantedArrangement(stacks)
        announceDisplayMode()
        var contents: [(NavigationController, [ViewController])] = []
        for group in arrangement {
            var joined: [ViewController] = []
            for column in group {
                let controllers = stacks[column] ?? []
                // What lies deeper than what is looked at waits aside, so that a wider pane shows it again.
                let isLookedAt = column == group[0] || column <= lastShown(in: group)
                if isLookedAt { joined += controllers } else if !controllers.isEmpty { setAside[column] = controllers }
            }
            if joined.isEmpty, group.contains(.secondary) { joined = [placeholder] }
            contents.append((stack(group[0]), joined))
        }
        if let window { window.batchUpdates { fill(contents) } } else { fill(contents) }
        viewIfLoaded?.setNeedsLayout()
    }

    private func fill(_ contents: [(NavigationController, [ViewController])]) {
        // First everything is taken out, so that no controller is in two stacks at a time.
        for column in Column.allCases {
            let keeps = contents.first { $0.0 === stack(column) }?.1 ?? []
            let present = stack(column).viewControllers
            let staying = present.filter { controller in keeps.contains { $0 === controller } }
            if staying.count != present.count { stack(column).setViewControllers(staying) }
        }
        for (navigation, controllers) in contents { navigation.setViewControllers(controllers) }
    }

    /// The deepest column of a group that is to be seen: the focused one, or the deepest where the focus is elsewhere.
    private func lastShown(in group: [Column]) -> Column {
        group.contains(focusedColumn) ? focusedColumn : group[group.count - 1]
    }

    /// Takes the arrangement of the new width.
    open override func traitsDidChange(previous: Traits?) {
        if previous?.horizontal != traits.horizontal || arrangement.isEmpty { rearrange() }
    }

    /// The lists get compact surroundings, the detail its own (row SPL-11), unless overridden.
    open override func traits(for child: ViewController) -> Traits {
        var result = super.traits(for: child)
        if child !== navigations[.secondary], !isCollapsed, result.horizontal > .compact {
            result.horizontal = .compact
        }
        return result
    }

    // MARK: Showing

    /// Shows a list level: beside the first list in three columns, pushed onto it in fewer.
    open override func show(_ controller: ViewController) {
        show(controller, in: .supplementary, takesFocus: true)
    }

    /// Shows a detail and directs keys at it.
    open override func showDetail(_ controller: ViewController) {
        show(controller, in: .secondary, takesFocus: true)
    }

    /// Makes a controller the root of a column; what was there, and in the columns right of a list, is replaced.
    ///
    /// Showing what is shown already changes nothing but the focus (row SPL-10).
    ///
    /// - Parameter takesFocus: Whether keys go there, and, where only one column can be seen, it is the one.
    public func show(_ controller: ViewController, in column: Column, takesFocus: Bool) {
        noteFocus()
        var stacks = allStacks()
        if stacks[column]?.first !== controller {
            controller.splitColumn = column
            stacks[column] = [controller]
        }
        if takesFocus { focusedColumn = column }
        distribute(stacks)
    }

    /// Takes the chosen detail away, so that the placeholder is shown.
    public func clearDetail() {
        noteFocus()
        var stacks = allStacks()
        stacks[.secondary] = []
        if focusedColumn == .secondary { focusedColumn = deepestList(stacks) }
        distribute(stacks)
    }

    private func deepestList(_ stacks: [Column: [ViewController]]) -> Column {
        (stacks[.supplementary] ?? []).isEmpty ? .primary : .supplementary
    }

    /// Directs keys at a column; where it is hidden it comes into view.
    public func focus(_ column: Column) {
        noteFocus()
        let stacks = allStacks()
        focusedColumn = column == .supplementary && (stacks[.supplementary] ?? []).isEmpty ? .primary : column
        distribute(stacks)
    }

    // MARK: Containment

    /// The stacks of the columns that can be seen.
    open override var visibleChildren: [ViewController] {
        arrangement.filter { isVisible($0) }.map { stack($0[0]) }
    }

    private func isVisible(_ group: [Column]) -> Bool {
        if group.contains(.secondary) { return true }
        return !slidesList || focusedColumn != .secondary
    }

    /// The stack of the focused column.
    open override var focusedChild: ViewController? { host(of: focusedColumn) }

    /// Remembers the column of the view that was given the focus.
    open override func childTookFocus(_ child: ViewController) {
        guard !isCollapsed else { return }
        for group in arrangement where stack(group[0]) === child { focusedColumn = shownColumn(in: group) }
    }

    // MARK: Commands

    /// Keys to go between the columns and to set the list's width.
    open override var commands: [Command] {
        noteFocus()
        let hasSeparateDetail = !isCollapsed
        let isInDetail = focusedColumn == .secondary
        let left = arrangement.last { $0[0] < focusedColumn && !$0.contains(focusedColumn) }
        let right = arrangement.first { $0[0] > focusedColumn && !$0.contains(focusedColumn) }
        return [
            Command(
                "split.focusLeft", isInDetail ? "Back to the list" : "Column left",
                keys: ["h", "left", "esc", "backspace", "q"], isEnabled: left != nil
            ) { [weak self] in
                if let self, let left { self.focus(self.shownColumn(in: left)) }
            },
            Command("split.focusRight", "Column right", keys: ["l", "right"], isEnabled: right != nil && canGoRight) {
                [weak self] in
                if let self, let right { self.focus(self.shownColumn(in: right)) }
            },
            Command(
                "split.hideList", "Hide the list", keys: ["esc"], isEnabled: displayMode == .primaryOverlay && hasDetail
            ) {
                [weak self] in self?.focus(.secondary)
            },
            Command("split.toggleList", listTitle, keys: ["\\"], isEnabled: hasSeparateDetail || isInDetail) {
                [weak self] in self?.toggleList()
            },
            Command("split.narrower", "Narrower list", keys: ["<"], isEnabled: hasSeparateDetail && !slidesList) {
                [weak self] in self?.changeFraction(by: -0.02)
            },
            Command("split.wider", "Wider list", keys: [">"], isEnabled: hasSeparateDetail && !slidesList) {
                [weak self] in self?.changeFraction(by: 0.02)
            },
        ]
    }

    private var canGoRight: Bool { hasDetail || focusedColumn == .primary && style == .triple }

    private var listTitle: DisplayText { displayMode == .primaryHidden ? "Show list" : "Hide list" }

    /// The key of the list: beside the detail it hides and brings back, over it it slides, in one stack it goes back.
    public func toggleList() {
        noteFocus()
        if isCollapsed {
            focus(.supplementary)
        } else if traits.horizontal == .narrow {
            focus(focusedColumn == .secondary ? .supplementary : .secondary)
        } else {
            preferredDisplayMode = preferredDisplayMode == .primaryHidden ? .automatic : .primaryHidden
            focus(preferredDisplayMode == .primaryHidden ? .secondary : .supplementary)
        }
    }

    private func changeFraction(by step: Double) {
        setFraction(preferredPrimaryColumnWidthFraction + step)
    }

    private func setFraction(_ fraction: Double) {
        let limited = max(0.2, min(0.7, fraction))
        guard limited != preferredPrimaryColumnWidthFraction else { return }
        preferredPrimaryColumnWidthFraction = limited
        primaryColumnWidthFractionDidChange(limited)
    }

    // MARK: View

    private final class ColumnsView: View {
        weak var owner: SplitViewController?

        override func layoutSubviews() { owner?.place() }
        override func drawOver(in surface: Surface) { owner?.drawRules(in: surface) }
        override func handle(_ event: MouseEvent) -> Bool { owner?.handle(event) ?? false }

        override func hitTest(_ point: Point) -> View? {
            guard let owner, !isHidden, frame.contains(point) else { return nil }
            let inside = Point(x: point.x - frame.minX, y: point.y - frame.minY)
            // A rule between columns takes drags; beside a list that is slid over it, the detail takes nothing.
            if owner.ruleColumns.contains(inside.x) || owner.isOutsideSlidList(inside) { return self }
            return super.hitTest(point)
        }
    }

    /// Makes the view that holds the columns.
    open override func makeView() -> View {
        let view = ColumnsView()
        view.owner = self
        return view
    }

    /// Takes the arrangement for the first time.
    open override func viewDidLoad() {
        distribute(allStacks())
    }

    private var ruleColumns: [Int] = []
    private var stackedRule: Int?
    private var slidListWidth = 0

    /// The columns where vertical rules touch what lies above.
    public override var verticalRules: [Int] { slidListWidth > 0 ? [] : ruleColumns }

    private func listWidth(in width: Int) -> Int {
        let wanted = Int((Double(width) * preferredPrimaryColumnWidthFraction + 0.0001).rounded(.down))
        return max(min(minimumPrimaryColumnWidth, width / 2), min(wanted, maximumPrimaryColumnWidth, width - 20))
    }

    private func place() {
        let bounds = view.bounds
        ruleColumns = []
        slidListWidth = 0
        stackedRule = nil
        for column in Column.allCases where !visibleChildren.contains(where: { $0 === stack(column) }) {
            stack(column).viewIfLoaded?.removeFromSuperview()
        }
        // The list is drawn after the detail, since it may lie over it.
        for child in visibleChildren.reversed() where child.view.superview !== view { view.addSubview(child.view) }
        if isCollapsed {
            host(of: .primary).view.frame = bounds
        } else if slidesList {
            stack(.secondary).view.frame = bounds
            guard focusedColumn != .secondary else { return }
            let list = stack(.primary).view
            view.addSubview(list)
            slidListWidth = max(min(26, bounds.width - 2), min(bounds.width * 52 / 100, bounds.width - 14))
            list.frame = Rect(x: 0, y: 0, width: slidListWidth, height: bounds.height)
            ruleColumns = [slidListWidth]
        } else if stacksList {
            let height = bounds.height * 2 / 5
            stack(.primary).view.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
            stack(.secondary).view.frame = bounds.inset(top: height + 1)
            stackedRule = height
        } else {
            placeBesideEachOther(in: bounds)
        }
    }

    private func placeBesideEachOther(in bounds: Rect) {
        var left = 0
        var widths: [Int] = []
        if arrangement.count == 3 {
            let primary = max(26, min(bounds.width * 18 / 100, 40))
            let rest = bounds.width - primary - 1
            widths = [primary, max(40, min(listWidth(in: rest), rest - 60))]
        } else {
            widths = [listWidth(in: bounds.width)]
        }
        for (group, width) in zip(arrangement, widths) {
            stack(group[0]).view.frame = Rect(x: left, y: 0, width: width, height: bounds.height)
            left += width
            ruleColumns.append(left)
            left += 1
        }
        stack(.secondary).view.frame = Rect(x: left, y: 0, width: bounds.width - left, height: bounds.height)
    }

    private func drawRules(in surface: Surface) {
        let height = view.bounds.height
        let style = view.theme[slidListWidth > 0 ? .popoverBorder : .rule]
        if let stackedRule {
            let rule = Rect(x: 0, y: stackedRule, width: view.bounds.width, height: 1)
            surface.fill(rule, with: view.symbols.horizontal, style: style)
        }
        for column in ruleColumns {
            surface.fill(Rect(x: column, y: 0, width: 1, height: height), with: view.symbols.vertical, style: style)
        }
        guard slidListWidth > 0 else { return }
        // What lies beneath the list is dimmed and takes no input (row SPL-04).
        let secondary = view.theme[.secondary]
        surface.restyle(
            Rect(x: slidListWidth + 1, y: 0, width: view.bounds.width - slidListWidth - 1, height: height)
        ) { Style(foreground: secondary.foreground, background: $0.background, attributes: .dim) }
        guard let shade = view.symbols.shade else { return }
        surface.fill(
            Rect(x: slidListWidth + 1, y: 0, width: 1, height: height), with: shade, style: view.theme[.rule])
    }

    private func isOutsideSlidList(_ point: Point) -> Bool { slidListWidth > 0 && point.x >= slidListWidth }

    private func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left) where slidListWidth > 0 && event.location.x >= slidListWidth:
            focus(.secondary)
            return true
        case .press(.left):
            return ruleColumns.contains(event.location.x)
        case .drag(.left) where slidListWidth == 0 && !ruleColumns.isEmpty:
            let total = arrangement.count == 3 ? view.bounds.width - ruleColumns[0] - 1 : view.bounds.width
            let start = arrangement.count == 3 ? ruleColumns[0] + 1 : 0
            setFraction(Double(event.location.x - start) / Double(max(1, total)))
            return true
        default:
            return false
        }
    }
}
