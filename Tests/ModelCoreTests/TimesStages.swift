import FeedParsing
import Foundation
import LibraryTesting
import RaceCentre
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// The state of a stage at each second, the next request of its race, and the race and stage nearest to a day.
@Suite struct TimesStages {
    /// Friday 20 November 2026, 12:00 UTC.
    private static let start: Instant = 1_795_176_000
    private static let hour: Int64 = 3600

    private static func stage(_ start: Instant?, _ finish: Instant?, day: String? = "2026-11-20") -> Stage {
        var stage = Stage(number: 1, date: day, start: "A", finish: "B", distance: 100)
        stage.startTime = start.map { Timestamp.rfc3339($0) }
        stage.finishTime = finish.map { Timestamp.rfc3339($0) }
        return stage
    }

    private static func line(_ seconds: Int64, _ km: Double?) -> TickerLine {
        TickerLine(time: Timestamp.rfc3339(start + seconds), km: km, text: "x")
    }

    /// The seconds at which a stage starts and ends, with and without its finish time.
    @Test func changesItsPhaseAtTheSecond() {
        typealias Phase = StageProgress.Phase
        func phase(_ stage: Stage, _ seconds: Int64, _ ticker: [TickerLine] = []) -> Phase {
            StageProgress(stage, ticker: ticker, now: TimesStages.start + seconds).phase
        }
        let timed = TimesStages.stage(TimesStages.start, TimesStages.start + 4 * TimesStages.hour)
        let open = TimesStages.stage(TimesStages.start, nil)
        for (stage, end) in [(timed, 5 * TimesStages.hour), (open, 9 * TimesStages.hour)] {
            #expect(phase(stage, -1) == .coming(TimesStages.start))
            #expect(phase(stage, 0) == .underWay && phase(stage, end - 1) == .underWay)
            #expect(phase(stage, end) == .over)
        }
        // A ticker that reports a longer stage takes precedence.
        let slow = [TimesStages.line(4 * TimesStages.hour, 50)]
        #expect(phase(timed, 9 * TimesStages.hour - 1, slow) == .underWay)
        #expect(phase(timed, 9 * TimesStages.hour, slow) == .over)
        // A ticker that reports an early end doesn't end it before the schedule.
        let fast = [TimesStages.line(TimesStages.hour, 99)]
        #expect(phase(timed, 5 * TimesStages.hour - 1, fast) == .underWay)
        // Without times, only the ticker determines it.
        let undated = TimesStages.stage(nil, nil)
        #expect(phase(undated, 0) == .unknown && phase(undated, 0, [TimesStages.line(0, 5)]) == .underWay)
        #expect(phase(undated, 0, [TimesStages.line(1, 5)]) == .unknown)
        #expect(phase(undated, 0, [TimesStages.line(0, nil)]) == .unknown)
        var decided = timed
        decided.winner = "W"
        #expect(phase(decided, -1) == .over)
        decided.status = "cancelled"
        #expect(phase(decided, 0) == .cancelled)
    }

    /// Kilometres and finish by the latest past line; none before the start and after the end.
    @Test func measuresHowFarItIs() {
        let stage = TimesStages.stage(TimesStages.start, TimesStages.start + 4 * TimesStages.hour)
        let ticker = [
            TimesStages.line(0, 0), TimesStages.line(1800, 20), TimesStages.line(1900, nil), TimesStages.line(3600, 60),
        ]
        func progress(_ seconds: Int64, _ stage: Stage = stage, _ ticker: [TickerLine] = ticker) -> StageProgress {
            StageProgress(stage, ticker: ticker, now: TimesStages.start + seconds)
        }
        for (seconds, km, left) in [(0, 0, 100), (1799, 0, 100), (1800, 20, 80), (3599, 20, 80), (3600, 60, 40)]
            as [(Int64, Double, Double)]
        {
            #expect(progress(seconds).km == km && progress(seconds).kilometresToGo == left, "\(seconds)")
        }
        #expect(progress(-1).km == nil && progress(6 * TimesStages.hour).km == nil)
        #expect(progress(6 * TimesStages.hour).kilometresToGo == nil)
        // 20 km in half an hour: 80 more in two hours. The first five kilometres give no speed.
        #expect(progress(1800).finish == TimesStages.start + 1800 + 7200)
        for (km, isPlan) in [(5.0, true), (5.1, false)] {
            let finish = progress(600, stage, [TimesStages.line(600, km)]).finish
            #expect((finish == TimesStages.start + 4 * TimesStages.hour) == isPlan, "\(km)")
        }
        #expect(progress(0).finish == TimesStages.start + 4 * TimesStages.hour)
        let longer = progress(3600, stage, [TimesStages.line(3600, 104)])
        #expect(longer.kilometresToGo == 0 && longer.finish == TimesStages.start + 3600)
        // An estimate that has passed is no estimate any more.
        #expect(progress(3601, stage, [TimesStages.line(3600, 104)]).finish == nil)
        let plan = TimesStages.start + 4 * TimesStages.hour
        #expect(progress(4 * TimesStages.hour, stage, []).finish == plan)
        #expect(progress(4 * TimesStages.hour + 1, stage, []).finish == nil)
        #expect(progress(6 * TimesStages.hour, stage, []).finish == plan, "the stage is over")
        #expect(progress(5 * TimesStages.hour, TimesStages.stage(nil, plan)).finish == nil)
        var unknown = stage
        unknown.distance = nil
        #expect(progress(3600, unknown).km == nil && progress(3600, unknown).kilometresToGo == nil)
    }

    /// Nobody is at the head of a time trial, whatever the source says.
    @Test(arguments: ["individual time trial", "Team Time Trial", "prologue"]) func aTimeTrialHasNoHead(type: String) {
        var stage = TimesStages.stage(TimesStages.start, TimesStages.start + 4 * TimesStages.hour)
        let report = LiveReport(at: Timestamp.rfc3339(TimesStages.start + 1800), kmToGo: 9)
        func progress() -> StageProgress {
            StageProgress(stage, ticker: [TimesStages.line(1800, 20)], live: report, now: TimesStages.start + 1800)
        }
        #expect(progress().kilometresToGo != nil && progress().words != nil)
        stage.type = type
        #expect(progress().phase == .underWay && progress().kilometresToGo == nil && progress().words == nil)
        #expect(progress().finish == stage.finishInstant)
    }

    // MARK: When a race is asked for

    /// Every five minutes from a stage's start to an hour after its end, at its start at the latest, otherwise daily.
    @Test func requestsARaceWhenNewsIsExpected() {
        let (hour, day): (Int64, Int64) = (3600, 86_400)
        func pause(_ stages: [Stage], at seconds: Int64, ttl: Int? = nil) -> Int64 {
            var race = Race(race: "V", year: 2026, stages: stages)
            race.ttl = ttl
            return RaceFollowService.next(of: race, after: TimesStages.start + seconds)
                .seconds(since: TimesStages.start + seconds)
        }
        let timed = TimesStages.stage(TimesStages.start, TimesStages.start + 4 * hour)
        let open = TimesStages.stage(TimesStages.start, nil)
        for (stage, end) in [(timed, 5 * hour), (open, 9 * hour)] {
            #expect(
                pause([stage], at: -10) == 10 && pause([stage], at: -day - 1) == day && pause([stage], at: -day) == day)
            #expect(pause([stage], at: -day + 1) == day - 1)
            #expect(pause([stage], at: -1) == 1 && pause([stage], at: 0) == 300)
            #expect(pause([stage], at: end - 1) == 300 && pause([stage], at: end) == day)
        }
        // Without times the whole day counts, and a day on either side, because time zones differ.
        let dated = TimesStages.stage(nil, nil)
        #expect(pause([dated], at: -36 * hour - 1) == 1 && pause([dated], at: -36 * hour) == 300)
        #expect(pause([dated], at: 36 * hour - 1) == 300 && pause([dated], at: 36 * hour) == day)
        // Neither a cancelled nor an undated stage brings news; of several the next counts.
        var cancelled = timed
        cancelled.status = "cancelled"
        #expect(pause([cancelled], at: 0) == day && pause([TimesStages.stage(nil, nil, day: nil)], at: 0) == day)
        #expect(pause([], at: 0) == day)
        let later = TimesStages.stage(TimesStages.start + 7 * hour, TimesStages.start + 8 * hour)
        #expect(pause([timed, later], at: 6 * hour) == hour && pause([later, timed], at: -60) == 60)
        #expect(RaceFollowService.next(of: nil, after: 100) == Instant(100) + day)
        // The document's own interval applies if it is longer.
        #expect(pause([timed], at: 0, ttl: 4) == 300 && pause([timed], at: 0, ttl: 6) == 360)
        #expect(pause([timed], at: -60, ttl: 10) == 600 && pause([], at: 0, ttl: 2000) == 120_000)
        #expect(pause([], at: 0, ttl: 60) == day)
    }

    // MARK: Days

    private static func library(_ races: [(name: String, year: Int, days: [String?], isBundled: Bool)]) async throws
        -> Library
    {
        let library = try Library(path: nil)
        for (name, year, days, isBundled) in races {
            let stages = days.enumerated().map { Stage(number: $0 + 1, date: $1, start: "A", finish: "B") }
            try await library.changes.perform(
                .storeRace(Race(race: name, year: year, stages: stages), isBundled: isBundled))
        }
        return library
    }

    @Test func listsTheUsersRacesFromTheNewest() async throws {
        let library = try await TimesStages.library([
            ("B", 2025, [], false), ("Giro", 2025, ["2025-05-10"], true), ("A", 2026, ["2026-01-01", nil], false),
            ("Giro", 2010, [], true),
            ("A", 2025, [], false), ("C", 2027, [], false),
        ])
        let races = try library.races.all()
        #expect(races.map(\.id) == ["c-2027", "a-2026", "a-2025", "b-2025", "giro-2010", "giro-2025"])
        #expect(
            races.map(\.stageCount) == [0, 2, 0, 0, 0, 1] && races.map(\.name) == ["C", "A", "A", "B", "Giro", "Giro"])
    }

    @Test func findsTheStagesOfDays() async throws {
        let library = try await TimesStages.library([
            ("Old", 2025, ["2026-11-20"], true),
            ("A", 2026, ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", nil], false),
            ("B", 2026, ["2026-11-20", "2026-11-20"], false),
        ])
        func stages(_ first: String, _ last: String) throws -> [String] {
            try library.races.stages(on: CalendarDay(first)!...CalendarDay(last)!).map {
                "\($0.raceName) \($0.stage.number)"
            }
        }
        #expect(try stages("2026-11-20", "2026-11-20") == ["A 3", "B 1", "B 2", "Old 1"])
        #expect(try stages("2026-11-19", "2026-11-21") == ["A 2", "A 3", "A 4", "B 1", "B 2", "Old 1"])
        #expect(try stages("2026-11-22", "2026-12-31").isEmpty)
        func next(_ day: String) throws -> String? {
            try library.races.nextStage(from: CalendarDay(day)!).map {
                "\($0.raceName) \($0.stage.number) \($0.day.text)"
            }
        }
        // On the same day, the user's race comes before a bundled one.
        #expect(try next("2026-11-20") == "A 3 2026-11-20" && next("2026-11-21") == "A 4 2026-11-21")
        #expect(try next("2026-11-22") == nil)
        #expect(try next("2020-01-01") == "A 1 2026-11-18")
        try await library.changes.perform(.hideResults(true, race: nil))
        #expect(
            try library.races.stages(on: CalendarDay("2026-11-20")!...CalendarDay("2026-11-20")!).allSatisfy(
                \.stage.isSpoiler))
    }

    @Test func findsTheNearestRace() async throws {
        let library = try await TimesStages.library([
            ("Past", 2026, ["2026-11-10", "2026-11-18"], false), ("Coming", 2026, ["2026-11-22"], false),
            ("Same", 2026, ["2026-11-22"], false),
            ("Bundled", 2026, ["2026-11-20"], true), ("Undated", 2026, [nil], false),
        ])
        let days = [
            ("2026-11-19", "past-2026"), ("2026-11-20", "coming-2026"), ("2026-11-21", "coming-2026"),
            ("2020-01-01", "past-2026"),
        ]
        for (day, race) in days { #expect(try library.races.nearest(to: CalendarDay(day)!) == race, "\(day)") }
    }

    // MARK: The season

    @Test func ordersTheSeason() async throws {
        let library = try await TimesStages.library([
            ("Own", 2026, ["2026-11-10", "2026-11-12"], false), ("Undated", 2026, [], false),
        ])
        let day = try #require(CalendarDay("2026-11-20"))
        var items = 0
        func listed(
            _ name: String, _ start: String, _ end: String? = nil, _ kind: String? = nil, _ country: String? = nil
        ) throws -> CalendarRace {
            items += 1
            return CalendarRace(
                item: try #require(WikidataItem("Q\(items)")), name: name, firstDay: try #require(CalendarDay(start)),
                lastDay: try #require(CalendarDay(end ?? start)), kind: kind, country: country)
        }
        try await library.storeCalendar(
            [
                listed("Old", "2026-01-01", "2026-01-05", "classic", "IT"),
                listed("Ended", "2026-11-01", "2026-11-19"), listed("Today", "2026-11-20"),
                listed("Ends today", "2026-11-11", "2026-11-20"), listed("Émile", "2026-12-01", nil, "Women", "FR"),
                // Also in the library, where it counts.
                listed("Own", "2026-11-10", "2026-11-12"),
            ], year: 2026)
        try await library.storeCalendar([listed("Far", "2027-03-01")], year: 2027)
        func names(_ text: String, _ limit: Int = 100) throws -> [String] {
            try library.races.season(text, around: day, limit: limit).map(\.name)
        }
        #expect(
            try names("") == [
                "Old 2026", "Ended 2026", "Own 2026", "Ends today 2026", "Today 2026", "Émile 2026", "Far 2027",
                "Undated 2026",
            ])
        // This many before and after, the nearest; the user's own races always.
        #expect(try names("", 1) == ["Ended 2026", "Own 2026", "Ends today 2026", "Undated 2026"])
        for (text, found) in [
            ("emile", ["Émile 2026"]), ("ÉMILE women fr", ["Émile 2026"]), ("women it", []), ("2027", ["Far 2027"]),
            ("2026 own", ["Own 2026"]),
            ("today", ["Ends today 2026", "Today 2026"]), ("%", []), ("classic", ["Old 2026"]),
        ] as [(String, [String])] { #expect(try names(text) == found, "\(text)") }
        let season = try library.races.season("", around: day, limit: 100)
        #expect(
            season.map { $0.state(on: day) } == [
                .past, .past, .past, .underWay, .underWay, .coming, .coming, .undated,
            ])
        let own = try #require(season.first { $0.name == "Own 2026" })
        #expect(own.id == "own-2026" && own.firstDay?.text == "2026-11-10" && own.lastDay?.text == "2026-11-12")
        #expect(own.address == nil)
        let today = try #require(season.first { $0.name == "Today 2026" })
        #expect(today.id == nil && today.lastDay == day && today.address == "wikidata:Q3")
    }

    /// A race is past from the day after its last stage, and upcoming until its first.
    @Test func comparesARaceWithADay() throws {
        func state(_ first: String?, _ last: String?) throws -> SeasonRace.State {
            SeasonRace(
                name: "x", firstDay: first.flatMap { CalendarDay($0) }, lastDay: last.flatMap { CalendarDay($0) }
            )
            .state(on: try #require(CalendarDay("2026-11-20")))
        }
        #expect(try state("2026-11-18", "2026-11-19") == .past && state("2026-11-18", "2026-11-20") == .underWay)
        #expect(try state("2026-11-20", "2026-11-22") == .underWay && state("2026-11-21", "2026-11-22") == .coming)
        #expect(try state(nil, "2026-11-22") == .undated && state("2026-11-20", nil) == .undated)
    }

    // MARK: Who may name which host

    /// A picture or an article on a private host is allowed only on the race's own host.
    @Test func trustsTheHostOfARace() async throws {
        let library = try await TimesStages.library([("V", 2026, [], false)])
        let id = "v-2026"
        #expect(try library.races.trustedHost(of: id, for: "http://10.0.0.1:81/a.jpg") == "10.0.0.1:81")
        let race = try #require(try library.races.wholeRace(id))
        let address = "http://10.0.0.2/v.json"
        try await library.changes.perform(.followRace(race, RaceSubscription(address: address, raceID: id, name: "v")))
        #expect(try library.races.trustedHost(of: id, for: "http://10.0.0.1:81/a.jpg") == "10.0.0.2")
        // A race of a program, a race centre or Wikidata has no host of its own.
        for address in ["exec:/bin/race", "aso:racecenter.example.org/2026", "wikidata:Q1"] {
            try await library.changes.perform(
                .followRace(race, RaceSubscription(address: address, raceID: id, name: "v")))
            #expect(try library.races.trustedHost(of: id, for: "http://10.0.0.1/a.jpg") == nil, "\(address)")
        }
    }

    /// A race is followed at the latest address, and an address has one race.
    @Test func followsARaceAtOneAddress() async throws {
        let library = try Library(path: nil)
        func follow(_ address: String, _ name: String) async throws {
            let race = Race(race: name, year: 2026, stages: [])
            try await library.changes.perform(
                .followRace(race, RaceSubscription(address: address, raceID: race.id, name: name)))
        }
        func followed() throws -> [String] { try library.races.subscriptions().map { "\($0.raceID) \($0.address)" } }
        try await follow("https://x.example/1", "A")
        try await follow("https://x.example/2", "B")
        #expect(try followed() == ["a-2026 https://x.example/1", "b-2026 https://x.example/2"])
        try await follow("https://x.example/3", "A")
        try await follow("https://x.example/2", "C")
        #expect(try followed() == ["a-2026 https://x.example/3", "c-2026 https://x.example/2"])
        try await library.changes.perform(.removeRace("a-2026"))
        #expect(try followed() == ["c-2026 https://x.example/2"])
        var subscription = try #require(try library.races.subscriptions().first)
        subscription.etag = "\"e\""
        subscription.lastModified = "Fri"
        (subscription.nextFetch, subscription.notBefore, subscription.failures, subscription.lastSuccess) = (4, 5, 6, 7)
        subscription.error = "no"
        try await library.changes.perform(UpdateRace(nil, subscription, at: 0))
        #expect(try library.races.subscriptions() == [subscription])
    }
}
