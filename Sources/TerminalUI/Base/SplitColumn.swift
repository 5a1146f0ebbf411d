/// A column of a split view.
public enum SplitColumn: Int, CaseIterable, Comparable, Sendable {
    /// The first list.
    case primary
    /// The list beside it, in three columns.
    case supplementary
    /// The detail.
    case secondary

    /// Columns on the left come first.
    public static func < (left: SplitColumn, right: SplitColumn) -> Bool { left.rawValue < right.rawValue }
}
