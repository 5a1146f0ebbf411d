/// The rows of a table that are marked for an action on several (row TAB-04); known by identity, so that marks stay with
/// their rows wherever these go.
struct TableMarks {
    private(set) var identifiers: Set<AnyHashable> = []

    var isEmpty: Bool { identifiers.isEmpty }

    func contains(_ identifier: AnyHashable?) -> Bool { identifier.map { identifiers.contains($0) } ?? false }

    mutating func toggle(_ identifier: AnyHashable) {
        if identifiers.remove(identifier) == nil { identifiers.insert(identifier) }
    }

    mutating func insert(_ identifier: AnyHashable) { identifiers.insert(identifier) }

    mutating func removeAll() { identifiers.removeAll() }

    /// Forgets rows that are gone.
    mutating func keep(where exists: (AnyHashable) -> Bool) { identifiers = identifiers.filter(exists) }
}
