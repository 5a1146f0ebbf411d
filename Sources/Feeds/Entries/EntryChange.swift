import LibraryKernel

/// A change of entries, which lists show as pending until it is stored.
protocol EntryChange: LibraryChange {
    /// Whether the change affects an entry.
    func concerns(_ row: EntryRow) -> Bool
    /// The value that the change gives a mark of the entries it affects, or `nil` if it doesn't change the mark.
    func value(of mark: EntryMark) -> Bool?
}

extension EntryChange {
    func value(of mark: EntryMark) -> Bool? { nil }
}

/// A change of feeds, which lists show as pending until it is stored.
protocol FeedChange: LibraryChange {
    var feed: FeedID { get }
}

extension Change {
    /// Whether the change affects an entry. Lists use this to show changes that aren't stored yet.
    package func concerns(_ row: EntryRow) -> Bool {
        if let parts { return parts.contains { $0.concerns(row) } }
        return (base as? any EntryChange)?.concerns(row) ?? false
    }

    /// Whether the change affects a subscription.
    package func concerns(subscription id: FeedID) -> Bool {
        if let parts { return parts.contains { $0.concerns(subscription: id) } }
        if let change = base as? MarkScope, case .subscription(id) = change.scope, change.part == nil { return true }
        return (base as? any FeedChange)?.feed == id
    }

    /// Returns the value that the change gives a mark of an entry, or `nil` if it doesn't change the mark.
    package func value(of mark: EntryMark, in row: EntryRow) -> Bool? {
        guard let change = base as? any EntryChange, change.concerns(row) else { return nil }
        return change.value(of: mark)
    }

    /// Whether the change names the entries that it marks, instead of a list.
    package var namesEntries: Bool { base is MarkEntries }

    /// Whether the change deletes an entry.
    package func deletes(_ row: EntryRow) -> Bool {
        (base as? DeleteEntries)?.entries.contains(row.id) ?? false
    }
}

extension Int {
    /// The number of entries, such as "1 entry" or "2 entries".
    package var countedEntries: String { counted("entry", "entries") }
}
