extension TableView: SidewaysScrolling {}

extension TableView: FindableView {
    var canFind: Bool { numberOfRows > 0 }

    func rememberPlace() -> () -> Void {
        let row = max(0, selectedRow)
        return { [weak self] in
            if let self { self.select(self.path(of: row)) }
        }
    }

    func find(_ text: String, step: Int) {
        guard let path = selectedPath else { return }
        dataSource?.tableView(self, findRowMatching: text, from: path, step: step) { [weak self] found in
            if let self, self.findText == text { self.move(to: self.sections.row(at: found)) }
        }
    }
}
