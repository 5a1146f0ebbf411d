import FeedParsing
import GRDB

/// Entries of one feed that another program stored.
package struct ForeignEntries: Sendable {
    let feed: PreparedFeed
    let entries: [ForeignEntry]

    package init(_ entries: [ForeignEntry], now: Int64) {
        var parsed = ParsedFeed(format: .rss)
        parsed.entries = entries.map(\.entry)
        feed = PreparedFeed(parsed, record: FetchRecord(date: now))
        self.entries = entries.filter { !$0.entry.isStump }
    }
}

/// Imports entries and marks from other programs. Existing marks stay, so nothing becomes unread.
extension ChangeWriter {
    func adopt(_ foreign: ForeignEntries, in subscription: Int64, now: Int64) throws -> Receipt {
        var receipt = Receipt(id)
        let guids = foreign.feed.entries.map(\.guid)
        let deleted = zip(foreign.entries, guids).filter(\.0.isDeleted).map(\.1)
        let find = try db.cachedStatement(
            sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?")
        for guid in deleted {
            if let known = try Int64.fetchOne(find, arguments: [subscription, guid]) {
                _ = try ChangeWriter.deleteForGood(known, now: now, db)
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO deleted_entry VALUES (?, ?, ?)", arguments: [subscription, guid, now])
        }
        // Existing entries keep the content that their feed has now.
        let new = try zip(foreign.feed.entries, foreign.entries).filter { item, entry in
            try !entry.isDeleted && Int64.fetchOne(find, arguments: [subscription, item.guid]) == nil
        }.map(\.0)
        receipt.stored = try storeEntries(new, in: subscription, now: now)
        if receipt.stored.added > 0 { try Library.noteRhythm(of: subscription, db) }
        var marks: [EntryMark: [Int64]] = [:]
        for (entry, guid) in zip(foreign.entries, guids) where !entry.isDeleted {
            guard let known = try Int64.fetchOne(find, arguments: [subscription, guid]) else { continue }
            receipt.count += 1
            if entry.isRead { marks[.read, default: []].append(known) }
            if entry.isStarred { marks[.starred, default: []].append(known) }
            for tag in entry.tags { _ = try set(tag, true, of: known) }
        }
        // An import has no undo step of its own. The backup and the undo of feeds cover mistakes.
        for (mark, entries) in marks {
            _ = try withoutStep { try $0.setMark(mark, true, entries, wholeStories: false, now: now) }
        }
        return receipt
    }
}
