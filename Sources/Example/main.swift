import Foundation
import TerminalUI

/// A list of a country's towns. Selecting one shows it in the detail.
final class TownList: ViewController, TableViewDataSource, TableViewDelegate {
    let towns: [String]
    let table = TableView()

    init(_ country: DisplayText, _ towns: [String]) {
        self.towns = towns
        super.init()
        title = country
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
    }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { towns.count }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = DisplayText(towns[path.row])
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { showDetail(Town(towns[path.row])) }
}

/// The detail of a town.
final class Town: ViewController {
    init(_ name: String) {
        super.init()
        title = DisplayText(name)
        toolbarItems = [.label("h goes back to the list")]
    }

    override func makeView() -> View { Label("You chose " + title) }
}

@MainActor
func country(_ name: DisplayText, _ towns: [String]) -> SplitViewController {
    let split = SplitViewController(primary: TownList(name, towns), placeholder: ViewController())
    split.title = name
    return split
}

let navigation = NavigationController()
navigation.hasRule = true
let segments = SegmentsController(
    navigationController: navigation,
    viewControllers: [country("Italy", ["Asolo", "Bormio", "Cuneo"]), country("Spain", ["Burgos", "Jaca"])])
let application = Application(terminal: NcursesTerminal(), root: navigation)
exit(application.run())
