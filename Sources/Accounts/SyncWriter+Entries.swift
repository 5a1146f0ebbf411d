import FeedParsing
import Feeds
import GRDB
import LibraryKernel

/// The receiving half of a sync for entries: contents and marks.
extension SyncWriter {
    func store(_ feeds: [PreparedRemoteFeed], asked: [String], of account: AccountID, now: Instant) throws
        -> StoredChanges
    {
        var changes = StoredChanges()
        let link = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO remote_entry (account_id, remote_id, entry_id) VALUES (?, ?, ?)")
        // Identifiers without an entry are marked as done, such as those of feeds that are not followed.
        let done = try db.cachedStatement(
            sql: "UPDATE remote_list SET is_wanted = 0 WHERE account_id = ? AND remote_id = ?")
        for id in asked {
            try link.execute(arguments: [account, id, nil])
            try done.execute(arguments: [account, id])
        }
        for feed in feeds {
            guard let subscription = try SyncWriter.feed(feed.subscription, of: account, db) else { continue }
            var new: [StoredEntry] = []
            for (entry, id) in zip(feed.feed.entries, feed.ids) {
                if let present = try counterpart(of: entry, in: subscription, account) {
                    try link.execute(arguments: [account, id, present.entry])
                    // Marks that were set before the server had the entry are sent to it now.
                    if present.isFirst { try sendOwnMarks(of: present.entry, id, account) }
                } else {
                    new.append(entry)
                }
            }
            let stored = try EntryWriter(transaction).store(new, feed.prepared, in: subscription, now: now)
            changes.added += stored.added
            changes.updated += stored.updated
            if stored.added > 0 { try SubscriptionHealth.noteRhythm(of: subscription, db) }
            let ids = Dictionary(zip(feed.feed.entries.map(\.guid), feed.ids)) { first, _ in first }
            for entry in new {
                guard let id = ids[entry.guid],
                    let place = try EntryID.fetchOne(
                        db, sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?",
                        arguments: [subscription, entry.guid])
                else { continue }
                try link.execute(arguments: [account, id, place])
                try takeMarks(of: place, id, account, now: now)
            }
        }
        return changes
    }

    /// Applies changes from a server that reports changes.
    func apply(
        _ entries: [ChangedEntry], _ feeds: [PreparedRemoteFeed], of account: AccountID, now: Instant
    ) throws -> StoredChanges {
        // The marks of all received entries are part of the server's lists.
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
            guard let entry = try EntryID.fetchOne(find, arguments: [account, item.entry.id]) else { continue }
            known.insert(item.entry.id)
            try adoptMarks(of: entry, item, now: now)
        }
        var changes = StoredChanges()
        // Changed entries keep their previous text, as in local feeds.
        for feed in feeds {
            guard let subscription = try SyncWriter.feed(feed.subscription, of: account, db) else { continue }
            let same = zip(feed.feed.entries, feed.ids).filter { known.contains($0.1) }.map(\.0)
            changes.updated += try updateEntries(same, feed.prepared, in: subscription, now: now)
        }
        let wanted = Set(entries.filter { $0.isUnread || $0.isStarred }.map(\.entry.id)).subtracting(known)
        let new = feeds.map { feed in
            let pairs = zip(feed.feed.entries, feed.ids).filter { wanted.contains($0.1) }
            return PreparedRemoteFeed(
                subscription: feed.subscription, feed: feed.feed.with(pairs.map(\.0)), ids: pairs.map(\.1),
                prepared: feed.prepared)
        }
        changes.added = try store(new, asked: [], of: account, now: now).added
        return changes
    }

    /// Updates entries that are known by the server's identifier. Others don't change.
    private func updateEntries(
        _ entries: [StoredEntry], _ prepared: PreparedEntries, in subscription: FeedID, now: Instant
    ) throws -> Int {
        let find = try db.cachedStatement(sql: "SELECT 1 FROM entry WHERE subscription_id = ? AND guid = ?")
        let own = try entries.filter { entry in
            try Int.fetchOne(find, arguments: [subscription, entry.guid]) != nil
        }
        return try EntryWriter(transaction).store(own, prepared, in: subscription, now: now).updated
    }

    /// Gives a known entry the server's marks, except those that wait to be sent.
    private func adoptMarks(of entry: EntryID, _ item: ChangedEntry, now: Instant) throws {
        let isFree = "NOT EXISTS (SELECT 1 FROM pending_mark p WHERE p.entry_id = entry.id AND p.mark ="
        try db.executeCached(
            """
            UPDATE entry SET is_read = ?1, read_at = CASE WHEN ?1 THEN ?2 END
            WHERE id = ?3 AND is_read <> ?1 AND \(isFree) 'read')
            """, [!item.isUnread, now, entry])
        try db.executeCached(
            "UPDATE entry SET is_starred = ?1 WHERE id = ?2 AND is_starred <> ?1 AND \(isFree) 'starred')",
            [item.isStarred, entry])
    }

    /// Finds an entry that already exists: by link, or by title and date.
    ///
    /// An entry with another identifier on the server matches if title and link are equal. This happens when the server
    /// was restored or read the feed again.
    private func counterpart(
        of entry: StoredEntry, in subscription: FeedID, _ account: AccountID
    ) throws -> (entry: EntryID, isFirst: Bool)? {
        let columns = """
            SELECT e.id, EXISTS (SELECT 1 FROM remote_entry r WHERE r.entry_id = e.id), e.title = ?2 AND c.link = ?3
            FROM entry e JOIN entry_content c ON c.entry_id = e.id WHERE e.subscription_id = ?1
            """
        let byLink = try db.cachedStatement(
            sql: columns + " AND e.duplicate_key = ?4 AND c.link = ?3 ORDER BY e.id LIMIT 20")
        var rows =
            try entry.duplicateKey.map { duplicateKey in
                try Row.fetchAll(byLink, arguments: [subscription, entry.title, entry.link, duplicateKey])
            } ?? []
        if rows.isEmpty, let date = entry.published?.instant {
            let byDate = try db.cachedStatement(
                sql: columns + " AND e.sort_date = ?4 AND e.title = ?2 ORDER BY e.id LIMIT 20")
            rows = try Row.fetchAll(byDate, arguments: [subscription, entry.title, entry.link, date])
        }
        for row in rows {
            let (id, isMapped, isSame): (EntryID, Bool, Bool?) = try (row.at(0), row.at(1), row.at(2))
            if !isMapped { return (id, true) }
            if isSame == true { return (id, false) }
        }
        return nil
    }

    private func listed(_ id: String, _ account: AccountID) throws -> (isUnread: Bool, isStarred: Bool, isLater: Bool) {
        let find = try db.cachedStatement(
            sql: "SELECT is_unread, is_starred, is_later FROM remote_list WHERE account_id = ? AND remote_id = ?")
        guard let row = try Row.fetchOne(find, arguments: [account, id]) else { return (false, false, false) }
        return try (row.at(0), row.at(1), row.at(2))
    }

    /// Gives a new entry the server's marks.
    private func takeMarks(of entry: EntryID, _ id: String, _ account: AccountID, now: Instant) throws {
        let (isUnread, isStarred, isLater) = try listed(id, account)
        try db.executeCached(
            """
            UPDATE entry SET is_read = ?1, read_at = CASE WHEN ?1 THEN ?3 END, is_starred = ?2, is_later = ?5
            WHERE id = ?4
            """, [!isUnread, isStarred, now, entry, isLater])
    }

    private func sendOwnMarks(of entry: EntryID, _ id: String, _ account: AccountID) throws {
        let (isUnread, isStarred, isLater) = try listed(id, account)
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT is_read, is_starred, is_later FROM entry WHERE id = ?", arguments: [entry])
        else { return }
        let (ownRead, ownStarred, ownLater): (Bool, Bool, Bool) = try (row.at(0), row.at(1), row.at(2))
        if ownRead == isUnread { try outbox.queue(.read, ownRead, of: entry) }
        if ownStarred != isStarred { try outbox.queue(.starred, ownStarred, of: entry) }
        if ownLater != isLater { try outbox.queue(.later, ownLater, of: entry) }
        for tag in try String.fetchAll(db, sql: "SELECT tag FROM entry_tag WHERE entry_id = ?", arguments: [entry])
        where tag != RemoteMark.later.name { try outbox.queue(.label(tag), true, of: entry) }
    }
}
