/// The arrangement of a split view's columns. It depends on the environment and the preferences, never on previous
/// arrangements (rows SPL-01 and SPL-12).
struct SplitArrangement: Hashable {
    typealias Column = SplitViewController.Column
    typealias DisplayMode = SplitViewController.DisplayMode
    typealias Behavior = SplitViewController.SplitBehavior

    /// The position of the lists relative to the detail.
    enum Form: Hashable {
        /// All in one stack.
        case collapsed
        /// Beside the detail.
        case beside
        /// Above the detail.
        case above
        /// Over the detail, or hidden.
        case over
        /// Beside the detail, which moves aside, or hidden.
        case displacing
        /// In a popover at the button, or hidden.
        case popover

        /// Whether the lists can be hidden.
        var canHideLists: Bool { self == .over || self == .displacing || self == .popover }
    }

    struct Conditions {
        var width: HorizontalSizeClass
        var rows: Int
        var style: SplitViewController.ColumnStyle
        var hasSecondList: Bool
        var preferredMode: DisplayMode
        var preferredBehavior: Behavior
        var stacksListInTallPanes: Bool
        var showsNarrowListAsPopover: Bool
    }

    /// The visible columns, each with the columns joined to it.
    var groups: [[Column]] = []
    /// The position of the lists relative to the detail.
    var form = Form.beside

    /// The minimum number of rows of a pane in which the list can be above the detail.
    static let tallPane = 30

    /// Creates the arrangement before the first layout.
    init() {}

    init(_ conditions: Conditions) {
        switch conditions.width {
        case .minimal, .compact: groups = [[.primary, .supplementary, .secondary]]
        case .wide where conditions.style == .triple && conditions.hasSecondList:
            groups = [[.primary], [.supplementary], [.secondary]]
        case .narrow, .regular, .wide: groups = [[.primary, .supplementary], [.secondary]]
        }
        form = groups.count == 1 ? .collapsed : SplitArrangement.form(conditions)
    }

    private static func form(_ conditions: Conditions) -> Form {
        let isNarrow = conditions.width == .narrow
        if isNarrow, conditions.stacksListInTallPanes, conditions.rows >= tallPane,
            conditions.preferredMode != .primaryHidden
        {
            return .above
        }
        if isNarrow, conditions.showsNarrowListAsPopover { return .popover }
        let behavior = behavior(conditions.preferredBehavior, width: conditions.width, mode: conditions.preferredMode)
        switch (behavior, mode(conditions.preferredMode, in: behavior)) {
        case (.displace, _): return .displacing
        case (.overlay, _), (_, .primaryHidden): return .over
        default: return .beside
        }
    }

    /// Returns the behaviour that fits. Lists are never beside a detail in a narrow pane.
    static func behavior(_ preferred: Behavior, width: HorizontalSizeClass, mode: DisplayMode) -> Behavior {
        switch preferred {
        case .automatic: width == .narrow || mode == .primaryOverlay ? .overlay : .tile
        case .tile: width == .narrow ? .overlay : .tile
        case .overlay, .displace: preferred
        }
    }

    /// Returns the display mode of a behaviour that is closest to the preferred one (row SPL-01).
    static func mode(_ preferred: DisplayMode, in behavior: Behavior) -> DisplayMode {
        switch (preferred, behavior) {
        case (.primaryHidden, _): .primaryHidden
        case (_, .overlay): .primaryOverlay
        case (_, .tile), (_, .displace), (_, .automatic): .allVisible
        }
    }

    /// Returns the display mode while a column has the focus.
    func displayMode(focus: Column) -> DisplayMode {
        guard form.canHideLists else { return .allVisible }
        if focus == .secondary { return .primaryHidden }
        return form == .displacing ? .allVisible : .primaryOverlay
    }

    /// Whether the stack of a group is visible.
    func shows(_ group: [Column], focus: Column) -> Bool {
        group.contains(.secondary) || !form.canHideLists || focus != .secondary
    }
}

struct SplitFocus {
    /// The column that last received the focus.
    var chosen = SplitColumn.primary
    /// The column with the focus in the last arrangement.
    var lastShown = SplitColumn.primary
    /// Whether going back has led from the detail to the list. From there it leads further up, not to the detail again
    /// (row NAV-03).
    var hasReachedTop = false
    /// Whether collapsing moved the focus from an empty detail to the list, and nothing else has moved it since.
    var leftEmptyDetail = false
}

extension SplitArrangement {
    /// Creates the arrangement of a split view with some controllers.
    @MainActor
    init(of split: SplitViewController, _ controllers: ColumnStacks) {
        self.init(
            Conditions(
                width: split.traits.horizontal, rows: split.window?.size.height ?? 0, style: split.style,
                hasSecondList: !controllers[.supplementary].isEmpty, preferredMode: split.preferredDisplayMode,
                preferredBehavior: split.preferredSplitBehavior, stacksListInTallPanes: split.stacksListInTallPanes,
                showsNarrowListAsPopover: split.showsNarrowListAsPopover))
    }
}
