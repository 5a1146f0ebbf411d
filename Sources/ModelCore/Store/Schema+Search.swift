import GRDB

/// Schema version 2: full-text search, saved searches, tags, "read later", fetch schedules and undo.
extension Schema {
    static func second(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE subscription ADD COLUMN next_fetch INTEGER;
                ALTER TABLE subscription ADD COLUMN not_before INTEGER;
                ALTER TABLE subscription ADD COLUMN is_gone INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE subscription ADD COLUMN former_url TEXT;
                ALTER TABLE subscription ADD COLUMN last_entry INTEGER;
                ALTER TABLE subscription ADD COLUMN rhythm INTEGER;
                ALTER TABLE subscription ADD COLUMN headers TEXT;
                ALTER TABLE subscription ADD COLUMN added INTEGER;
                CREATE TABLE subscription_tag (
                    subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                    tag TEXT NOT NULL,
                    PRIMARY KEY (subscription_id, tag)
                ) WITHOUT ROWID;
                ALTER TABLE entry ADD COLUMN is_later INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE entry ADD COLUMN story INTEGER;
                CREATE INDEX entry_story ON entry (story, id) WHERE story IS NOT NULL;
                CREATE INDEX entry_later ON entry (sort_date DESC, id DESC) WHERE is_later = 1;
                CREATE TABLE deleted_entry (
                    subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                    guid TEXT NOT NULL,
                    deleted_at INTEGER NOT NULL,
                    PRIMARY KEY (subscription_id, guid)
                ) WITHOUT ROWID;
                CREATE TABLE stage_track (
                    race_id TEXT NOT NULL, number INTEGER NOT NULL,
                    points BLOB NOT NULL, spark TEXT NOT NULL, PRIMARY KEY (race_id, number));
                ALTER TABLE race ADD COLUMN is_bundled INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE saved_search (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, query TEXT NOT NULL UNIQUE, position INTEGER NOT NULL);
                """)
        try createSearch(db)
        try createTrash(db)
        try simplifyCounters(db)
        try db.execute(
            sql: """
                UPDATE subscription SET last_entry =
                    (SELECT max(sort_date) FROM entry WHERE subscription_id = subscription.id)
                """)
    }

    /// Creates the full-text index and the queue of entries to index, which are added in the background.
    private static func createSearch(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE entry_search USING fts5(
                    title, author, body, tokenize = 'unicode61 remove_diacritics 2');
                CREATE TABLE unindexed (entry_id INTEGER PRIMARY KEY);
                INSERT INTO unindexed SELECT entry_id FROM entry_content;
                CREATE TRIGGER content_inserted AFTER INSERT ON entry_content BEGIN
                    INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
                END;
                CREATE TRIGGER content_changed AFTER UPDATE OF html, text, author ON entry_content BEGIN
                    INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
                END;
                CREATE TRIGGER entry_unindexed AFTER DELETE ON entry BEGIN
                    DELETE FROM unindexed WHERE entry_id = OLD.id;
                    DELETE FROM entry_search WHERE rowid = OLD.id;
                END;
                INSERT OR IGNORE INTO counter VALUES ('later', 0);
                CREATE TRIGGER entry_later_changed AFTER UPDATE OF is_later ON entry WHEN OLD.is_later <> NEW.is_later
                BEGIN
                    UPDATE counter SET value = value + NEW.is_later - OLD.is_later WHERE name = 'later';
                END;
                CREATE TRIGGER entry_later_deleted AFTER DELETE ON entry WHEN OLD.is_later = 1 BEGIN
                    UPDATE counter SET value = value - 1 WHERE name = 'later';
                END;
                """)
    }

    /// Counts all and unread entries only for each feed; their sums are calculated on demand.
    ///
    /// Otherwise a reload with many entries spends most of its time on counting.
    private static func simplifyCounters(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TRIGGER entry_inserted;
                DROP TRIGGER entry_deleted;
                DROP TRIGGER entry_read;
                DELETE FROM counter WHERE name IN ('unread', 'total');
                CREATE TRIGGER entry_inserted AFTER INSERT ON entry BEGIN
                    UPDATE subscription SET total_count = total_count + 1,
                        unread_count = unread_count + (NEW.is_read = 0) WHERE id = NEW.subscription_id;
                END;
                CREATE TRIGGER entry_starred_inserted AFTER INSERT ON entry WHEN NEW.is_starred = 1 BEGIN
                    UPDATE counter SET value = value + 1 WHERE name = 'starred';
                END;
                CREATE TRIGGER entry_later_inserted AFTER INSERT ON entry WHEN NEW.is_later = 1 BEGIN
                    UPDATE counter SET value = value + 1 WHERE name = 'later';
                END;
                CREATE TRIGGER entry_deleted AFTER DELETE ON entry BEGIN
                    UPDATE subscription SET total_count = total_count - 1,
                        unread_count = unread_count - (OLD.is_read = 0) WHERE id = OLD.subscription_id;
                END;
                CREATE TRIGGER entry_starred_deleted AFTER DELETE ON entry WHEN OLD.is_starred = 1 BEGIN
                    UPDATE counter SET value = value - 1 WHERE name = 'starred';
                END;
                CREATE TRIGGER entry_read AFTER UPDATE OF is_read ON entry WHEN OLD.is_read <> NEW.is_read BEGIN
                    UPDATE subscription SET unread_count = unread_count + OLD.is_read - NEW.is_read
                        WHERE id = NEW.subscription_id;
                END;
                """)
    }

    /// Creates the tables for copies of deleted rows, which undo uses until the next start.
    private static func createTrash(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE trash (id INTEGER PRIMARY KEY, created INTEGER NOT NULL);
                CREATE TABLE trash_subscription AS SELECT 0 AS trash_id, * FROM subscription WHERE 0;
                CREATE TABLE trash_tag AS SELECT 0 AS trash_id, * FROM subscription_tag WHERE 0;
                CREATE TABLE trash_entry AS SELECT 0 AS trash_id, * FROM entry WHERE 0;
                CREATE TABLE trash_content AS SELECT 0 AS trash_id, * FROM entry_content WHERE 0;
                """)
    }
}
