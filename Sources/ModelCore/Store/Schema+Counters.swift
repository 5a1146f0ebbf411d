import GRDB

/// Version 16: the code that adds entries also counts them.
extension Schema {
    /// Removes the triggers for new rows.
    ///
    /// A statement that fires a trigger may have to be rolled back on its own, so SQLite copies each page that the row
    /// is written to, about ten for an entry. Marks and deletions are still counted by triggers.
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
