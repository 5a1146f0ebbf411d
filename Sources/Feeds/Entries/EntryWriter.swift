import FeedParsing
import GRDB
import LibraryKernel

/// Stores the entries of feeds.
package struct EntryWriter {
    private let db: Database
    private let gathered: GatheredTexts

    package init(_ transaction: LibraryTransaction) {
        db = transaction.db
        gathered = transaction.parts.part(GatheredTexts.self)
    }

    /// The number of new entries of a feed that are indexed together with it, without a noticeable delay. Others are
    /// indexed later.
    static let indexedWithFeed = 1000

    /// Stores the entries of a feed: adds new ones and updates those that have changed.
    ///
    /// - Parameters:
    ///   - prepared: What was prepared for them before the transaction. New entries without it are indexed later in the
    ///     background.
    ///   - isCut: Whether entries may be missing that the feed still has.
    package func store(
        _ entries: [StoredEntry], _ prepared: PreparedEntries, in subscription: FeedID, isCut: Bool = false,
        now: Instant
    ) throws -> StoredChanges {
        var changes = StoredChanges()
        var feed = try Feed(subscription, db)
        let deletedEntries = DeletedEntries(db: db)
        let deleted = try deletedEntries.guids(of: subscription)
        var seen: Set<String> = []
        var first: EntryID?
        // Feeds list the newest entry first. Storing from the end preserves the feed's order for entries without dates.
        let names = try prepared.names ?? EntryNames.find(entries, in: subscription, db).names
        for stored in entries.reversed() {
            guard seen.insert(stored.guid).inserted else { continue }
            let name = names[stored]
            if name.isDeleted {
                try deletedEntries.rename(name.present, to: name.next, of: subscription)
            } else if !feed.isNew, let known = try find(name, in: subscription) {
                let fingerprint: Int64 = try known.at(1)
                if fingerprint == stored.fingerprint {
                    // It came while the clock was so far behind that its date seemed to be in the future.
                    if stored.hasDate, try !(known.at(2) as Bool) { try setDate(stored, of: known.at(0)) }
                    continue
                }
                let change = prepared.changed(stored, from: fingerprint)
                if try update(known.at(0), to: stored, change, feed.options, now: now) { changes.updated += 1 }
            } else {
                if deleted.contains(stored.guid) { continue }
                changes.added += 1
                let id = try insert(stored, as: name.next, prepared.new(stored), in: &feed, now: now)
                if first == nil { first = id }
            }
        }
        if let first { try NewEntries(db: db).add(changes.added, from: first, in: subscription) }
        if !isCut { try deletedEntries.forget(deleted.subtracting(seen), of: subscription, now: now) }
        return changes
    }

    /// Returns the ID and the fingerprint of an entry that the library has, and gives it its next identifier.
    private func find(_ name: EntryNames.Name, in subscription: FeedID) throws -> Row? {
        let find = try db.cachedStatement(
            sql: "SELECT id, fingerprint, has_date FROM entry WHERE subscription_id = ? AND guid = ?")
        let known = try Row.fetchOne(find, arguments: [subscription, name.present])
        guard name.next != name.present else { return known }
        guard let known else { return try Row.fetchOne(find, arguments: [subscription, name.next]) }
        // Without an effect if another dashboard has stored an entry with that identifier meanwhile.
        try db.executeCached("UPDATE OR IGNORE entry SET guid = ? WHERE id = ?", [name.next, known.at(0) as EntryID])
        return known
    }

    private struct Feed {
        var id: FeedID
        var options: SubscriptionOptions
        /// Whether the feed has no stored entries to compare with.
        var isNew: Bool
        var daily: DailyLimit
        let insert: Statement
        let insertContent: Statement

        init(_ id: FeedID, _ db: Database) throws {
            self.id = id
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT options, total_count FROM subscription WHERE id = ?"),
                arguments: [id])
            options = SubscriptionOptions(stored: try row?.at(0))
            isNew = try row?.at(1) == 0
            daily = DailyLimit(limit: options.dailyLimit, subscription: id, db: db)
            insert = try db.cachedStatement(
                sql: """
                    INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, fingerprint, duplicate_key, language,
                        characters, parts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            insertContent = try db.cachedStatement(
                sql: """
                    INSERT INTO entry_content (entry_id, link, author, html, text, published, published_text, updated,
                        updated_text, extras, first_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
        }
    }

    // MARK: New entries

    private func insert(
        _ stored: StoredEntry, as guid: String, _ prepared: PreparedEntries.New?, in feed: inout Feed, now: Instant
    ) throws -> EntryID {
        let subscription = feed.id
        let indexed = prepared?.indexed
        try feed.insert.execute { values in
            values.add(subscription)
            values.add(guid)
            values.add(stored.title)
            values.add(stored.sortDate)
            values.add(stored.hasDate)
            values.add(stored.fingerprint)
            values.add(stored.duplicateKey)
            values.add(stored.language)
            values.add(indexed?.characters)
            values.add(indexed?.parts)
        }
        let id = EntryID(rawValue: db.lastInsertedRowID)
        try feed.insertContent.execute { values in
            values.add(id)
            values.add(stored.link)
            values.add(stored.author)
            values.add(prepared?.html ?? stored.html)
            values.add(prepared?.text ?? stored.text)
            values.add(stored.published?.instant)
            values.add(stored.published?.text)
            values.add(stored.updated?.instant)
            values.add(stored.updated?.text)
            values.add(stored.extras)
            values.add(now)
        }
        if let indexed {
            gathered.add(indexed, of: id, title: stored.title, author: stored.author, link: stored.link)
        }
        if feed.options.notifies, !feed.isNew {
            try EntryTasks(db: db).add(EntryTasks.notify, of: "", for: [id], now: now)
        }
        if try !feed.daily.takes(stored.sortDate) {
            try db.execute(sql: "UPDATE entry SET is_archived = 1 WHERE id = ?", arguments: [id])
        }
        return id
    }

    // MARK: Changed entries

    /// Updates an entry and stores its previous text.
    ///
    /// - Returns: Whether its text has changed. A difference only in markup or trackers doesn't count as an update.
    private func update(
        _ id: EntryID, to stored: StoredEntry, _ prepared: PreparedEntries.Changed?, _ options: SubscriptionOptions,
        now: Instant
    ) throws -> Bool {
        gathered.drop(id)
        let change = try prepared?.change ?? TextChange(PreviousText.Source(of: id, db), replacedBy: stored, at: now)
        if let previous = change.previous {
            try db.executeCached("UPDATE entry_content SET former = ? WHERE entry_id = ?", [previous, id])
            if options.marksChangedUnread { try markUnread(id) }
        }
        try db.executeCached(
            "UPDATE entry SET title = ?, fingerprint = ? WHERE id = ?", [stored.title, stored.fingerprint, id])
        if stored.hasDate { try setDate(stored, of: id) }
        let updateContent = try db.cachedStatement(
            sql: """
                UPDATE entry_content SET link = ?, author = ?, html = ?, text = ?, published = ?, published_text = ?,
                    updated = ?, updated_text = ?, extras = ? WHERE entry_id = ?
                """)
        try updateContent.execute(arguments: [
            stored.link, stored.author, prepared?.html ?? stored.html, prepared?.text ?? stored.text,
            stored.published?.instant, stored.published?.text, stored.updated?.instant, stored.updated?.text,
            stored.extras, id,
        ])
        return change.isUpdate
    }

    /// Gives an entry the date of the feed.
    private func setDate(_ stored: StoredEntry, of id: EntryID) throws {
        try db.executeCached("UPDATE entry SET sort_date = ?, has_date = 1 WHERE id = ?", [stored.sortDate, id])
    }

    private func markUnread(_ id: EntryID) throws {
        try db.execute(
            sql: "UPDATE entry SET is_read = 0, read_at = NULL WHERE id = ?", arguments: [id])
        try OutboxWriter(db: db).queue(.read, false, of: id)
    }
}

/// Counts new entries for each day to apply a feed's daily limit.
private struct DailyLimit {
    let limit: Int?
    let subscription: FeedID
    let db: Database
    var counts: [CalendarDay: Int] = [:]

    /// Whether an entry with this date, which is already stored, is within the limit.
    mutating func takes(_ date: Instant) throws -> Bool {
        guard let limit else { return true }
        let day = CalendarDay(instant: date)
        let before =
            try counts[day] ?? Int.fetchOne(
                db,
                sql: "SELECT count(*) - 1 FROM entry WHERE subscription_id = ? AND sort_date >= ? AND sort_date < ?",
                arguments: [subscription, day.midnight, (day + 1).midnight]) ?? 0
        counts[day] = before + 1
        return before < limit
    }
}
