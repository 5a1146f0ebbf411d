import LibraryKernel

/// Identifies a download.
package struct DownloadID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
