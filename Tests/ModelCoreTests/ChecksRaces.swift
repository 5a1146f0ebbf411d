import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Validation of race files: each number at its limits and beyond, each field, and the formats besides JSON.
@Suite struct ChecksRaces {
    /// A race with every kind of data.
    private static func race(_ change: (inout Race) -> Void) -> Race {
        var stage = Stage(number: 1, date: "2026-11-20", start: "Porto", finish: "Lisbon", distance: 100)
        stage.startTime = "2026-11-20T12:00:00Z"
        stage.finishTime = "2026-11-20T16:00:00Z"
        stage.climbs = [Climb(km: 50)]
        stage.sprints = [Sprint(km: 60)]
        stage.ticker = [TickerLine(time: "2026-11-20T12:00:00Z", km: 5, text: "x")]
        stage.results = [Placing(place: 1, rider: "a"), Placing(place: 2, rider: "b")]
        stage.general = stage.results
        stage.teamStandings = [Placing(place: 1, team: "t")]
        var race = Race(race: "Volta", year: 2026, stages: [stage])
        race.riders = [Rider(name: "a", number: 1), Rider(name: "b")]
        race.teams = [Team(name: "t")]
        race.jerseys = [Jersey(classification: "general", name: "yellow")]
        race.withdrawals = [Withdrawal(rider: "b", stage: 1)]
        race.restDays = ["2026-11-21"]
        change(&race)
        return race
    }

    private static func problems(_ change: (inout Race) -> Void) -> [String] {
        RaceCheck.problems(race(change)).map(\.sentence)
    }

    /// Each number of a race is accepted at both limits and rejected beyond them.
    @Test func acceptsNumbersUpToTheirLimits() {
        func check<Value>(
            _ name: String, _ good: [Value], _ bad: [Value], _ set: (inout Race, Value) -> Void, line: Int = #line
        ) {
            for value in good {
                let found = ChecksRaces.problems { set(&$0, value) }
                #expect(found == [], "\(name): \(value): \(found), line \(line)")
            }
            for value in bad {
                let found = ChecksRaces.problems { set(&$0, value) }
                #expect(found.count == 1, "\(name): \(value): \(found), line \(line)")
            }
        }
        check("year", [1, 9999], [0, 10_000]) { $0.year = $1 }
        check("edition", [0, 99_999], [-1, 100_000]) { $0.edition = $1 }
        check("ttl", [1, 100_000], [0, 100_001]) { $0.ttl = $1 }
        check("number", [0, 9999], [-1, 10_000]) {
            $0.stages[0].number = $1
            $0.withdrawals = nil
        }
        check("distance", [200, 1999.9], [0, -1, 2000]) { $0.stages[0].distance = $1 }
        check("neutral", [0, 199.9], [-0.1, 200]) { $0.stages[0].neutral = $1 }
        check("km of a climb", [-50, 120], [-50.1, 120.1]) { $0.stages[0].climbs?[0].km = $1 }
        check("km of a sprint", [-50, 120], [-50.1, 120.1]) { $0.stages[0].sprints?[0].km = $1 }
        check("km of the ticker", [-50, 120], [-50.1, 120.1]) { $0.stages[0].ticker?[0].km = $1 }
        check("km without a distance", [2210.0], [2210.1]) {
            $0.stages[0].distance = nil
            $0.stages[0].sprints?[0].km = $1
        }
        check("length", [0, 2000], [-0.1, 2000.1]) { $0.stages[0].climbs?[0].length = $1 }
        check("gradient", [-100, 100], [-100.1, 100.1]) { $0.stages[0].climbs?[0].gradient = $1 }
        check("elevation", [-1000, 10_000], [-1000.1, 10_000.1]) { $0.stages[0].climbs?[0].elevation = $1 }
        check("place", [1, 100_000], [0, 100_001]) { $0.stages[0].teamStandings?[0].place = $1 }
        check("gap", [0, 30 * 86_400], [-1, 30 * 86_400 + 1]) { $0.stages[0].teamStandings?[0].gap = $1 }
        check("time", [1, 3_000_000], [0, 3_000_001]) { $0.stages[0].results?[0].time = $1 }
        check("points", [-1e6, 1e6], [-1_000_001, 1_000_001]) { $0.stages[0].results?[0].points = $1 }
        check("rider's number", [0, 99_999], [-1, 100_000]) { $0.riders?[0].number = $1 }
        check(
            "start", [[-90, -180], [90, 180]], [[-90.1, 0], [90.1, 0], [0, -180.1], [0, 180.1], [1], [1, 2, 3]]
        ) {
            $0.stages[0].startPlace = $1
        }
        check("finish", [[-90, -180], [90, 180]], [[-90.1, 0], [90.1, 0], [0, -180.1], [0, 180.1], []]) {
            $0.stages[0].finishPlace = $1
        }
        check("texts", [String(repeating: "x", count: 1000)], [String(repeating: "x", count: 1001)]) {
            $0.stages[0].weather = $1
        }
        check("ticker's line", [String(repeating: "x", count: 4000)], [String(repeating: "x", count: 4001)]) {
            $0.stages[0].ticker?[0].text = $1
        }
    }

    /// Pairs of values that contradict each other.
    @Test func rejectsContradictions() {
        let wrong: [(words: String, change: (inout Race) -> Void)] = [
            ("race: empty name", { $0.race = "" }),
            ("rest_days: 'soon' is not a date", { $0.restDays = ["soon"] }),
            ("riders, item 2: empty name", { $0.riders?[1] = Rider(id: "b", name: "") }),
            ("riders, item 3: duplicate 'a'", { $0.riders?.append(Rider(name: "a")) }),
            (
                "jerseys, item 1: unknown classification 'results'; use general, points, mountain, youth or teams",
                { $0.jerseys?[0].classification = "results" }
            ),
            ("withdrawals, item 1: unknown rider 'z'", { $0.withdrawals?[0].rider = "z" }),
            ("withdrawals, item 1: unknown stage 2", { $0.withdrawals?[0].stage = 2 }),
            ("stage 1: start or finish is missing", { $0.stages[0].finish = "" }),
            ("stage 1: start or finish is missing", { $0.stages[0].start = "" }),
            (
                "stage 1: '2026-02-30' is not a date",
                {
                    $0.stages[0].startTime = nil
                    $0.stages[0].date = "2026-02-30"
                }
            ),
            ("stage 1: start_time is not on 2026-11-21", { $0.stages[0].date = "2026-11-21" }),
            ("stage 1: finish_time is not after start_time", { $0.stages[0].finishTime = "2026-11-20T12:00:00Z" }),
            (
                "stage 1: '2026-11-21' is not a time such as 2026-05-09T13:10:00+02:00",
                { $0.stages[0].finishTime = "2026-11-21" }
            ),
            ("stage 1, ticker, item 1: 'now' is not a time", { $0.stages[0].ticker?[0].time = "now" }),
            (
                "stage 1, ticker, item 1: the time is before the start",
                { $0.stages[0].ticker?[0].time = "2026-11-20T05:59:59Z" }
            ),
            ("stage 1, results, item 2: unknown rider 'z'", { $0.stages[0].results?[1].rider = "z" }),
            ("stage 1, results, item 2: missing rider", { $0.stages[0].results?[1].rider = nil }),
            ("stage 1, results, item 2: duplicate 'a'", { $0.stages[0].results?[1].rider = "a" }),
            ("stage 1, general, item 2: more than one leader", { $0.stages[0].general?[1].place = 1 }),
            ("stage 1, results, item 2: places out of order", { $0.stages[0].results?[0].place = 3 }),
            (
                "stage 1, results, item 2: the gap is smaller than the previous one",
                {
                    $0.stages[0].results?[0].gap = 5
                    $0.stages[0].results?[1].gap = 4
                }
            ),
            ("stage 1: duplicate number", { $0.stages.append($0.stages[0]) }),
        ]
        for (words, change) in wrong { #expect(ChecksRaces.problems(change) == [words]) }
        let right: [(inout Race) -> Void] = [
            { _ in }, { $0.stages[0].results?[1].place = 1 },
            { $0.stages[0].ticker?[0].time = "2026-11-20T06:00:00Z" },
            {
                $0.stages[0].general?[0].gap = 4; $0.stages[0].general?[1].gap = 4
            },
            {
                $0.riders = nil; $0.stages[0].results?[1].rider = "z"
            },
            { $0.stages[0].finishTime = "2026-11-20T12:00:01Z" },
            {
                $0.stages = []; $0.withdrawals = nil
            },
            { $0.stages[0].date = nil },
        ]
        for (index, change) in right.enumerated() { #expect(ChecksRaces.problems(change) == [], "\(index)") }
    }

    /// Lists are accepted up to their length.
    @Test func acceptsListsUpToTheirLength() {
        func stages(_ count: Int) -> [Stage] { (0..<count).map { Stage(number: $0, start: "A", finish: "B") } }
        let lists: [(maximum: Int, set: (inout Race, Int) -> Void)] = [
            (1000, { race, count in race = Race(race: "X", year: 2026, stages: stages(count)) }),
            (
                2000,
                { race, count in race.riders = (0..<count).map { Rider(name: $0 == 0 ? "a" : $0 == 1 ? "b" : "r\($0)") }
                }
            ),
            (1000, { race, count in race.teams = (0..<count).map { Team(name: "\($0)") } }),
            (1000, { race, count in race.overall = Array(repeating: "a", count: count) }),
            (1000, { race, count in race.stages[0].climbs = Array(repeating: Climb(km: 1), count: count) }),
            (1000, { race, count in race.stages[0].sprints = Array(repeating: Sprint(km: 1), count: count) }),
            (
                10_000,
                { race, count in race.stages[0].ticker = Array(repeating: race.stages[0].ticker![0], count: count) }
            ),
            (
                2000,
                { race, count in
                    race.riders = nil
                    race.withdrawals = nil
                    race.stages[0].results = (1...count).map { Placing(place: $0, rider: "\($0)") }
                }
            ),
        ]
        for (index, list) in lists.enumerated() {
            #expect(ChecksRaces.problems { list.set(&$0, list.maximum) } == [], "\(index)")
            #expect(ChecksRaces.problems { list.set(&$0, list.maximum + 1) }.count == 1, "\(index)")
        }
    }

    @Test func namesRacesForFilesAndCommands() {
        let names = [
            ("Giro d'Italia", "giro-d-italia-2026"), ("Itzulia 2nd!", "itzulia-2nd-2026"),
            ("  Óbidos – Faro ", "obidos-faro-2026"),
            ("***", "-2026"), ("A", "a-2026"),
        ]
        for (name, id) in names { #expect(Race(race: name, year: 2026, stages: []).id == id) }
        let files = [
            ("/a/b/tour.de.x.json", "tour"), ("https://x.example/giro-2026.ics?a=1/2#b", "giro-2026"),
            ("volta", "volta"), ("", ""),
        ]
        for (place, name) in files { #expect(RaceFile.name(ofFile: place) == name) }
        #expect(
            [0, 1, 2].map { count in
                Race(race: "V", year: 1, stages: (0..<count).map { Stage(number: $0, start: "A", finish: "B") })
                    .countOfStages
            } == ["0 stages", "1 stage", "2 stages"])
        for status in ["cancelled", "Canceled", "CANCELLED"] {
            var stage = Stage(number: 1, start: "A", finish: "B")
            #expect(!stage.isCancelled)
            stage.status = status
            #expect(stage.isCancelled)
            stage.status = "shortened"
            #expect(!stage.isCancelled)
        }
    }

    @Test func writesTimesReadably() {
        let times = [
            (0, "0:00"), (9, "0:09"), (65, "1:05"), (599, "9:59"), (3599, "59:59"), (3600, "1:00:00"),
            (36_605, "10:10:05"),
        ]
        for (seconds, text) in times { #expect(RaceTime.text(seconds) == text && RaceTime.seconds(text) == seconds) }
        for (text, seconds) in [("7", 7), ("+33", 33), (" +1:05", 65), ("90:00", 5400), ("9999", 9999)]
            as [(String, Int)]
        {
            #expect(RaceTime.seconds(text) == seconds)
        }
        for text in ["1:5x", "1:-5", "1:60", "60:60", "10000", "1::2", "١"] {
            #expect(RaceTime.seconds(text) == nil, "\(text)")
        }
    }

    // MARK: Formats

    private func read(_ text: String, name: String = "file") throws -> Race {
        try RaceFile.read(Data(text.utf8), name: name)
    }

    /// The first character decides about the format of a file, whatever precedes it.
    @Test func distinguishesFormats() throws {
        for before in ["", "\u{FEFF}", " \r\n\t", "\u{FEFF}\n"] {
            #expect(try read(before + #"{"race": "J", "year": 2026, "stages": []}"#).race == "J")
            let error = #expect(throws: RaceFileError.self) { try read(before + "<html>") }
            #expect(error?.description == "this is a web page, not a race (JSON or iCalendar)")
        }
        for other in ["number,start,finish\n1,A,B\n", "", "[]", "BEGIN"] {
            let error = #expect(throws: RaceFileError.self) { try read(other) }
            #expect(error?.description == "this is not a race (JSON or iCalendar)")
        }
        let calendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260501\nSUMMARY:A - B\nEND:VEVENT\nEND:VCALENDAR"
        #expect(try read("\n" + calendar).race == "file")
    }

    /// Missing winners and leaders are derived from the placings, with names from the roster.
    @Test func knowsWinnersByTheirPlacings() throws {
        func stage(_ more: String) throws -> Stage {
            let text = """
                {"race": "X", "year": 2026, "riders": [{"id": "1", "name": "Ana"}, {"id": "2", "name": "Bea"}],
                 "stages": [{"number": 1, "start": "A", "finish": "B"\(more)}]}
                """
            return try read(text).stages[0]
        }
        #expect(try stage("").winner == nil && stage("").leaderAfter == nil)
        let both = try stage(#", "results": [{"rider": "2"}, {"rider": 1}], "general": [{"rider": "1"}]"#)
        #expect(both.winner == "Bea" && both.leaderAfter == "Ana" && both.results?.map(\.rider) == ["2", "1"])
        let named = try stage(
            #", "winner": "W", "leader_after": "L", "results": [{"rider": "2"}], "general": [{"rider": "1"}]"#)
        #expect(named.winner == "W" && named.leaderAfter == "L")
        #expect(try stage(#", "results": [{"place": 2, "rider": "2"}]"#).winner == nil)
        #expect(try stage(#", "results": [{"team": "T"}]"#).winner == "T")
        // Empty lists are dropped, and stages are sorted.
        let empty = try stage(#", "results": [], "ticker": [], "youth": []"#)
        #expect(empty.results == nil && empty.ticker == nil && empty.youth == nil)
        let order =
            #"{"race": "X", "year": 2026, "rest_days": [], "overall": [], "stages": [{"number": 9, "start": "A", "finish": "B"}, {"number": 2, "start": "A", "finish": "B"}]}"#
        let race = try read(order)
        #expect(race.stages.map(\.number) == [2, 9] && race.restDays == nil && race.overall == nil)
    }

    /// Each value of a file that may be null or of another type.
    @Test func readsValuesOfEachKind() throws {
        func error(_ stage: String) throws -> String? {
            do {
                _ = try read(
                    #"{"race": "X", "year": 2026, "stages": [{"number": 1, "start": "A", "finish": "B", "# + stage
                        + "}]}")
                return nil
            } catch let error as RaceFileError { return error.description }
        }
        let good = [
            #""date": null, "distance_km": null, "results": null, "climbs": null"#, #""distance_km": 12"#,
            #""distance_km": 1.5e2"#,
            #""results": [{"rider": 7, "time": 61, "gap": "+0:04"}]"#, #""climbs": [{"km": 1, "category": 2}]"#,
            #""unknown": {"a": []}"#,
        ]
        for text in good {
            let found = try error(text)
            #expect(found == nil, "\(text)")
        }
        let bad = [
            (#""type": 3"#, "type: wrong type of value"),
            (#""distance_km": "12""#, "distance_km: wrong type of value"),
            (#""climbs": {}"#, "climbs: wrong type of value"),
            (#""climbs": [3]"#, "climbs, item 1: wrong type of value"),
            (#""climbs": [{}]"#, "climbs, item 1: km is missing"),
            (#""sprints": [{"name": "x"}]"#, "sprints, item 1: km is missing"),
            (#""results": [{"place": 1.5, "rider": "a"}]"#, "place: expected a whole number"),
            (#""results": [{"rider": 1.5}]"#, "rider: wrong type of value"),
            (#""results": [{"rider": "a", "gap": "4 s"}]"#, "gap: expected a time in seconds, or as 4:12:33"),
            (#""results": [{"rider": "a", "time": 1.5}]"#, "time: expected a time in seconds"),
            (#""ticker": [{"time": "x"}]"#, "ticker, item 1: text is missing"),
            (#""start_lat_lon": [1, "2"]"#, "start_lat_lon, item 2: wrong type of value"),
        ]
        for (text, words) in bad {
            let found = try error(text)
            #expect(found?.contains(words) == true, "\(text): \(found ?? "-")")
        }
        for schema in 1...4 {
            let text = #"{"schema": \#(schema), "race": "X", "year": 2026, "stages": []}"#
            #expect(((try? read(text)) != nil) == (schema <= 3))
        }
    }

    /// The route of a calendar event, with the dashes in common use, and the day and number of its stage.
    @Test func readsTheEventsOfACalendar() throws {
        func calendar(_ events: [(day: String, summary: String, more: String)], name: String = "") -> String {
            let lines = events.map { "BEGIN:VEVENT\n\($0.day)\nSUMMARY:\($0.summary)\n\($0.more)END:VEVENT\n" }
            return "BEGIN:VCALENDAR\n\(name)\(lines.joined())END:VCALENDAR\n"
        }
        let summaries = [
            ("A → B", "A → B"), ("A – B", "A → B"), ("A — B", "A → B"), ("A - B", "A → B"), ("A > B", "A → B"),
            ("Stage 4: A - B", "A → B"),
            ("A-B", "A-B"), ("A", "A"), ("A - B - C", "A → B - C"), ("Saint-Jean - B", "Saint-Jean → B"),
        ]
        for (summary, route) in summaries {
            let race = try read(calendar([("DTSTART:20260501", summary, "")]))
            #expect(race.stages.map(\.route) == [route], "\(summary)")
        }
        let race = try read(
            calendar(
                [
                    ("DTSTART:20260503", "C - D", "URL:ftp://x.example/3\n"),
                    ("DTSTART;VALUE=DATE:20260501", "A - B", "URL:https://x.example/1\n"),
                    ("DTSTART:20260502T100000Z", "B - C", ""),
                ], name: "X-WR-CALNAME:Tour\n"))
        #expect(race.race == "Tour" && race.year == 2026)
        #expect(
            race.stages.map(\.number) == [1, 2, 3]
                && race.stages.map(\.date) == ["2026-05-01", "2026-05-02", "2026-05-03"])
        #expect(race.stages.map(\.articleURL) == ["https://x.example/1", nil, nil])
        let events = (0...1000).map { _ in (day: "DTSTART:20260501", summary: "A - B", more: "") }
        #expect(try read(calendar(Array(events.prefix(1000)))).stages.count == 1000)
        let many = #expect(throws: RaceFileError.self) { try read(calendar(events)) }
        #expect(many?.problems == ["stages: more than 1000"])
    }

    /// A complete calendar, with and without times, of a cancelled stage and of one without a day.
    @Test func writesACalendar() throws {
        var stages = [
            Stage(number: 1, date: "2026-12-31", start: "A", finish: "B", distance: 150, type: "flat, fast"),
            Stage(number: 2, date: "2027-01-01", start: "B", finish: "C", distance: 12.5),
            Stage(number: 3, start: "C", finish: "D"),
            Stage(number: 4, date: "2027-01-02", start: "D", finish: "D"),
        ]
        stages[1].startTime = "2027-01-01T00:30:00+01:00"
        stages[1].articleURL = "https://r.example/2\n"
        stages[1].startPlace = [41.5, -8]
        stages[3].startTime = "2027-01-02T12:00:00Z"
        stages[3].finishTime = "2027-01-02T12:00:30Z"
        stages[3].status = "cancelled"
        let text = RaceCalendarWriter.write(Race(race: "Volta", year: 2026, stages: stages), now: 1_795_176_000)
        let lines = text.components(separatedBy: "\r\n")
        #expect(
            lines == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//tappa//races//EN", "CALSCALE:GREGORIAN",
                "X-WR-CALNAME:Volta 2026",
                "BEGIN:VEVENT", "UID:volta-2026-1@tappa", "DTSTAMP:20261120T120000Z", "SUMMARY:Volta 1: A → B",
                "DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270101", "DESCRIPTION:150 km\\, flat\\, fast",
                "END:VEVENT",
                "BEGIN:VEVENT", "UID:volta-2026-2@tappa", "DTSTAMP:20261120T120000Z", "SUMMARY:Volta 2: B → C",
                "DTSTART:20261231T233000Z",
                "DTEND:20270101T043000Z", "DESCRIPTION:12.5 km", "URL:https://r.example/2", "GEO:41.5;-8.0",
                "END:VEVENT",
                "BEGIN:VEVENT", "UID:volta-2026-4@tappa", "DTSTAMP:20261120T120000Z", "SUMMARY:Volta 4: D",
                "DTSTART:20270102T120000Z",
                "DTEND:20270102T120100Z", "STATUS:CANCELLED", "END:VEVENT", "END:VCALENDAR", "",
            ], "\(text)")
    }

    // MARK: Files

    @Test func readsTheFilesOfAFolder() async throws {
        let temporary = TemporaryFolder()
        let folder = temporary.url
        func write(_ name: String, _ text: String) throws {
            try folder.write(text, to: name)
        }
        try write("a.JSON", #"{"race": "A", "year": 2026, "stages": []}"#)
        try write("b.json", #"{"race": "B", "year": 2026, "stages": []}"#)
        try write("c.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260501\nSUMMARY:A - B\nEND:VEVENT\nEND:VCALENDAR")
        try write("d.txt", "{")
        try write("z.json", "{")
        try write("y.ics", "x")
        let words = ["y.ics: this is not a race", "z.json: line 1: invalid JSON"]
        let problems = RaceFolder.problems(folder.path)
        #expect(problems.count == 2 && zip(problems, words).allSatisfy { $0.hasPrefix($1) }, "\(problems)")
        let library = try Library(path: nil)
        #expect(try library.races.all().isEmpty)
        #expect(try await RaceFolder.read(folder.path, into: library) == problems)
        #expect(Set(try library.races.all().map(\.id)) == ["a-2026", "b-2026", "c-2026"])
        #expect(RaceFolder.problems("/no/such/folder").isEmpty)
    }

    @Test func distinguishesAddressesFromFiles() {
        let places: [(String, String?)] = [
            ("https://x.example/a", "https://x.example/a"), ("HTTP://x.example", "http://x.example"),
            ("webcal://x.example/a.ics", "https://x.example/a.ics"),
            ("WebCal://x", "https://x"), ("/a/b", nil), ("~/a.json", nil), ("ftp://x.example", nil), ("https:", nil),
            ("", nil),
        ]
        for (place, address) in places { #expect(RaceSource.address(place) == address, "\(place)") }
    }
}
