import FeedServers
import GRDB

/// What a sync takes over of the server's labels: tags of entries, but those that wait to be sent (row ACC-03).
extension ChangeWriter {
    /// Whether an entry of a row `p` of the outbox has the label that it is about.
    private static let isLabelled = """
        EXISTS (SELECT 1 FROM remote_entry r JOIN remote_label l ON l.account_id = r.account_id AND l.remote_id = r.remote_id
            WHERE r.entry_id = p.entry_id AND r.account_id = p.account_id AND l.label = substr(p.mark, 7))
        """

    /// What was sent and is as it was sent is done, and what the lists do not tell of is taken at its word. A label that its server
    /// does not have is one that no entry has.
    func confirm(_ labels: RemoteLabels, _ account: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM pending_mark AS p WHERE p.account_id = ? AND p.sent IS NOT NULL AND p.mark LIKE 'label/%'
                    AND p.value = \(ChangeWriter.isLabelled)
                """, arguments: [account])
        for label in labels.unlisted {
            try db.execute(
                sql: "DELETE FROM pending_mark WHERE account_id = ? AND sent IS NOT NULL AND mark = ?",
                arguments: [account, RemoteMark.label(label).name])
        }
        try noteContradicted(account, where: "mark LIKE 'label/%'")
    }

    /// All known entries without a row in the outbox get the server's labels as their tags, and lose those that the server has not.
    /// Tags that are no label there stay.
    func apply(_ labels: RemoteLabels, _ account: Int64) throws -> Int {
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
