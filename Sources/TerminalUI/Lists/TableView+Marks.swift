/// Rows that are marked for an action.
extension TableView {
    /// The marked rows from top to bottom, otherwise the selected row. Actions apply to these.
    public var actionPaths: [RowPath] {
        guard !marks.isEmpty else { return selectedPath.map { [$0] } ?? [] }
        return markedPaths
    }

    /// The marked rows from top to bottom.
    public var markedPaths: [RowPath] {
        marks.compactMap { dataSource?.tableView(self, pathForRowWith: $0) }.sorted()
    }

    /// Removes all marks.
    public func clearMarks() {
        if !marks.isEmpty { changeMarks { $0.removeAll() } }
    }

    /// Changes the marks and notifies the delegate.
    func changeMarks(_ change: (inout Set<AnyHashable>) -> Void) {
        change(&marks)
        setNeedsLayout()
        delegate?.tableViewDidChangeMarks(self)
    }
}
