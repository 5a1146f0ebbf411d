import TerminalUI

extension DashboardSegment {
    /// Stages beside one of them.
    static let stages = DashboardSegment("stages", "Stages", make: StageSegment.init)
}

/// The room of the Stages segment.
@MainActor
final class StageSegment: SplitViewController, DashboardRoom {
    let list: StageListViewController

    init(context: DashboardContext) {
        list = StageListViewController(context: context)
        super.init(primary: list, placeholder: MessageViewController("No stage was chosen."))
        title = "Stages"
    }

    var state: DashboardState.StageState? { list.viewIfLoaded == nil ? nil : list.state }

    func show(_ state: DashboardState.StageState) { list.restore(state) }
}
