import TerminalUI

/// The root view controller of the Stages segment: the list of stages, and one stage beside it.
@MainActor
final class StagesViewController: SplitViewController, SegmentRootController {
    let list: StageListViewController
    private let services: RaceServices

    init(services: RaceServices, entries: EntryServices) {
        self.services = services
        list = StageListViewController(services: services, entries: entries)
        super.init(primary: list, placeholder: MessageViewController("No stage selected."))
        title = "Stages"
    }

    /// Commands for list and detail. Theirs take precedence, so `a` adds a race if the selected stage has no article to
    /// read.
    override var commands: [Command] {
        super.commands + [
            Command(StageCommands.followRace) { [weak self] in
                guard let self else { return }
                RaceAdder(services: self.services, presenter: self.list).ask()
            },
            Command(StageCommands.showSeason) { [weak self] in
                guard let self else { return }
                self.list.present(SeasonViewController(services: self.services))
            },
        ]
    }

    var state: DashboardState.StageState? { list.viewIfLoaded == nil ? nil : list.state }

    func show(_ state: DashboardState.StageState) { list.restore(state) }

    func reloadLists() { list.reloadStages() }
}
