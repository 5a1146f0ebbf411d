import FeedParsing
import GRDB

/// A page that is saved for reading later and doesn't belong to a feed.
package struct SavedPage: Codable, Hashable, Sendable {
    package var url: String
    package var title: String
    package var author: String?
    /// The HTML of the article, or `nil` if tappa found none.
    package var html: String?
    /// The publication date as written on the page.
    package var date: String?

    package init(url: String, title: String, author: String?, html: String?, date: String?) {
        self.url = url
        self.title = title
        self.author = author
        self.html = html
        self.date = date
    }

    /// The pseudo address of the subscription for saved pages, which is never fetched.
    package static let subscription = "tappa:saved"
}

/// The full text of an entry's page.
package struct FullText: Hashable, Sendable {
    /// The HTML of the article, or an empty text if the page has none.
    package var html: String
    /// The publication date as written on the page.
    package var date: String?

    package init(html: String, date: String?) {
        self.html = html
        self.date = date
    }
}

/// Changes that come from reading: reading positions, full texts and saved pages.
extension ChangeWriter {
    /// Stores the reading position in an entry.
    func note(place: String, of entry: Int64) throws -> Receipt {
        try db.execute(
            sql: "UPDATE entry_content SET place = ?1 WHERE entry_id = ?2 AND place IS NOT ?1",
            arguments: [place, entry])
        return Receipt(id, count: db.changesCount)
    }

    func store(_ fullText: FullText, of entry: Int64) throws {
        try db.execute(
            sql: """
                UPDATE entry_content SET full_html = ?, page_date = coalesce(?, page_date) WHERE entry_id = ?
                """,
            arguments: [StoredEntry.limited(fullText.html, to: StoredEntry.mostHTML), fullText.date, entry])
    }

    func setOptions(_ subscription: Int64, _ options: SubscriptionOptions) throws -> Receipt {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT options, coalesce(custom_title, title, url) FROM subscription WHERE id = ?",
                arguments: [subscription])
        else { return Receipt(id) }
        let before: String? = try row.at(0)
        guard before != options.stored else { return Receipt(id) }
        _ = try restoreOptions(before: options.stored, of: subscription)
        let name: String = try row.at(1)
        return try receipt(1, undo: "Restores the options of \(name)", .setOptions(subscription, before))
    }

    /// Restores options from their stored form.
    ///
    /// Whether the address came from outside is a fact and not an option, so it doesn't change back.
    func restoreOptions(before text: String?, of subscription: Int64) throws -> Int {
        var options = SubscriptionOptions(stored: text)
        options.isFromOutside = try options.isFromOutside || self.options(of: subscription).isFromOutside
        return try write(options, of: subscription)
    }

    /// Records whether the address of a feed came from outside.
    func note(isFromOutside: Bool, of subscription: Int64) throws {
        var options = try self.options(of: subscription)
        guard options.isFromOutside != isFromOutside else { return }
        options.isFromOutside = isFromOutside
        _ = try write(options, of: subscription)
    }

    private func options(of subscription: Int64) throws -> SubscriptionOptions {
        try SubscriptionOptions(
            stored: String.fetchOne(db, sql: "SELECT options FROM subscription WHERE id = ?", arguments: [subscription])
        )
    }

    private func write(_ options: SubscriptionOptions, of subscription: Int64) throws -> Int {
        try db.execute(
            sql: "UPDATE subscription SET options = ?, is_quiet = ? WHERE id = ?",
            arguments: [options.stored, options.isQuiet, subscription])
        return db.changesCount
    }

    /// Saves a page for reading later.
    func save(_ page: SavedPage, now: Int64) throws -> Receipt {
        let subscription = try savedSubscription(now: now)
        let date = page.date.flatMap { DateParser.parse($0) }.flatMap { (0...now + 86_400).contains($0) ? $0 : nil }
        if let known = try Int64.fetchOne(
            db, sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?", arguments: [subscription, page.url])
        {
            return try setMark(.later, true, [known], wholeStories: false, now: now)
        }
        try db.execute(
            sql: """
                INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, is_later, fingerprint, story)
                VALUES (?, ?, ?, ?, ?, 1, 0, ?)
                """,
            arguments: [
                subscription, page.url, StoredEntry.limited(page.title, to: 4 << 10), now, date != nil,
                StoredEntry.story(of: page.url),
            ])
        let entry = db.lastInsertedRowID
        try db.execute(
            sql: """
                INSERT INTO entry_content (entry_id, link, author, html, text, published, published_text, first_seen, page_date)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry, page.url, page.author, page.html.map { StoredEntry.limited($0, to: StoredEntry.mostHTML) }, nil,
                date,
                page.date, now, page.date,
            ])
        try hasAdded(entry)
        return try receipt(1, undo: "Removes the saved page", .removeEntry(entry))
    }

    /// Returns the subscription for saved pages, and creates it for the first page.
    private func savedSubscription(now: Int64) throws -> Int64 {
        let address = SavedPage.subscription
        if let known = try Int64.fetchOne(db, sql: "SELECT id FROM subscription WHERE url = ?", arguments: [address]) {
            return known
        }
        try db.execute(
            sql: """
                INSERT INTO subscription (url, title, added, position)
                VALUES (?, 'Saved pages', ?, (SELECT coalesce(max(position), 0) + 1 FROM subscription))
                """, arguments: [address, now])
        return db.lastInsertedRowID
    }

    func removeEntry(_ entry: Int64) throws -> Int {
        try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [entry])
        return db.changesCount
    }
}
