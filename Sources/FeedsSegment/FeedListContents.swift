import Accounts
import Feeds
import LibraryKernel
import ModelCore

/// What the list of feeds reads from the library: subscriptions, tags, saved searches, accounts and counters.
struct FeedListContents: Sendable {
    private(set) var subscriptions: [SubscriptionRow] = []
    private(set) var accounts: [Account] = []
    private(set) var searches: [SavedSearch] = []
    /// The number of unread entries, except those of quiet feeds.
    private(set) var unread = 0
    private(set) var starred = 0
    private(set) var later = 0
    private(set) var archived = 0
    /// The feeds that have been silent for long.
    private(set) var inactive: Set<FeedID> = []
    /// The feeds of each tag, and the number of unread entries that have the tag themselves.
    private(set) var tags: (feeds: [String: [FeedID]], entries: [String: Int]) = ([:], [:])
    /// Returns the place of a group, if the user chose one.
    private(set) var places: @Sendable (FeedGroup) -> FeedGroupPlace? = { _ in nil }

    init() {}

    /// - Parameter mergesDuplicates: Whether lists show one row for all entries about the same page.
    init(_ library: Library, now: Instant, mergesDuplicates: Bool) throws {
        subscriptions = try library.feeds.all()
        unread = try library.feeds.unreadCount()
        starred = try library.entries.count(in: EntryQuery(.starred, mergesDuplicates: mergesDuplicates))
        later = try library.entries.count(in: EntryQuery(.later, mergesDuplicates: mergesDuplicates))
        archived = try library.entries.archivedUnreadCount()
        inactive = try library.feeds.inactive(now: now)
        searches = try library.search.saved()
        places = try library.feeds.groupPlaces()
        accounts = try library.accounts.all(now: now)
        tags = try library.feeds.tagRows()
    }

    /// Returns the contents after read marks of some entries have changed. Reads only what depends on these entries.
    func renewed(after entries: Set<EntryID>, in library: Library) throws -> FeedListContents {
        let counts = try library.feeds.counts(afterMarking: entries)
        var new = self
        for feed in counts.feeds {
            // A feed that isn't in the list yet is read with the whole list.
            guard let index = new.subscriptions.firstIndex(where: { $0.id == feed.id }) else { continue }
            new.unread += feed.unread - new.subscriptions[index].unread
            new.subscriptions[index] = feed
        }
        if let archived = counts.archived { new.archived = archived }
        if let unreadOfTags = counts.tags { new.tags.entries = unreadOfTags }
        return new
    }

    /// Returns the contents after accounts or the outbox have changed.
    func withAccounts(of library: Library, now: Instant) throws -> FeedListContents {
        var new = self
        new.accounts = try library.accounts.all(now: now)
        return new
    }
}
