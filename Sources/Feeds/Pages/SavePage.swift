import FeedParsing
import GRDB
import LibraryKernel

struct SavePage: LibraryChange {
    static let kind = "pages.save"
    var page: SavedPage
    var now: Instant

    var summary: String { "a saved page" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let subscription = try SavedPage.feed(db, now: now)
        let date = page.date.flatMap { DateParser.parse($0) }.flatMap { (0...now + 86_400).contains($0) ? $0 : nil }
        if let known = try EntryID.fetchOne(
            db, sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?", arguments: [subscription, page.url])
        {
            let change = MarkEntries(mark: .later, value: true, entries: [known], wholeStories: false, now: now)
            return try change.apply(in: transaction)
        }
        try db.execute(
            sql: """
                INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, is_later, fingerprint, duplicate_key)
                VALUES (?, ?, ?, ?, ?, 1, 0, ?)
                """,
            arguments: [
                subscription, page.url, StoredEntry.limited(page.title, to: 4 << 10), now, date != nil,
                StoredEntry.duplicateKey(of: page.url),
            ])
        let entry = EntryID(rawValue: db.lastInsertedRowID)
        try db.execute(
            sql: """
                INSERT INTO entry_content (entry_id, link, author, html, text, published, published_text, first_seen, page_date)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry, page.url, page.author,
                page.html.map { StoredText(StoredEntry.limited($0, to: StoredEntry.maximumHTML)) }, nil, date,
                page.date,
                now, page.date,
            ])
        try NewEntries(db: db).add(entry)
        return Outcome(count: 1, undo: "saving the page", Change(RemoveSavedPage(entry: entry)))
    }
}

extension SavedPage {
    /// Returns the subscription for saved pages, and creates it for the first page.
    package static func feed(_ db: Database, now: Instant) throws -> FeedID {
        let address = SavedPage.subscription
        if let known = try FeedID.fetchOne(db, sql: "SELECT id FROM subscription WHERE url = ?", arguments: [address]) {
            return known
        }
        try db.execute(
            sql: """
                INSERT INTO subscription (url, title, added, position)
                VALUES (?, 'Saved pages', ?, (SELECT coalesce(max(position), 0) + 1 FROM subscription))
                """, arguments: [address, now])
        return FeedID(rawValue: db.lastInsertedRowID)
    }
}

struct RemoveSavedPage: LibraryChange {
    static let kind = "pages.remove"
    var entry: EntryID

    var summary: String { "a saved page" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [entry])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Saves a page for reading later.
    package static func savePage(_ page: SavedPage, now: Instant) -> Change { Change(SavePage(page: page, now: now)) }
}
