import LibraryKernel

/// Identifies a mark in the outbox.
package struct PendingMarkID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
