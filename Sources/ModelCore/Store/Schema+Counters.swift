import GRDB

/// Schema version 16: the code that adds new entries also counts them.
extension Schema {
    /// Removes the triggers that fire for each new row.
    ///
    /// SQLite may have to roll back a statement with triggers on its own. It therefore copies each page that the row is
    /// written to, about ten for an entry. Triggers still update the counters when entries are marked or deleted.
    static func sixteenth(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TRIGGER entry_inserted;
                DROP TRIGGER entry_starred_inserted;
                DROP TRIGGER entry_later_inserted;
                DROP TRIGGER content_inserted;
                """)
    }
}
