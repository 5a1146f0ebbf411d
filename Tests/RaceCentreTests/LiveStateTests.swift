@testable import RaceCentre
import Testing

@Suite struct LiveStateTests {
    private let start = Invented.instant("14:23:00")

    private func groups(_ time: String, _ list: [String]) throws -> RaceGroups {
        try #require(try RaceGroups.read(Invented.body(Invented.groups(at: time, list)), bind: "pack-2026-1"))
    }

    private func history(gaps: [(String, Int)]) throws -> GroupHistory {
        var history = GroupHistory()
        for (time, gap) in gaps {
            history.add(
                try groups(
                    time,
                    [
                        Invented.group(0, "Tête de la course", togo: 47_000, size: 2, bibs: [44, 142]),
                        Invented.group(1, "Peloton", gap: gap, togo: 48_000, size: 999, bibs: [1, 2, 3, 4]),
                    ]))
        }
        return history
    }

    @Test func namesGroupsInTheUsersLanguage() {
        for (french, english) in [
            ("Tête de la course", "Head of the race"), ("Poursuivants", "Chasers"), ("Poursuivants 2", "Chasers 2"),
            ("Peloton", "Peloton"),
            ("Distancés", "Dropped"), ("Gr. Maillot Jaune", "Yellow jersey group"),
            ("Gr. Maillot à Pois", "Polka-dot jersey group"),
            ("Gr. Maillot Vert", "Green jersey group"), ("Gr. Maillot Blanc", "White jersey group"),
            ("Gr. Sousa", "Sousa group"),
            ("A. Sousa", "A. Sousa"), ("Échappée", "Breakaway"), ("", "Group"), ("Groupe 2", "Group 2"),
        ] { #expect(GroupNames.name(french, in: "en") == english, "\(french)") }
        #expect(
            GroupNames.name("Distancés", in: "fr") == "Distancés" && GroupNames.name("Distancés", in: "de") == "Dropped"
        )
    }

    @Test func comparesGapsWithFiveMinutesBefore() throws {
        let growing = try history(gaps: [("14:17:40", 60), ("14:18:05", 64), ("14:22:00", 80), ("14:23:00", 84)])
        #expect(growing.trend(ofGroup: 1) == 20 && growing.trend(ofGroup: 0) == nil && growing.trend(ofGroup: 9) == nil)
        // Without groups of that time nothing is known.
        #expect(try history(gaps: [("14:20:00", 60), ("14:23:00", 84)]).trend(ofGroup: 1) == nil)
        #expect(try history(gaps: [("14:15:00", 60), ("14:23:00", 84)]).trend(ofGroup: 1) == nil)
        #expect(try history(gaps: [("14:18:00", 100), ("14:23:00", 84)]).trend(ofGroup: 1) == -16)
    }

    @Test func recognizesGroupsByTheirRiders() throws {
        var history = GroupHistory()
        history.add(
            try groups(
                "14:18:00",
                [
                    Invented.group(0, "A", bibs: [1]), Invented.group(1, "B", gap: 30, bibs: [5, 6]),
                    Invented.group(2, "C", gap: 60, bibs: [7, 8, 9, 10]),
                ]))
        history.add(
            try groups(
                "14:23:00",
                [
                    Invented.group(0, "A", bibs: [1]), Invented.group(1, "X", gap: 50, bibs: [7, 8]),
                    Invented.group(2, "B", gap: 90, bibs: [20, 21]),
                ]))
        #expect(history.trend(ofGroup: 1) == -10 && history.trend(ofGroup: 2) == nil)
        // A group whose riders are unknown is no other one.
        var unknown = GroupHistory()
        unknown.add(try groups("14:18:00", [Invented.group(0, "A"), Invented.group(1, "B", gap: 30)]))
        unknown.add(try groups("14:23:00", [Invented.group(0, "A"), Invented.group(1, "X", gap: 50, bibs: [7, 8])]))
        #expect(unknown.trend(ofGroup: 1) == nil)
    }

    @Test func historyIsOrderedAndBounded() throws {
        var history = try history(gaps: [("14:23:00", 84), ("14:18:00", 64), ("14:23:00", 85), ("14:05:00", 10)])
        #expect(history.snapshots.map(\.at) == [start - 300, start] && history.newest?.groups[1].gap == 85)
        for second in 0..<600 {
            history.add(try groups("14:\(30 + second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)", []))
        }
        #expect(history.snapshots.count == 120)
        let other = try #require(
            try RaceGroups.read(Invented.body(Invented.groups(at: "10:00:00", [], stage: 2)), bind: "pack-2026-2"))
        history.add(other)
        #expect(history.snapshots == [other])
    }

    @Test func showsAgesAndTrustsTheTickerFirst() throws {
        let history = try history(gaps: [("14:23:00", 84)])
        let news = try TickerNews.read(
            Invented.body(Invented.news("a", at: "14:24:00", "Gap"), Invented.news("b", at: "15:00:00", "Later")),
            bind: "publication_en-2026-1")
        func state(after seconds: Int64) -> LiveState {
            LiveState(.init(history: history, ticker: news), now: start + seconds)
        }
        #expect(state(after: 180).freshness == .fresh && state(after: 181).freshness == .dim)
        #expect(state(after: 900).freshness == .dim && state(after: 901).freshness == .folded)
        let shown = state(after: 100)
        #expect(shown.parts == [.line, .groups] && shown.line?.id == "a" && shown.asOf == "14:23")
        // A message of the future is not shown.
        #expect(state(after: 10).line == nil && state(after: 10).parts == [.groups])
        #expect(LiveState(.init(), now: start).parts == [])
    }

    @Test func neverExtrapolates() throws {
        let history = try history(gaps: [("14:23:00", 84)])
        for seconds in [0, 60, 600, 900] as [Int64] {
            let state = LiveState(.init(history: history), now: start + seconds)
            #expect(
                state.kmToGo == 47 && state.kmToGoAt == start && state.groups[1].gap == 84
                    && state.brief == "47 km · B +1:24")
        }
        let folded = LiveState(.init(history: history), now: start + 901)
        #expect(folded.kmToGo == nil && folded.brief == nil && folded.groups.count == 2)
    }

    @Test func takesTheDistanceFromInsightsWithoutFreshGroups() throws {
        let body = Invented.body(Invented.insights(metres: 100_500, at: (start + 1000).seconds * 1000))
        let insights = try #require(try CentreInsights.read(body, bind: "insights-2026-1"))
        let input = LiveState.Input(history: try history(gaps: [("14:23:00", 84)]), insights: insights, length: 150.5)
        let state = LiveState(input, now: start + 1000)
        #expect(state.kmToGo == 50 && state.kmToGoAt == start + 1000 && state.brief == "50 km")
        #expect(LiveState(input, now: start + 60).kmToGo == 47)
        #expect(LiveState(input, now: start + 2000).kmToGo == nil)
    }

    @Test func findsRidersAndWearers() throws {
        let body = Invented.body(
            Invented.ranking("pmt", [Invented.row(1, 3)], bind: "rankingTypeJerseys"),
            Invented.ranking("pmp", [Invented.row(1, 142)], bind: "rankingTypeJerseys"))
        let wearers = try JerseyWearers(body, bind: "rankingTypeJerseys-2026-1")
        let state = LiveState(.init(history: try history(gaps: [("14:23:00", 84)]), wearers: wearers), now: start)
        #expect(state.groups.map(\.wearers) == [[.points: 142], [.general: 3]])
        #expect(state.group(ofBib: 4) == 1 && state.group(ofBib: 44) == 0 && state.group(ofBib: 77) == nil)
        #expect(state.groups.map(\.name) == ["Head of the race", "Peloton"] && state.groups[1].size == 4)
    }

    @Test func showsWhatComesNextOnTheRoad() throws {
        let book = try RoadBook(
            Invented.body(
                Invented.checkpoint(1, km: "60", more: Invented.climb(length: "11900", state: "7.1")).replacing(
                    "Lugar 1", with: "Telegrafo"),
                Invented.checkpoint(2, km: "80", types: ["N"], place: "Vila"),
                Invented.checkpoint(4, km: "20", types: ["N"], place: "Porto"),
                Invented.checkpoint(5, km: "55", types: ["B"], place: "Meio"),
                Invented.checkpoint(3, km: "171", types: ["A"], place: "Serra")),
            bind: "checkpointList-2026-1")
        func text(_ kmDone: Double) -> String? { RoadAhead.find(in: book, kmToGo: 171 - kmDone)?.text }
        #expect(text(36.1) == "Telegrafo in 12 km, 11.9 km at 7.1 %")
        #expect(text(50) == "Telegrafo, summit in 10 km, 11.9 km at 7.1 %")
        #expect(text(8) == "Porto in 12 km")
        #expect(text(61) == "Vila in 19 km" && text(81) == "Serra in 90 km" && text(171) == nil)
        #expect(RoadAhead.find(in: book, kmToGo: 120)?.isOn == true)
        let state = LiveState(.init(history: try history(gaps: [("14:23:00", 84)]), roadBook: book), now: start)
        #expect(state.ahead?.name == "Serra")
    }
}

@Suite struct ExpectsFinishes {
    @Test func theTimetableSaysHowLongTheRestOfTheRoadTakes() throws {
        func checkpoint(_ number: Int, km: String, types: [String] = [], time: String) -> String {
            Invented.checkpoint(number, km: km, types: types).replacing("13:51:00", with: time)
        }
        let book = try RoadBook(
            Invented.body(
                checkpoint(1, km: "0", types: ["R"], time: "13:00:00"), checkpoint(2, km: "100", time: "15:30:00"),
                checkpoint(3, km: "150", types: ["A"], time: "17:00:00")), bind: "checkpointList-2026-1")
        // Half of the last fifty kilometres, of which the timetable needs 90 minutes.
        #expect(book.expectedFinish(kmToGo: 25, at: 1000) == 3700)
        #expect(book.expectedFinish(kmToGo: 0, at: 1000) == 1000 && book.expectedFinish(kmToGo: 150, at: 0) == 14_400)
        #expect(book.expectedFinish(kmToGo: 151, at: 1000) == nil && book.expectedFinish(kmToGo: -1, at: 1000) == nil)
        var history = GroupHistory()
        let groups = Invented.groups(at: "15:00:00", [Invented.group(0, "A", togo: 25_000)])
        history.add(try #require(try RaceGroups.read(Invented.body(groups), bind: "pack-2026-1")))
        let state = LiveState(.init(history: history, roadBook: book), now: Invented.instant("15:02:00"))
        #expect(state.expectedFinish == Invented.instant("15:45:00"))
    }
}

@Suite struct LiveDelayTests {
    @Test func showsNothingBeforeItsDelay() {
        var delay = LiveDelay<Int>(seconds: 60)
        delay.receive(1, at: 1000)
        delay.receive(2, at: 1030)
        #expect(
            delay.value(at: 1059) == nil && delay.value(at: 1060) == 1 && delay.value(at: 1089) == 1
                && delay.value(at: 1090) == 2)
        #expect(
            delay.nextChange(after: 1000) == 1060 && delay.nextChange(after: 1060) == 1090
                && delay.nextChange(after: 1090) == nil)
        #expect(delay.shownInstant(at: 1090) == 1030)
    }

    @Test func isBetweenZeroAndFiveMinutes() {
        var delay = LiveDelay<Int>(seconds: -5)
        #expect(delay.seconds == 0)
        delay.seconds = 900
        #expect(delay.seconds == 300 && LiveDelay<Int>(seconds: 301).seconds == 300)
        delay.receive(1, at: 1000)
        #expect(delay.value(at: 1299) == nil && delay.value(at: 1300) == 1)
    }

    @Test func canBeChangedAtAnyTime() {
        var delay = LiveDelay<Int>()
        for value in 0..<20 { delay.receive(value, at: Instant(1000 + value * 30)) }
        #expect(delay.value(at: 1570) == 19)
        delay.seconds = 300
        #expect(delay.value(at: 1570) == 9)
        delay.seconds = 0
        #expect(delay.value(at: 1570) == 19)
    }

    @Test func isBoundedAndNeverShowsEarly() {
        var delay = LiveDelay<Int>(seconds: 300)
        for value in 0..<5000 { delay.receive(value, at: Instant(Int64(value / 20))) }
        for now in stride(from: Int64(0), to: 900, by: 7) {
            guard let value = delay.value(at: Instant(now)) else { continue }
            #expect(Int64(value / 20) <= now - 300)
        }
        #expect(delay.value(at: 900) == 4999 && delay.value(at: 310) == 219)
        var long = LiveDelay<Int>(seconds: 300)
        for value in 0..<5000 { long.receive(value, at: Instant(Int64(value * 30))) }
        #expect(
            long.value(at: 149_970) == 4989
                && Mirror(reflecting: long).children.first.map { Mirror(reflecting: $0.value).children.count } == 11)
    }

    @Test func aClockThatWasSetBackLetsNothingOvertake() {
        var delay = LiveDelay<Int>(seconds: 10)
        delay.receive(1, at: 1000)
        delay.receive(2, at: 400)
        #expect(delay.value(at: 500) == nil && delay.value(at: 1010) == 2)
    }
}
