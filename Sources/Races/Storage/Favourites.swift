import GRDB
import LibraryKernel

/// What the user has marked: races, teams and riders, by identifier or name.
package struct Favourites: Hashable, Sendable {
    /// What a favourite is. The raw values are stored.
    package enum Kind: Int, Codable, Sendable, CaseIterable { case race, team, rider }

    private var names: [Kind: Set<String>] = [:]

    package init() {}

    /// Whether any rider or team is marked.
    package var hasRiders: Bool { names[.rider] != nil || names[.team] != nil }

    package func contains(_ kind: Kind, _ name: String?) -> Bool {
        name.map { names[kind]?.contains($0) == true } ?? false
    }

    static func read(_ db: Database) throws -> Favourites {
        var favourites = Favourites()
        let statement = try db.cachedStatement(sql: "SELECT kind, name FROM favourite")
        for row in try Row.fetchAll(statement) {
            let (kind, name): (Int, String) = (try row.at(0), try row.at(1))
            if let kind = Kind(rawValue: kind) { favourites.names[kind, default: []].insert(name) }
        }
        return favourites
    }
}

/// Marks a race, team or rider as a favourite, or no longer.
struct MarkFavourite: LibraryChange {
    static let kind = "races.favourite"
    var favourite: Favourites.Kind
    var name: String
    var isMarked: Bool

    var summary: String { "a favourite" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let sql =
            isMarked
            ? "INSERT OR IGNORE INTO favourite VALUES (?, ?)" : "DELETE FROM favourite WHERE kind = ? AND name = ?"
        try transaction.db.execute(sql: sql, arguments: [favourite.rawValue, name])
        return Outcome(count: 1)
    }
}

extension Favourites {
    /// Returns the change that marks a race by its identifier, or a team or rider by name, as a favourite, or no longer.
    package static func mark(_ kind: Kind, _ name: String, _ isMarked: Bool) -> Change {
        Change(MarkFavourite(favourite: kind, name: name, isMarked: isMarked))
    }
}

extension RaceStore {
    /// Returns what the user has marked.
    package func favourites() throws(LibraryError) -> Favourites { try store.read { try Favourites.read($0) } }
}
