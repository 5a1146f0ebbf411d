import LibraryKernel

extension Library {
    /// Reads downloads.
    package var downloads: DownloadStore {
        DownloadStore(store: store, spoilers: spoilers, isForeign: isForeign)
    }
}
