/// What the library has to know about downloads.
enum DownloadFeature {
    /// The kinds of changes, for journals and undo steps.
    static let changes: [any LibraryChange.Type] = [
        QueueDownload.self, RemoveDownload.self, RestoreDownload.self, StorePlaybackPosition.self,
    ]
}
