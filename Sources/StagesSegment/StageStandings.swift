import DashboardFrame
import LibraryKernel
import ModelCore
import RaceModel
import TerminalUI

/// The standings page of a stage: reads what its view shows, and does what the user asks for.
@MainActor
final class StageStandings {
    let view: StandingsView
    private let access: LibraryAccess
    /// The list that the user chose, if any.
    private(set) var chosenList: StandingsList?
    private var observation: Observation?

    /// - Parameter showRider: Shows a rider's page.
    init(_ race: Race, index: Int, services: RaceServices, showRider: @escaping (_ key: String) -> Void) {
        access = services.access
        let content = StandingsContent(race, index: index, today: services.appearance.dates.today)
        view = StandingsView(content) { [status = access.status] in
            status.key(StageCommands.nextList)
        } open: { target in
            switch target {
            case .rider(let key): showRider(key)
            case .stage(let number): services.router?.showStage(number, of: race.id)
            }
        }
        view.onChoose = { [weak self] in self?.choose($0) }
        read()
        observation = access.library.observe(.races) { [weak self] in self?.read() }
    }

    private func read() {
        change { try $0.read($1, wanted: self.chosenList, isLinear: self.access.settings[.linear]) }
    }

    private func change(_ body: (inout StandingsContent, Library) throws -> Void) {
        view.content = access.read(view.content) { library in
            var content = view.content
            try body(&content, library)
            return content
        }
    }

    /// Shows a list, if the stage has it.
    func choose(_ list: StandingsList) {
        guard view.content.lists.contains(list) else { return }
        chosenList = list
        change { try $0.choose(list, from: $1) }
    }

    func showNextList() { choose(view.content.nextList) }

    /// Whether the selected row has a rider or team to mark.
    var canMark: Bool { view.selectedRow?.favourite != nil }

    func toggleFavourite() {
        guard let (kind, name) = view.selectedRow?.favourite else { return }
        access.toggleFavourite(kind, name, title: name)
    }
}
