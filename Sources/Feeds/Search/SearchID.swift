import LibraryKernel

/// Identifies a saved search.
package struct SearchID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
