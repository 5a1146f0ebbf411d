import GRDB
import LibraryKernel

extension EntryStore {
    /// Returns the numbers of entries of a scope in each of the last periods of 24 hours, oldest first.
    ///
    /// Reads only the dates of these days, however many entries the scope has.
    ///
    /// - Parameters:
    ///   - scope: The entries to count.
    ///   - end: The end of the last period.
    ///   - days: The number of periods.
    package func activity(in scope: EntryScope, until end: Instant, days: Int) throws(LibraryError) -> [Int] {
        let condition = scope.condition
        let start = end - Int64(days) * 86_400
        return try store.read { db in
            var counts = [Int](repeating: 0, count: days)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT (sort_date - ?) / 86400, count(*) FROM entry
                    WHERE \(condition.sql) AND sort_date >= ? AND sort_date < ? GROUP BY 1
                    """, arguments: [start] + condition.arguments + [start, end])
            for row in rows {
                let day: Int = try row.at(0)
                if counts.indices.contains(day) { counts[day] = try row.at(1) }
            }
            return counts
        }
    }
}
