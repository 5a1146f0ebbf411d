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
    /// The names of the observed tables, each with the observed columns, or `nil` for all.
    let tables: [String: Set<String>?]

    /// - Parameters:
    ///   - tables: The tables of which every column is observed.
    ///   - columns: The observed columns of other tables.
    package init(_ tables: [String], columns: [String: Set<String>] = [:]) {
        self.tables = tables.reduce(into: columns.mapValues { $0 }) { $0[$1] = .some(nil) }
    }
}
