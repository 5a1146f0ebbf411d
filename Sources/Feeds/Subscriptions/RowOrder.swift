import GRDB
import LibraryKernel

/// Sorts rows of a table that has positions, within the positions that the rows already occupy.
package struct RowOrder {
    let db: Database
    let table: String

    /// Sorts rows in the given order, as far as they exist.
    ///
    /// - Returns: The number of rows with a new position, and the previous order.
    package func sort<ID: RowIdentifier>(_ rows: [ID]) throws -> (moved: Int, previous: [ID]) {
        var places: [(id: ID, position: Int64)] = []
        for row in rows {
            let sql = "SELECT position FROM \(table) WHERE id = ?"
            if let position = try Int64.fetchOne(db, sql: sql, arguments: [row]) { places.append((row, position)) }
        }
        // Rows that were added together may share a position.
        var positions = places.map(\.position).sorted()
        for index in positions.indices.dropFirst() where positions[index] <= positions[index - 1] {
            positions[index] = positions[index - 1].addingClamped(1)
        }
        var moved = 0
        for (place, position) in zip(places, positions) where place.position != position {
            try db.execute(sql: "UPDATE \(table) SET position = ? WHERE id = ?", arguments: [position, place.id])
            moved += 1
        }
        return (moved, places.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(\.id))
    }
}
