import GRDB

/// Schema version 6: the problems of feeds that tappa could still parse.
extension Schema {
    static func sixth(_ db: Database) throws {
        for table in ["subscription", "trash_subscription"] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN problems TEXT")
        }
    }
}
