import GRDB

/// Schema version 10: the data that searches, lists and rules need.
///
/// It adds tags, archived entries, languages, lengths and contents of entries. It also adds the positions of folders
/// and tags, and the results and pending tasks of rules.
extension Schema {
    static func tenth(_ db: Database) throws {
        for table in ["entry", "trash_entry"] {
            try db.execute(
                sql: """
                    ALTER TABLE \(table) ADD COLUMN language TEXT;
                    ALTER TABLE \(table) ADD COLUMN is_folded INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE \(table) ADD COLUMN characters INTEGER;
                    ALTER TABLE \(table) ADD COLUMN parts INTEGER;
                    """)
        }
        for table in ["subscription", "trash_subscription"] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN runs_program INTEGER NOT NULL DEFAULT 0")
        }
        // SQLite doesn't report changes to `WITHOUT ROWID` tables. Tables that lists show therefore have row IDs.
        try db.execute(
            sql: """
                CREATE TABLE entry_tag (
                    entry_id INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
                    tag TEXT NOT NULL,
                    PRIMARY KEY (entry_id, tag)
                );
                CREATE INDEX entry_tag_tag ON entry_tag (tag, entry_id);
                DROP INDEX entry_by_date;
                CREATE INDEX entry_by_date ON entry (sort_date DESC, id DESC, parts, characters, language);
                CREATE INDEX entry_folded ON entry (sort_date DESC, id DESC) WHERE is_folded = 1;
                CREATE INDEX entry_content_first_seen ON entry_content (first_seen);
                CREATE TABLE folder_place (
                    name TEXT PRIMARY KEY NOT NULL,
                    position INTEGER,
                    is_closed INTEGER NOT NULL DEFAULT 0
                );
                CREATE TABLE rule_tally (
                    name TEXT PRIMARY KEY NOT NULL,
                    matches INTEGER NOT NULL,
                    last INTEGER,
                    error TEXT
                ) WITHOUT ROWID;
                CREATE TABLE rule_step (
                    change TEXT PRIMARY KEY NOT NULL,
                    rule TEXT NOT NULL,
                    created INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE rule_task (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    rule TEXT NOT NULL,
                    task TEXT NOT NULL,
                    entry_id INTEGER NOT NULL,
                    created INTEGER NOT NULL
                );
                ALTER TABLE saved_search ADD COLUMN sort TEXT NOT NULL DEFAULT 'newest';
                """)
        // The index for the list order includes the columns that searches test. SQLite reads no rows of entries that
        // don't match.
        try createTrash(of: "entry_tag", key: "entry_id", db)
        try countUnarchivedEntries(db)
        try createSearchWithLinks(db)
    }

    /// Replaces the triggers so that archived entries don't count as unread.
    private static func countUnarchivedEntries(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TRIGGER entry_inserted;
                DROP TRIGGER entry_deleted;
                DROP TRIGGER entry_read;
                CREATE TRIGGER entry_inserted AFTER INSERT ON entry BEGIN
                    UPDATE subscription SET total_count = total_count + 1,
                        unread_count = unread_count + (NEW.is_read = 0 AND NEW.is_folded = 0)
                        WHERE id = NEW.subscription_id;
                END;
                CREATE TRIGGER entry_deleted AFTER DELETE ON entry BEGIN
                    UPDATE subscription SET total_count = total_count - 1,
                        unread_count = unread_count - (OLD.is_read = 0 AND OLD.is_folded = 0)
                        WHERE id = OLD.subscription_id;
                END;
                CREATE TRIGGER entry_read AFTER UPDATE OF is_read, is_folded ON entry
                WHEN OLD.is_read <> NEW.is_read OR OLD.is_folded <> NEW.is_folded BEGIN
                    UPDATE subscription SET unread_count = unread_count
                        - (OLD.is_read = 0 AND OLD.is_folded = 0) + (NEW.is_read = 0 AND NEW.is_folded = 0)
                        WHERE id = NEW.subscription_id;
                END;
                """)
    }

    /// Creates the index with an additional column for links. It is refilled in the background.
    private static func createSearchWithLinks(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE entry_search;
                CREATE VIRTUAL TABLE entry_search USING fts5(
                    title, author, body, link, tokenize = 'unicode61 remove_diacritics 2');
                DROP TRIGGER content_changed;
                CREATE TRIGGER content_changed
                AFTER UPDATE OF html, text, author, full_html, link, extras, former ON entry_content BEGIN
                    INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
                END;
                INSERT OR IGNORE INTO unindexed SELECT entry_id FROM entry_content;
                """)
    }
}
