import LibraryKernel

/// Identifies a change of subscriptions in the outbox.
package struct PendingOperationID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
