/// A line of items below a controller, with the position in its content at the right end.
///
/// Items that don't fit move into a menu behind the item `⋯`, starting with those of the lowest priority.
@MainActor
public final class Toolbar: View, BarButtonItemHost {
    /// The items from left to right.
    public var items: [BarButtonItem] = [] {
        didSet {
            for item in items { item.onChange = { [weak self] in self?.setNeedsLayout() } }
            setNeedsLayout()
        }
    }

    /// Returns the view whose position the bar shows (``View/positionText``). The layout of a page may change it.
    var positioned: () -> View? = { nil }
    private var position = DisplayText.empty
    private(set) var placed: [(item: BarButtonItem, rect: Rect)] = []
    private static let gap = 2
    private lazy var overflow = BarOverflow(bar: self)
    var overflowing: [BarButtonItem] { overflow.items }

    /// The width of all items side by side, with a margin at both ends.
    var preferredWidth: Int {
        let visible = items.filter { $0.kind != .flexibleSpace }
        return visible.reduce(2) { $0 + $1.columns } + max(0, visible.count - 1) * Toolbar.gap
    }

    /// Returns the width of the items that fit in a width, with a margin at both ends.
    func width(within limit: Int) -> Int {
        guard preferredWidth > limit else { return preferredWidth }
        frame = Rect(x: 0, y: 0, width: limit, height: 1)
        layoutSubviews()
        return placed.reduce(0) { max($0, $1.rect.maxX) } + 1
    }

    /// Places the items that fit.
    public override func layoutSubviews() {
        placed.removeAll()
        position = positioned()?.positionText ?? .empty
        if position.columns > bounds.width / 2 { position = .empty }
        let full = bounds.width - 2 - (position.isEmpty ? 0 : position.columns + Toolbar.gap)
        var room = full
        var shown = items.map { (item: $0, columns: $0.kind == .flexibleSpace ? 0 : $0.columns) }
        var needed = shown.reduce(-Toolbar.gap) {
            $0 + ($1.item.kind == .flexibleSpace ? 0 : $1.columns + Toolbar.gap)
        }
        var overflowing: [BarButtonItem] = []
        while needed > room {
            // Of items with equal priority, the rightmost is removed first.
            let candidates = shown.indices.filter { shown[$0].item.kind != .flexibleSpace }
            guard let victim = candidates.min(by: { (shown[$0].item.priority, -$0) < (shown[$1].item.priority, -$1) })
            else { break }
            let gone = shown.remove(at: victim)
            needed -= gone.columns + Toolbar.gap
            guard gone.item.kind == .button else { continue }
            overflowing.append(gone.item)
            room = full - overflow.item.columns - Toolbar.gap
        }
        overflow.items = items.filter { item in overflowing.contains { $0 === item } }
        if !overflowing.isEmpty, full >= overflow.item.columns {
            let width = overflow.item.columns
            placed.append((overflow.item, Rect(x: full + 1 - width, y: 0, width: width, height: 1)))
        }
        var spare = room - max(0, needed)
        var column = 1
        var spacesLeft = shown.count { $0.item.kind == .flexibleSpace }
        for (item, columns) in shown {
            if item.kind == .flexibleSpace {
                let share = spare / max(1, spacesLeft)
                spare -= share
                spacesLeft -= 1
                column += share
            } else {
                placed.append((item, Rect(x: column, y: 0, width: columns, height: 1)))
                column += columns + Toolbar.gap
            }
        }
    }

    /// Draws keys in the accent colour with titles beside them.
    public override func draw(in surface: Surface) {
        let theme = theme
        let ground = theme[groundRole == .text ? .footer : groundRole].background
        surface.fill(bounds, style: Style(background: ground))
        surface.draw(
            position, at: Point(x: bounds.width - 1 - position.columns, y: 0),
            style: theme[.secondary].on(ground))
        for (item, rect) in placed { Toolbar.draw(item, at: rect, in: surface, theme: theme, on: ground) }
    }

    /// - Parameter ground: The background, or `nil` for that of the theme.
    static func draw(
        _ item: BarButtonItem, at rect: Rect, in surface: Surface, theme: Theme, on ground: Color? = nil
    ) {
        func style(_ role: ThemeRole) -> Style { ground.map { theme[role].on($0) } ?? theme[role] }
        var column = rect.minX
        let isMuted = !item.isEnabled || item.kind == .label
        if let key = item.key {
            column =
                surface.draw(key, at: Point(x: column, y: rect.minY), style: style(isMuted ? .secondary : .accent)) + 1
        }
        surface.draw(
            item.title, at: Point(x: column, y: rect.minY),
            style: style(isMuted || item.key != nil ? .secondary : .accent))
    }

    /// Performs the action of the clicked item.
    public override func handle(_ event: MouseEvent) -> Bool { performItem(clickedBy: event) }
}

extension DisplayText {
    /// Returns a place in a list, such as "3 of 26", whose width depends on the list's length alone.
    public static func position(_ index: Int, of count: Int) -> DisplayText {
        let (number, count) = (DisplayText(String(index + 1)), DisplayText(String(count)))
        return number.padded(to: count.columns, isTrailing: true) + " of " + count
    }
}
