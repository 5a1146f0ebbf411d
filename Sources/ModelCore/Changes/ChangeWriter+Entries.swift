import GRDB

/// Changes that mark or delete entries.
extension ChangeWriter {
    func setMark(_ mark: EntryMark, _ value: Bool, _ entries: [Int64], wholeStories: Bool, now: Int64) throws -> Receipt
    {
        let entries = wholeStories ? try wholeStoriesOf(entries) : entries
        var changed: [(id: Int64, readAt: Int64?)] = []
        let isQueued = try hasAccounts()
        for id in entries {
            if let before = try set(mark, value, of: id, readAt: now, isQueued: isQueued) { changed.append(before) }
        }
        return try receipt(
            changed.count, undo: ChangeWriter.words(mark, value, changed.count),
            .mark(mark, !value, Inverse.Marked(changed)))
    }

    func setMark(
        _ mark: EntryMark, _ value: Bool, in scope: EntryScope, _ part: EntryPart? = nil, upTo last: Int64,
        mergesDuplicates: Bool, now: Int64
    ) throws -> Receipt {
        let condition = Library.wholeCondition(scope)
        let side: (sql: String, arguments: StatementArguments) = part?.condition ?? ("1", [])
        let entries = try Int64.fetchAll(
            db,
            sql: "SELECT id FROM entry WHERE (\(condition.sql)) AND \(side.sql) AND id <= ? AND \(mark.rawValue) = ?",
            arguments: condition.arguments + side.arguments + [last, !value])
        return try setMark(mark, value, entries, wholeStories: mergesDuplicates && mark == .read, now: now)
    }

    /// Returns the entries and all their duplicates. Marking a merged row as read applies to all of its sources.
    private func wholeStoriesOf(_ entries: [Int64]) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: "SELECT d.id FROM entry e JOIN entry d ON d.story = e.story AND d.id <> e.id WHERE e.id = ?")
        return try entries + entries.flatMap { try Int64.fetchAll(statement, arguments: [$0]) }
    }

    /// Whether there are accounts, so that marks may have to be sent.
    private func hasAccounts() throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM account LIMIT 1") != nil
    }

    /// Sets a mark of an entry.
    ///
    /// - Returns: The previous state, or `nil` if the entry already has this value or no longer exists.
    private func set(_ mark: EntryMark, _ value: Bool, of id: Int64, readAt: Int64?, isQueued: Bool) throws -> (
        id: Int64, readAt: Int64?
    )? {
        let column = mark.rawValue
        let find = try db.cachedStatement(sql: "SELECT read_at FROM entry WHERE id = ? AND \(column) <> ?")
        guard let row = try Row.fetchOne(find, arguments: [id, value]) else { return nil }
        let before: (id: Int64, readAt: Int64?) = (id, mark == .read ? try row.at(0) : nil)
        if mark == .read {
            let update = try db.cachedStatement(sql: "UPDATE entry SET is_read = ?, read_at = ? WHERE id = ?")
            try update.execute(arguments: [value, value ? readAt : nil, id])
        } else {
            let update = try db.cachedStatement(sql: "UPDATE entry SET \(column) = ? WHERE id = ?")
            try update.execute(arguments: [value, id])
        }
        if isQueued { try queue(mark.remote, value, of: id) }
        return before
    }

    /// Restores the previous marks of entries.
    ///
    /// - Returns: The number of entries that changed.
    func restore(_ mark: EntryMark, _ value: Bool, _ marked: Inverse.Marked) throws -> Int {
        let isQueued = try hasAccounts()
        return try marked.entries.filter { entry in
            try set(mark, value, of: entry.id, readAt: entry.readAt, isQueued: isQueued) != nil
        }.count
    }

    /// Returns a description of what undo does to marks.
    private static func words(_ mark: EntryMark, _ value: Bool, _ number: Int) -> String {
        let entries = number.countedEntries
        return switch (mark, value) {
        case (.read, true): "Marks \(entries) as unread"
        case (.read, false): "Marks \(entries) as read"
        case (.starred, true): "Removes the star of \(entries)"
        case (.starred, false): "Stars \(entries) again"
        case (.later, true): "Removes \(entries) from read later"
        case (.later, false): "Adds \(entries) to read later"
        }
    }

    // MARK: Deleting

    func delete(_ entries: [Int64], now: Int64) throws -> Receipt {
        let step = try note(.restore, "")
        var count = 0
        for entry in entries {
            try copy("entry", where: "id", entry, to: step)
            try copy("entry_content", where: "entry_id", entry, to: step)
            try copy("entry_tag", where: "entry_id", entry, to: step)
            count += try ChangeWriter.deleteForGood(entry, now: now, db)
        }
        guard count > 0 else {
            try ChangeWriter.forget(step: step, db)
            return Receipt(id)
        }
        let words = "Restores \(count.counted("deleted entry", "deleted entries"))"
        return try receipt(count, of: step, undo: words)
    }

    /// Returns the receipt of a change whose rows are in the trash.
    func receipt(_ count: Int, of step: Int64, undo words: String) throws -> Receipt {
        try db.execute(sql: "UPDATE undo_step SET explanation = ? WHERE id = ?", arguments: [words, step])
        return Receipt(id, count: count, undo: words)
    }

    /// Deletes an entry and records its ID, so that it doesn't return while the feed still contains it.
    ///
    /// - Returns: 1, or 0 if there is no such entry.
    static func deleteForGood(_ entry: Int64, now: Int64, _ db: Database) throws -> Int {
        let remember = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO deleted_entry SELECT subscription_id, guid, ? FROM entry WHERE id = ?")
        try remember.execute(arguments: [now, entry])
        let delete = try db.cachedStatement(sql: "DELETE FROM entry WHERE id = ?")
        try delete.execute(arguments: [entry])
        return db.changesCount
    }
}
