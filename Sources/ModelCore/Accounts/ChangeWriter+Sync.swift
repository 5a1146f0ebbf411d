import FeedParsing
import FeedServers
import Foundation
import GRDB

/// The rule by which a sync loses no mark (row ACC-03).
///
/// A mark is stored and queued in one transaction (``queue(_:_:of:)``). It is sent first; the row stays, as sent, until a list of
/// the server confirms it. Then the whole lists are fetched, and all known entries without a row in the outbox at that
/// moment get the server's value. A mark that was made meanwhile has a row of its own, with a number of its own, and wins.
extension ChangeWriter {
    func apply(_ step: SyncStep, _ account: Int64) throws -> Receipt {
        var receipt = Receipt(id)
        switch step {
        case .lock(let owner, let now, let until): receipt.count = try lock(account, owner, now: now, until: until)
        case .finish(let owner, let end): try finish(account, owner, end)
        case .claimMarks: receipt.sync.marks = try claimMarks(account)
        case .markSent(let numbers, let now):
            for number in numbers {
                try db.execute(
                    sql: "UPDATE pending_mark SET sent = ?, tries = tries + 1 WHERE seq = ?", arguments: [now, number])
                receipt.count += db.changesCount
            }
        case .markConfirmed(let numbers):
            for number in numbers {
                try db.execute(sql: "DELETE FROM pending_mark WHERE seq = ?", arguments: [number])
                receipt.count += 1
            }
        case .applyChanges(let entries, let feeds, let now):
            receipt.stored = try apply(entries, feeds, of: account, now: now)
            receipt.sync.blocked = try entries.reduce(0) { try $0 + blockedMarks($1, account) }
        case .noteChangedSince(let since, let isWhole, let now):
            try db.execute(
                sql: """
                    UPDATE account SET changed_since = ?1, last_whole = CASE WHEN ?2 THEN ?3 ELSE last_whole END
                    WHERE id = ?4
                    """, arguments: [since, isWhole, now, account])
        case .claimOperation: receipt.sync.operation = try claimOperation(account)
        case .noteOperation(let number, let remote, nil):
            if let remote {
                try db.execute(
                    sql: """
                        UPDATE subscription SET remote_id = ?
                        WHERE id = (SELECT subscription_id FROM pending_operation WHERE seq = ?) AND account_id = ?
                        """, arguments: [remote, number, account])
                try forgetWithoutPlace(account)
            }
            try db.execute(sql: "DELETE FROM pending_operation WHERE seq = ?", arguments: [number])
        case .noteOperation(let number, _, let error?):
            try db.execute(sql: "UPDATE pending_operation SET error = ? WHERE seq = ?", arguments: [error, number])
        case .storeSubscriptions(let list, let now):
            receipt.sync.vanished = try store(list, of: account, now: now)
        case .beginLists: try db.execute(sql: "DELETE FROM remote_list WHERE account_id = ?", arguments: [account])
        case .addToList(let list, let ids): receipt.count = try add(ids, to: list, account)
        case .applyLists(let hasLater, let now):
            try confirm(account, hasLater: hasLater)
            receipt.count = try applyLists(account, hasLater: hasLater, now: now)
            receipt.sync.blocked = try blockedMarks(account)
        case .noteLater(let hasLater, let now):
            try db.execute(
                sql: "UPDATE account SET has_later = ?, last_whole = ? WHERE id = ?",
                arguments: [hasLater, now, account])
        case .noteMissing: receipt.count = try noteMissing(account)
        case .nextMissing(let most): receipt.sync.missing = try missing(account, most: most)
        case .storeEntries(let feeds, let asked, let now):
            receipt.stored = try store(feeds, asked: asked, of: account, now: now)
        }
        return receipt
    }

    // MARK: Who syncs

    private func lock(_ account: Int64, _ owner: String, now: Int64, until: Int64) throws -> Int {
        // A lock from far in the future was written by a wrong clock.
        try db.execute(
            sql: """
                UPDATE account SET lock_owner = ?1, locked_until = ?3 WHERE id = ?4 AND
                    (lock_owner IS NULL OR lock_owner = ?1 OR locked_until <= ?2 OR locked_until > ?2 + 3600)
                """, arguments: [owner, now, until, account])
        return db.changesCount
    }

    private func finish(_ account: Int64, _ owner: String, _ end: SyncEnd) throws {
        if end.isWhole { try db.execute(sql: "DELETE FROM remote_list WHERE account_id = ?", arguments: [account]) }
        try db.execute(
            sql: """
                UPDATE account SET lock_owner = NULL, locked_until = NULL, error = ?1,
                    note = CASE WHEN ?3 THEN ?2 ELSE note END,
                    failures = CASE WHEN ?1 IS NULL THEN 0 ELSE failures + 1 END, next_try = ?4,
                    last_sync = CASE WHEN ?3 THEN ?5 ELSE last_sync END
                WHERE id = ?6 AND lock_owner = ?7
                """,
            arguments: [end.error, end.note, end.isWhole, end.nextTry, end.now, account, owner])
    }

    // MARK: What is sent

    /// Rows of one mark and value, the oldest first. What was contradicted once is sent alone.
    private func claimMarks(_ account: Int64) throws -> SyncAnswer.Marks? {
        guard
            let first = try Row.fetchOne(
                db,
                sql: """
                    SELECT mark, value, tries FROM pending_mark
                    WHERE account_id = ? AND sent IS NULL AND NOT is_refused ORDER BY seq LIMIT 1
                    """, arguments: [account])
        else { return nil }
        let (name, value, tries): (String, Bool, Int) = try (first.at(0), first.at(1), first.at(2))
        guard let mark = RemoteMark(rawValue: name) else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT p.seq, (SELECT remote_id FROM remote_entry r WHERE r.entry_id = p.entry_id AND
                    r.account_id = p.account_id ORDER BY length(remote_id) DESC, remote_id DESC LIMIT 1)
                FROM pending_mark p WHERE p.account_id = ? AND p.mark = ? AND p.value = ? AND p.sent IS NULL
                    AND NOT p.is_refused AND (p.tries > 0) = ?
                ORDER BY p.seq LIMIT ?
                """, arguments: [account, name, value, tries > 0, tries > 0 ? 1 : mark.mostAtOnce])
        var marks = SyncAnswer.Marks(mark: mark, value: value, numbers: [], ids: [])
        for row in rows {
            let number: Int64 = try row.at(0)
            guard let remote: String = try row.at(1) else {
                // Its server has forgotten it: nothing could be told of it.
                try db.execute(sql: "DELETE FROM pending_mark WHERE seq = ?", arguments: [number])
                continue
            }
            marks.numbers.append(number)
            marks.ids.append(remote)
            try db.execute(sql: "UPDATE pending_mark SET is_attempted = 1 WHERE seq = ?", arguments: [number])
        }
        return marks
    }

    private func claimOperation(_ account: Int64) throws -> (number: Int64, RemoteOperation)? {
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT o.seq, o.operation, o.value, o.former, coalesce(o.remote_id, s.remote_id)
                    FROM pending_operation o LEFT JOIN subscription s ON s.id = o.subscription_id
                    WHERE o.account_id = ?1 AND o.error IS NULL
                        AND (o.operation = 'subscribe' OR coalesce(o.remote_id, s.remote_id) IS NOT NULL)
                    ORDER BY o.seq LIMIT 1
                    """, arguments: [account])
        else { return nil }
        let (number, name): (Int64, String) = try (row.at(0), row.at(1))
        let (value, former, remote): (String?, String?, String?) = try (row.at(2), row.at(3), row.at(4))
        try db.execute(sql: "UPDATE pending_operation SET is_attempted = 1 WHERE seq = ?", arguments: [number])
        switch PendingOperation(rawValue: name) {
        case .subscribe: return (number, .subscribe(url: value ?? ""))
        case .unsubscribe: return (number, .unsubscribe(id: remote ?? ""))
        case .rename: return (number, .rename(id: remote ?? "", title: value ?? ""))
        case .move: return (number, .move(id: remote ?? "", folder: value, from: former))
        case nil: return nil
        }
    }

    // MARK: Subscriptions

    /// Takes the server's feeds over; what its user has changed here and was not sent yet stays as it is here.
    ///
    /// - Returns: How many feeds it does not have any more, when they are so many that nothing was done about it.
    private func store(_ list: [RemoteSubscription], of account: Int64, now: Int64) throws -> Int {
        var known: [String: Int64] = [:]
        var waiting: [String: Int64] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT id, remote_id, url FROM subscription WHERE account_id = ?", arguments: [account])
        {
            if let remote: String = try row.at(1) {
                known[remote] = try row.at(0)
            } else {
                waiting[try row.at(2)] = try row.at(0)
            }
        }
        let leaving = try Set(
            String.fetchAll(
                db,
                sql: """
                    SELECT remote_id FROM pending_operation
                    WHERE account_id = ? AND operation = 'unsubscribe' AND remote_id IS NOT NULL AND error IS NULL
                    """, arguments: [account]))
        var position = try Int64.fetchOne(db, sql: "SELECT max(position) FROM subscription") ?? 0
        var hasNew = false
        for remote in list where !leaving.contains(remote.id) {
            let title = StoredEntry.limited(remote.title, to: 4 << 10)
            if let present = known.removeValue(forKey: remote.id) ?? waiting[remote.url] {
                try db.execute(
                    sql: """
                        UPDATE subscription SET remote_id = ?1, home_page = coalesce(?2, home_page),
                            last_fetched = ?3, last_success = ?3, error = NULL WHERE id = ?4
                        """, arguments: [remote.id, remote.homePage, now, present])
                if waiting.removeValue(forKey: remote.url) != nil { hasNew = true }
                // A feed that has moved is there under its new address.
                try db.execute(
                    sql: "UPDATE OR IGNORE subscription SET former_url = url, url = ?1 WHERE id = ?2 AND url <> ?1",
                    arguments: [remote.url, present])
                try take("title", title, clearing: "custom_title", unless: .rename, of: present)
                try take("folder", remote.folder, clearing: nil, unless: .move, of: present)
                try addTags(remote.labels, to: present)
                continue
            }
            position += 1
            hasNew = true
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO subscription (url, title, folder, home_page, added, position, account_id,
                        remote_id, last_fetched, last_success) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    remote.url, title, remote.folder, remote.homePage, now, position, account, remote.id, now, now,
                ])
            if db.changesCount > 0 { try addTags(remote.labels, to: db.lastInsertedRowID) }
        }
        if hasNew { try forgetWithoutPlace(account) }
        // A server that was set up anew, or answers in part, is not to take everything along.
        let vanished = known.filter { !leaving.contains($0.key) }
        let isDoubtful = list.isEmpty || vanished.count > 3 && vanished.count > list.count
        if isDoubtful { return vanished.count }
        for feed in vanished.values.sorted() {
            try db.execute(sql: "DELETE FROM pending_operation WHERE subscription_id = ?", arguments: [feed])
            // It can be brought back from the trash like one that was unfollowed here.
            _ = try ChangeWriter(db: db, id: UUID()).unsubscribe(feed, now: now, isOnServer: false)
        }
        return 0
    }

    /// Entries that had no place before may have one now.
    private func forgetWithoutPlace(_ account: Int64) throws {
        try db.execute(sql: "DELETE FROM remote_entry WHERE account_id = ? AND entry_id IS NULL", arguments: [account])
    }

    /// Labels beside the first, which is the folder, are tags; those of the user's own stay.
    private func addTags(_ labels: [String], to subscription: Int64) throws {
        for label in labels {
            try db.execute(
                sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)", arguments: [subscription, label])
        }
    }

    private func take(
        _ column: String, _ value: String?, clearing other: String?, unless operation: PendingOperation,
        of subscription: Int64
    ) throws {
        let clearing = other.map { ", \($0) = NULL" } ?? ""
        try db.execute(
            sql: """
                UPDATE subscription SET \(column) = ?1\(clearing) WHERE id = ?2 AND NOT EXISTS (
                    SELECT 1 FROM pending_operation WHERE subscription_id = ?2 AND operation = ?3)
                """, arguments: [value, subscription, operation.rawValue])
    }

    // MARK: Lists

    private func add(_ ids: [String], to list: RemoteList, _ account: Int64) throws -> Int {
        let column =
            switch list {
            case .unread: "is_unread"
            case .starred: "is_starred"
            case .later: "is_later"
            }
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO remote_list (account_id, remote_id, \(column)) VALUES (?, ?, 1)
                ON CONFLICT DO UPDATE SET \(column) = 1
                """)
        for id in ids { try insert.execute(arguments: [account, id]) }
        return ids.count
    }

    /// The server's value of a mark, of the entry of a row `p`.
    private static let serverValue = """
        coalesce((SELECT CASE p.mark WHEN 'read' THEN NOT max(l.is_unread) WHEN 'later' THEN max(l.is_later)
            ELSE max(l.is_starred) END
            FROM remote_entry r JOIN remote_list l ON l.account_id = r.account_id AND l.remote_id = r.remote_id
            WHERE r.entry_id = p.entry_id AND r.account_id = p.account_id), p.mark = 'read')
        """

    /// What was sent and is as it was sent is done; what is otherwise is sent once more, then told.
    ///
    /// - Parameter hasLater: Whether there is a list of what is for later: else nothing is known of that.
    private func confirm(_ account: Int64, hasLater: Bool) throws {
        let isKnown = hasLater ? "1" : "mark <> 'later'"
        try db.execute(
            sql: """
                DELETE FROM pending_mark AS p WHERE p.account_id = ? AND p.sent IS NOT NULL AND \(isKnown)
                    AND p.value = \(ChangeWriter.serverValue)
                """, arguments: [account])
        try db.execute(
            sql: """
                UPDATE pending_mark SET is_refused = tries >= 2, sent = CASE WHEN tries >= 2 THEN sent END
                WHERE account_id = ? AND sent IS NOT NULL AND \(isKnown)
                """, arguments: [account])
    }

    /// Rows of the outbox that say otherwise than the lists.
    private func blockedMarks(_ account: Int64) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM pending_mark AS p WHERE p.account_id = ? AND p.value <> \(ChangeWriter.serverValue)
                """, arguments: [account]) ?? 0
    }

    /// The same of one entry.
    private func blockedMarks(_ item: ChangedEntry, _ account: Int64) throws -> Int {
        let find = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM remote_entry r JOIN pending_mark p ON p.entry_id = r.entry_id
                WHERE r.account_id = ? AND r.remote_id = ?
                    AND p.value <> CASE p.mark WHEN 'read' THEN NOT ? WHEN 'later' THEN p.value ELSE ? END
                """)
        return try Int.fetchOne(find, arguments: [account, item.entry.id, item.isUnread, item.isStarred]) ?? 0
    }

    /// All known entries without a row in the outbox get the server's marks.
    private func applyLists(_ account: Int64, hasLater: Bool, now: Int64) throws -> Int {
        var count = 0
        func run(_ sql: String, _ arguments: StatementArguments) throws {
            try db.execute(sql: sql, arguments: arguments)
            count += db.changesCount
        }
        func isFree(_ mark: RemoteMark) -> String {
            "NOT EXISTS (SELECT 1 FROM pending_mark p WHERE p.entry_id = entry.id AND p.mark = '\(mark.rawValue)')"
        }
        func isListed(_ column: String) -> String {
            """
            SELECT r.entry_id FROM remote_list l
            JOIN remote_entry r ON r.account_id = l.account_id AND r.remote_id = l.remote_id
            WHERE l.account_id = ? AND l.\(column) AND r.entry_id IS NOT NULL
            """
        }
        func isOfAccount(_ column: String) -> String {
            """
            EXISTS (SELECT 1 FROM remote_entry r WHERE r.entry_id = entry.id AND r.account_id = ?)
            AND id NOT IN (\(isListed(column)))
            """
        }
        try run(
            """
            UPDATE entry SET is_read = 0, read_at = NULL
            WHERE is_read = 1 AND id IN (\(isListed("is_unread"))) AND \(isFree(.read))
            """, [account])
        try run(
            """
            UPDATE entry SET is_read = 1, read_at = ?
            WHERE is_read = 0 AND \(isOfAccount("is_unread")) AND \(isFree(.read))
            """, [now, account, account])
        for (column, mark) in [("is_starred", RemoteMark.starred), ("is_later", .later)] {
            if mark == .later, !hasLater { continue }
            try run(
                """
                UPDATE entry SET \(column) = 1
                WHERE \(column) = 0 AND id IN (\(isListed(column))) AND \(isFree(mark))
                """, [account])
            try run(
                """
                UPDATE entry SET \(column) = 0
                WHERE \(column) = 1 AND \(isOfAccount(column)) AND \(isFree(mark))
                """, [account, account])
        }
        return count
    }

    /// Notes which entries of the lists were never asked for.
    ///
    /// - Returns: How many.
    private func noteMissing(_ account: Int64) throws -> Int {
        try db.execute(
            sql: """
                UPDATE remote_list SET is_wanted = 1 WHERE account_id = ?1 AND NOT EXISTS (
                    SELECT 1 FROM remote_entry r WHERE r.account_id = ?1 AND r.remote_id = remote_list.remote_id)
                """, arguments: [account])
        return db.changesCount
    }

    private func missing(_ account: Int64, most: Int) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT remote_id FROM remote_list WHERE account_id = ? AND is_wanted = 1
                ORDER BY length(remote_id) DESC, remote_id DESC LIMIT ?
                """, arguments: [account, most])
    }

    // MARK: Contents

    private func store(_ feeds: [PreparedRemoteFeed], asked: [String], of account: Int64, now: Int64) throws
        -> StoredChanges
    {
        var changes = StoredChanges()
        let link = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO remote_entry (account_id, remote_id, entry_id) VALUES (?, ?, ?)")
        // What did not come has no place; so has what was asked for of a feed that is not followed.
        let done = try db.cachedStatement(
            sql: "UPDATE remote_list SET is_wanted = 0 WHERE account_id = ? AND remote_id = ?")
        for id in asked {
            try link.execute(arguments: [account, id, nil])
            try done.execute(arguments: [account, id])
        }
        for feed in feeds {
            guard
                let subscription = try Int64.fetchOne(
                    db, sql: "SELECT id FROM subscription WHERE account_id = ? AND remote_id = ?",
                    arguments: [account, feed.subscription])
            else { continue }
            var new: [PreparedFeed.Entry] = []
            for (entry, id) in zip(feed.feed.entries, feed.ids) {
                if let present = try counterpart(of: entry.stored, entry.entry, in: subscription, account) {
                    try link.execute(arguments: [account, id, present.entry])
                    // What was marked here before its server knew it goes there.
                    if present.isFirst { try sendOwnMarks(of: present.entry, id, account) }
                } else {
                    new.append(entry)
                }
            }
            let stored = try storeEntries(new, in: subscription, now: now)
            changes.added += stored.added
            changes.updated += stored.updated
            if stored.added > 0 { try Library.noteRhythm(of: subscription, db) }
            let ids = Dictionary(zip(feed.feed.entries.map(\.stored.guid), feed.ids)) { first, _ in first }
            for entry in new {
                guard let id = ids[entry.stored.guid],
                    let place = try Int64.fetchOne(
                        db, sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?",
                        arguments: [subscription, entry.stored.guid])
                else { continue }
                try link.execute(arguments: [account, id, place])
                try takeMarks(of: place, id, account, now: now)
            }
        }
        return changes
    }

    /// Takes over changes of a server that tells them.
    private func apply(
        _ entries: [ChangedEntry], _ feeds: [PreparedRemoteFeed], of account: Int64, now: Int64
    ) throws -> StoredChanges {
        // The marks of all that come are a part of the server's lists.
        let list = try db.cachedStatement(
            sql: """
                INSERT INTO remote_list (account_id, remote_id, is_unread, is_starred) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET is_unread = excluded.is_unread, is_starred = excluded.is_starred
                """)
        let find = try db.cachedStatement(
            sql: "SELECT entry_id FROM remote_entry WHERE account_id = ? AND remote_id = ? AND entry_id IS NOT NULL")
        var known: Set<String> = []
        for item in entries {
            try list.execute(arguments: [account, item.entry.id, item.isUnread, item.isStarred])
            guard let entry = try Int64.fetchOne(find, arguments: [account, item.entry.id]) else { continue }
            known.insert(item.entry.id)
            try takeFreeMarks(of: entry, item, now: now)
        }
        var changes = StoredChanges()
        // What was changed there keeps its former text here, as in feeds that are read here.
        for feed in feeds {
            let subscription = try Int64.fetchOne(
                db, sql: "SELECT id FROM subscription WHERE account_id = ? AND remote_id = ?",
                arguments: [account, feed.subscription])
            guard let subscription else { continue }
            let same = zip(feed.feed.entries, feed.ids).filter { known.contains($0.1) }.map(\.0)
            changes.updated += try updateEntries(same, in: subscription, now: now)
        }
        let wanted = Set(entries.filter { $0.isUnread || $0.isStarred }.map(\.entry.id)).subtracting(known)
        let new = feeds.map { feed in
            let pairs = zip(feed.feed.entries, feed.ids).filter { wanted.contains($0.1) }
            return PreparedRemoteFeed(
                subscription: feed.subscription, feed: feed.feed.with(pairs.map(\.0)), ids: pairs.map(\.1))
        }
        changes.added = try store(new, asked: [], of: account, now: now).added
        return changes
    }

    /// Entries that are here under the server's name for them; those that have another are left as they are.
    private func updateEntries(_ entries: [PreparedFeed.Entry], in subscription: Int64, now: Int64) throws -> Int {
        let find = try db.cachedStatement(sql: "SELECT 1 FROM entry WHERE subscription_id = ? AND guid = ?")
        let own = try entries.filter { entry in
            try Int.fetchOne(find, arguments: [subscription, entry.stored.guid]) != nil
        }
        return try storeEntries(own, in: subscription, now: now).updated
    }

    /// A known entry has the server's marks, but those that wait to be sent.
    private func takeFreeMarks(of entry: Int64, _ item: ChangedEntry, now: Int64) throws {
        let isFree = "NOT EXISTS (SELECT 1 FROM pending_mark p WHERE p.entry_id = entry.id AND p.mark ="
        let read = try db.cachedStatement(
            sql: """
                UPDATE entry SET is_read = ?1, read_at = CASE WHEN ?1 THEN ?2 END
                WHERE id = ?3 AND is_read <> ?1 AND \(isFree) 'read')
                """)
        try read.execute(arguments: [!item.isUnread, now, entry])
        let starred = try db.cachedStatement(
            sql: "UPDATE entry SET is_starred = ?1 WHERE id = ?2 AND is_starred <> ?1 AND \(isFree) 'starred')")
        try starred.execute(arguments: [item.isStarred, entry])
    }

    /// The entry that is here already: by its link, or by title and date. One that has another name on the server counts where title
    /// and link are the same: the server was restored, or has read the feed anew.
    private func counterpart(
        of stored: StoredEntry, _ entry: ParsedEntry, in subscription: Int64, _ account: Int64
    ) throws -> (entry: Int64, isFirst: Bool)? {
        let columns = """
            SELECT e.id, EXISTS (SELECT 1 FROM remote_entry r WHERE r.entry_id = e.id), e.title = ?2 AND c.link = ?3
            FROM entry e JOIN entry_content c ON c.entry_id = e.id WHERE e.subscription_id = ?1
            """
        let byLink = try db.cachedStatement(sql: columns + " AND e.story = ?4 AND c.link = ?3 ORDER BY e.id LIMIT 20")
        var rows =
            try stored.story.map { story in
                try Row.fetchAll(byLink, arguments: [subscription, stored.title, entry.address, story])
            } ?? []
        if rows.isEmpty, let date = entry.published?.instant {
            let byDate = try db.cachedStatement(
                sql: columns + " AND e.sort_date = ?4 AND e.title = ?2 ORDER BY e.id LIMIT 20")
            rows = try Row.fetchAll(byDate, arguments: [subscription, stored.title, entry.address, date])
        }
        for row in rows {
            let (id, isMapped, isSame): (Int64, Bool, Bool?) = try (row.at(0), row.at(1), row.at(2))
            if !isMapped { return (id, true) }
            if isSame == true { return (id, false) }
        }
        return nil
    }

    private func listed(_ id: String, _ account: Int64) throws -> (isUnread: Bool, isStarred: Bool, isLater: Bool) {
        let find = try db.cachedStatement(
            sql: "SELECT is_unread, is_starred, is_later FROM remote_list WHERE account_id = ? AND remote_id = ?")
        guard let row = try Row.fetchOne(find, arguments: [account, id]) else { return (false, false, false) }
        return try (row.at(0), row.at(1), row.at(2))
    }

    /// A new entry has the server's marks.
    private func takeMarks(of entry: Int64, _ id: String, _ account: Int64, now: Int64) throws {
        let (isUnread, isStarred, isLater) = try listed(id, account)
        // One that is beyond the feed's limit of a day has come as read, and is read on the server then.
        let find = try db.cachedStatement(sql: "SELECT is_read FROM entry WHERE id = ?")
        let isBeyondLimit = try Bool.fetchOne(find, arguments: [entry]) ?? false
        if isBeyondLimit, isUnread { try queue(.read, true, of: entry) }
        let update = try db.cachedStatement(
            sql: """
                UPDATE entry SET is_read = ?1, read_at = CASE WHEN ?1 THEN ?3 END, is_starred = ?2, is_later = ?5
                WHERE id = ?4
                """)
        try update.execute(arguments: [!isUnread || isBeyondLimit, isStarred, now, entry, isLater])
    }

    private func sendOwnMarks(of entry: Int64, _ id: String, _ account: Int64) throws {
        let (isUnread, isStarred, isLater) = try listed(id, account)
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT is_read, is_starred, is_later FROM entry WHERE id = ?", arguments: [entry])
        else { return }
        let (ownRead, ownStarred, ownLater): (Bool, Bool, Bool) = try (row.at(0), row.at(1), row.at(2))
        if ownRead == isUnread { try queue(.read, ownRead, of: entry) }
        if ownStarred != isStarred { try queue(.starred, ownStarred, of: entry) }
        if ownLater != isLater { try queue(.later, ownLater, of: entry) }
    }
}
