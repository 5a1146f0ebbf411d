import LibraryKernel

extension Library {
    /// Reads entries.
    package var entries: EntryStore { EntryStore(store: store, spoilers: spoilers) }
    /// The user names, passwords and header lines, which are stored outside the library.
    package var secrets: SecretStore { attachment(SecretStore.self) ?? SecretStore(library: path) }
    /// Reads subscriptions.
    package var feeds: FeedStore { FeedStore(store: store) }
    /// Searches entries and reads saved searches.
    package var search: SearchStore { SearchStore(entryStore: entries) }
    /// Reads downloads.
    package var downloads: DownloadStore {
        DownloadStore(store: store, spoilers: spoilers, isForeign: isForeign)
    }
}
