import LibraryKernel

/// Identifies an account on a server.
package struct AccountID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
