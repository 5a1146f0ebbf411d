import ModelCore

/// What screens with races use: the library, updates of races, bundled pictures and the map's outlines.
@MainActor
final class RaceServices {
    let access: LibraryAccess
    let appearance: Appearance
    let races: RaceController
    let hasBundledPicture: @MainActor (_ race: String, _ stage: Int) -> Bool
    /// The coasts and borders, read when the first map is drawn.
    private(set) lazy var outlines = MapOutlines(loadOutlines())
    private let loadOutlines: @MainActor () -> [UInt8]
    private(set) weak var router: (any DashboardRouter)?

    init(
        access: LibraryAccess, appearance: Appearance, races: RaceController, pictures: PictureSource,
        router: any DashboardRouter
    ) {
        self.access = access
        self.appearance = appearance
        self.races = races
        hasBundledPicture = pictures.hasBundled
        loadOutlines = pictures.outlines
        self.router = router
    }
}
