import GRDB

/// The fifteenth version: words of neighbouring blocks are apart in the index.
extension Schema {
    /// All texts go into the index again, in the background, as those of a new library do; each is found by its old words until then.
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
