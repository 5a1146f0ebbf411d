import GRDB
import LibraryKernel

/// Writes the marks and tags of entries, and queues them for the servers of their feeds.
package struct EntryMarks {
    /// An entry with the date when it was read, or `nil` if it was unread.
    package typealias Previous = (id: EntryID, readAt: Instant?)

    let db: Database
    private let outbox: OutboxWriter

    package init(_ db: Database) {
        self.db = db
        outbox = OutboxWriter(db: db)
    }

    /// Sets a mark of entries.
    ///
    /// - Returns: The previous states of those that changed.
    package func set(_ mark: EntryMark, _ value: Bool, of entries: [EntryID], now: Instant) throws -> [Previous] {
        var changed: [Previous] = []
        let isQueued = try outbox.hasAccounts()
        for id in entries {
            if let before = try set(mark, value, of: id, readAt: now, isQueued: isQueued) { changed.append(before) }
        }
        return changed
    }

    /// Restores the previous marks of entries.
    ///
    /// - Returns: The number of entries that changed.
    func restore(_ mark: EntryMark, _ value: Bool, of entries: [Previous]) throws -> Int {
        let isQueued = try outbox.hasAccounts()
        return try entries.filter { entry in
            try set(mark, value, of: entry.id, readAt: entry.readAt, isQueued: isQueued) != nil
        }.count
    }

    /// Returns the entries and all their duplicates. Marking a merged row as read applies to all of its sources.
    func wholeStories(of entries: [EntryID]) throws -> [EntryID] {
        let statement = try db.cachedStatement(
            sql:
                "SELECT d.id FROM entry e JOIN entry d ON d.duplicate_key = e.duplicate_key AND d.id <> e.id WHERE e.id = ?"
        )
        return try entries + entries.flatMap { try EntryID.fetchAll(statement, arguments: [$0]) }
    }

    /// Sets a mark of an entry.
    ///
    /// - Returns: The previous state, or `nil` if the entry already has this value or no longer exists.
    private func set(
        _ mark: EntryMark, _ value: Bool, of id: EntryID, readAt: Instant?, isQueued: Bool
    ) throws -> Previous? {
        let column = mark.rawValue
        let find = try db.cachedStatement(sql: "SELECT read_at FROM entry WHERE id = ? AND \(column) <> ?")
        guard let row = try Row.fetchOne(find, arguments: [id, value]) else { return nil }
        let before: Previous = (id, mark == .read ? try row.at(0) : nil)
        if mark == .read {
            try db.executeCached(
                "UPDATE entry SET is_read = ?, read_at = ? WHERE id = ?", [value, value ? readAt : nil, id])
        } else {
            try db.executeCached("UPDATE entry SET \(column) = ? WHERE id = ?", [value, id])
        }
        if isQueued { try outbox.queue(mark.remote, value, of: id) }
        return before
    }

    // MARK: Tags

    /// Adds a tag to an entry, or removes it.
    ///
    /// - Returns: Whether anything changed.
    package func set(_ tag: String, _ value: Bool, of entry: EntryID) throws -> Bool {
        try db.executeCached(
            value
                ? "INSERT OR IGNORE INTO entry_tag SELECT id, ?2 FROM entry WHERE id = ?1"
                : "DELETE FROM entry_tag WHERE entry_id = ?1 AND tag = ?2", [entry, tag])
        guard db.changesCount > 0 else { return false }
        // The label of that name is the mark for reading later.
        if tag != RemoteMark.later.name { try outbox.queue(.label(tag), value, of: entry) }
        return true
    }
}

extension EntryMark {
    /// The mark as servers name it. Servers without labels have none for reading later, which stays local.
    var remote: RemoteMark {
        switch self {
        case .read: .read
        case .starred: .starred
        case .later: .later
        }
    }
}
