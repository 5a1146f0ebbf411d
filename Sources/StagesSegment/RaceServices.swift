import DashboardFrame
import Races
import TerminalUI

/// What screens with races use: the library, updates of races, bundled pictures and the map's outlines.
@MainActor
package final class RaceServices {
    package let access: LibraryAccess
    package let appearance: Appearance
    package let races: RaceController
    let hasBundledPicture: @MainActor (_ race: String, _ stage: Int) -> Bool
    /// The coasts and borders, read when the first map is drawn.
    private(set) lazy var outlines = MapOutlines(loadOutlines())
    private let loadOutlines: @MainActor () -> [UInt8]
    /// The clock of the recording that is played, or `nil` for the present.
    package let replay: ReplayClock?
    package private(set) weak var router: (any DashboardRouter)?

    package init(
        access: LibraryAccess, appearance: Appearance, races: RaceController, pictures: PictureSource,
        replay: ReplayClock? = nil, router: any DashboardRouter
    ) {
        self.access = access
        self.appearance = appearance
        self.races = races
        hasBundledPicture = pictures.hasBundled
        loadOutlines = pictures.outlines
        self.replay = replay
        self.router = router
    }

    /// The command that pauses and resumes the replay, if there is one.
    var replayCommands: [Command] {
        guard let replay else { return [] }
        return [
            Command(StageCommands.pauseReplay, isEnabled: !replay.isOver) { [access] in
                replay.togglePause()
                let key = access.status.key(StageCommands.pauseReplay)
                access.status.show(
                    replay.isPaused ? DisplayText("Replay paused. \(key) resumes it.") : "Replay resumed.")
            }
        ]
    }
}
