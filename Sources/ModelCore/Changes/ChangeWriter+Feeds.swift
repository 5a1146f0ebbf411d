import FeedParsing
import GRDB

/// The number of entries that storing a feed has added and updated.
package struct StoredChanges: Hashable, Sendable {
    /// The number of new entries.
    package var added = 0
    /// The number of entries with a new title or content. Their read marks don't change.
    package var updated = 0
}

/// The result of fetching a document: its validators, schedule and problems.
package struct FetchRecord: Hashable, Sendable {
    package var etag: String?
    package var lastModified: String?
    /// The new address of the feed after permanent redirects.
    package var permanentURL: String?
    /// The earliest time of the next automatic reload in seconds since 1970, or `nil` for any time.
    package var nextFetch: Int64?
    /// The problems of a document that tappa could still parse, as sentences.
    package var problems: [String] = []
    /// The date of the fetch, in seconds since 1970.
    package var date: Int64

    /// The maximum number of problems to store for a document. More would not help the user.
    private static let mostProblems = 20

    /// The problems for the database, one on each line.
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

/// Changes that a reload stores.
extension ChangeWriter {
    /// Stores a parsed feed, unless it is no longer followed.
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

    /// Changes the address of a feed and remembers the previous one.
    ///
    /// Does nothing if another subscription already has the new address.
    private func move(_ subscription: Int64, to address: String) throws {
        try db.execute(
            sql: "UPDATE OR IGNORE subscription SET former_url = url, url = ?1 WHERE id = ?2 AND url <> ?1",
            arguments: [address, subscription])
        guard db.changesCount > 0 else { return }
        let previous = try String.fetchOne(
            db, sql: "SELECT former_url FROM subscription WHERE id = ?", arguments: [subscription])
        // The user only trusted the host of the address that they entered.
        if !TypedAddress(previous ?? "").isOnSameHost(address) { try note(isFromOutside: true, of: subscription) }
    }

    /// Records that a feed has not changed. This clears earlier errors, including 410 Gone.
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
        // A feed without stored entries has none to compare with.
        let isNew = try feed?.at(1) == 0
        var daily = DailyLimit(options.dailyLimit, of: subscription, db)
        let deleted = try Set(
            String.fetchAll(
                db.cachedStatement(sql: "SELECT guid FROM deleted_entry WHERE subscription_id = ?"),
                arguments: [subscription]))
        var seen: Set<String> = []
        // Feeds list the newest entry first. Storing from the end preserves the feed's order for entries without dates.
        for stored in entries.reversed() {
            guard seen.insert(stored.guid).inserted else { continue }
            if !isNew, let known = try Row.fetchOne(find, arguments: [subscription, stored.guid]) {
                let id: Int64 = try known.at(0)
                guard try known.at(1) != stored.fingerprint else { continue }
                gathered.drop(id)
                let before = try before(id)
                let previous = before.flatMap { PreviousText($0, replacedBy: stored, at: now) }
                // A difference only in markup or trackers doesn't count as an update.
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
                // The entries of a new feed, and those above the limit, are indexed later in the background.
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

    /// Returns the current content of an entry, before an update.
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

    /// Deletes the records of deleted entries that are no longer in the feed, after 30 days.
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

/// Counts new entries for each day to apply a feed's daily limit.
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

    /// Whether an entry with this date, which is already stored, is within the limit.
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

/// The stored data for requests of a feed.
struct StoredRequest {
    var url: String
    var etag: String?
    var lastModified: String?
    /// The user's own header lines, such as a cookie.
    var headers: [String]
    var nextFetch: Int64?
    var notBefore: Int64?
    var isGone: Bool
    var options: SubscriptionOptions
    /// Whether the address may run a program.
    var runsProgram: Bool
}

extension Library {
    /// Returns the request data of subscriptions, including the validators of earlier responses.
    ///
    /// Subscriptions that no longer exist are missing from the result.
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
