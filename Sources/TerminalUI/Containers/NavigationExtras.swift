/// The narrow column at the right of a navigation controller.
@MainActor
public enum SideColumn {
    /// The minimum width of a pane with the column, and the width of the column.
    public nonisolated static let (minimumColumns, columns) = (150, 38)

    /// Whether a window has space for the column.
    public static func hasRoom(in window: Window) -> Bool {
        window.size.width >= minimumColumns && !window.isLinear
    }
}

/// What a navigation controller shows besides its stack and bars: a line and a column.
@MainActor
public final class NavigationExtras {
    private unowned let navigation: NavigationController
    private static let (minimumRowsForLine, minimumRowsForLineBelowBar) = (10, 20)

    enum LinePlace { case nowhere, below, atEdge }

    init(of navigation: NavigationController) { self.navigation = navigation }

    /// A line below the bar while it has content, such as an ``AccessoryLine``: above the footer in panes under 20 rows, and
    /// nowhere in panes under 10.
    public var line: View? {
        didSet {
            oldValue?.removeFromSuperview()
            navigation.viewIfLoaded?.setNeedsLayout()
        }
    }

    /// A controller in a narrow column at the right, where ``SideColumn`` has room. It is only looked at: the focus stays
    /// in the stack.
    public var side: ViewController? {
        didSet {
            guard side !== oldValue else { return }
            oldValue?.removeFromParent()
            if let side {
                navigation.addChild(side)
                if let view = navigation.viewIfLoaded { view.addSubview(side.view) }
                side.didMove(to: navigation)
            }
            navigation.updateTraits()
            navigation.window?.updateAppearance()
            navigation.viewIfLoaded?.setNeedsLayout()
        }
    }

    /// The controller in the column if the column is visible.
    var shownSide: ViewController? {
        guard let side, let window = navigation.window, !navigation.isNested, SideColumn.hasRoom(in: window) else {
            return nil
        }
        return side
    }

    /// Returns the traits of a child for the width that it has beside or in the column.
    func limit(_ traits: Traits, for child: ViewController) -> Traits {
        guard let side = shownSide, let window = navigation.window else { return traits }
        var result = traits
        let width = child === side ? SideColumn.columns : window.size.width - SideColumn.columns - 1
        result.horizontal = min(result.horizontal, window.thresholds.horizontal(width))
        return result
    }

    func placeLine(below top: Int, isHidden: Bool) -> LinePlace {
        guard let line else { return .nowhere }
        if line.superview == nil { navigation.view.addSubview(line) }
        let bounds = navigation.view.bounds
        let hasContent = line.sizeThatFits(Size(width: bounds.width, height: 1)).height > 0
        line.isHidden = !hasContent || isHidden || bounds.height < NavigationExtras.minimumRowsForLine
        if line.isHidden { return .nowhere }
        let isBelow = bounds.height >= NavigationExtras.minimumRowsForLineBelowBar
        line.frame = Rect(x: 0, y: isBelow ? top : bounds.height - 1, width: bounds.width, height: 1)
        return isBelow ? .below : .atEdge
    }

    /// Places the column, and returns the rule beside it.
    func placeSide(in frame: Rect) -> Rect? {
        guard let side else { return nil }
        if side.view.superview == nil { navigation.view.addSubview(side.view) }
        side.view.isHidden = shownSide == nil || frame.width <= SideColumn.columns
        if side.view.isHidden { return nil }
        let left = frame.maxX - SideColumn.columns
        side.view.frame = Rect(x: left, y: frame.minY, width: SideColumn.columns, height: frame.height)
        return Rect(x: left - 1, y: frame.minY, width: 1, height: frame.height)
    }
}
