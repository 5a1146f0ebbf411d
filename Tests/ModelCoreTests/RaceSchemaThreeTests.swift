import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Version 3 of race files: live reports, bonus seconds, wearers, times on the way, and lists of a stage alone.
@Suite struct RaceSchemaThreeTests {
    static let document = """
        {
          "schema": 3, "race": "Volta", "year": 2026,
          "riders": [
            {"id": "1", "name": "Ana Sousa", "number": 1}, {"id": "2", "name": "Bea Costa", "number": 2}
          ],
          "stages": [
            {
              "number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon", "distance_km": 30,
              "way": [[41.1, -8.6], [40.2, -8.4], [38.7, -9.1]],
              "sprints": [{"name": "Coimbra", "km": 20, "bonus": true}],
              "results": [{"rider": "2", "time": "40:10", "bonus": 10}, {"rider": "1", "gap": 4, "bonus": "0:06"}],
              "stage_points": [{"rider": "2", "points": 20}, {"rider": "1", "points": 20, "place": 1}],
              "stage_mountain": [{"rider": "1", "points": 3}],
              "stage_youth": [{"rider": "1", "time": 2414}],
              "stage_teams": [{"team": "A", "gap": 0}],
              "provisional": true, "time_limit": "1:00:15", "wearers": {"general": "1", "points": "2"},
              "splits": [
                {"name": "Coimbra", "km": 20, "placings": [{"rider": "1", "time": 1500}, {"rider": "2", "gap": 3}]},
                {"km": 25, "placings": [{"rider": "2"}]}, {"km": 28}
              ],
              "ticker": [{"time": "2026-11-20T12:30:00Z", "text": "A break of two", "kind": "attack"}],
              "live": {
                "at": "2026-11-20T12:30:00Z", "mean_speed": 41.5, "finish_time": "2026-11-20T13:00:00Z",
                "groups": [{"name": "A", "riders": ["1"], "lat_lon": [40.2, -8.4]}]
              }
            },
            {"number": 2, "start": "Lisbon", "finish": "Tavira"}
          ]
        }
        """

    private func read(_ text: String) throws -> Race { try RaceFile.read(Data(text.utf8)) }

    @Test func readsStoresAndWritesAllParts() async throws {
        let race = try read(RaceSchemaThreeTests.document)
        let stage = race.stages[0]
        #expect(stage.way?.count == 3 && stage.sprints?.first?.bonus == true && stage.ticker?.first?.kind == "attack")
        #expect(stage.results?.map(\.bonus) == [10, 6] && stage.isProvisional == true && stage.timeLimit == 3615)
        #expect(stage.wearers == ["general": "1", "points": "2"])
        #expect(stage.splits?.map(\.km) == [20, 25, 28] && stage.splits?.map(\.placings?.count) == [2, 1, nil])
        #expect(stage.live?.meanSpeed == 41.5 && stage.live?.finishInstant == 1_795_179_600)
        #expect(stage.live?.groups?.first?.place == [40.2, -8.4])
        #expect(try read(String(decoding: RaceFile.write(race), as: UTF8.self)) == race)
        let library = try await Library.storing(race)
        #expect(try library.races.wholeRace(race.id) == race)
        // Fewer places with times leave nothing of the others.
        var next = race
        next.stages[0].splits = [Split(km: 25, placings: [Placing(place: 1, rider: "1")])]
        try await library.store(next)
        #expect(try library.races.wholeRace(race.id) == next)
        next.stages[0].splits = nil
        try await library.store(next)
        #expect(try library.races.wholeRace(race.id) == next)
    }

    /// Lists of the stage alone have no ranks won, and no leader wears a jersey for them.
    @Test func listsOfAStageAreNotStandings() async throws {
        let race = try read(RaceSchemaThreeTests.document)
        let library = try await Library.storing(race)
        let lists: [Classification] = [.results, .stagePoints, .stageMountain, .stageYouth, .stageTeams]
        #expect(try library.races.classifications(of: 1, in: race.id) == lists)
        #expect(try library.races.leaders(after: 1, in: race.id).isEmpty)
        #expect(try library.races.standings(.stageTeams, of: 1, in: race.id).map(\.name) == ["A"])
        #expect(try library.races.standings(.results, of: 1, in: race.id).map(\.bonus) == [10, 6])
        #expect(try library.races.record(of: "1", in: race.id)?.leads.isEmpty == true)
    }

    @Test func hiddenResultsHideAllOfThem() async throws {
        let race = try read(RaceSchemaThreeTests.document)
        let library = try await Library.storing(race)
        try await library.changes.perform(.hideResults(true, race: nil))
        let stage = try #require(try library.races.wholeRace(race.id)?.stages.first)
        #expect(stage.splits == nil && stage.wearers == nil && stage.timeLimit == nil && stage.isProvisional == nil)
        #expect(Classification.allCases.allSatisfy { stage[keyPath: $0.path] == nil } && stage.live == nil)
        #expect(stage.way?.count == 3 && stage.sprints?.count == 1)
    }

    @Test(arguments: [
        ("\"bonus\": 10}", "\"bonus\": 3601}", "stage 1, results, item 1: 3601 seconds is not a bonus"),
        ("\"1:00:15\"", "0", "stage 1: 0 seconds is not a time limit"),
        ("\"points\": \"2\"}", "\"sprint\": \"2\"}", "stage 1, wearers: unknown classification 'sprint'"),
        ("\"points\": \"2\"}", "\"points\": \"7\"}", "stage 1, wearers: unknown rider '7'"),
        ("\"km\": 28", "\"km\": 280", "stage 1, splits, item 3: km 280.0 is not on the stage"),
        ("[{\"rider\": \"2\"}]", "[{\"rider\": \"8\"}]", "stage 1, splits, item 2, item 1: unknown rider '8'"),
        ("[40.2, -8.4], [38", "[40.2], [38", "stage 1, way, item 2: [40.2] is not a latitude and a longitude"),
        ("\"lat_lon\": [40.2,", "\"lat_lon\": [140.2,", "groups, item 1: [140.2, -8.4] is not a latitude"),
        ("41.5", "400", "stage 1, live: mean_speed is 400.0"),
        ("\"2026-11-20T13:00:00Z\"", "\"soon\"", "stage 1, live: 'soon' is not a time"),
        ("\"provisional\": true", "\"provisional\": 1", "stages, item 1, provisional: wrong type of value"),
    ])
    func reportsMistakes(before: String, after: String, sentence: String) throws {
        let text = RaceSchemaThreeTests.document.replacing(before, with: after, maxReplacements: 1)
        do {
            _ = try read(text)
            Issue.record("accepted: \(after)")
        } catch let error as RaceFileError {
            #expect(error.description.contains(sentence), "\(error)")
        }
    }
}
