import GRDB

/// Schema version 7: full texts of pages, previous texts, reading positions and feed options.
extension Schema {
    static func seventh(_ db: Database) throws {
        for table in ["entry_content", "trash_entry_content"] {
            for column in ["full_html TEXT", "page_date TEXT", "former TEXT", "place TEXT"] {
                try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column)")
            }
        }
        for table in ["subscription", "trash_subscription"] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN options TEXT")
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN is_quiet INTEGER NOT NULL DEFAULT 0")
        }
        try db.execute(
            sql: """
                DROP TRIGGER content_changed;
                CREATE TRIGGER content_changed AFTER UPDATE OF html, text, author, full_html ON entry_content BEGIN
                    INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
                END;
                """)
    }
}
