import LibraryKernel

/// Identifies an entry. Newer entries have greater identifiers.
package struct EntryID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
