/// A token that cancels an observation when it is released.
package final class Observation: Sendable {
    private let number: Int
    private let observer: ChangeObserver

    init(_ number: Int, of observer: ChangeObserver) {
        self.number = number
        self.observer = observer
    }

    deinit { observer.remove(number) }
}

/// A part of the library that can be observed for changes.
package struct LibraryPart: Hashable, Sendable {
    /// The observed columns of a table.
    enum Columns: Hashable, Sendable {
        case all
        case some(Set<String>)
        /// All columns but some. Those that a later migration adds are observed.
        case allExcept(Set<String>)

        /// Whether one of some changed columns is observed.
        func contain(oneOf changed: Set<String>) -> Bool {
            switch self {
            case .all: true
            case .some(let observed): !observed.isDisjoint(with: changed)
            case .allExcept(let others): !changed.isSubset(of: others)
            }
        }
    }

    /// The names of the observed tables, each with the observed columns.
    let tables: [String: Columns]

    /// - Parameters:
    ///   - tables: The tables of which every column is observed.
    ///   - columns: The observed columns of other tables.
    ///   - others: Tables of which every column is observed except those named.
    package init(
        _ tables: [String], columns: [String: Set<String>] = [:], allExcept others: [String: Set<String>] = [:]
    ) {
        var all = columns.mapValues { Columns.some($0) }
        for (table, columns) in others { all[table] = .allExcept(columns) }
        for table in tables { all[table] = .all }
        self.tables = all
    }
}
