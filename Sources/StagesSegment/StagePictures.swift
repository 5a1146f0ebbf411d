import DashboardFrame
import Feeds
import RaceModel
import TerminalUI

/// The pictures of a race's stages, with their sources and credits.
@MainActor
struct StagePictures {
    let race: Race
    let services: RaceServices

    /// Returns the bundled picture if there is one, otherwise the picture that the race file links to.
    func first(of stage: Stage) -> PictureRequest? {
        if services.hasBundledPicture(race.id, stage.number) { return .bundled(race: race.id, stage: stage.number) }
        return photograph(of: stage)
    }

    /// Returns the picture that the race file links to.
    func photograph(of stage: Stage) -> PictureRequest? {
        stage.imageURL.map { .address($0, ownHost: trustedHost(for: $0)) }
    }

    /// Returns the host of an address if the race's source is on it, so that it may be private.
    func trustedHost(for url: String) -> String? {
        services.access.read(nil) { try $0.races.trustedHost(of: race.id, for: url) }
    }

    /// Returns the pictures of the stages before and after one, which are loaded while no other picture is loading.
    func neighbours(of index: Int) -> [PictureRequest] {
        let neighbours = [index + 1, index - 1].filter(race.stages.indices.contains)
        return neighbours.compactMap { first(of: race.stages[$0]) }
    }

    /// Returns the credit for a picture of a stage (row STA-08).
    func credit(_ request: PictureRequest, of stage: Stage) -> DisplayText {
        switch request {
        case .bundled:
            let key = services.access.status.key(StageCommands.photograph)
            return stage.imageURL == nil
                ? "Illustration" : DisplayText("Illustration · \(key) loads the photograph")
        case .address(let url, _), .thumbnail(let url, _):
            return DisplayText("Photograph: \(TrustedHost.of(url) ?? url)")
        }
    }
}
