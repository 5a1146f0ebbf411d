import GRDB

extension Library {
    /// Gives entries a mark, or takes it, and tells how to undo that; entries that have it so already are left alone.
    @discardableResult
    package func setMark(_ mark: EntryMark, _ value: Bool, entries: [Int64], now: Int64) async throws(LibraryError)
        -> UndoStep?
    {
        let foldsStories = foldsStories
        return try await write { db in
            let entries = mark == .read && foldsStories ? try Library.wholeStories(entries, db) : entries
            let changed = try entries.filter { id in try Library.mark(mark, value, id, now: now, db) }
            return Library.step(mark, value, changed)
        }
    }

    /// Gives all entries of a scope a mark, or takes it.
    package func setMark(_ mark: EntryMark, _ value: Bool, in scope: EntryScope, now: Int64) async throws(LibraryError)
        -> UndoStep?
    {
        let condition = condition(scope)
        return try await write { db in
            let changed = try Int64.fetchAll(
                db, sql: "SELECT id FROM entry WHERE \(condition.sql) AND \(mark.rawValue) = ?",
                arguments: condition.arguments + [!value])
            for id in changed { _ = try Library.mark(mark, value, id, now: now, db) }
            return Library.step(mark, value, changed)
        }
    }

    /// What is read of a folded row is read of all its sources.
    private static func wholeStories(_ entries: [Int64], _ db: Database) throws -> [Int64] {
        var all = entries
        for id in entries {
            all += try Int64.fetchAll(
                db, sql: "SELECT d.id FROM entry e JOIN entry d ON d.story = e.story AND d.id <> e.id WHERE e.id = ?",
                arguments: [id])
        }
        return all
    }

    private static func mark(_ mark: EntryMark, _ value: Bool, _ id: Int64, now: Int64, _ db: Database) throws -> Bool {
        let column = mark.rawValue
        let sql =
            mark == .read
            ? "UPDATE entry SET is_read = ?1, read_at = iif(?1, ?3, NULL) WHERE id = ?2 AND is_read <> ?1"
            : "UPDATE entry SET \(column) = ?1 WHERE id = ?2 AND \(column) <> ?1"
        let statement = try db.cachedStatement(sql: sql)
        try statement.execute(arguments: mark == .read ? [value, id, now] : [value, id])
        return db.changesCount > 0
    }

    private static func step(_ mark: EntryMark, _ value: Bool, _ changed: [Int64]) -> UndoStep? {
        guard !changed.isEmpty else { return nil }
        let entries = changed.count == 1 ? "1 entry" : "\(changed.count) entries"
        let words =
            switch (mark, value) {
            case (.read, true): "Marks \(entries) unread again"
            case (.read, false): "Marks \(entries) read again"
            case (.starred, true): "Takes the star of \(entries) again"
            case (.starred, false): "Stars \(entries) again"
            case (.later, true): "Takes \(entries) from reading later again"
            case (.later, false): "Keeps \(entries) for reading later again"
            }
        return UndoStep(action: .mark(mark, !value, changed), explanation: words)
    }

    // MARK: Deleting

    /// Deletes entries; they do not come back when the feed still has them.
    package func deleteEntries(_ ids: [Int64], now: Int64) async throws(LibraryError) -> UndoStep? {
        try await write { db in
            let trash = try Library.newTrash(now: now, db)
            var count = 0
            for id in ids {
                try Library.copyEntries("id = ?", [id], to: trash, db)
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO deleted_entry SELECT subscription_id, guid, ? FROM entry WHERE id = ?
                        """, arguments: [now, id])
                try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
                count += db.changesCount
            }
            let entries = count == 1 ? "1 deleted entry" : "\(count) deleted entries"
            return count == 0 ? nil : UndoStep(action: .restore(trash: trash), explanation: "Brings \(entries) back")
        }
    }

    /// Stops following a feed and deletes its entries.
    package func unsubscribe(_ id: Int64, now: Int64) async throws(LibraryError) -> UndoStep? {
        try await write { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT coalesce(custom_title, title, url), total_count FROM subscription WHERE id = ?",
                    arguments: [id])
            else { return nil }
            let trash = try Library.newTrash(now: now, db)
            try db.execute(
                sql: """
                    INSERT INTO trash_subscription SELECT ?1, * FROM subscription WHERE id = ?2;
                    """, arguments: [trash, id])
            try db.execute(
                sql: "INSERT INTO trash_tag SELECT ?1, * FROM subscription_tag WHERE subscription_id = ?2",
                arguments: [trash, id])
            try Library.copyEntries("subscription_id = ?", [id], to: trash, db)
            try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [id])
            let name: String = row[0]
            let total: Int = row[1]
            return UndoStep(
                action: .restore(trash: trash), explanation: "Follows \(name) again, with its \(total) entries")
        }
    }

    private static func newTrash(now: Int64, _ db: Database) throws -> Int64 {
        try db.execute(sql: "INSERT INTO trash (created) VALUES (?)", arguments: [now])
        return db.lastInsertedRowID
    }

    private static func copyEntries(
        _ condition: String, _ arguments: StatementArguments, to trash: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO trash_entry SELECT \(trash), * FROM entry WHERE \(condition)", arguments: arguments)
        try db.execute(
            sql: """
                INSERT INTO trash_content SELECT \(trash), c.* FROM entry_content c JOIN entry e ON e.id = c.entry_id
                WHERE e.\(condition)
                """, arguments: arguments)
    }

    /// Forgets what could be undone in earlier runs.
    package func emptyTrash(olderThan instant: Int64) async throws(LibraryError) {
        try await write { db in
            let old = try Int64.fetchAll(db, sql: "SELECT id FROM trash WHERE created < ?", arguments: [instant])
            for id in old {
                for table in ["trash_subscription", "trash_tag", "trash_entry", "trash_content"] {
                    try db.execute(sql: "DELETE FROM \(table) WHERE trash_id = ?", arguments: [id])
                }
                try db.execute(sql: "DELETE FROM trash WHERE id = ?", arguments: [id])
            }
        }
    }

    // MARK: Undo

    /// Takes a change back.
    package func undo(_ step: UndoStep, now: Int64) async throws(LibraryError) {
        try await write { db in
            switch step.action {
            case .mark(let mark, let value, let ids):
                for id in ids { _ = try Library.mark(mark, value, id, now: now, db) }
            case .race(let race): try Library.store(race, isBundled: false, db)
            case .restore(let trash): try Library.restore(trash, db)
            case .rename(let subscription, let title, let folder):
                try db.execute(
                    sql: "UPDATE subscription SET custom_title = ?, folder = ? WHERE id = ?",
                    arguments: [title, folder, subscription])
            }
        }
    }

    private static func restore(_ trash: Int64, _ db: Database) throws {
        for (table, copy) in [
            ("subscription", "trash_subscription"), ("subscription_tag", "trash_tag"), ("entry", "trash_entry"),
            ("entry_content", "trash_content"),
        ] {
            let columns = try db.columns(in: table).map(\.name).joined(separator: ", ")
            try db.execute(
                sql: "INSERT OR IGNORE INTO \(table) (\(columns)) SELECT \(columns) FROM \(copy) WHERE trash_id = ?",
                arguments: [trash])
            if table == "subscription" {
                // Counters are kept by the rows that come after.
                try db.execute(
                    sql: """
                        UPDATE subscription SET unread_count = 0, total_count = 0
                        WHERE id IN (SELECT id FROM trash_subscription WHERE trash_id = ?)
                        """, arguments: [trash])
            }
        }
        try db.execute(
            sql: """
                DELETE FROM deleted_entry WHERE (subscription_id, guid) IN
                    (SELECT subscription_id, guid FROM trash_entry WHERE trash_id = ?)
                """, arguments: [trash])
    }

    // MARK: Retention

    /// How much is kept of a feed; starred entries and those for later are always kept.
    package struct Retention: Hashable, Sendable {
        /// The most days since an entry's date; 0: all.
        package var days: Int
        /// The most entries of a feed; 0: all.
        package var entries: Int

        package init(days: Int, entries: Int) {
            self.days = days
            self.entries = entries
        }
    }

    /// Deletes what is older, or more, than is to be kept; it does not come back while the feed still has it.
    ///
    /// - Returns: How many entries were deleted.
    @discardableResult
    package func apply(_ retention: Retention, now: Int64) async throws(LibraryError) -> Int {
        guard retention.days > 0 || retention.entries > 0 else { return 0 }
        return try await write { db in
            var doomed: [Int64] = []
            if retention.days > 0 {
                doomed += try Int64.fetchAll(
                    db, sql: "SELECT id FROM entry WHERE sort_date < ? AND is_starred = 0 AND is_later = 0",
                    arguments: [now - Int64(retention.days) * 86_400])
            }
            if retention.entries > 0 {
                let large = try Int64.fetchAll(
                    db, sql: "SELECT id FROM subscription WHERE total_count > ?", arguments: [retention.entries])
                for subscription in large {
                    doomed += try Int64.fetchAll(
                        db,
                        sql: """
                            SELECT id FROM (SELECT id, is_starred, is_later FROM entry WHERE subscription_id = ?
                                ORDER BY sort_date DESC, id DESC LIMIT -1 OFFSET ?)
                            WHERE is_starred = 0 AND is_later = 0
                            """, arguments: [subscription, retention.entries])
                }
            }
            for id in doomed {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO deleted_entry SELECT subscription_id, guid, ? FROM entry WHERE id = ?",
                    arguments: [now, id])
                try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
            }
            return doomed.count
        }
    }
}
