/// The full-text index, the queue of entries to index, and saved searches.
enum SearchSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE VIRTUAL TABLE entry_search USING fts5(
                title, author, body, link, tokenize = 'unicode61 remove_diacritics 2');
            CREATE TABLE unindexed (entry_id INTEGER PRIMARY KEY);
            CREATE TABLE saved_search (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL,
                query TEXT NOT NULL UNIQUE,
                position INTEGER NOT NULL,
                sort TEXT NOT NULL DEFAULT 'newest'
            );
            CREATE TRIGGER content_changed
            AFTER UPDATE OF html, text, author, full_html, link, extras, former ON entry_content BEGIN
                INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
            END;
            CREATE TRIGGER entry_unindexed AFTER DELETE ON entry BEGIN
                DELETE FROM unindexed WHERE entry_id = OLD.id;
                DELETE FROM entry_search WHERE rowid = OLD.id;
            END;
            """,
        contents: ["saved_search"])
}
