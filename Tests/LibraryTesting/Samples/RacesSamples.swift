import FeedParsing
import LibraryKernel
import RaceModel

@testable import Races

extension ChangeSamples {
    /// Races, tracks and spoilers.
    static let races = ChangeSamples(
        of: "Races",
        preparation: [
            .storeRace(race(2), isBundled: true), .storeTrack(track(1), race: "r-2026", stage: 1),
        ]
    ) { library in try ChangeSamples.storedRaces + spoilers(library) }

    private static var storedRaces: [ChangeSample] {
        let subscription = RaceSubscription(address: "https://t.example/", raceID: "t-2026", name: "T")
        let follow = Change.followRace(race(1, "T"), subscription)
        return [
            ChangeSample(
                .storeRace(race(3), isBundled: false), undo: "replacing R 2026", tables: ["race", "stage"],
                isIdempotent: false),
            ChangeSample(
                .storeRace(race(1, "S"), isBundled: true), undo: "adding S 2026", tables: ["race", "stage"],
                isIdempotent: false),
            ChangeSample(.removeRace("r-2026"), undo: "removing R 2026", tables: ["race", "stage"]),
            ChangeSample(
                .storeTrack(track(9), race: "r-2026", stage: 1), undo: "replacing the track",
                tables: ["stage_track"], isIdempotent: false),
            ChangeSample(
                .storeTrack(track(9), race: "r-2026", stage: 2), undo: "adding the track", tables: ["stage_track"],
                isIdempotent: false),
            ChangeSample(
                Change(StoreRaceFile(race: race(1, "F"), path: "/f", stamp: "1")), undo: nil,
                tables: ["race", "stage", "race_file"], isIdempotent: false),
            ChangeSample(
                follow, undo: "following T 2026", tables: ["race", "stage", "race_source"], isIdempotent: false),
            ChangeSample(
                .followRace(race(2, "T"), RaceSubscription(address: "https://u.example/", raceID: "t-2026", name: "T")),
                undo: "following T 2026", tables: ["stage", "race_source"], isIdempotent: false, after: [follow]),
            ChangeSample(.unfollowRace("t-2026"), undo: nil, tables: ["race_source"], after: [follow]),
            ChangeSample(
                .delayLive(LiveDelay(seconds: 60), now: 5), undo: nil, tables: ["live_delay"], isIdempotent: false),
            ChangeSample(
                Favourites.mark(.rider, "Ana Sousa", true), undo: nil, tables: ["favourite"], isIdempotent: false),
        ]
    }

    private static func spoilers(_ library: SampleLibrary) throws -> [ChangeSample] {
        [
            ChangeSample(
                .hideResults(true, race: "r-2026"), undo: nil, tables: ["race_spoiler"], isIdempotent: false),
            ChangeSample(
                .revealStage(1, race: "r-2026", true), undo: nil, tables: ["seen_stage"], isIdempotent: false),
            ChangeSample(.reveal(entry: library.entries[0]), undo: nil, tables: ["revealed_entry"]),
        ]
    }

    /// Returns a race with a number of stages.
    package static func race(_ stages: Int, _ name: String = "R") -> Race {
        Race(race: name, year: 2026, stages: (1...stages).map { Stage(number: $0, start: "A", finish: "B\($0)") })
    }

    /// Returns a track with ascending points.
    package static func track(_ height: Double) -> Track {
        Track(points: (0..<3).map { Track.Point(distance: Double($0), height: height * Double($0)) })
    }
}
