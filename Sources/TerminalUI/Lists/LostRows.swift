/// The rows that left a list while they were selected, so that undoing their deletion selects them again.
package struct LostRows {
    /// Whether an undo may bring back the row that left last, which the list then selects if the row in its place is
    /// still selected.
    package var isReturning = false
    private var rows: [(row: AnyHashable, next: AnyHashable)] = []
    private static let maximum = 50

    mutating func add(_ row: AnyHashable?, replacedBy next: AnyHashable?) {
        guard let row, let next else { return }
        rows.append((row, next), keepingLast: LostRows.maximum)
        isReturning = false
    }

    /// Returns the row that has returned, unless another row was selected meanwhile.
    mutating func returned(to selected: AnyHashable?, exists: (AnyHashable) -> Bool) -> AnyHashable? {
        guard isReturning, let last = rows.last, last.next == selected, exists(last.row) else { return nil }
        isReturning = false
        return rows.removeLast().row
    }
}
