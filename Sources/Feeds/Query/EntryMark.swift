import LibraryKernel

/// A mark of an entry. The raw value is the name of its database column.
package enum EntryMark: String, Codable, Hashable, Sendable, CaseIterable {
    case read = "is_read"
    case starred = "is_starred"
    case later = "is_later"

    /// Returns what undo does to a number of entries with a new value of the mark.
    func undoWords(_ value: Bool, _ number: Int) -> String {
        let entries = number.countedEntries
        return switch (self, value) {
        case (.read, true): "Marks \(entries) as unread"
        case (.read, false): "Marks \(entries) as read"
        case (.starred, true): "Removes the star of \(entries)"
        case (.starred, false): "Stars \(entries) again"
        case (.later, true): "Removes \(entries) from read later"
        case (.later, false): "Adds \(entries) to read later"
        }
    }
}
