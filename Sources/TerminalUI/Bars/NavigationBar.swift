/// The bar above a controller, with the back item, a title or title view, and items on both sides.
@MainActor
final class NavigationBar: View, BarButtonItemHost {
    /// The content of the bar, recomputed at each layout.
    struct Content {
        var prompt: DisplayText?
        /// The item that shows or hides the lists beside the content. It comes first.
        var lists: BarButtonItem?
        var back: BarButtonItem?
        var left: [BarButtonItem] = []
        var title: DisplayText = .empty
        var titleView: View?
        var right: [BarButtonItem] = []
        var accessory: View?
        var isFocused = false
        var isTitleCutInMiddle = false
        /// Whether a title is beside the title view, which then gets half the width, or what the other items leave.
        var sharesLine = false
        /// A text at the right end, such as "3 of 26", or "2/3" in bars without space for segments.
        var position: DisplayText?
    }

    var content = Content() {
        didSet {
            for (new, old) in [
                (content.titleView, oldValue.titleView), (content.accessory, oldValue.accessory),
            ] where new !== old {
                if old?.superview === self { old?.removeFromSuperview() }
                if let new { addSubview(new) }
            }
        }
    }

    private(set) var placed: [(item: BarButtonItem, rect: Rect)] = []
    private var titleRect: Rect = .zero
    private var positionColumn = 0
    private lazy var overflow = BarOverflow(bar: self)

    var lines: Int { content.prompt == nil ? 1 : 2 }

    private var line: Int { lines - 1 }

    override func layoutSubviews() {
        placed.removeAll()
        var left = content.isTitleCutInMiddle ? 0 : 1
        var right = bounds.width - left
        if let accessory = content.accessory {
            // The title view gets half the line or what the other items leave, but at least the segments' shortest
            // names, so that the selected one stays readable.
            let names = content.titleView?.sizeThatFits(Size(width: bounds.width / 2, height: 1)).width ?? 0
            let others = names + content.title.columns + content.right.reduce(4) { $0 + $1.columns + 2 }
            let room = min(max(bounds.width / 2, bounds.width - others), bounds.width - names - 3)
            let width = min(accessory.sizeThatFits(bounds.size).width, max(0, room))
            accessory.frame = Rect(x: right - width, y: line, width: width, height: 1)
            accessory.isHidden = width == 0
            if width > 0 { right -= width + 1 }
        }
        if let position {
            right -= position.columns
            positionColumn = right
            right -= 2
        }
        right = placeRightItems(from: left, to: right)
        if let titleView = content.titleView {
            // Half the line, or what the other items leave.
            let others = ([content.lists, content.back].compactMap { $0 } + content.left).reduce(
                content.title.columns + 4
            ) { $0 + $1.columns + symbols.back.columns + 2 }
            let room =
                content.sharesLine ? min(right - left, max(bounds.width / 2, right - left - others)) : right - left
            let width = max(0, titleView.sizeThatFits(Size(width: room, height: 1)).width)
            titleView.frame = Rect(x: left - 1, y: line, width: width, height: 1)
            left += width
        }
        for item in [content.lists, content.back].compactMap({ $0 }) + content.left {
            let width = item === content.back ? backWidth(in: right - left) : item.columns
            guard left + width <= right else { continue }
            placed.append((item, Rect(x: left, y: line, width: width, height: 1)))
            left += width + (item === content.back && width == symbols.back.columns ? 0 : 2)
        }
        titleRect = Rect(x: left, y: line, width: right - left, height: 1)
    }

    /// The position as far as it fits: without its badge, or not at all. A part of a number would be another number.
    private var position: DisplayText? {
        guard let whole = content.position else { return nil }
        let first = DisplayText(String(whole.string.prefix { $0 != " " }))
        return [whole, first].first { $0.columns < bounds.width }
    }

    private static let minimumBackName = 5

    /// Returns the width of the back item beside the beginning of the title. Its name is truncated, and if too little
    /// would be left of it, only the mark is shown.
    private func backWidth(in room: Int) -> Int {
        let marks = symbols.back.columns
        let whole = marks + (content.back?.columns ?? 0)
        let width = min(whole, room - 2 - min(content.title.columns, 8))
        return width >= min(whole, marks + NavigationBar.minimumBackName) ? width : marks
    }

    /// Draws the back item: the mark in the accent colour and the name as text, unlike the title. A line separates the
    /// mark alone from the title, which would look like the name of the previous view otherwise.
    private func drawBack(_ item: BarButtonItem, at rect: Rect, in surface: Surface) {
        let end = surface.draw(symbols.back, at: rect.origin, style: theme[.accent])
        if rect.width > symbols.back.columns {
            let name = item.title.truncated(to: rect.maxX - end)
            surface.draw(name, at: Point(x: end, y: rect.minY), style: theme[.text])
        } else if !symbols.isLinear, !content.title.isEmpty {
            surface.draw(symbols.vertical, at: Point(x: rect.maxX - 1, y: rect.minY), style: theme[.rule])
        }
    }

    /// Places the right items from the edge inwards. Those that would leave no space for the title move into a menu.
    ///
    /// - Returns: The column after the remaining space.
    private func placeRightItems(from left: Int, to edge: Int) -> Int {
        let minimum = left + min(8, max(4, content.title.columns))
        var shown = content.right
        func needed(_ overflows: Bool) -> Int {
            shown.reduce(0) { $0 + $1.columns + 2 } + (overflows ? overflow.item.columns + 2 : 0)
        }
        while !shown.isEmpty, edge - needed(shown.count < content.right.count) < minimum { shown.removeLast() }
        overflow.items = Array(content.right[shown.count...])
        var right = edge
        let folds = !overflow.items.isEmpty && edge - needed(true) > left
        for item in (folds ? [overflow.item] : []) + shown {
            right -= item.columns
            placed.append((item, Rect(x: right, y: line, width: item.columns, height: 1)))
            right -= 2
        }
        return right
    }

    override func draw(in surface: Surface) {
        let theme = theme
        if let prompt = content.prompt {
            surface.draw(
                prompt.truncated(to: bounds.width - 2), at: Point(x: 1, y: 0), style: theme[.secondary])
        }
        for (item, rect) in placed {
            if item === content.back {
                drawBack(item, at: rect, in: surface)
            } else {
                Toolbar.draw(item, at: rect, in: surface, theme: theme)
            }
        }
        if let position {
            surface.draw(
                position, at: Point(x: positionColumn, y: line), style: theme[.secondary])
        }
        let title = content.title.truncated(to: titleRect.width, content.isTitleCutInMiddle ? .middle : .tail)
        surface.draw(title, at: titleRect.origin, style: theme[content.isFocused ? .accent : .title])
    }

    override func handle(_ event: MouseEvent) -> Bool { performItem(clickedBy: event) }
}
