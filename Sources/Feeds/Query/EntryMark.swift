import LibraryKernel

/// A mark of an entry. The raw value is the name of its database column.
package enum EntryMark: String, Codable, Hashable, Sendable, CaseIterable {
    case read = "is_read"
    case starred = "is_starred"
    case later = "is_later"

    /// Returns what gives a number of entries a value of the mark, such as "starring 3 entries".
    func words(_ value: Bool, _ number: Int) -> String {
        let entries = number.countedEntries
        return switch (self, value) {
        case (.read, true): "marking \(entries) as read"
        case (.read, false): "marking \(entries) as unread"
        case (.starred, true): "starring \(entries)"
        case (.starred, false): "unstarring \(entries)"
        case (.later, true): "adding \(entries) to read later"
        case (.later, false): "removing \(entries) from read later"
        }
    }
}
