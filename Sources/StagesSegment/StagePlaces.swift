import DashboardFrame
import ModelCore

extension StageListViewController: PlaceShowing {
    package var placeShown: ShownPlace? {
        state.map { StageFacts.shown($0.number, of: $0.race, access, services.appearance.dates) }
    }
}

extension StageDetailViewController: PlaceShowing {
    package var placeShown: ShownPlace? {
        guard source.race.stages.indices.contains(source.index) else { return nil }
        return StageFacts.shown(
            source.race.stages[source.index].number, of: source.race.id, access, services.appearance.dates)
    }
}
