import GRDB

/// Schema version 14: playback positions, server labels as tags of entries, and entries that are indexed before they
/// are stored.
extension Schema {
    /// Also queues the existing tags of entries from servers with labels, so that the next sync sends them.
    static func fourteenth(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE played_recording (
                    url TEXT PRIMARY KEY NOT NULL,
                    position INTEGER NOT NULL,
                    duration INTEGER,
                    played INTEGER NOT NULL
                );
                CREATE TABLE remote_label (
                    account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    label TEXT NOT NULL,
                    remote_id TEXT NOT NULL,
                    PRIMARY KEY (account_id, label, remote_id)
                ) WITHOUT ROWID;
                DROP TRIGGER content_inserted;
                CREATE TRIGGER content_inserted AFTER INSERT ON entry_content
                WHEN NOT EXISTS (SELECT 1 FROM entry_search_content WHERE id = NEW.entry_id) BEGIN
                    INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
                END;
                ALTER TABLE account ADD COLUMN has_labels INTEGER NOT NULL DEFAULT 0;
                INSERT OR IGNORE INTO pending_mark (account_id, entry_id, mark, value, created)
                    SELECT DISTINCT r.account_id, t.entry_id, 'label/' || t.tag, 1, unixepoch() FROM entry_tag t
                    JOIN remote_entry r ON r.entry_id = t.entry_id JOIN account a ON a.id = r.account_id
                    WHERE a.kind = 'freshrss' AND t.tag <> 'later';
                """)
    }
}
