import ModelCore

extension StageListViewController: PlaceShowing {
    var shownPlace: Place? { state.map { .race($0.race, stage: $0.number) } }
}

extension StageDetailViewController: PlaceShowing {
    var shownPlace: Place? {
        source.race.stages.indices.contains(source.index)
            ? .race(source.race.id, stage: source.race.stages[source.index].number) : nil
    }
}
