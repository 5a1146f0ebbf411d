import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Version 2 of race files: its content, its errors, and lossless storage.
@Suite struct RaceSchemaTests {
    static let document = """
        {
          "schema": 2, "race": "Volta", "year": 2026, "kind": "national", "ttl": 10,
          "jerseys": [{"classification": "general", "name": "yellow jersey", "color": "#ffd700"}],
          "teams": [{"id": "a", "name": "Team A", "country": "PT"}],
          "riders": [
            {"id": "1", "name": "Ana Sousa", "number": 1, "country": "PT", "team": "a"},
            {"id": "2", "name": "Bea Costa", "number": 2, "team": "a"},
            {"id": "3", "name": "Carla Dias", "number": 3}
          ],
          "withdrawals": [{"rider": "3", "stage": 2, "reason": "DNF"}],
          "stages": [
            {
              "number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
              "start_time": "2026-11-20T12:00:00+00:00", "finish_time": "2026-11-20T16:00:00+00:00", "neutral_km": 4,
              "weather": "rain", "live_url": "https://race.example/live", "broadcast_url": "https://race.example/tv",
              "climbs": [{"name": "Serra", "km": 90, "category": 1, "length_km": 8, "gradient": 7.1, "elevation_m": 900, "winner": "Ana Sousa"}],
              "sprints": [{"name": "Coimbra", "km": 60, "winner": "Bea Costa"}],
              "results": [{"rider": "2", "time": "4:00:10"}, {"rider": "1", "gap": 4}, {"rider": "3", "gap": "1:05"}],
              "general": [{"rider": "2"}, {"rider": "1", "gap": 14}, {"rider": "3", "gap": 75}],
              "points": [{"rider": "2", "points": 50}, {"rider": "1", "points": 30}],
              "teams": [{"team": "a", "gap": 0}],
              "ticker": [{"time": "2026-11-20T12:30:00Z", "km": 20.5, "text": "A break of two"}]
            },
            {"number": 2, "date": "2026-11-21", "start": "Lisbon", "finish": "Tavira", "status": "cancelled"}
          ]
        }
        """

    private func read(_ text: String) throws -> Race { try RaceFile.read(Data(text.utf8)) }

    @Test func readsStoresAndWritesAllParts() async throws {
        let race = try read(RaceSchemaTests.document)
        let stage = race.stages[0]
        #expect(stage.results?.map(\.rider) == ["2", "1", "3"])
        #expect(stage.results?[0].time == 14_410)
        #expect(stage.results?[2].gap == 65)
        #expect(stage.results?.map(\.place) == [1, 2, 3])
        // Riders in the placings are known by name, too.
        #expect(stage.winner == "Bea Costa" && stage.leaderAfter == "Bea Costa")
        #expect(stage.climbs?[0].category == "1" && stage.climbs?[0].winner == "Ana Sousa")
        #expect(stage.sprints?[0].winner == "Bea Costa")
        #expect(stage.startInstant == 1_795_176_000)
        #expect(race.stages[1].isCancelled)
        #expect(try read(String(decoding: RaceFile.write(race), as: UTF8.self)) == race)

        let library = try await Library.storing(race)
        #expect(try library.races.wholeRace(race.id) == race)
        let light = try #require(try library.races.race(race.id))
        #expect(light.riders == nil && light.stages[0].results == nil && light.stages[0].climbs != nil)
        // A race read without its placings keeps them when it is stored.
        try await library.store(light)
        #expect(try library.races.wholeRace(race.id) == race)
        // A changed stage leaves the others unchanged; removed parts disappear.
        var next = race
        next.stages[0].general = [Placing(place: 1, rider: "1")]
        next.stages[0].points = nil
        next.stages[0].ticker = nil
        try await library.store(next)
        #expect(try library.races.wholeRace(race.id) == next)
        try await library.store(Race(race: "Volta", year: 2026, stages: [race.stages[1]]))
        #expect(try library.races.wholeRace(race.id)?.stages.map(\.number) == [2])
    }

    @Test func undoRestoresAllParts() async throws {
        let race = try read(RaceSchemaTests.document)
        let library = try await Library.storing(race)
        let receipt = try await library.changes.perform(.removeRace(race.id))
        #expect(try library.races.race(race.id) == nil)
        try await library.changes.perform(.undo(receipt.id))
        #expect(try library.races.wholeRace(race.id) == race)
    }

    /// Each error with its message and line.
    @Test(arguments: [
        ("\"number\": 1,", "\"number\": \"one\",", "line 13: stages, item 1, number: wrong type of value"),
        ("\"schema\": 2", "\"schema\": 4", "version 4 is newer"),
        (
            "{\"rider\": \"2\", \"time\": \"4:00:10\"}", "{\"rider\": \"9\"}",
            "line 18: stage 1, results, item 1: unknown rider '9'"
        ),
        (
            "\"gap\": 14}", "\"gap\": 140}",
            "line 19: stage 1, general, item 3: the gap is smaller than the previous one"
        ),
        (
            "{\"rider\": \"1\", \"gap\": 14}", "{\"rider\": \"1\", \"place\": 1}",
            "line 19: stage 1, general, item 2: more than one leader"
        ),
        ("T12:30:00Z", "T01:30:00Z", "line 22: stage 1, ticker, item 1: the time is before the start"),
        ("T16:00:00+00:00", "T11:00:00+00:00", "line 14: stage 1: finish_time is not after start_time"),
        ("\"km\": 90", "\"km\": 900", "line 16: stage 1, climbs, item 1: km 900.0 is not on the stage"),
        ("\"classification\": \"general\"", "\"classification\": \"gc\"", "unknown classification 'gc'"),
        ("\"stage\": 2, \"reason\"", "\"stage\": 7, \"reason\"", "unknown stage 7"),
        (
            "\"4:00:10\"", "\"soon\"",
            "line 18: stages, item 1, results, item 1, time: expected a time in seconds, or as 4:12:33"
        ),
        ("\"ttl\": 10", "\"ttl\": 0", "line 2: ttl: 0 is not a number of minutes"),
        ("\"distance_km\": 150", "\"distance_km\": -100", "line 13: stage 1: distance_km is -100.0"),
        ("\"gradient\": 7.1", "\"gradient\": 1e300", "line 16: stage 1, climbs, item 1: gradient is 1e+300"),
        ("\"elevation_m\": 900", "\"elevation_m\": 9.2e18", "line 16: stage 1, climbs, item 1: elevation_m is 9.2e+18"),
        ("\"length_km\": 8", "\"length_km\": -1", "line 16: stage 1, climbs, item 1: length_km is -1.0"),
        ("\"points\": 30", "\"points\": 1e300", "line 20: stage 1, points, item 2: points is 1e+300"),
        ("\"number\": 2, \"team\"", "\"number\": -2, \"team\"", "line 7: riders, item 2: number is -2"),
        ("\"status\": \"cancelled\"}", "\"status\": \"cancelled\"", "line 25: invalid JSON"),
    ])
    func reportsMistakesAndLines(right: String, wrong: String, words: String) throws {
        let text = RaceSchemaTests.document
        try #require(text.contains(right))
        let error = #expect(throws: RaceFileError.self) { try read(text.replacing(right, with: wrong)) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func reportsAllMistakes() throws {
        let text = RaceSchemaTests.document
            .replacing("\"number\": 1, \"country\"", with: "\"number\": 1.5, \"country\"")
            .replacing("\"neutral_km\": 4", with: "\"neutral_km\": \"4\"").replacing("\"km\": 60", with: "\"k\": 60")
        let error = #expect(throws: RaceFileError.self) { try read(text) }
        #expect(
            error?.problems == [
                "line 6: riders, item 1, number: expected a whole number",
                "line 14: stages, item 1, neutral_km: wrong type of value: expected a number, not text",
                "line 17: stages, item 1, sprints, item 1: km is missing",
            ])
    }

    @Test func inspectsTheWholeFile() throws {
        let text = RaceSchemaTests.document
            .replacing("\"neutral_km\": 4", with: "\"neutral_km\": \"4\", \"neutral\": 4")
            .replacing("\"date\": \"2026-11-21\"", with: "\"date\": \"soon\"")
            .replacing("\"number\": 2, \"team\": \"a\"", with: "\"number\": 2, \"team\": \"b\"")
        let (race, errors, warnings) = RaceFile.inspect(Data(text.utf8), name: "volta")
        #expect(race == nil)
        #expect(
            errors == [
                "line 14: stages, item 1, neutral_km: wrong type of value: expected a number, not text",
                "line 24: stage 2: 'soon' is not a date",
            ])
        #expect(
            warnings == ["line 7: riders, item 2: unknown team 'b'", "line 14: stages, item 1: unknown key 'neutral'"])
        let whole = RaceFile.inspect(Data(RaceSchemaTests.document.utf8), name: "volta")
        #expect(whole.race?.race == "Volta" && whole.errors.isEmpty && whole.warnings.isEmpty)
    }

    @Test func reportsAndLimitsExcess() throws {
        let rider = "{\"name\": \"R\"}"
        let riders = (0..<10_000).map { "{\"name\": \"R\($0)\"}" }.joined(separator: ",")
        func document(_ riders: String, _ ticker: String) -> String {
            """
            {"race": "X", "year": 2026, "riders": [\(riders)],
             "stages": [{"number": 1, "start": "A", "finish": "B", "ticker": [\(ticker)]}]}
            """
        }
        let tooMany = #expect(throws: RaceFileError.self) { try read(document(riders, "")) }
        #expect(tooMany?.problems == ["line 1: riders: more than 2000"])
        let line = "{\"time\": \"2026-11-20T12:00:00Z\", \"text\": \"x\"}"
        let lines = Array(repeating: line, count: 100_000).joined(separator: ",")
        let tooLong = #expect(throws: RaceFileError.self) { try read(document(rider, lines)) }
        #expect(tooLong?.problems == ["line 2: stage 1, ticker: more than 10000"])
        // A hundred thousand mistakes are not reported one by one.
        let mistakes = Array(repeating: "{}", count: 9_000).joined(separator: ",")
        let many = #expect(throws: RaceFileError.self) { try read(document(rider, mistakes)) }
        #expect(many?.problems.count == 50)
    }

    @Test func writesTimesIntoCalendars() throws {
        let text = RaceCalendarWriter.write(try read(RaceSchemaTests.document), now: 0)
        #expect(text.contains("DTSTART:20261120T120000Z\r\nDTEND:20261120T160000Z"))
        #expect(text.contains("DTSTART;VALUE=DATE:20261121"))
        #expect(text.contains("STATUS:CANCELLED"))
        #expect(text.contains("DTSTAMP:19700101T000000Z"))
    }

    @Test func readsTimesAsPeopleWriteThem() {
        #expect(RaceTime.seconds("4:12:33") == 15_153)
        #expect(RaceTime.seconds("+1:05") == 65)
        #expect(RaceTime.seconds("7") == 7)
        for text in ["", ":", "1:", "1:60", "-1", "1:2:3:4", "a", "99999:00"] { #expect(RaceTime.seconds(text) == nil) }
        for seconds in [0, 59, 60, 3599, 3600, 15_153] { #expect(RaceTime.seconds(RaceTime.text(seconds)) == seconds) }
    }

    @Test(arguments: [
        "", "[", "{\"a\"}", "{,}", "[1,]", "01", "+1", "1.", ".5", "\"\\x\"", "\"\n\"", "nul", "[1] 2", "--1",
    ])
    func rejectsInvalidJSON(text: String) {
        #expect(throws: PositionedJSON.Failure.self) { try PositionedJSON.read(Array(text.utf8)) }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: PositionedJSON.Failure.self) { try PositionedJSON.read(Array(deep.utf8)) }
    }

    @Test func readsStringsUnchanged() throws {
        let value = try PositionedJSON.read(Array("\"a\\n\\u00e9\\ud83d\\ude00\\ud83d\\\"\"".utf8)).value
        guard case .string(let text) = value else { return #expect(Bool(false)) }
        #expect(text == "a\né😀\u{FFFD}\"")
    }
}
