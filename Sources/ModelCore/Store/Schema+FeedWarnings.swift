import GRDB

/// Version 6: errors in feeds that can be read nevertheless.
extension Schema {
    static func sixth(_ db: Database) throws {
        for table in ["subscription", "trash_subscription"] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN problems TEXT")
        }
    }
}
