import GRDB

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The complete content of a library for comparisons, and its invariants.
package enum LibraryPicture {
    /// Tables that an undo may leave changed: the steps themselves, and the index, which is derived from the rest.
    private static let passedOver = ["undo_step", "stored_journal", "trash_", "sqlite_", "entry_search", "unindexed"]

    /// Every row of every table.
    package static func tables(of library: Library) throws -> [String: [String]] {
        try library.read { db in
            let names = try String.fetchAll(
                db.cachedStatement(sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
            var tables: [String: [String]] = [:]
            for name in names where !passedOver.contains(where: { name.hasPrefix($0) }) {
                let columns = try db.columns(in: name).map { "quote(\"\($0.name)\")" }.joined(separator: " || ', ' || ")
                let rows = try db.cachedStatement(sql: "SELECT \(columns) FROM \(name)")
                tables[name] = try String.fetchAll(rows).sorted()
            }
            return tables
        }
    }

    /// Returns violated invariants: counters equal the counted rows, references are valid, and no entry belongs to
    /// another feed, if identities start with their feed's address.
    package static func faults(of library: Library) throws -> [String] {
        try library.read { db in
            let checks = [
                (
                    "a feed's counters",
                    """
                    SELECT count(*) FROM subscription s WHERE
                    total_count <> (SELECT count(*) FROM entry WHERE subscription_id = s.id)
                    OR unread_count <> (SELECT count(*) FROM entry
                        WHERE subscription_id = s.id AND is_read = 0 AND is_archived = 0)
                    """
                ),
                (
                    "the stars' counter",
                    """
                    SELECT value <> (SELECT count(*) FROM entry WHERE is_starred = 1) FROM counter
                    WHERE name = 'starred'
                    """
                ),
                (
                    "the counter of what is for later",
                    """
                    SELECT value <> (SELECT count(*) FROM entry WHERE is_later = 1) FROM counter WHERE name = 'later'
                    """
                ),
                (
                    "an entry without content, or content without an entry",
                    """
                    SELECT (SELECT count(*) FROM entry WHERE id NOT IN (SELECT entry_id FROM entry_content))
                    + (SELECT count(*) FROM entry_content WHERE entry_id NOT IN (SELECT id FROM entry))
                    """
                ),
                (
                    "an entry in another feed",
                    """
                    SELECT count(*) FROM entry e JOIN subscription s ON s.id = e.subscription_id
                    WHERE e.guid LIKE 'http%' AND substr(e.guid, 1, length(s.url)) <> s.url
                        AND substr(e.guid, 1, length(s.former_url)) IS NOT s.former_url
                    """
                ),
                (
                    "a deleted entry that is there",
                    """
                    SELECT count(*) FROM entry e JOIN deleted_entry d
                    ON d.subscription_id = e.subscription_id AND d.guid = e.guid
                    WHERE e.subscription_id NOT IN (SELECT id FROM subscription WHERE url = '\(SavedPage.subscription)')
                    """
                ),
                (
                    "trash without a step",
                    """
                    SELECT count(*) FROM trash_entry WHERE step_id NOT IN (SELECT id FROM undo_step)
                    """
                ),
                ("a row that refers to none", "SELECT count(*) FROM pragma_foreign_key_check"),
            ]
            // Runs hundreds of thousands of times, so it is one statement that is prepared once.
            let all = checks.map { "SELECT '\($0.0.replacing("'", with: "''"))' AS name, (\($0.1)) AS faults" }
            return try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT name FROM (\(all.joined(separator: " UNION ALL "))) WHERE ifnull(faults, 1) <> 0"))
        }
    }

    /// The result of SQLite's integrity check; "ok" if there is no error.
    package static func integrity(of library: Library) throws -> String {
        try library.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") ?? "" }
    }
}
