import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// The live page of a stage before the start, during the race and after the finish.
@MainActor
@Suite struct ShowsLiveStages {
    private static let start = DashboardScreen.now

    private func stage(_ change: (inout Stage) -> Void = { _ in }) -> Stage {
        var stage = Stage(number: 1, date: "2026-11-20", start: "A", finish: "B", distance: 150)
        change(&stage)
        return stage
    }

    @Test func countsDownToTheStart() {
        let spans: [(seconds: Int64, words: String)] = [
            (1, "1 min"), (59, "1 min"), (60, "1 min"), (61, "2 min"), (540, "9 min"), (3540, "59 min"),
            (3541, "1 h 0 min"), (3600, "1 h 0 min"), (3601, "1 h 1 min"), (8040, "2 h 14 min"), (86_400, "24 h 0 min"),
        ]
        for (seconds, words) in spans { #expect(StageLiveText.span(seconds) == words, "\(seconds)") }
    }

    /// The sentence of each phase, with and without a finish.
    @Test func saysWhereTheStageIs() {
        func headline(
            _ phase: StageProgress.Phase, left: Double? = nil, finish: Instant? = nil, columns: Int = 80,
            _ change: (inout Stage) -> Void = { _ in }
        ) -> String {
            var progress = StageProgress(stage(), ticker: [], now: 0)
            (progress.phase, progress.kilometresToGo, progress.finish) = (phase, left, finish)
            return StageLiveText.headline(
                progress, of: stage(change), now: ShowsLiveStages.start, key: "i", columns: columns
            ).string
        }
        #expect(headline(.coming(ShowsLiveStages.start + 600)) == "Starts in 10 min, at 12:10 UTC")
        #expect(headline(.unknown) == "Today. The start time is unknown.")
        #expect(headline(.cancelled) { $0.winner = "W" } == "The stage was cancelled.")
        #expect(headline(.underWay) == "Under way")
        #expect(headline(.underWay, left: 12.5) == "Under way · 12.5 km to go")
        #expect(headline(.underWay, left: 12.5, columns: 43) == "12.5 km")
        #expect(headline(.underWay, columns: 43) == "Under way")
        // A headline that doesn't fit into a line gets shorter.
        let after = ShowsLiveStages.start + 3600
        let wide = "Under way · 12.5 km to go · finish about 13:00 UTC"
        #expect(headline(.underWay, left: 12.5, finish: after, columns: wide.count) == wide)
        #expect(
            headline(.underWay, left: 12.5, finish: after, columns: wide.count - 1) == "12.5 km to go · finish 13:00")
        #expect(headline(.underWay, left: 12.5, finish: after, columns: 44) == "12.5 km to go · finish 13:00")
        #expect(headline(.underWay, left: 12.5, finish: after, columns: 43) == "12.5 km · finish 13:00")
        let end = ShowsLiveStages.start + 3600
        #expect(headline(.underWay, left: 12.5, finish: end, columns: 22) == "12.5 km · finish 13:00")
        #expect(headline(.underWay, left: 12.5, finish: end, columns: 21) == "12.5 km")
        let finish = ShowsLiveStages.start + 3600
        #expect(headline(.underWay, left: 0, finish: finish) == "Under way · 0 km to go · finish about 13:00 UTC")
        #expect(headline(.underWay, finish: finish) == "Under way · finish about 13:00 UTC")
        #expect(headline(.over) == "Finished. No result yet.")
        #expect(headline(.over) { $0.winner = "W" } == "W won.")
        #expect(headline(.over) { $0.isSpoiler = true } == "Finished. i reveals the result.")
    }

    @Test func ridesOnItsProfile() {
        let track = Track(points: [
            .init(distance: 0, height: 0), .init(distance: 50, height: 1000), .init(distance: 100, height: 0),
        ])
        func lines(_ marks: [LiveMark], km: Double? = 40, rows: Int = 2) -> [String] {
            StageLiveText.profile(StageProfile(track), marks, km: km, size: Size(width: 20, height: rows)).map {
                $0.spans.map(\.text.string).joined()
            }
        }
        // The first of three groups at one place keeps it, and the others move back.
        let marks = ["A", "B", "P"].enumerated().map { LiveMark(letter: $1, group: $0, km: 30, place: nil) }
        let found = lines(marks).joined()
        #expect(["A", "B", "P"].allSatisfy { found.split(separator: $0).count == 2 }, "\(found)")
        #expect(lines([]).joined().contains("▼") && !lines([], km: nil).joined().contains("▼"))
        for rows in 1...4 {
            #expect(lines(marks, rows: rows).count == rows && lines(marks, rows: rows).allSatisfy { $0.count == 20 })
        }
        #expect(lines([], km: nil)[1].hasPrefix("▄") && lines([], km: nil)[0].contains("▇"))
        // Groups without space are left out.
        let many = (0..<30).map { LiveMark(letter: "A", group: $0, km: 1, place: nil) }
        #expect(lines(many).allSatisfy { $0.count == 20 })
    }

    @Test func drawsTheRiddenDistance() {
        func bar(_ km: Double?, _ distance: Double?, _ columns: Int = 10) -> String? {
            StageLiveText.bar(km, of: distance, columns: columns)?.string
        }
        #expect(bar(nil, 100) == nil && bar(10, nil) == nil && bar(10, 0) == nil)
        #expect(bar(0, 100) == "──────────" && bar(100, 100) == "━━━━━━━━━━")
        #expect(bar(30, 100) == "━━━───────" && bar(34, 100) == "━━━───────" && bar(36, 100) == "━━━━──────")
        // A neutral start and a longer final lap stay inside.
        #expect(bar(-5, 100) == "──────────" && bar(120, 100) == "━━━━━━━━━━")
        #expect([-3, 0, 7, 8, 9, 40, 41, 500].map { bar(0, 1, $0)?.count } == [8, 8, 8, 8, 9, 40, 40, 40])
    }

    @Test func listsTheTickerFromTheLatestLine() {
        func line(_ seconds: Int64, _ text: String) -> TickerLine {
            TickerLine(time: Timestamp.rfc3339(ShowsLiveStages.start + seconds), text: text)
        }
        let ticker = [line(-60, "a"), line(0, "b"), line(1, "c"), TickerLine(time: "soon", text: "d")]
        #expect(StageLiveText.told(ticker, now: ShowsLiveStages.start).map(\.text) == ["b", "a"])
        #expect(StageLiveText.told(ticker, now: ShowsLiveStages.start + 1).map(\.text) == ["c", "b", "a"])
        let many = (0..<502).map { line(Int64($0) - 1000, "\($0)") }
        let told = StageLiveText.told(many, now: ShowsLiveStages.start).map(\.text)
        #expect(told.count == 500 && told.first == "501" && told.last == "2")
    }

    /// Words of race centre and race files have a sign; other words have none.
    @Test func readsWhatHappenedInTheTicker() {
        let words: [(words: String?, event: TickerEvent?)] = [
            ("attack", .attack), ("Breakaway", .attack), ("fall", .crash), ("puncture", .crash),
            ("withdrawals", .withdrawal), ("elevation", .climb), ("inter_sprint", .sprint), ("final_10k", .finish),
            ("winner_victory", .finish), ("gap", nil), ("yellow_jersey", nil), ("fallen", nil), ("", nil), (nil, nil),
        ]
        for (words, event) in words { #expect(TickerEvent(words) == event, "\(words ?? "nil")") }
    }

    /// Signs are before the times, and the texts stay aligned; screen readers get words, and narrow panes get neither.
    @Test func marksWhatHappenedInTheTicker() {
        let time = Timestamp.rfc3339(ShowsLiveStages.start)
        let lines = [
            TickerLine(time: time, text: "Ana goes", kind: "attack"),
            TickerLine(time: time, text: "Two minutes", kind: "gap"),
            TickerLine(time: time, km: 7, text: "Bea is down", kind: "fall"),
        ]
        func shown(_ columns: Int, _ lines: [TickerLine], isLinear: Bool = false, hasUnicode: Bool = true) -> [String] {
            StageLiveText.ticker(lines, columns: columns, isLinear: isLinear, hasUnicode: hasUnicode)
                .flatMap { $0.lines(columns: columns) }.map { $0.spans.map(\.text.string).joined() }
        }
        #expect(
            shown(60, lines) == ["↑ 12:00       Ana goes", "  12:00       Two minutes", "✕ 12:00 km 7  Bea is down"])
        #expect(shown(60, lines, hasUnicode: false).map(\.first) == [">", " ", "x"])
        #expect(
            shown(60, lines, isLinear: true) == [
                "12:00       Attack: Ana goes", "12:00       Two minutes", "12:00 km 7  Crash or puncture: Bea is down",
            ])
        #expect(shown(60, [lines[1]]) == ["12:00  Two minutes"])
        #expect(shown(29, lines).first == "12:00       Ana goes")
        let signs = TickerEvent.allCases.flatMap { event in
            [true, false].map { DisplayText(event.glyph(hasUnicode: $0)) }
        }
        #expect(signs.allSatisfy { $0.columns == 1 } && Set(signs.map(\.string)).count == signs.count)
    }

    @Test func showsTheFirstFiveOfTheResult() {
        let gaps: [Int?] = [0, nil, 4, 65, 3661, 9000]
        let standings = gaps.enumerated().map { index, gap in
            Standing(place: index + 1, key: "\(index)", name: "R\(index)", time: index == 0 ? 9000 : nil, gap: gap)
        }
        let rows = StageLiveText.result(standings).map { "\($0.name.string) \($0.value.string)" }
        #expect(rows == ["1 R0", "2 R1", "3 R2 · +0:04", "4 R3 · +1:05", "5 R4 · +1:01:01"])
        #expect(StageLiveText.result([]).isEmpty)
    }

    @Test func countsEntriesOfSixHoursAsNews() {
        let news = [-60, 0, 21_599, 21_600].map { StageLiveText.isNews(Instant(-$0), now: 0) }
        #expect(news == [true, true, true, false])
    }

    // MARK: On the screen

    private static func race(_ more: String = "", day: String = "2026-11-20") -> String {
        """
        {"race": "Volta", "year": 2026, "stages": [{"number": 1, "date": "\(day)", "start": "Porto", "finish": "Lisbon",
         "distance_km": 100, "start_time": "\(day)T12:10:00Z", "finish_time": "\(day)T16:00:00Z"\(more)}]}
        """
    }

    private static func ticker(_ lines: [(time: String, km: Double?, text: String)]) -> String {
        let items = lines.map { time, km, text in
            #"{"time": "\#(time)"\#(km.map { ", \"km\": \($0)" } ?? ""), "text": "\#(text)"}"#
        }
        return #", "ticker": [\#(items.joined(separator: ","))]"#
    }

    /// A stage from its countdown to its result, on one screen without input.
    @Test func followsAStageFromTheStartToTheResult() async throws {
        let clock = TestClock()
        let dashboard = try await DashboardScreen(
            100, 24, segment: "stages", race: ShowsLiveStages.race(), adjust: { $0.time.clock = { clock.now } })
        let screen = dashboard.screen
        func store(_ more: String) async throws {
            try await dashboard.library.store(RaceFile.read(Data(ShowsLiveStages.race(more).utf8)))
        }
        #expect(screen.text.contains("Starts in 10 min, at 12:10 UTC"))
        clock.now = DashboardScreen.now + 600
        let lines = ShowsLiveStages.ticker([
            ("2026-11-20T12:05:00Z", 0, "The riders sign in"), ("2026-11-20T12:10:00Z", 0, "Off they go"),
            ("2026-11-20T13:10:00Z", 40.5, "A break of two"), ("2026-11-20T13:11:00Z", nil, "A puncture"),
        ])
        try await store(lines)
        #expect(await screen.wait(for: "Under way · 100 km to go"), "\(screen.text)")
        #expect(screen.text.contains("12:10 km 0") && !screen.text.contains("A break of two"))
        #expect(screen.text.contains(String(repeating: "─", count: 40)) && !screen.text.contains("━"))
        clock.now = DashboardScreen.now + 4260
        try await store(lines + #", "weather": "rain""#)
        #expect(await screen.wait(for: "Under way · 59.5 km to go"), "\(screen.text)")
        #expect(screen.text.contains(String(repeating: "━", count: 16) + "─"))
        // The latest line comes first; one without a kilometre has only its time.
        let order = ["13:11", "13:10 km 40.5", "12:10 km 0", "12:05 km 0"].map { time in
            screen.lines.firstIndex { $0.contains(time) } ?? -1
        }
        #expect(order == order.sorted() && !order.contains(-1), "\(screen.text)")
        try await store(lines + #", "results": [{"rider": "Ana"}, {"rider": "Bea", "gap": 7}]"#)
        #expect(await screen.wait(for: "Ana won."))
        #expect(screen.text.contains("2  Bea · +0:07") && !screen.text.contains("km to go"))
        try await dashboard.library.changes.perform(.hideResults(true, race: nil))
        #expect(await screen.wait { !screen.text.contains("Ana") })
        #expect(!screen.text.contains("A break of two") && !screen.text.contains("Bea"))
    }

    /// Yesterday's stage keeps its live page if it has a ticker, but opens on its facts.
    @Test func keepsTheTickerOfYesterday() async throws {
        let more = ShowsLiveStages.ticker([("2026-11-19T13:00:00Z", 20, "A break of two")])
        let dashboard = try await DashboardScreen(
            100, 24, segment: "stages", race: ShowsLiveStages.race(more, day: "2026-11-19"))
        #expect(dashboard.screen.text.contains("Live ▐Facts▌"))
        #expect(dashboard.screen.press("[", shows: "A break of two"))
        #expect(dashboard.screen.text.contains("Finished. No result yet."))
        let without = try await DashboardScreen(
            100, 24, segment: "stages", race: ShowsLiveStages.race(day: "2026-11-19"))
        #expect(without.screen.text.contains("▐Facts▌") && !without.screen.text.contains("Live"))
    }

    /// Map and profile mark the race where the ticker places it.
    @Test func marksTheRaceOnMapAndProfile() async throws {
        let clock = TestClock()
        let more = #", "start_lat_lon": [44, 8], "finish_lat_lon": [40, 8]"#
        let ticker = ShowsLiveStages.ticker([("2026-11-20T13:00:00Z", 25, "x"), ("2026-11-20T14:00:00Z", 75, "y")])
        let dashboard = try await DashboardScreen(
            100, 24, segment: "stages", race: ShowsLiveStages.race(more + ticker),
            adjust: { $0.time.clock = { clock.now } })
        let screen = dashboard.screen
        var points: [Track.Point] = []
        for place in 0...10 {
            let share = Double(place)
            points.append(Track.Point(distance: share * 10, height: share * 100, north: 44 - share * 0.4, east: 8))
        }
        let track = Track(points: points)
        try await dashboard.library.changes.perform(.storeTrack(track, race: "volta-2026", stage: 1))
        try await dashboard.settle()
        screen.press("l")
        screen.turn(to: "Map")
        #expect(screen.text.contains("▐Map▌") && !screen.text.contains("◉"))
        var rows: [Int] = []
        for (seconds, weather) in [(3600, "rain"), (7200, "sun")] as [(Int64, String)] {
            clock.now = DashboardScreen.now + seconds
            let text = ShowsLiveStages.race(more + ticker + ", \"weather\": \"\(weather)\"")
            try await dashboard.library.store(RaceFile.read(Data(text.utf8)))
            #expect(
                await screen.wait {
                    screen.text.contains("◉") && screen.lines.firstIndex { $0.contains("◉") } != rows.first
                })
            rows.append(screen.lines.firstIndex { $0.contains("◉") } ?? 0)
        }
        #expect(rows == rows.sorted() && rows.first ?? 99 < 12 && rows.last ?? 0 > 12, "\(rows)")
        screen.turn(to: "Profile")
        #expect(screen.text.contains("▐Profile▌") && screen.text.contains("75 km · 750 m"), "\(screen.text)")
    }

    private static let riders = #"""
        {"id": "1", "name": "Ana Rio", "number": 1}, {"id": "2", "name": "Bea Sol", "number": 2}, {"id": "3", "name": "Eva Mar"}
        """#

    /// A race of two stages with groups in the second, where Bea wears the leader's jersey.
    private static var groups: String {
        #"""
        {"schema": 3, "race": "Volta", "year": 2026, "riders": [\#(riders)],
         "jerseys": [{"classification": "general", "name": "yellow jersey", "color": "#ffd800"}],
         "withdrawals": [{"rider": "3", "stage": 2, "reason": "DNF"}],
         "stages": [
          {"number": 1, "date": "2026-11-19", "start": "A", "finish": "Porto",
           "general": [{"rider": "2"}, {"rider": "1", "gap": 80}], "points": [{"rider": "2", "points": 9}]},
          {"number": 2, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon", "distance_km": 100,
           "start_time": "2026-11-20T10:00:00Z", "finish_time": "2026-11-20T14:00:00Z",
           "start_lat_lon": [44, 8], "finish_lat_lon": [40, 8], "way": [[44, 8], [42, 9], [40, 8]],
           "climbs": [{"name": "Serra", "km": 80, "length_km": 10, "gradient": 8, "elevation_m": 900}],
           "live": {"at": "2026-11-20T11:59:30Z", "km_to_go": 30, "mean_speed": 40, "temperature": 21, "groups": [
            {"name": "Tête de la course", "km_to_go": 30, "riders": ["1"], "size": 1},
            {"name": "Peloton", "gap": 65, "km_to_go": 31, "riders": ["2"], "size": 90, "lat_lon": [43, 8.5]}]}}]}
        """#
    }

    @Test func showsGroupsAndFindsRiders() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: ShowsLiveStages.groups)
        let screen = dashboard.screen
        screen.press("l")
        #expect(
            screen.text.contains("km 68–71 of 100") && screen.text.contains(/P Peloton +90 +\+1:05/), "\(screen.text)")
        #expect(
            screen.text.contains("●Sol +89") && screen.text.contains("40 km/h on average · 21 °C"), "\(screen.text)")
        #expect(screen.text.contains("Eva Mar  did not finish"))
        screen.press("/", typing: "be", then: "enter")
        #expect(screen.text.contains("Bea Sol · number 2") && screen.text.contains("P Peloton +1:05, as of"))
        #expect(screen.text.contains("general 1 · points 1 (9)"), "\(screen.text)")
        // A newer report, or anything else that is new, doesn't change what the user looks for.
        let later = ShowsLiveStages.groups.replacing(#""gap": 65"#, with: #""gap": 75"#)
        try await dashboard.library.store(RaceFile.read(Data(later.utf8)))
        #expect(await screen.wait(for: "P Peloton +1:15, as of"), "\(screen.text)")
        let rain = later.replacing(#""distance_km": 100"#, with: #""distance_km": 100, "weather": "rain""#)
        try await dashboard.library.store(RaceFile.read(Data(rain.utf8)))
        #expect(await screen.wait(for: "40 km/h on average · rain"), "\(screen.text)")
        #expect(screen.text.contains("Bea Sol · number 2") && screen.text.contains("▐Live▌"), "\(screen.text)")
        screen.press("/", typing: "9", then: "enter")
        #expect(screen.text.contains("No rider matches '9'."))
        screen.press("esc")
        // Hidden results leave neither groups nor riders nor withdrawals.
        try await dashboard.library.changes.perform(.hideResults(true, race: nil))
        #expect(await screen.wait { !screen.text.contains("Peloton") })
        #expect(!screen.text.contains("did not finish") && !screen.text.contains("general 1"), "\(screen.text)")
    }

    /// Groups are requested only while the pane shows a live page.
    @Test func tellsWhetherALivePageIsShown() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: ShowsLiveStages.groups)
        let races = dashboard.services.races.races
        #expect(races.audience == .livePage)
        dashboard.screen.press("tab")
        #expect(races.audience == .dashboard)
        dashboard.screen.press("backtab")
        #expect(races.audience == .livePage)
    }

    /// Without groups and ticker the page says why, and which key reveals them.
    @Test func saysThatLiveDataAreHidden() async throws {
        var hidden = stage()
        var progress = StageProgress(hidden, ticker: [], now: 0)
        func words() -> String? { StageLiveText.hidden(progress, of: hidden, key: "i")?.string }
        progress.phase = .underWay
        #expect(words() == nil)
        hidden.isSpoiler = true
        #expect(words() == "Live data are hidden. i reveals them.")
        for phase in [StageProgress.Phase.over, .coming(9), .unknown, .cancelled] {
            progress.phase = phase
            #expect(words() == nil, "\(phase)")
        }
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: ShowsLiveStages.groups)
        try await dashboard.library.changes.perform(.hideResults(true, race: nil))
        #expect(await dashboard.screen.wait(for: "Live data are hidden. i reveals them."), "\(dashboard.screen.text)")
        #expect(!dashboard.screen.text.contains("Peloton"))
    }

    /// Yellow stands out from the terminal's own white, on the live page and in the standings.
    @Test func showsJerseysOnTheTerminalsBackground() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: ShowsLiveStages.groups)
        let screen = dashboard.screen
        let white = RGB(255, 255, 255)
        screen.terminal.capabilities.ownColors = TerminalColors(foreground: RGB(0, 0, 0), background: white)
        screen.application.send(.colors)
        screen.application.render()
        func isVisible(_ text: String, from offset: Int = 0) throws -> Bool {
            let row = try #require(screen.lines.firstIndex { $0.contains(text) }, "\(screen.text)")
            let column = try #require(screen.lines[row].column(of: text))
            let color = screen.terminal.cells[column + offset, row].style.foreground
            let shown = try #require(color.components(standard: RGB(0, 0, 0), ansi: [:]))
            return shown.red > shown.blue && shown.standsOut(from: [white], 3)
        }
        #expect(try isVisible("●Sol"))
        screen.press("K")
        screen.turn(to: "Standings")
        #expect(try isVisible("yellow jersey Bea Sol", from: -3))
    }

    /// In small panes the groups come before what lies ahead.
    @Test(arguments: [(39, 11), (20, 6)])
    func showsGroupsFirstInSmallPanes(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, segment: "stages", race: ShowsLiveStages.groups)
        let screen = dashboard.screen
        #expect(screen.press("enter", shows: "30 km · P +1:05"), "\(screen.text)")
        let rows = ["30 km", "├", "A ", "P "].map { start in
            screen.lines.firstIndex { $0.trimmingCharacters(in: .whitespaces).hasPrefix(start) } ?? -1
        }
        #expect(rows == rows.sorted() && !rows.contains(-1), "\(screen.text)")
        #expect(screen.text.contains("as of") == (width > 30), "\(screen.text)")
    }

    /// The sentence about the delay follows the headline in panes of any size.
    @Test(arguments: [(120, 39), (79, 23), (60, 19), (39, 11), (20, 6)])
    func saysAtOnceThatLiveDataAreDelayed(width: Int, height: Int) async throws {
        let dashboard = try await DashboardScreen(width, height, segment: "stages", race: ShowsLiveStages.groups)
        let screen = dashboard.screen
        screen.press("enter")
        try await dashboard.library.changes.perform(.delayLive(LiveDelay(seconds: 20), now: DashboardScreen.now))
        #expect(await screen.wait(for: "elayed by 20 s"), "\(screen.text)")
        let row = try #require(screen.lines.firstIndex { $0.contains("elayed by 20 s") })
        #expect(screen.lines[row - 1].contains("30 km"), "\(screen.text)")
    }

    /// A replay shows its time, and its key pauses it and lets it go on, in place of the delay.
    @Test func pausesAReplay() async throws {
        let elapsed = Mutex(0.0)
        let replay = ReplayClock(from: DashboardScreen.now, until: DashboardScreen.now + 3600, speed: 60) {
            elapsed.withLock { $0 }
        }
        let dashboard = try await DashboardScreen(
            120, 30, segment: "stages", race: ShowsLiveStages.groups,
            adjust: { environment in
                environment.replay = replay
                environment.time.clock = { replay.now }
            })
        let screen = dashboard.screen
        #expect(screen.text.contains("Replay at 12:00, speed 60"), "\(screen.text)")
        screen.press("enter")
        #expect(screen.text.contains("x pause  / find rider") && !screen.text.contains("D delay"), "\(screen.text)")
        replay.togglePause()
        #expect(await screen.wait(for: "x resume  / find rider"), "\(screen.text)")
        replay.togglePause()
        // In the list and on the page.
        screen.press("h", "x")
        #expect(replay.isPaused && screen.text.contains("Replay paused. x resumes it."), "\(screen.text)")
        #expect(await screen.wait(for: "Paused at 12:00. x resumes the replay."), "\(screen.text)")
        screen.press("l", "x")
        #expect(!replay.isPaused && screen.text.contains("Replay resumed."), "\(screen.text)")
        elapsed.withLock { $0 = 100 }
        #expect(await screen.wait(for: "The replay is over."), "\(screen.text)")
        #expect(StageLiveText.words(of: replay, key: "x", columns: 17) == "Replay over")
        screen.press("x", "D")
        #expect(!replay.isPaused && !screen.text.contains("Delay live data"), "\(screen.text)")
    }

    /// The live page offers its own keys, and nobody pauses the present.
    @Test func offersTheKeysOfTheLivePage() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "stages", race: ShowsLiveStages.groups)
        let screen = dashboard.screen
        #expect(screen.press("enter", shows: "] page  D delay  / find rider"), "\(screen.text)")
        #expect(screen.press("x", shows: "x: Play audio or video works on an entry"), "\(screen.text)")
        screen.press("]")
        // There is no next stage, so its key is missing.
        #expect(screen.text.contains("] page") && !screen.text.contains("J next stage"))
        #expect(!screen.text.contains("D delay"), "\(screen.text)")
    }

    /// The letters of the groups are on the road of the map and on the sketched profile.
    @Test func placesGroupsOnMapAndProfile() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: ShowsLiveStages.groups)
        let screen = dashboard.screen
        screen.press("l")
        func row(_ letter: Character) -> Int { screen.lines.dropFirst(3).firstIndex { $0.contains(letter) } ?? -1 }
        screen.turn(to: "Map")
        // The peloton has a position of its own; that of the first group follows from its kilometre.
        let part = screen.lines.map { String($0.dropFirst(44)) }
        #expect(
            part.contains { $0.contains(/[ ⠀-⣿]P[ ⠀-⣿]/) } && part.contains { $0.contains(/[ ⠀-⣿]A[ ⠀-⣿]/) },
            "\(screen.text)")
        #expect(!screen.text.contains("◉"))
        screen.turn(to: "Profile")
        #expect(screen.text.contains("100 km · sketched from the climbs"), "\(screen.text)")
        // Both are at the foot of the climb, where the first group hides the other.
        #expect(screen.lines.contains { $0.contains(/\ P?A[ ⠀-⣿]/) }, "\(screen.text)")
    }

    @Test func showsTheNewsOfTheHours() async throws {
        let feed = """
            <rss><channel><title>News</title>
            <item><guid>1</guid><title>Rain over Lisbon</title><pubDate>Fri, 20 Nov 2026 11:00:00 GMT</pubDate></item>
            <item><guid>2</guid><title>Lisbon at dawn</title><pubDate>Fri, 20 Nov 2026 05:59:00 GMT</pubDate></item>
            </channel></rss>
            """
        let dashboard = try await DashboardScreen(
            100, 24, segment: "feeds", feeds: [("https://news.example/", feed)], race: ShowsLiveStages.race())
        try await dashboard.library.indexAll()
        let screen = dashboard.screen
        #expect(await screen.press(DashboardSegment.key(of: "stages"), until: "Rain over Lisbon"))
        #expect(screen.text.contains("▐Live▌") && !screen.text.contains("Lisbon at dawn"))
        screen.press("[")
        // All of them are on the page of related entries.
        #expect(screen.text.contains("▐Related 2▌") && screen.text.contains("Lisbon at dawn"), "\(screen.text)")
    }
}
