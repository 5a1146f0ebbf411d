/// The parts of the library that are read, by subject.
extension Library {
    /// Reads entries.
    package var entries: EntryStore { EntryStore(store: store) }
    /// Reads subscriptions.
    package var feeds: FeedStore { FeedStore(store: store) }
    /// Searches entries and reads saved searches.
    package var search: SearchStore { SearchStore(store: store) }
    /// Reads accounts.
    package var accounts: AccountStore { AccountStore(store: store) }
    /// Reads the changes that are waiting to be sent to servers.
    package var outbox: OutboxStore { OutboxStore(store: store) }
    /// Reads races.
    package var races: RaceStore { RaceStore(store: store) }
    /// Reads downloads.
    package var downloads: DownloadStore { DownloadStore(store: store, isForeign: isForeign) }
}
