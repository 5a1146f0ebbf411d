import TerminalUI

extension TableView {
    /// Applies a batch of changes that the data source has made.
    ///
    /// The selected row stays selected and on its line. If it was deleted, the row in its place is selected (row
    /// TAB-02). The batch must lead from the previous to the current numbers of rows; anything else is an error in the
    /// program.
    public func performBatchUpdates(_ changes: TableChanges) {
        let mapping = TableChanges.Mapping(changes)
        let before = sections.counts
        reloadData(movingRowsBy: mapping.path)
        let counts = sections.counts
        for (section, count) in before.enumerated() {
            guard let new = mapping.section(section) else { continue }
            precondition(new < counts.count, "the batch leaves more sections than there are")
            let expected = count + mapping.growth(old: section, new: new)
            precondition(counts[new] == expected, "section \(new) should have \(expected) rows after this batch")
        }
    }
}
