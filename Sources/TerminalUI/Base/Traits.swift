/// The class of the available width.
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

    /// Smaller classes come first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The class of the available height.
public enum VerticalSizeClass: Int, Comparable, Sendable {
    /// 1 or 2 rows: one line with the current title.
    case line
    /// 3 to 7 rows: one line of bar, then content.
    case minimal
    /// 8 to 14 rows: the bars share a line.
    case compact
    /// 15 rows and more: all bars.
    case regular

    /// Smaller classes come first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The boundaries of the size classes in columns and rows.
///
/// The defaults avoid values at which the two halves of a split pane (80 into 40 and 39, 120 into 60 and 59) would
/// differ.
public struct SizeClassThresholds: Hashable, Sendable {
    /// The minimum width of ``HorizontalSizeClass/compact``.
    public var compactWidth = 20
    /// The minimum width of ``HorizontalSizeClass/narrow``.
    public var narrowWidth = 58
    /// The minimum width of ``HorizontalSizeClass/regular``.
    public var regularWidth = 78
    /// The minimum width of ``HorizontalSizeClass/wide``.
    public var wideWidth = 148
    /// The minimum height of ``VerticalSizeClass/minimal``.
    public var minimalHeight = 3
    /// The minimum height of ``VerticalSizeClass/compact``.
    public var compactHeight = 8
    /// The minimum height of ``VerticalSizeClass/regular``.
    public var regularHeight = 15

    /// Creates the default thresholds.
    public init() {}

    /// Returns the class of a width in columns.
    public func horizontal(_ columns: Int) -> HorizontalSizeClass {
        columns >= wideWidth
            ? .wide
            : columns >= regularWidth
                ? .regular : columns >= narrowWidth ? .narrow : columns >= compactWidth ? .compact : .minimal
    }

    /// Returns the class of a height in rows.
    public func vertical(_ rows: Int) -> VerticalSizeClass {
        rows >= regularHeight ? .regular : rows >= compactHeight ? .compact : rows >= minimalHeight ? .minimal : .line
    }
}

/// The environment of a view controller, passed from the terminal through the containers to each child (row SPL-11).
public struct Traits: Hashable, Sendable {
    /// The class of the available width.
    public var horizontal: HorizontalSizeClass
    /// The class of the available height.
    public var vertical: VerticalSizeClass
    /// The capabilities of the terminal.
    public var capabilities: TerminalCapabilities

    /// Creates traits.
    public init(
        horizontal: HorizontalSizeClass, vertical: VerticalSizeClass,
        capabilities: TerminalCapabilities = TerminalCapabilities()
    ) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.capabilities = capabilities
    }
}

/// Traits that a parent overrides for one of its children. `nil` leaves a trait unchanged.
public struct TraitOverrides: Hashable, Sendable {
    /// The overridden width class.
    public var horizontal: HorizontalSizeClass?
    /// The overridden height class.
    public var vertical: VerticalSizeClass?

    /// Creates overrides.
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
