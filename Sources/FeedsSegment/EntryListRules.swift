import Feeds

/// The decisions of a list of entries as functions over values.
enum EntryListRules {
    /// Returns the rows that Delete removes.
    ///
    /// These are the marked rows, or otherwise the selected row. If that is already being deleted, it is the first row
    /// after it that isn't, so pressing the key twice quickly deletes two entries.
    static func rowsToDelete(
        marked: [EntryRow], selected: Int?, row: (Int) -> EntryRow?, willDelete: (EntryRow) -> Bool
    ) -> [EntryRow] {
        if !marked.isEmpty { return marked }
        guard var index = selected else { return [] }
        while let row = row(index), willDelete(row) { index += 1 }
        return row(index).map { [$0] } ?? []
    }

    /// Returns the entry that the detail beside the list shows next, or `nil` if it stays as it is.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the setting lets the detail follow the list.
    ///   - isBeside: Whether the detail is beside the list.
    ///   - selected: The selected entry.
    ///   - shown: The entry that the detail shows.
    static func entryToFollow(isWanted: Bool, isBeside: Bool, selected: EntryID?, shown: EntryID?) -> EntryID? {
        isWanted && isBeside && selected != shown ? selected : nil
    }

    /// Returns after how many seconds a shown entry is marked as read, or `nil` if showing doesn't mark it.
    static func dwell(seconds: Int, isRead: Bool) -> Int? { seconds > 0 && !isRead ? seconds : nil }
}
