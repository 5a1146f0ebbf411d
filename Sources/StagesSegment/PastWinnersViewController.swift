import DashboardFrame
import RaceCentre
import Races
import TerminalUI

/// The past winners of a race, as Wikidata knows them. They are requested when the user asks for them; Enter follows the
/// edition of a row.
@MainActor
final class PastWinnersViewController: WikidataListViewController<PastWinnersViewController.Row> {
    /// A past winner, or the request for all of them.
    enum Row: Hashable {
        case edition(RaceHistory.Row)
        /// The request, with the instant at which the stored answer came.
        case request(Instant?)
    }

    private let race: RaceRow
    private let series: WikidataItem
    /// The years whose winner the user has revealed. It is forgotten with the sheet.
    private var revealed: Set<Int> = []

    init(race: RaceRow, series: WikidataItem, services: RaceServices) {
        self.race = race
        self.series = series
        super.init(services: services, title: "Past winners", emptyText: "No winners found.", width: 70)
    }

    override func readSections() -> [Section] {
        let history = access.read(RaceHistory(rows: [])) {
            try $0.races.history(of: series, race: race.id, revealing: revealed)
        }
        let rows = history.rows.map(Row.edition)
        title = titleWithProblem("Past winners of \(race.name)")
        return [
            Section(items: rows),
            Section(title: rows.isEmpty ? nil : "Wikidata", items: [.request(history.received)]),
        ]
    }

    override func selectInitialRow() {
        table.select(RowPath(section: sections.first?.items.isEmpty == false ? 0 : 1, row: 0))
    }

    override func cell(for row: Row) -> TableViewCell {
        let cell = table.dequeueCell()
        switch row {
        case .edition(let edition):
            cell.title = DisplayText("\(edition.year)  \(edition.winner ?? "result hidden")")
            cell.titleRole = edition.winner == nil ? .secondary : .text
            cell.value = DisplayText(edition.team ?? "")
        case .request(let received):
            cell.title = received == nil ? "Load past winners from Wikidata" : "Update past winners from Wikidata"
            cell.titleRole = .accent
            let age = received.map { "loaded " + services.appearance.dates.distance($0) }
            cell.value = requests.isEmpty ? age ?? "from Wikidata" : "loading …"
        }
        return cell
    }

    override func activate(_ row: Row) {
        switch row {
        case .request: loadWinners()
        case .edition(let edition):
            let known = access.library.knownRaces
            let address = known.edition(of: series, year: edition.year)?.address ?? edition.item.address
            access.status.show(DisplayText("Reading \(race.name) \(edition.year) …"))
            Task { [services] in await RaceAdder.add(address, services) }
        }
    }

    private func loadWinners() {
        request(0) { [services, series] in
            let count = try await services.races.updateWinners(of: series)
            return "\(count.counted("winner")) from Wikidata"
        }
    }

    override func didRequest(_ key: Int) {
        super.didRequest(key)
        selectInitialRow()
    }

    override var commands: [Command] {
        super.commands + [
            Command(StageCommands.revealStage, of: self, isEnabled: canReveal) {
                guard case .edition(let edition)? = $0.selected else { return }
                $0.revealed.formSymmetricDifference([edition.year])
                $0.load()
            }
        ]
    }

    private var canReveal: Bool {
        guard case .edition(let edition)? = selected else { return false }
        return edition.winner == nil || revealed.contains(edition.year)
    }
}
