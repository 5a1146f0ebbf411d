import GRDB

/// Schema version 15: the index separates the words of adjacent blocks.
extension Schema {
    /// Queues all texts for the index again, which is refilled in the background as in a new library.
    ///
    /// Until then, a search finds each text by its old words.
    static func fifteenth(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TRIGGER content_inserted;
                CREATE TRIGGER content_inserted AFTER INSERT ON entry_content BEGIN
                    INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
                END;
                INSERT OR IGNORE INTO unindexed SELECT entry_id FROM entry_content;
                """)
    }
}
