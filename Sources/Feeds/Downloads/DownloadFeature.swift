import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about downloads.
    package static let downloads = LibraryFeature(
        DownloadSchema.tables,
        changes: [
            QueueDownload.self, RemoveDownload.self, RestoreDownload.self,
        ])
}

extension LibraryPart {
    /// The queue of downloads.
    package static let downloads = LibraryPart(["download"])
}
