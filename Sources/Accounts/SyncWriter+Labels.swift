import Feeds
import GRDB
import LibraryKernel

/// The receiving half of a sync for labels, which are tags of entries. Tags that wait to be sent stay (row ACC-03).
extension SyncWriter {
    /// Whether the entry of a row `p` of the outbox has the row's label.
    private static let isLabelled = """
        EXISTS (SELECT 1 FROM remote_entry r JOIN remote_label l ON l.account_id = r.account_id AND l.remote_id = r.remote_id
            WHERE r.entry_id = p.entry_id AND r.account_id = p.account_id AND l.label = substr(p.mark, 7))
        """

    /// Removes sent labels from the outbox that the lists confirm, or about which they say nothing. No entry has a
    /// label that the server doesn't list.
    func confirm(_ labels: RemoteLabels, _ account: AccountID) throws {
        try db.execute(
            sql: """
                DELETE FROM pending_mark AS p WHERE p.account_id = ? AND p.sent IS NOT NULL AND p.mark LIKE 'label/%'
                    AND p.value = \(SyncWriter.isLabelled)
                """, arguments: [account])
        for label in labels.unlisted {
            try db.execute(
                sql: "DELETE FROM pending_mark WHERE account_id = ? AND sent IS NOT NULL AND mark = ?",
                arguments: [account, RemoteMark.label(label).name])
        }
        guard !labels.createsMissing else { return try noteContradicted(account, where: "mark LIKE 'label/%'") }
        // A label that the server lacks waits there until somebody creates it.
        for label in labels.names {
            try noteContradicted(account, where: "mark = ?", [RemoteMark.label(label).name])
        }
    }

    /// Makes the server's labels the tags of all known entries without a row in the outbox. Tags that are no labels on
    /// the server stay.
    func apply(_ labels: RemoteLabels, _ account: AccountID) throws -> Int {
        let isFree = """
            NOT EXISTS (SELECT 1 FROM pending_mark p WHERE p.entry_id = entry.id AND p.mark = 'label/' || ?2)
            """
        let isListed = """
            SELECT r.entry_id FROM remote_label l
            JOIN remote_entry r ON r.account_id = l.account_id AND r.remote_id = l.remote_id
            WHERE l.account_id = ?1 AND l.label = ?2 AND r.entry_id IS NOT NULL
            """
        var count = 0
        for label in labels.names {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO entry_tag SELECT id, ?2 FROM entry WHERE id IN (\(isListed)) AND \(isFree)
                    """, arguments: [account, label])
            count += db.changesCount
            try db.execute(
                sql: """
                    DELETE FROM entry_tag WHERE tag = ?2 AND entry_id IN (
                        SELECT id FROM entry WHERE id IN (SELECT entry_id FROM entry_tag WHERE tag = ?2)
                            AND EXISTS (SELECT 1 FROM remote_entry r WHERE r.entry_id = entry.id AND r.account_id = ?1)
                            AND id NOT IN (\(isListed)) AND \(isFree))
                    """, arguments: [account, label])
            count += db.changesCount
        }
        return count
    }
}
