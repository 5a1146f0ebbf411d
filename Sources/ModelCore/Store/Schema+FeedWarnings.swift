import GRDB

/// The sixth version: what is wrong with a feed that can be read all the same.
extension Schema {
    static func sixth(_ db: Database) throws {
        for table in ["subscription", "trash_subscription"] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN problems TEXT")
        }
    }
}
