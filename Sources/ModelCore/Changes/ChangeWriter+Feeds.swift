import FeedParsing
import GRDB

/// The result of storing a feed.
package struct StoredChanges: Hashable, Sendable {
    /// The number of new entries.
    package var added = 0
    /// The number of entries whose title or content changed. They stay read or unread.
    package var updated = 0
}

/// The validators and the address of a fetched document.
package struct FetchRecord: Hashable, Sendable {
    package var etag: String?
    package var lastModified: String?
    /// The target of permanent redirects, which becomes the feed's address.
    package var permanentURL: String?
    /// The instant from which an automatic reload fetches the feed again, or `nil` for no limit.
    package var nextFetch: Int64?
    /// The errors in a document that could still be read, a sentence each.
    package var problems: [String] = []
    /// The instant of the fetch, in seconds since 1970.
    package var date: Int64

    /// The maximum number of stored problems; more would not help anyone.
    private static let mostProblems = 20

    /// The problems as they are stored, one a line.
    var keptProblems: String? {
        guard !problems.isEmpty else { return nil }
        let lines = problems.prefix(FetchRecord.mostProblems).map { StoredEntry.limited($0, to: 300) }
        return lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
    }

    package init(
        etag: String? = nil, lastModified: String? = nil, permanentURL: String? = nil, nextFetch: Int64? = nil,
        date: Int64
    ) {
        self.etag = etag
        self.lastModified = lastModified
        self.permanentURL = permanentURL
        self.nextFetch = nextFetch
        self.date = date
    }
}

/// Changes made by a reload.
extension ChangeWriter {
    /// Stores a feed that was read. Does nothing if the feed is no longer followed.
    func store(_ feed: PreparedFeed, in subscription: Int64, _ rules: [Rule]) throws -> Receipt {
        var receipt = Receipt(id)
        let last = rules.isEmpty ? 0 : try lastIdentity()
        let hadEntries = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT total_count > 0 FROM subscription WHERE id = ?"), arguments: [subscription])
        let record = feed.record
        let note = try db.cachedStatement(
            sql: """
                UPDATE subscription SET title = coalesce(?, title), home_page = coalesce(?, home_page), etag = ?,
                    last_modified = ?, last_fetched = ?, last_success = ?, error = NULL, failures = 0,
                    next_fetch = ?, not_before = NULL, is_gone = 0, problems = ? WHERE id = ?
                """)
        try note.execute(arguments: [
            feed.title, feed.homePage, record.etag, record.lastModified, record.date, record.date, record.nextFetch,
            record.keptProblems, subscription,
        ])
        guard db.changesCount > 0 else { return receipt }
        receipt.stored = try storeEntries(feed.entries, in: subscription, now: record.date)
        receipt.count = receipt.stored.added + receipt.stored.updated
        if receipt.stored.added > 0 {
            try carryOut(rules, after: last, hasTasks: hadEntries == 1, now: record.date)
        }
        if receipt.stored.added > 0 { try Library.noteRhythm(of: subscription, db) }
        if let address = record.permanentURL { try move(subscription, to: address) }
        return receipt
    }

    /// Stores a feed's new address and remembers the old one. An address that another subscription has stays with that
    /// subscription.
    private func move(_ subscription: Int64, to address: String) throws {
        try db.execute(
            sql: "UPDATE OR IGNORE subscription SET former_url = url, url = ?1 WHERE id = ?2 AND url <> ?1",
            arguments: [address, subscription])
        guard db.changesCount > 0 else { return }
        let previous = try String.fetchOne(
            db, sql: "SELECT former_url FROM subscription WHERE id = ?", arguments: [subscription])
        // The user's trust was for the host that they entered.
        if !TypedAddress(previous ?? "").isOnSameHost(address) { try note(isFromOutside: true, of: subscription) }
    }

    /// Records that a feed has not changed. This also clears an earlier "gone".
    func noteUnchanged(_ subscription: Int64, nextFetch: Int64?, date: Int64) throws {
        let note = try db.cachedStatement(
            sql: """
                UPDATE subscription SET last_fetched = ?, last_success = ?, error = NULL, failures = 0,
                    next_fetch = ?, not_before = NULL, is_gone = 0 WHERE id = ?
                """)
        try note.execute(arguments: [date, date, nextFetch, subscription])
    }

    func noteFailure(_ subscription: Int64, _ reason: String, notBefore: Int64?, isGone: Bool, date: Int64) throws {
        let failures =
            try Int.fetchOne(db, sql: "SELECT failures FROM subscription WHERE id = ?", arguments: [subscription]) ?? 0
        try db.execute(
            sql: """
                UPDATE subscription SET last_fetched = ?, error = ?, failures = failures + 1, next_fetch = ?,
                    not_before = ?, is_gone = ? WHERE id = ?
                """,
            arguments: [
                date, reason, FetchSchedule.retry(failures: failures + 1, now: date), notBefore, isGone, subscription,
            ])
    }

    func storeEntries(_ entries: [StoredEntry], in subscription: Int64, now: Int64) throws -> StoredChanges {
        var changes = StoredChanges()
        let find = try db.cachedStatement(
            sql: "SELECT id, fingerprint FROM entry WHERE subscription_id = ? AND guid = ?")
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, fingerprint, story, language,
                    characters, parts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let insertContent = try db.cachedStatement(
            sql: """
                INSERT INTO entry_content (entry_id, link, author, html, text, published, published_text, updated,
                    updated_text, extras, first_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let update = try db.cachedStatement(
            sql: "UPDATE entry SET title = ?, sort_date = ?, has_date = ?, fingerprint = ? WHERE id = ?")
        let updateContent = try db.cachedStatement(
            sql: """
                UPDATE entry_content SET link = ?, author = ?, html = ?, text = ?, published = ?, published_text = ?,
                    updated = ?, updated_text = ?, extras = ? WHERE entry_id = ?
                """)
        let storePrevious = try db.cachedStatement(sql: "UPDATE entry_content SET former = ? WHERE entry_id = ?")
        let feed = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT options, total_count FROM subscription WHERE id = ?"),
            arguments: [subscription])
        let options = SubscriptionOptions(stored: try feed?.at(0))
        // A feed that is read for the first time has no previous entries.
        let isNew = try feed?.at(1) == 0
        var daily = DailyLimit(options.dailyLimit, of: subscription, db)
        let deleted = try Set(
            String.fetchAll(
                db.cachedStatement(sql: "SELECT guid FROM deleted_entry WHERE subscription_id = ?"),
                arguments: [subscription]))
        var seen: Set<String> = []
        // A feed lists its newest entry first. Storing it from the end keeps the order of entries without dates.
        for stored in entries.reversed() {
            guard seen.insert(stored.guid).inserted else { continue }
            if !isNew, let known = try Row.fetchOne(find, arguments: [subscription, stored.guid]) {
                let id: Int64 = try known.at(0)
                guard try known.at(1) != stored.fingerprint else { continue }
                gathered.drop(id)
                let before = try before(id)
                let previous = before.flatMap { PreviousText($0, replacedBy: stored, at: now) }
                // A difference in markup or tracking parameters alone is no update.
                if previous != nil || before?.extras != stored.extras { changes.updated += 1 }
                if let previous {
                    try storePrevious.execute(arguments: [previous.stored, id])
                    if options.marksChangedUnread {
                        try db.execute(
                            sql: "UPDATE entry SET is_read = 0, read_at = NULL WHERE id = ?", arguments: [id])
                        try queue(.read, false, of: id)
                    }
                }
                if stored.hasDate {
                    try update.execute(
                        arguments: [stored.title, stored.sortDate, stored.hasDate, stored.fingerprint, id])
                } else {
                    try db.execute(
                        sql: "UPDATE entry SET title = ?, fingerprint = ? WHERE id = ?",
                        arguments: [stored.title, stored.fingerprint, id])
                }
                try updateContent.execute(arguments: [
                    stored.link, stored.author, stored.html, stored.text, stored.published?.instant,
                    stored.published?.text, stored.updated?.instant, stored.updated?.text, stored.extras, id,
                ])
            } else {
                if deleted.contains(stored.guid) { continue }
                changes.added += 1
                // Texts of new feeds, and of very large updates, are indexed later, between the user's changes.
                let indexed =
                    isNew || changes.added > ChangeWriter.indexedWithFeed
                    ? nil : IndexedEntry(stored)
                try insert.execute(binding: [
                    subscription, stored.guid, stored.title, stored.sortDate, stored.hasDate, stored.fingerprint,
                    stored.story, stored.language, indexed?.characters, indexed?.parts,
                ])
                let id = db.lastInsertedRowID
                try insertContent.execute(binding: [
                    id, stored.link, stored.author, stored.html, stored.text, stored.published?.instant,
                    stored.published?.text, stored.updated?.instant, stored.updated?.text, stored.extras, now,
                ])
                try waitsForIndex(id)
                if let indexed {
                    gathered.add(indexed, of: id, title: stored.title, author: stored.author, link: stored.link)
                }
                if options.notifies, !isNew { try addTasks("", .notify, [id], now: now) }
                if try !daily.takes(stored.sortDate) {
                    try db.execute(sql: "UPDATE entry SET is_folded = 1 WHERE id = ?", arguments: [id])
                }
            }
        }
        try hasAdded(changes.added, in: subscription)
        try forgetDeleted(deleted.subtracting(seen), of: subscription, now: now)
        return changes
    }

    /// The current content of an entry.
    private func before(_ entry: Int64) throws -> PreviousText.Source? {
        let find = try db.cachedStatement(
            sql: """
                SELECT e.title, c.html, c.text, c.extras FROM entry e JOIN entry_content c ON c.entry_id = e.id
                WHERE e.id = ?
                """)
        return try Row.fetchOne(find, arguments: [entry]).map { row in
            try PreviousText.Source(title: row.at(0), html: row.at(1), text: row.at(2), extras: row.at(3))
        }
    }

    /// Forgets deleted entries that the feed no longer contains.
    private func forgetDeleted(_ guids: Set<String>, of subscription: Int64, now: Int64) throws {
        for guid in guids {
            try db.execute(
                sql: """
                    DELETE FROM deleted_entry
                    WHERE subscription_id = ? AND guid = ? AND (deleted_at < ? OR deleted_at > ?)
                    """, arguments: [subscription, guid, now - 30 * 86_400, now + 86_400])
        }
    }
}

/// Limits how many entries of one day arrive as unread, for feeds with such a limit.
private struct DailyLimit {
    private let limit: Int?
    private let subscription: Int64
    private let db: Database
    private var counts: [Int64: Int] = [:]

    init(_ limit: Int?, of subscription: Int64, _ db: Database) {
        self.limit = limit
        self.subscription = subscription
        self.db = db
    }

    /// Whether an entry of this date, which is already stored, arrives as unread.
    mutating func takes(_ date: Int64) throws -> Bool {
        guard let limit else { return true }
        let day = date / 86_400
        let before =
            try counts[day] ?? Int.fetchOne(
                db,
                sql: "SELECT count(*) - 1 FROM entry WHERE subscription_id = ? AND sort_date >= ? AND sort_date < ?",
                arguments: [subscription, day * 86_400, (day + 1) * 86_400]) ?? 0
        counts[day] = before + 1
        return before < limit
    }
}

/// What a request for a feed needs.
struct StoredRequest {
    var url: String
    var etag: String?
    var lastModified: String?
    /// Additional header lines that the user entered, such as a cookie.
    var headers: [String]
    var nextFetch: Int64?
    var notBefore: Int64?
    var isGone: Bool
    var options: SubscriptionOptions
    /// Whether the address may run a program.
    var runsProgram: Bool
}

extension Library {
    /// Returns the stored request data of subscriptions, such as validators; deleted subscriptions are left out.
    func requests(for subscriptions: [Int64]) throws(LibraryError) -> [Int64: StoredRequest] {
        try read { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT id, url, etag, last_modified, headers, next_fetch, not_before, is_gone, options, runs_program
                    FROM subscription WHERE id IN (SELECT value FROM json_each(?))
                    """)
            var requests: [Int64: StoredRequest] = [:]
            for row in try Row.fetchAll(
                find, arguments: ["[" + subscriptions.map(String.init).joined(separator: ",") + "]"])
            {
                let headers: String? = try row.at(4)
                requests[try row.at(0)] = try StoredRequest(
                    url: row.at(1), etag: row.at(2), lastModified: row.at(3),
                    headers: headers.map { $0.split(separator: "\n").map(String.init) } ?? [], nextFetch: row.at(5),
                    notBefore: row.at(6), isGone: row.at(7), options: SubscriptionOptions(stored: row.at(8)),
                    runsProgram: row.at(9))
            }
            return requests
        }
    }
}
