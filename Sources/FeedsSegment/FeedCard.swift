import Feeds
import LibraryKernel
import TerminalUI

/// What the card of a row in the list of feeds shows.
struct FeedCard: Equatable, Sendable {
    /// A row, with what is known about it without a query.
    struct Subject: Hashable, Sendable {
        var name: String
        /// The feeds of the row. Their errors appear on the card.
        var feeds: [SubscriptionRow] = []
        /// The entries, newest first, or `nil` for rows that aren't lists of entries.
        var query: EntryQuery?
        var isFeed = false
        /// Further facts, such as the terms of a saved search.
        var notes: [String] = []
    }

    /// An entry with the beginning of its text.
    struct Entry: Hashable, Sendable {
        var row: EntryRow
        var excerpt: String
    }

    let subject: Subject
    private(set) var health: SubscriptionHealth?
    private(set) var entries: [Entry] = []
    /// The numbers of entries on the last days, oldest first.
    private(set) var activity: [Int] = []
    /// How many entries a feed had in each of the last weeks, oldest first.
    private(set) var weeks: [Int] = []

    /// The number of days and weeks of the activity, and the maximum number of entries.
    static let days = 30, numberOfWeeks = 52, maximumEntries = 16
    /// The maximum length of an excerpt, which cards with few entries show whole.
    private static let longestExcerpt = 1200

    /// Reads a card: a window of the newest entries with their excerpts, and the dates of 30 days.
    init(_ subject: Subject, library: Library, now: Instant) throws(LibraryError) {
        self.subject = subject
        if subject.isFeed, let feed = subject.feeds.first { health = try library.feeds.health(of: feed.id) }
        guard let query = subject.query else { return }
        let length = subject.isFeed ? 7 * FeedCard.numberOfWeeks : FeedCard.days
        let days = try library.entries.activity(in: query.scope, until: now + 1, days: length)
        activity = Array(days.suffix(FeedCard.days))
        if subject.isFeed {
            weeks = stride(from: 0, to: days.count, by: 7).map { days[$0..<$0 + 7].reduce(0) { $0.addingClamped($1) } }
        }
        for row in try library.entries.rows(in: query, limit: FeedCard.maximumEntries) {
            entries.append(
                Entry(row: row, excerpt: try library.entries.excerpt(of: row.id, maximum: FeedCard.longestExcerpt)))
        }
    }
}

extension FeedCard.Subject {
    /// Creates the subject of a row.
    init(_ row: FeedListModel.Row, in model: FeedListModel, mergesDuplicates: Bool, now: Instant) {
        // Without the entries that an open list of unread ones keeps, so that the card of a row stays the same.
        let query = row.scope(now: .distantFuture).map {
            EntryQuery($0.newestFirst, mergesDuplicates: mergesDuplicates)
        }
        self.init(
            name: row.title.string, feeds: model.feeds(of: row), query: query, isFeed: row.subscription != nil)
        switch row {
        case .search(let search): notes = [search.query]
        case .account(let account): notes = [account.state(now: now)]
        default: break
        }
    }
}

extension EntryScope {
    /// The same entries without a sort order of their own.
    fileprivate var newestFirst: EntryScope { searchQuery.map { .search($0) } ?? self }
}
