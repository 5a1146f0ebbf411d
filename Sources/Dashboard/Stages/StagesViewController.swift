import TerminalUI

extension DashboardSegment {
    /// Stages beside one of them.
    static let stages = DashboardSegment("stages", "Stages", make: StagesViewController.init)
}

/// The room of the Stages segment.
@MainActor
final class StagesViewController: SplitViewController, SegmentRootController {
    let list: StageListViewController
    private let context: DashboardContext

    init(context: DashboardContext) {
        self.context = context
        list = StageListViewController(context: context)
        super.init(primary: list, placeholder: MessageViewController("No stage selected."))
        title = "Stages"
    }

    /// What is done from list and detail alike, after what these have for the same keys: one key adds a race
    /// where the chosen stage has no article to be read.
    override var commands: [Command] {
        super.commands + [
            Command(.followRace) { [weak self] in
                guard let self else { return }
                RaceAdder(context: self.context, presenter: self.list).ask()
            },
            Command(.showSeason) { [weak self] in
                guard let self else { return }
                self.list.present(SeasonViewController(context: self.context))
            },
        ]
    }

    var state: DashboardState.StageState? { list.viewIfLoaded == nil ? nil : list.state }

    func show(_ state: DashboardState.StageState) { list.restore(state) }
}
