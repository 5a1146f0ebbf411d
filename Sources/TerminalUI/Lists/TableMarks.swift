/// The rows marked for an action on several (row TAB-04). They are identified by identifiers, so that marks follow
/// their rows.
struct TableMarks {
    private(set) var identifiers: Set<AnyHashable> = []

    var isEmpty: Bool { identifiers.isEmpty }

    func contains(_ identifier: AnyHashable?) -> Bool { identifier.map { identifiers.contains($0) } ?? false }

    mutating func toggle(_ identifier: AnyHashable) {
        if identifiers.remove(identifier) == nil { identifiers.insert(identifier) }
    }

    mutating func insert(_ identifier: AnyHashable) { identifiers.insert(identifier) }

    mutating func removeAll() { identifiers.removeAll() }

    /// Removes the marks of rows that no longer exist.
    mutating func keep(where exists: (AnyHashable) -> Bool) { identifiers = identifiers.filter(exists) }
}
