import GRDB
import LibraryKernel

struct TagEntries: EntryChange {
    static let kind = "entries.tag"
    var entries: [EntryID]
    var adding: [String]
    var removing: [String]

    var summary: String { entries.count.summary("a tag change", "tag changes") }

    func concerns(_ row: EntryRow) -> Bool { entries.contains(row.id) }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let marks = EntryMarks(transaction.db)
        var (added, removed): ([TaggedEntry], [TaggedEntry]) = ([], [])
        for entry in entries {
            for tag in adding where try !tag.isEmpty && marks.set(tag, true, of: entry) {
                added.append(TaggedEntry(entry: entry, tag: tag))
            }
            for tag in removing where try marks.set(tag, false, of: entry) {
                removed.append(TaggedEntry(entry: entry, tag: tag))
            }
        }
        let count = Set((added + removed).map(\.entry)).count
        return Outcome(
            count: count, undo: "changing the tags of \(count.countedEntries)",
            Change(RestoreTags(add: removed, remove: added)))
    }
}

struct TaggedEntry: Codable, Hashable {
    var entry: EntryID
    var tag: String
}

/// Restores tags of entries and removes others.
struct RestoreTags: LibraryChange {
    static let kind = "entries.restoreTags"
    var add: [TaggedEntry]
    var remove: [TaggedEntry]

    var summary: String { "tags" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let marks = EntryMarks(transaction.db)
        var entries: Set<EntryID> = []
        for item in add where try marks.set(item.tag, true, of: item.entry) { entries.insert(item.entry) }
        for item in remove where try marks.set(item.tag, false, of: item.entry) { entries.insert(item.entry) }
        return Outcome(count: entries.count, of: Set((add + remove).map(\.entry)).count)
    }
}

struct DeleteEntries: EntryChange {
    static let kind = "entries.delete"
    var entries: [EntryID]
    var now: Instant

    var summary: String { entries.count.summary("a deletion", "deletions") }

    func concerns(_ row: EntryRow) -> Bool { entries.contains(row.id) }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let trash = try transaction.trash()
        var count = 0
        for entry in entries {
            try trash.add(entry, of: "entry")
            count += try DeletedEntries(db: transaction.db).delete(entry, now: now)
        }
        return Outcome(
            count: count, undo: "deleting \(count.countedEntries)", Change(RestoreTrash(step: trash.step)))
    }
}

struct ArchiveEntries: LibraryChange {
    static let kind = "entries.archive"
    var entries: [EntryID]

    var summary: String { "archived entries" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let update = try db.cachedStatement(sql: "UPDATE entry SET is_archived = 1 WHERE id = ? AND is_archived = 0")
        var archived: [EntryID] = []
        for entry in entries {
            try update.execute(arguments: [entry])
            if db.changesCount > 0 { archived.append(entry) }
        }
        return Outcome(
            count: archived.count,
            undo: "archiving \(archived.count.countedEntries)",
            Change(ReturnArchived(entries: archived)))
    }
}

/// Returns archived entries to the lists.
struct ReturnArchived: LibraryChange {
    static let kind = "entries.returnArchived"
    var entries: [EntryID]

    var summary: String { "archived entries" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        var count = 0
        for entry in entries {
            try db.execute(sql: "UPDATE entry SET is_archived = 0 WHERE id = ? AND is_archived = 1", arguments: [entry])
            count += db.changesCount
        }
        return Outcome(count: count, of: entries.count)
    }
}

extension Change {
    /// Adds tags to entries and removes others.
    package static func tagEntries(_ entries: [EntryID], adding: [String], removing: [String]) -> Change {
        Change(TagEntries(entries: entries, adding: adding, removing: removing))
    }

    /// Archives entries, which removes them from lists.
    package static func archive(entries: [EntryID]) -> Change { Change(ArchiveEntries(entries: entries)) }

    /// Deletes entries. They don't return while the feed still contains them.
    package static func delete(entries: [EntryID], now: Instant) -> Change {
        Change(DeleteEntries(entries: entries, now: now))
    }
}
