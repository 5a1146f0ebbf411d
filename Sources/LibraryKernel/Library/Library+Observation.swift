import GRDB

/// A token that cancels an observation when it is released.
package final class Observation: Sendable {
    private let cancellable: AnyDatabaseCancellable

    init(_ cancellable: AnyDatabaseCancellable) { self.cancellable = cancellable }

    deinit { cancellable.cancel() }
}

/// A part of the library that can be observed for changes.
package struct LibraryPart: Hashable, Sendable {
    /// The names of the observed tables, each with the observed columns, or `nil` for all.
    private let tables: [String: [String]?]

    /// - Parameters:
    ///   - tables: The tables of which every column is observed.
    ///   - columns: The observed columns of other tables.
    package init(_ tables: [String], columns: [String: [String]] = [:]) {
        self.tables = tables.reduce(into: columns.mapValues { $0 }) { $0[$1] = .some(nil) }
    }

    fileprivate var regions: [any DatabaseRegionConvertible] {
        tables.map { name, columns in
            columns.map { Table(name).select($0.map { Column($0) }) } ?? Table(name).all()
        }
    }
}

extension Library {
    /// Calls a closure on the main actor after each change to a part, until the result is released.
    ///
    /// The library reads nothing here. The caller reloads the window that it shows.
    @MainActor
    package func observe(_ part: LibraryPart, _ changed: @escaping @MainActor () -> Void) -> Observation {
        Observation(store.observe(part.regions) { Task { @MainActor in changed() } })
    }
}
