import CommonTesting
import Configuration
import Dashboard
import FeedParsing
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import RaceModel
import Races
import TerminalUI
import Testing

@testable import Feeds
@testable import tappa

/// The status line and other texts computed without the library's features.
@Suite struct ReportsStatus {
    private static let now: Instant = 1_780_000_000
    private static let midnight = CalendarDay(instant: now).midnight

    private func progress(_ phase: StageProgress.Phase, toGo: Double? = nil) throws -> StageProgress {
        let file =
            "{\"race\": \"V\", \"year\": 2026, \"stages\": [{\"number\": 1, \"start\": \"A\", \"finish\": \"B\"}]}"
        var progress = StageProgress(try RaceFile.read(Data(file.utf8)).stages[0], ticker: [], now: Self.now)
        (progress.phase, progress.kilometresToGo) = (phase, toGo)
        return progress
    }

    @Test(
        arguments: [
            (StageProgress.Phase.unknown, nil, nil, "today"), (.cancelled, nil, nil, "cancelled"),
            (.cancelled, 10, "Bea", "cancelled"),
            (.coming(now + 1), nil, nil, "in 1 min"), (.coming(now + 60), nil, nil, "in 1 min"),
            (.coming(now + 61), nil, nil, "in 2 min"),
            (.coming(now + 59 * 60), nil, nil, "in 59 min"), (.coming(now + 59 * 60 + 1), nil, nil, "in 1 h 0 min"),
            (.coming(now + 3600), nil, nil, "in 1 h 0 min"), (.coming(now + 5400), nil, nil, "in 1 h 30 min"),
            (.underWay, nil, nil, "under way"), (.underWay, 42.0, nil, "42 km"),
            (.underWay, 41.2, nil, "42 km"),
            (.underWay, 0.0, nil, "0 km"), (.over, nil, nil, "over"), (.over, 3, "Bea Costa", "won by Bea Costa"),
        ] as [(StageProgress.Phase, Double?, String?, String)])
    func reportsTheStateOfTodaysStage(phase: StageProgress.Phase, toGo: Double?, winner: String?, words: String) throws
    {
        let progress = try progress(phase, toGo: toGo)
        #expect(StatusLine.when(0, progress, winner: winner, now: Self.now) == words)
        // On another day, none of that is shown.
        #expect(StatusLine.when(1, progress, winner: winner, now: Self.now) == "tomorrow")
        #expect(StatusLine.when(2, progress, winner: winner, now: Self.now) == "in 2 days")
        #expect(StatusLine.when(30, nil, winner: winner, now: Self.now) == "in 30 days")
    }

    @Test func abbreviatesThePelotonAsTheLivePageDoes() throws {
        var progress = try progress(.underWay, toGo: 46.2)
        progress.pelotonGap = 84
        #expect(StatusLine.when(0, progress, winner: nil, now: Self.now) == "47 km · P +1:24")
    }

    @Test func replacesNamesInBraces() async throws {
        let library = try Library(path: nil)
        for (index, url) in ["https://a.example/", "https://b.example/"].enumerated() {
            let feed = try await library.follow(url)
            let json = """
                {"version": "https://jsonfeed.org/version/1", "title": "T", "items": [\(
                    (0...index).map { "{\"id\": \"\($0)\", \"title\": \"x\"}" }.joined(separator: ","))]}
                """
            try await library.store(try FeedParser.parse(Array(json.utf8)).feed, in: feed, record: FetchRecord(date: 1))
        }
        let failing = try await library.follow("https://c.example/")
        try await library.changes.perform(NoteFailure(failing, "gone", notBefore: nil, isGone: false, date: 1))
        for (format, line) in [
            ("{unread}", "3"), ("{feeds}", "3"), ("{errors}", "1"), ("{pending}", "0"),
            ("{unread}/{unread} {feeds}", "3/3 3"),
            ("{other} {", "{other} {"), ("", ""), ("#{unread} #", "##3 ##"), ("\u{1B}[31m{unread}", "[31m3"),
            ("{stage}", ""),
        ] { #expect(try StatusLine(format: format).text(library) == line, "\(format)") }
        #expect(StatusLine.standardFormat == "{unread} unread")
        #expect(StatusLine(format: "x {stage}").asksForStage && !StatusLine(format: "{unread}").asksForStage)
    }

    /// The general classification on the road, and where favourites are.
    @Test func namesFavouritesAndTheVirtualLeader() async throws {
        let library = try Library(path: nil)
        let json = """
            {"race": "Volta", "year": 2026, "riders": [{"id": "1", "name": "Ana Sousa"}, {"id": "2", "name": "Bea Costa"}],
             "stages": [
              {"number": 1, "date": "2026-11-19", "start": "A", "finish": "B", "general": [{"rider": "2"}, {"rider": "1", "gap": 4}]},
              {"number": 2, "date": "2026-11-20", "start": "B", "finish": "C", "distance_km": 120,
               "start_time": "2026-11-20T10:00:00Z", "finish_time": "2026-11-20T16:30:00Z",
               "live": {"at": "2026-11-20T12:00:00Z", "km_to_go": 40.2, "groups": [
                {"name": "Head of the race", "riders": ["1"]}, {"name": "Peloton", "gap": 65}]}}]}
            """
        try await library.store(try RaceFile.read(Data(json.utf8)))
        let line = StatusLine(format: "{stage}|{virtual}")
        let now: Instant = 1_795_176_030
        #expect(try line.text(library, now: now) == "41 km · P +1:05|1 Sousa · 2 Costa +1:01")
        try await library.changes.perform(Favourites.mark(.rider, "Ana Sousa", true))
        #expect(try line.text(library, now: now) == "41 km · P +1:05 · Sousa, group 1|1 Sousa · 2 Costa +1:01")
        // Who left the race isn't in a group that the source doesn't list.
        let withdrawal = #""withdrawals": [{"rider": "2", "stage": 2, "reason": "DNF"}], "stages": ["#
        try await library.store(try RaceFile.read(Data(json.replacing("\"stages\": [", with: withdrawal).utf8)))
        #expect(try line.text(library, now: now).hasSuffix("|1 Sousa"))
        // Groups that are too old tell nothing.
        #expect(try !line.text(library, now: now + 7200).contains("Sousa"))
    }

    /// The next stage of any race; past ones don't count.
    @Test func namesTheNextStageAndItsDay() async throws {
        func day(_ offset: Int) -> String {
            var seconds = time_t(clamping: Date().timeIntervalSince1970) + offset * 86_400
            var local = tm()
            localtime_r(&seconds, &local)
            func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(local.tm_year + 1900)-\(two(local.tm_mon + 1))-\(two(local.tm_mday))"
        }
        // Repeats once in case midnight passes in between.
        for _ in 0..<2 {
            let today = day(0)
            var lines: [String] = []
            for offsets in [[-1], [-1, 0], [-2, 1], [2, 5], [30]] {
                let library = try Library(path: nil)
                let stages = offsets.enumerated().map {
                    "{\"number\": \($0.offset + 1), \"date\": \"\(day($0.element))\", \"start\": \"A\", \"finish\": \"B\($0.offset)\"}"
                }
                let race = try RaceFile.read(
                    Data("{\"race\": \"Volta\", \"year\": 2026, \"stages\": [\(stages.joined(separator: ","))]}".utf8))
                try await library.store(race)
                lines.append(try StatusLine(format: "{stage}").text(library))
            }
            guard day(0) == today else { continue }
            #expect(
                lines == [
                    "", "today: Volta 2: A → B1", "tomorrow: Volta 2: A → B1", "in 2 days: Volta 1: A → B0",
                    "in 30 days: Volta 1: A → B0",
                ])
            return
        }
    }

    /// Anything but the plain form is left to the argument parser.
    @Test(arguments: [
        [], ["list"], ["--version"], ["status", "--follow"], ["status", "--format"], ["status", "--format", "-x"],
        ["status", "--help"],
        ["status", "--format", "{stage}"], ["status", "--database", "/no/such/library"], ["status", "--config", "x"],
        ["status", "x"],
        ["status", "--database", "/no/such/library", "--format"], ["status", "--in-memory"],
    ]) func printsPlainStatusPlainly(arguments: [String]) throws {
        #expect(try !StatusLine.printPlainly(arguments))
    }

    // MARK: Settings of the terminal

    @Test func reportsUnstoredChangesAtTheEnd() {
        #expect(DashboardCommand.words(.stored) == nil)
        #expect(DashboardCommand.words(.kept(1)) == "1 change could not be stored now; the next start stores them")
        #expect(DashboardCommand.words(.kept(2)) == "2 changes could not be stored now; the next start stores them")
        #expect(
            DashboardCommand.words(.lost(["a star", "a tag"], reason: "the disk is full"))
                == "not stored: a star, a tag: the disk is full")
    }

    // MARK: Instants

    @Test(
        arguments: [
            ("12h", now - 12 * 3600), ("7d", now - 7 * 86_400), ("1m", now - 60), ("2w", now - 1_209_600), ("0h", now),
            ("1000000m", now - 60_000_000),
            ("1000001m", nil), ("-1h", nil), ("h", nil), ("12", nil), ("12y", nil), ("12H", nil), ("1.5h", nil),
            ("", nil),
            ("today", midnight), ("yesterday", midnight - 86_400), ("Today", nil),
            ("tomorrow", nil),
            ("2026-05-31", 1_780_185_600), ("2026-02-30", nil), ("2026-05-31T10:00:00Z", 1_780_221_600),
            ("2026-05-31T10:00:00+02:00", 1_780_214_400), ("2026-05-31 10:00", nil), ("whenever", nil),
        ] as [(String, Instant?)])
    func formatsInstantsAsAgeDayOrTime(text: String, instant: Instant?) {
        #expect(SearchCommand.instant(text, now: Self.now) == instant)
    }

    // MARK: Errors

    /// Each library error ends a command with the matching status.
    @Test func everyLibraryErrorHasACode() {
        #expect(
            ExitStatus.usage.rawValue == 64 && ExitStatus.badData.rawValue == 65 && ExitStatus.noInput.rawValue == 66)
        #expect(ExitStatus.unavailable.rawValue == 69 && ExitStatus.inputOutput.rawValue == 74)
        for error in [
            LibraryError.newerVersion(path: "x"), .foreign(path: "x"),
            .foreignTriggers(path: "x"), .damaged(path: "x"),
            .unreadable("x"),
        ] { #expect(error.exitCode == ExitStatus.badData, "\(error)") }
        for error in [
            LibraryError.cannotOpen(path: "x", reason: "y"), .replaced(path: "x"), .busy, .cannotStore("x"),
            .readOnly("x"), .failed("x"),
        ] { #expect(error.exitCode == ExitStatus.inputOutput, "\(error)") }
        #expect(LibraryError.rejected("x").exitCode == ExitStatus.unavailable)
    }
}
