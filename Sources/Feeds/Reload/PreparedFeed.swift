import FeedParsing

/// A feed in its stored form, prepared before the transaction.
///
/// Work outside the transaction doesn't delay other changes.
package struct PreparedFeed: Sendable {
    let title: String?
    let homePage: String?
    let record: FetchRecord
    package let entries: [StoredEntry]

    /// - Parameter compressing: Whether to compress all texts, because all entries are new. Otherwise only texts that are
    ///   stored are compressed (``PreparedEntries``).
    package init(_ feed: ParsedFeed, record: FetchRecord, compressing: Bool = false) {
        title = feed.title.map { StoredEntry.limited($0, to: 4 << 10) }
        homePage = feed.homePage
        self.record = record
        entries = feed.entries.lazy.filter { !$0.isStump }.map {
            StoredEntry($0, of: feed, now: record.date, compressing: compressing)
        }
    }

    private init(_ other: PreparedFeed, entries: [StoredEntry]) {
        (title, homePage, record) = (other.title, other.homePage, other.record)
        self.entries = entries
    }

    /// Returns the same feed with other entries.
    package func with(_ entries: [StoredEntry]) -> PreparedFeed { PreparedFeed(self, entries: entries) }
}
