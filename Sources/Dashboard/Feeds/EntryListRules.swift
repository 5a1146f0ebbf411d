import ModelCore

/// What a list of entries decides, from values alone.
enum EntryListRules {
    /// The rows that Delete removes: the marked ones; otherwise the selected row, or the first row after it that isn't about to be
    /// deleted already. So a key that is pressed twice deletes two entries.
    static func rowsToDelete(
        marked: [EntryRow], selected: Int?, row: (Int) -> EntryRow?, willDelete: (EntryRow) -> Bool
    ) -> [EntryRow] {
        if !marked.isEmpty { return marked }
        guard var index = selected else { return [] }
        while let row = row(index), willDelete(row) { index += 1 }
        return row(index).map { [$0] } ?? []
    }

    /// The entry that the detail beside the list shows next; `nil`: the detail stays as it is.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the setting lets the detail follow the list.
    ///   - isBeside: Whether the detail is beside the list.
    ///   - selected: The selected entry.
    ///   - shown: The entry that the detail shows.
    static func entryToFollow(isWanted: Bool, isBeside: Bool, selected: Int64?, shown: Int64?) -> Int64? {
        isWanted && isBeside && selected != shown ? selected : nil
    }

    /// How many seconds an entry has to be shown until it is marked as read; `nil`: showing doesn't mark it.
    static func dwell(seconds: Int, isRead: Bool) -> Int? { seconds > 0 && !isRead ? seconds : nil }
}
