/// How the columns of a split view stand, as follows from the surroundings and from what is asked for, never from what
/// was there before (rows SPL-01 and SPL-12).
struct SplitArrangement: Hashable {
    typealias Column = SplitViewController.Column
    typealias DisplayMode = SplitViewController.DisplayMode
    typealias Behavior = SplitViewController.SplitBehavior

    /// How the lists relate to the detail.
    enum Form: Hashable {
        /// All in one stack.
        case collapsed
        /// Beside the detail.
        case beside
        /// Above the detail.
        case above
        /// Over the detail, or out of sight.
        case over
        /// Beside the detail, which is moved aside, or out of sight.
        case displacing
        /// In a popover at the button, or out of sight.
        case popover

        /// Whether the lists can be out of sight.
        var canHideLists: Bool { self == .over || self == .displacing || self == .popover }
    }

    /// What the arrangement follows from.
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

    /// The columns that stand beside each other, each with those that are joined onto it.
    var groups: [[Column]] = []
    /// How the lists relate to the detail.
    var form = Form.beside

    /// The least rows of a pane in which the list can stand above the detail.
    static let tallPane = 30

    /// Before the first layout.
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

    /// The behaviour that there is room for: lists are never beside a detail in a narrow pane.
    static func behavior(_ preferred: Behavior, width: HorizontalSizeClass, mode: DisplayMode) -> Behavior {
        switch preferred {
        case .automatic: width == .narrow || mode == .primaryOverlay ? .overlay : .tile
        case .tile: width == .narrow ? .overlay : .tile
        case .overlay, .displace: preferred
        }
    }

    /// The mode of a behaviour that comes next to the one that is asked for (row SPL-01).
    static func mode(_ preferred: DisplayMode, in behavior: Behavior) -> DisplayMode {
        switch (preferred, behavior) {
        case (.primaryHidden, _): .primaryHidden
        case (_, .overlay): .primaryOverlay
        case (_, .tile), (_, .displace), (_, .automatic): .allVisible
        }
    }

    /// What is shown of the lists when a column has the focus.
    func displayMode(focus: Column) -> DisplayMode {
        guard form.canHideLists else { return .allVisible }
        if focus == .secondary { return .primaryHidden }
        return form == .displacing ? .allVisible : .primaryOverlay
    }

    /// Whether the stack of a group can be seen.
    func shows(_ group: [Column], focus: Column) -> Bool {
        group.contains(.secondary) || !form.canHideLists || focus != .secondary
    }
}
