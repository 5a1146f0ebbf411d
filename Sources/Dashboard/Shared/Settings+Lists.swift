import ModelCore

/// The settings that decide how lists of entries are arranged.
extension Settings {
    /// Whether entry lists show the oldest entry first.
    var listsOldestFirst: Bool { self[.entryOrder] == "oldest first" }

    /// Returns a query that lists the entries in a scope in the configured order.
    func query(_ scope: EntryScope) -> EntryQuery {
        EntryQuery(
            scope, order: listsOldestFirst ? .oldest : .newest, mergesDuplicates: self[.mergeDuplicates])
    }
}
