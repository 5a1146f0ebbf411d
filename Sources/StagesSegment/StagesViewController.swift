import DashboardFrame
import ModelCore
import TerminalUI

/// The root view controller of the Stages segment: the list of stages, and one stage beside it.
@MainActor
package final class StagesViewController: SplitViewController, SegmentRootController {
    let list: StageListViewController
    private let services: RaceServices

    /// - Parameter race: The identifier or name of the only race in the list, or `nil` for all races.
    package init(services: RaceServices, entries: EntryServices, race: String? = nil) {
        self.services = services
        list = StageListViewController(services: services, entries: entries, race: race)
        super.init(primary: list, placeholder: MessageViewController("No stage selected."))
        title = DisplayText(
            race.map { name in services.access.read(name) { try PlaceNames($0).title(of: .race(name, stage: nil)) } }
                ?? "Stages"
        ).truncated(to: 24)
    }

    /// Commands for list and detail. Theirs take precedence, so `a` adds a race if the selected stage has no article to
    /// read.
    package override var commands: [Command] {
        super.commands + [
            Command(StageCommands.followRace, of: self) {
                RaceAdder(services: $0.services, presenter: $0.list).ask()
            },
            Command(StageCommands.showSeason, of: self) {
                $0.list.present(SeasonViewController(services: $0.services))
            },
        ]
    }

    package var state: DashboardState.StageState? { list.viewIfLoaded == nil ? nil : list.state }

    package func show(_ state: DashboardState.StageState) { list.restore(state) }

    package func go(to place: Place) {
        guard case .race(let name, let stage) = place else { return focus(.primary) }
        list.show(stage, ofRaceNamed: name)
    }

    /// Shows a stage of a race.
    package func showStage(_ number: Int, of race: String) {
        show(DashboardState.StageState(race: race, number: number, isDetailFocused: true))
    }

    package func reloadLists() { list.reloadStages() }
}
