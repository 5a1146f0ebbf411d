import Feeds
import GRDB
import LibraryKernel

/// Sets a value of ``Settings``; `nil` restores the value from the configuration file or the default.
struct SetSetting: LibraryChange {
    static let kind = "settings.set"
    var name: String
    var value: String?

    var summary: String { "the setting \(name)" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        if let value {
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
        } else {
            try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
        }
        return Outcome(count: db.changesCount)
    }
}

extension Change {
    /// Sets a value of ``Settings``; `nil` restores the value from the configuration file or the default.
    package static func set(_ name: String, _ value: String?) -> Change { Change(SetSetting(name: name, value: value)) }

    /// Whether the change sets the setting with this name.
    package func sets(_ name: String) -> Bool { (base as? SetSetting)?.name == name }
}

/// Records that a new library received initial content, so that it doesn't return after the user deletes it.
package struct MarkPrepared: MaintenanceStep {
    let beginning: Library.Beginning

    package init(_ beginning: Library.Beginning) { self.beginning = beginning }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "INSERT OR REPLACE INTO setting VALUES (?, 'yes')", arguments: [beginning.rawValue])
        return Outcome()
    }
}
