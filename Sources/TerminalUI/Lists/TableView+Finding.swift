extension TableView: SidewaysScrolling {}

extension TableView: FindableView {
    var canFind: Bool { numberOfRows > 0 }

    func rememberPlace() -> () -> Void {
        let row = max(0, selectedRow)
        return { [weak self] in
            if let self { self.select(self.path(of: row)) }
        }
    }

    func find(_ text: String, step: Int, end: @escaping (Bool) -> Void) {
        guard let path = selectedPath else { return }
        dataSource?.tableView(self, findRowMatching: text, from: path, step: step) { [weak self] found in
            guard let self, findText == text else { return }
            if let found { move(to: sections.row(at: found)) }
            end(found != nil)
        }
    }
}
