extension Library {
    /// Calls a closure on the main actor after each change to a part, until the result is released.
    ///
    /// The library reads nothing here. The caller reloads the window that it shows.
    @MainActor
    package func observe(_ part: LibraryPart, _ changed: @escaping @MainActor () -> Void) -> Observation {
        store.observe(part) { _ in changed() }
    }

    /// Notifies the observers of what is stored at once, rather than when the main actor is free.
    @MainActor
    package func notifyObservers() { store.notifyObservers() }

    /// Calls a closure on the main actor after each change to a part of one table, with the identifiers of the changed
    /// rows, or with `nil` if they are many or unknown.
    @MainActor
    package func observeRows<ID: RowIdentifier>(
        of part: LibraryPart, _ changed: @escaping @MainActor (Set<ID>?) -> Void
    ) -> Observation {
        store.observe(part) { rows in changed(rows.map { Set($0.map { ID(rawValue: $0) }) }) }
    }
}
