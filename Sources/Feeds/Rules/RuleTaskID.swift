import LibraryKernel

/// Identifies a task of a rule outside the library.
package struct RuleTaskID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
