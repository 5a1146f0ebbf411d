import FeedParsing
import GRDB
import LibraryKernel
import WebAddresses

/// Entries of one feed that another program stored.
package struct ForeignEntries: Sendable {
    let feed: PreparedFeed
    let entries: [ForeignEntry]

    package init(_ entries: [ForeignEntry], now: Instant) {
        var parsed = ParsedFeed(format: .rss)
        parsed.entries = entries.map(\.entry)
        feed = PreparedFeed(parsed, record: FetchRecord(date: now), compressing: true, hasFixedIDs: true)
        self.entries = entries.filter { !$0.entry.isStump }
    }
}

extension ForeignEntry {
    /// The entry as a saved page, which names the feed that nobody follows beside its author, or `nil` without a link.
    package var savedPage: ForeignEntry? {
        guard let url = entry.address, WebAddress.isWeb(url), url.utf8.count <= ImportedText.maximumAddress else {
            return nil
        }
        var page = self
        page.entry.id = url
        if let feedTitle, !feedTitle.isEmpty { page.entry.authors.append(ParsedAuthor(name: feedTitle)) }
        return page
    }
}

/// Adopts the entries and marks of a feed from another program. Existing marks stay, so nothing becomes unread.
package struct AdoptEntries: MaintenanceStep {
    let foreign: ForeignEntries
    /// The feed, or `nil` for saved pages.
    let subscription: FeedID?
    let now: Instant
    private var prepared = PreparedEntries()

    package init(_ foreign: ForeignEntries, in subscription: FeedID?, now: Instant) {
        self.foreign = foreign
        self.subscription = subscription
        self.now = now
    }

    package func prepared(reading store: Store) -> AdoptEntries {
        var step = self
        guard let subscription else { return step }
        step.prepared = PreparedEntries(foreign.feed.entries, in: subscription, now: now, reading: store)
        return step
    }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let subscription = try self.subscription ?? SavedPage.feed(db, now: now)
        let guids = foreign.feed.entries.map(\.guid)
        let deleted = zip(foreign.entries, guids).filter(\.0.isDeleted).map(\.1)
        let find = try db.cachedStatement(
            sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?")
        for guid in deleted {
            if let known = try EntryID.fetchOne(find, arguments: [subscription, guid]) {
                _ = try DeletedEntries(db: db).delete(known, now: now)
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO deleted_entry (subscription_id, guid, deleted_at) VALUES (?, ?, ?)",
                arguments: [subscription, guid, now])
        }
        // Existing entries keep the content that their feed has now.
        let new = try zip(foreign.feed.entries, foreign.entries).filter { item, entry in
            try !entry.isDeleted && EntryID.fetchOne(find, arguments: [subscription, item.guid]) == nil
        }.map(\.0)
        let stored = try EntryWriter(transaction).store(new, prepared, in: subscription, now: now)
        if stored.added > 0 { try SubscriptionHealth.noteRhythm(of: subscription, db) }
        var count = 0
        let marksWriter = EntryMarks(db)
        var marks: [EntryMark: [EntryID]] = [:]
        for (entry, guid) in zip(foreign.entries, guids) where !entry.isDeleted {
            guard let known = try EntryID.fetchOne(find, arguments: [subscription, guid]) else { continue }
            count += 1
            if entry.isRead { marks[.read, default: []].append(known) }
            if entry.isStarred { marks[.starred, default: []].append(known) }
            for tag in entry.tags { _ = try marksWriter.set(tag, true, of: known) }
        }
        // An import has no undo step of its own. The backup and the undo of feeds cover mistakes.
        for (mark, entries) in marks {
            _ = try marksWriter.set(mark, true, of: entries, now: now)
        }
        return Outcome(count: count, answer: stored)
    }
}
