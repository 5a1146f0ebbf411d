import GRDB
import LibraryKernel

struct SaveSearch: LibraryChange {
    static let kind = "searches.save"
    var name: String
    var query: String

    var summary: String { "a saved search" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        if let row = try Row.fetchOne(
            db, sql: "SELECT id, name FROM saved_search WHERE query = ?", arguments: [query])
        {
            let (search, before): (SearchID, String) = (try row.at(0), try row.at(1))
            guard before != name else { return Outcome() }
            try db.execute(sql: "UPDATE saved_search SET name = ? WHERE id = ?", arguments: [name, search])
            return Outcome(
                count: 1, undo: "renaming the search \(before)", Change(RenameSearch(search: search, name: before)))
        }
        try db.execute(
            sql: """
                INSERT INTO saved_search (name, query, position)
                VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM saved_search))
                """, arguments: [name, query])
        return Outcome(
            count: 1, undo: "saving the search \(name)", .deleteSearch(SearchID(rawValue: db.lastInsertedRowID)))
    }
}

struct RenameSearch: LibraryChange {
    static let kind = "searches.rename"
    var search: SearchID
    var name: String

    var summary: String { "a saved search" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(sql: "UPDATE saved_search SET name = ? WHERE id = ?", arguments: [name, search])
        return Outcome(count: transaction.db.changesCount)
    }
}

struct SortSearch: LibraryChange {
    static let kind = "searches.sort"
    var search: SearchID
    var order: EntryOrder

    var summary: String { "the order of a search" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let before = try String.fetchOne(
            db, sql: "SELECT sort FROM saved_search WHERE id = ? AND sort <> ?", arguments: [search, order.rawValue])
        guard let before else { return Outcome() }
        try db.execute(sql: "UPDATE saved_search SET sort = ? WHERE id = ?", arguments: [order.rawValue, search])
        return Outcome(
            count: 1, undo: "changing the order of the search",
            .sortSearch(search, EntryOrder(rawValue: before) ?? .newest))
    }
}

/// Sorts saved searches in the given order, within the positions that they already occupy.
struct OrderSearches: LibraryChange {
    static let kind = "searches.order"
    var searches: [SearchID]

    var summary: String { "the list order" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let (moved, previous) = try RowOrder(db: transaction.db, table: "saved_search").sort(searches)
        return Outcome(count: moved, undo: "reordering the searches", .orderSearches(previous))
    }
}

struct DeleteSearch: LibraryChange {
    static let kind = "searches.delete"
    var search: SearchID

    var summary: String { "a saved search" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT name, query, position, sort FROM saved_search WHERE id = ?", arguments: [search])
        else { return Outcome() }
        let before = try RestoreSearch(
            search: search, name: row.at(0), query: row.at(1), position: row.at(2), sort: row.at(3))
        try db.execute(sql: "DELETE FROM saved_search WHERE id = ?", arguments: [search])
        return Outcome(count: 1, undo: "deleting the search \(before.name)", Change(before))
    }
}

struct RestoreSearch: LibraryChange {
    static let kind = "searches.restore"
    var search: SearchID
    var name: String
    var query: String
    var position: Int
    var sort: String

    var summary: String { "a saved search" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "INSERT OR IGNORE INTO saved_search (id, name, query, position, sort) VALUES (?, ?, ?, ?, ?)",
            arguments: [search, name, query, position, sort])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Saves a search as a list, or renames the saved search with the same query.
    package static func saveSearch(name: String, query: String) -> Change {
        Change(SaveSearch(name: name, query: query))
    }

    /// Sets the sort order of a saved search.
    package static func sortSearch(_ search: SearchID, _ order: EntryOrder) -> Change {
        Change(SortSearch(search: search, order: order))
    }

    /// Sorts saved searches in the given order.
    package static func orderSearches(_ searches: [SearchID]) -> Change {
        Change(OrderSearches(searches: searches))
    }

    /// Deletes a saved search.
    package static func deleteSearch(_ search: SearchID) -> Change { Change(DeleteSearch(search: search)) }
}
