import GRDB
import Platform

/// Queues tasks beyond the library, which wait for the program that reloaded.
package struct EntryTasks {
    private let db: Database

    package init(db: Database) { self.db = db }

    /// Queues a task for some entries.
    ///
    /// - Parameters:
    ///   - task: The task in the form in which it is stored, such as ``notify``.
    ///   - rule: The name of the rule that has the task, or an empty text for an option of the feed.
    package func add(_ task: String, of rule: String, for entries: [EntryID], now: Instant) throws {
        let insert = try db.cachedStatement(
            sql: "INSERT INTO rule_task (rule, task, entry_id, created) VALUES (?, ?, ?, ?)")
        for entry in entries { try insert.execute(arguments: [rule, task, entry, now]) }
    }

    /// The stored form of the task that notifies the user of an entry.
    package static let notify = "notify"
}
