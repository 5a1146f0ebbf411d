import ModelCore
import TerminalUI

/// The past winners of a race, as Wikidata knows them. They are requested when the user asks for them; Enter follows the
/// edition of a row.
@MainActor
final class PastWinnersViewController: SheetListViewController<PastWinnersViewController.Row> {
    /// A past winner, or the request for all of them.
    enum Row: Hashable {
        case edition(RaceHistory.Row)
        /// The request, with the instant at which the stored answer came.
        case request(Instant?)
    }

    private let services: RaceServices
    private let access: LibraryAccess
    private let race: RaceRow
    private let series: WikidataItem
    /// The years whose winner the user has revealed. It is forgotten with the sheet.
    private var revealed: Set<Int> = []
    private var isLoading = false
    /// Why the last request failed. The sheet may cover the status line.
    private var problem: String?

    init(race: RaceRow, series: WikidataItem, services: RaceServices) {
        self.race = race
        self.series = series
        self.services = services
        access = services.access
        super.init(
            title: "Past winners", emptyText: "No winners found.",
            size: Size(width: 70, height: 30))
    }

    override func viewWillAppear() {
        observation = access.library.observe(.races) { [weak self] in self?.load() }
    }

    override func readSections() -> [Section] {
        let history = access.read(RaceHistory(rows: [])) {
            try $0.races.history(of: series, race: race.id, revealing: revealed)
        }
        let rows = history.rows.map(Row.edition)
        title = DisplayText("Past winners of \(race.name)\(problem.map { " · ! \($0)" } ?? "")")
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
            cell.value = isLoading ? "loading …" : age ?? "CC0, days late"
        }
        return cell
    }

    override func activate(_ row: Row) {
        switch row {
        case .request: request()
        case .edition(let edition):
            let known = access.library.knownRaces
            let address = known.edition(of: series, year: edition.year)?.address ?? edition.item.address
            access.status.show(DisplayText("Reading \(race.name) \(edition.year) …"))
            Task { [services] in await RaceAdder.add(address, services) }
        }
    }

    private func request() {
        guard !isLoading else { return }
        isLoading = true
        problem = nil
        load()
        Task { [weak self, access, services, series] in
            do {
                let count = try await services.races.updateWinners(of: series)
                access.status.show(DisplayText("\(count.counted("winner")) from Wikidata"))
            } catch {
                access.status.show(failure: error)
                self?.problem = "\(error)"
            }
            self?.isLoading = false
            self?.load()
            self?.selectInitialRow()
        }
    }

    override var commands: [Command] {
        super.commands + [
            Command(StageCommands.revealStage, isEnabled: canReveal) { [weak self] in
                guard let self, case .edition(let edition)? = self.selected else { return }
                if self.revealed.insert(edition.year).inserted == false { self.revealed.remove(edition.year) }
                self.load()
            }
        ]
    }

    private var canReveal: Bool {
        guard case .edition(let edition)? = selected else { return false }
        return edition.winner == nil || revealed.contains(edition.year)
    }
}
