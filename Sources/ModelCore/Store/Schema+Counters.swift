import GRDB

/// The sixteenth version: new entries are counted by who adds them.
extension Schema {
    /// No triggers for new rows: a statement that fires one may have to be taken back by itself, for which SQLite copies each page that
    /// the row is written to, about ten for an entry. Counters of what is marked or deleted stay the database's affair.
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
