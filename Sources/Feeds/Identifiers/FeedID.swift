import LibraryKernel

/// Identifies a subscription.
package struct FeedID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
