/// How much room there is across.
public enum HorizontalSizeClass: Int, Comparable, Sendable {
    /// Under 20 columns: one stack without decoration.
    case minimal
    /// 20 to 57 columns: one navigation stack.
    case compact
    /// 58 to 77 columns: the detail alone, the list slides over it.
    case narrow
    /// 78 to 147 columns: list beside detail.
    case regular
    /// 148 columns and more: three columns.
    case wide

    /// Less room comes first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// How much room there is from top to bottom.
public enum VerticalSizeClass: Int, Comparable, Sendable {
    /// 1 or 2 rows: one line that says what is open.
    case line
    /// 3 to 7 rows: one line of bar, then content.
    case minimal
    /// 8 to 14 rows: the bars share a line.
    case compact
    /// 15 rows and more: all bars.
    case regular

    /// Less room comes first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Where one size class ends and the next begins, in columns and rows.
///
/// None of the defaults stands where the halves of a split pane (80 into 40 and 39, 120 into 60 and 59) would differ.
public struct SizeClassThresholds: Hashable, Sendable {
    /// The least columns of ``HorizontalSizeClass/compact``.
    public var compactWidth = 20
    /// The least columns of ``HorizontalSizeClass/narrow``.
    public var narrowWidth = 58
    /// The least columns of ``HorizontalSizeClass/regular``.
    public var regularWidth = 78
    /// The least columns of ``HorizontalSizeClass/wide``.
    public var wideWidth = 148
    /// The least rows of ``VerticalSizeClass/minimal``.
    public var minimalHeight = 3
    /// The least rows of ``VerticalSizeClass/compact``.
    public var compactHeight = 8
    /// The least rows of ``VerticalSizeClass/regular``.
    public var regularHeight = 15

    /// The default thresholds.
    public init() {}

    /// The class of a number of columns.
    public func horizontal(_ columns: Int) -> HorizontalSizeClass {
        columns >= wideWidth
            ? .wide
            : columns >= regularWidth
                ? .regular : columns >= narrowWidth ? .narrow : columns >= compactWidth ? .compact : .minimal
    }

    /// The class of a number of rows.
    public func vertical(_ rows: Int) -> VerticalSizeClass {
        rows >= regularHeight ? .regular : rows >= compactHeight ? .compact : rows >= minimalHeight ? .minimal : .line
    }
}

/// The surroundings of a view controller: they flow from the terminal through the containers to each child (row SPL-11).
public struct Traits: Hashable, Sendable {
    /// The room across.
    public var horizontal: HorizontalSizeClass
    /// The room from top to bottom.
    public var vertical: VerticalSizeClass
    /// Colours and symbols of the terminal.
    public var capabilities: TerminalCapabilities

    /// Makes traits.
    public init(
        horizontal: HorizontalSizeClass, vertical: VerticalSizeClass,
        capabilities: TerminalCapabilities = TerminalCapabilities()
    ) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.capabilities = capabilities
    }
}

/// What a parent sets otherwise for one of its children; `nil` leaves a trait as it is.
public struct TraitOverrides: Hashable, Sendable {
    /// The room across, if it is to be another.
    public var horizontal: HorizontalSizeClass?
    /// The room from top to bottom, if it is to be another.
    public var vertical: VerticalSizeClass?

    /// Makes overrides.
    public init(horizontal: HorizontalSizeClass? = nil, vertical: VerticalSizeClass? = nil) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    func applied(to traits: Traits) -> Traits {
        var result = traits
        if let horizontal { result.horizontal = horizontal }
        if let vertical { result.vertical = vertical }
        return result
    }
}
