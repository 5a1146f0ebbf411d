import DashboardFrame
import RaceModel
import Races
import TerminalUI

extension LibraryAccess {
    /// Hides or shows the spoilers of all races.
    package func toggleHiddenResults() {
        let hides = read([]) { try $0.races.hidingSpoilers() } == nil
        submitStep(
            .hideResults(!hides, race: nil),
            message: hides
                ? "Spoilers are shown."
                : DisplayText("Spoilers are hidden. \(status.key(StageCommands.revealStage)) reveals a stage's result.")
        )
    }

    /// Hides or shows the spoilers of a race.
    package func toggleHiddenResults(of race: RaceRow) {
        guard let hiding = read([], { try $0.races.hidingSpoilers() }) else {
            return status.show(
                DisplayText(
                    "The spoilers of all races are hidden. \(status.key(StageCommands.hideResults)) shows them."))
        }
        let hides = hiding.contains(race.id)
        submitStep(
            .hideResults(!hides, race: race.id),
            message: DisplayText("The spoilers of \(race.name) \(race.year) are \(hides ? "shown" : "hidden")."))
    }

    func toggleReveal(at stage: Stage, of race: String) {
        changes.submit(.revealStage(stage.number, race: race, stage.isSpoiler))
    }

    /// Whether a race hides the results of stages that were not revealed.
    func hidesResults(of race: String) -> Bool { read([]) { try $0.races.hidingSpoilers() }?.contains(race) ?? true }
}
