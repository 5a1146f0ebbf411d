import CommonTesting
import GRDB
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// A delay of everything live, from the receipt of the data to the readers of the library.
@Suite struct DelaysLiveData {
    private let temporary = TemporaryFolder()
    private let library: Library
    /// 2026-07-04 at 13:00 in Paris.
    private static let start: Instant = 1_783_162_800
    private static let address = "https://a.example/volta.json"
    private let id = "volta-2026"

    init() throws { library = try Library(path: temporary.path("l.sqlite")) }

    /// A race of two stages, of which the second is today's, after some seconds.
    private func race(_ change: (inout Race) -> Void = { _ in }) -> Race {
        func stage(_ number: Int, _ date: String) -> Stage {
            var stage = Stage(number: number, date: date, start: "A\(number)", finish: "B\(number)", distance: 150)
            stage.startTime = "\(date)T13:00:00+02:00"
            return stage
        }
        var race = Race(race: "Volta", year: 2026, stages: [stage(1, "2026-07-03"), stage(2, "2026-07-04")])
        race.riders = [Rider(name: "Ana", number: 1), Rider(name: "Bea", number: 2)]
        change(&race)
        return race
    }

    /// The race with a state that has a number, in every part that is live.
    private func race(_ state: Int) -> Race {
        race { race in
            race.stages[1].live = LiveReport(
                at: "2026-07-04T14:00:00+02:00", kmToGo: Double(state), groups: [LiveGroup(name: "A", riders: ["Ana"])])
            race.stages[1].ticker = [TickerLine(time: "2026-07-04T14:00:00+02:00", text: "line \(state)")]
            let placings = [Placing(place: 1, rider: "Ana", gap: state), Placing(place: 2, rider: "Bea")]
            for list in Classification.allCases where list != .teams { race.stages[1][keyPath: list.path] = placings }
            (race.stages[1].winner, race.stages[1].leaderAfter) = ("Ana \(state)", "Bea \(state)")
            race.withdrawals = [Withdrawal(rider: "Bea", stage: 2, reason: "\(state)")]
            race.overall = ["Ana \(state)"]
        }
    }

    private func follow(_ race: Race, at seconds: Int64) async throws {
        var subscription = RaceSubscription(address: Self.address, raceID: id, name: "Volta")
        subscription.lastSuccess = Self.start + seconds
        try await library.changes.perform(.followRace(race, subscription))
    }

    private func receive(_ race: Race, at seconds: Int64, in other: Library? = nil) async throws {
        let library = other ?? self.library
        let subscription = try #require(try library.races.subscriptions().first)
        try await library.changes.perform(UpdateRace(race, subscription, at: Self.start + seconds))
    }

    private func delay(_ seconds: Int, at now: Int64) async throws {
        try await library.changes.perform(.delayLive(LiveDelay(seconds: seconds), now: Self.start + now))
    }

    /// Returns the states that readers of the library find at an instant, of which there must be one.
    private func shown(at seconds: Int64, in other: Library? = nil) async throws -> Int? {
        let library = other ?? self.library
        try await library.releaseHeldStages(at: Self.start + seconds)
        let races = library.races
        let whole = try #require(try races.wholeRace(id))
        func number(_ text: String?) -> Int? { text?.split(separator: " ").last.flatMap { Int($0) } }
        let days = CalendarDay(instant: Self.start)...CalendarDay(instant: Self.start)
        let found: [Int?] = [
            try races.live(of: 2, in: id)?.kmToGo.map { Int(clamping: $0) },
            number(try races.ticker(of: 2, in: id).first?.text),
            try races.standings(.results, of: 2, in: id).first?.gap,
            try races.standings(.general, of: 2, in: id).first?.gap,
            number(try races.race(id)?.stages[1].winner), number(try races.stages(on: days).first?.stage.leaderAfter),
            number(try races.nextStage(from: CalendarDay(instant: Self.start))?.stage.winner),
            number(whole.withdrawals?.first { $0.stage == 2 }?.reason), number(whole.overall?.first),
            whole.stages[1].youth?.first?.gap, try races.record(of: "Ana", in: id)?.days.last?.gap,
            number(try races.record(of: "Bea", in: id)?.withdrawal?.reason),
        ]
        #expect(Set(found).count == 1, "\(found)")
        let hasLists = try races.leaders(after: 2, in: id).isEmpty != true
        #expect(try hasLists == (found[0] != nil) && races.classifications(of: 2, in: id).isEmpty != hasLists)
        return found[0]
    }

    private var heldCount: Int? {
        get throws { try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM held_stage") } }
    }

    @Test func showsEverythingTogether() async throws {
        try await follow(race(), at: 0)
        try await delay(60, at: 0)
        try await receive(race(1), at: 100)
        try await receive(race(2), at: 130)
        #expect(try library.races.nextRelease() == Self.start + 160)
        for (seconds, state) in [(130, nil), (159, nil), (160, 1), (189, 1), (190, 2), (500, 2)] as [(Int64, Int?)] {
            #expect(try await shown(at: seconds) == state, "\(seconds)")
        }
        #expect(try heldCount == 0 && library.races.nextRelease() == nil)
        // The same again is nothing new.
        try await receive(race(2), at: 600)
        #expect(try heldCount == 0)
    }

    /// The newest version counts for what is received next, although it isn't shown.
    @Test func comparesWithWhatIsHeldBack() async throws {
        try await follow(race(), at: 0)
        try await delay(60, at: 0)
        try await receive(race(1), at: 100)
        try await receive(race(1), at: 110)
        #expect(try heldCount == 1)
        let newest = try library.read { try HeldStages.newestRace(id, $0) }
        let shown = try library.races.wholeRace(id)
        #expect(newest == race(1) && newest != shown)
    }

    @Test func losesAndRevealsNothingAtARestart() async throws {
        try await follow(race(), at: 0)
        try await delay(60, at: 0)
        try await receive(race(1), at: 100)
        let next = try Library(path: temporary.path("l.sqlite"))
        #expect(try next.races.delay().seconds == 60)
        #expect(try await shown(at: 159, in: next) == nil)
        try await receive(race(2), at: 150, in: next)
        #expect(try await shown(at: 160, in: next) == 1)
        #expect(try await shown(at: 9000, in: next) == 2)
    }

    @Test func canBeChangedAtAnyTime() async throws {
        try await follow(race(), at: 0)
        try await receive(race(1), at: 90)
        #expect(try await shown(at: 90) == 1)
        #expect(try heldCount == 0)
        try await delay(60, at: 95)
        // What was shown stays.
        try await receive(race(2), at: 100)
        #expect(try await shown(at: 159) == 1)
        try await delay(300, at: 159)
        #expect(try await shown(at: 399) == 1)
        try await receive(race(3), at: 390)
        try await delay(5, at: 399)
        #expect(try await shown(at: 399) == 3)
        try await receive(race(4), at: 400)
        try await delay(0, at: 401)
        #expect(try await shown(at: 401) == 4)
        // Without a delay nothing is held back, and what was is superseded.
        try await delay(60, at: 402)
        try await receive(race(5), at: 410)
        try library.changes.prepare { try $0.execute(sql: "DELETE FROM live_delay") }
        try await receive(race(6), at: 411)
        #expect(try heldCount == 0)
        #expect(try await shown(at: 411) == 6)
    }

    @Test func isBetweenZeroAndFiveMinutes() async throws {
        #expect([-5, 0, 300, 301, .max].map { LiveDelay(seconds: $0).seconds } == [0, 0, 300, 300, 300])
        #expect(LiveDelay(seconds: 60).shownInstant(at: .distantPast) == .distantPast)
        try await follow(race(), at: 0)
        try await delay(9999, at: 0)
        try await receive(race(1), at: 100)
        #expect(try await shown(at: 399) == nil)
        #expect(try await shown(at: 400) == 1)
    }

    @Test func aClockThatWasSetBackLetsNothingOvertake() async throws {
        try await follow(race(), at: 0)
        try await delay(60, at: 0)
        try await receive(race(1), at: 80_000)
        try await receive(race(2), at: 100)
        #expect(try await shown(at: 101) == nil)
        #expect(try await shown(at: 160) == 2)
        #expect(try await shown(at: 161) == 2)
        #expect(try heldCount == 0)
        // What was received by a wrong clock waits for its delay, not for the wrong time.
        try await receive(race(3), at: 80_000)
        #expect(try await shown(at: 200) == 2)
        #expect(try await shown(at: 260) == 3)
    }

    @Test func isBounded() async throws {
        try await follow(race(), at: 0)
        try await delay(300, at: 0)
        for state in 1...80 { try await receive(race(state), at: Int64(state)) }
        #expect(try heldCount == 64)
        #expect(try await shown(at: 310) == 10)
        #expect(try await shown(at: 379) == 63)
        #expect(try await shown(at: 380) == 80)
    }

    @Test func holdsBackOnlyStagesOnTheirDay() async throws {
        try await follow(race(), at: 0)
        try await delay(300, at: 0)
        var new = race(1)
        new.stages[0].winner = "Zoe"
        new.withdrawals?.insert(Withdrawal(rider: "Ana", stage: 1), at: 0)
        new.riders?.append(Rider(name: "Cia", number: 3))
        try await receive(new, at: 7 * 86_400)
        #expect(try library.races.wholeRace(id) == new && heldCount == 0)
        new.stages[1].winner = "Eva"
        new.stages[0].winner = "Mia"
        new.withdrawals?[0].reason = "DNS"
        try await receive(new, at: 3600)
        let shown = try #require(try library.races.wholeRace(id))
        #expect(shown.stages.map(\.winner) == ["Mia", "Ana 1"] && shown.withdrawals?.first?.reason == "DNS")
        try await library.releaseHeldStages(at: Self.start + 3900)
        #expect(try library.races.wholeRace(id) == new)
        // The stage before is still on its day, so what follows it is held back, too.
        new.stages[1].winner = "Ida"
        try await receive(new, at: -6 * 3600 - 1)
        #expect(try library.races.race(id)?.stages[1].winner == "Eva" && heldCount == 1)
        new.stages[1].winner = "Ula"
        try await receive(new, at: -6 * 3600)
        #expect(try library.races.race(id)?.stages[1].winner == "Eva")
    }

    /// The jerseys of the next stage reveal who leads after this one.
    @Test func holdsBackWhatTheNextStageReveals() async throws {
        func next(_ wearer: String?) -> Race {
            race { race in
                var stage = Stage(number: 3, date: "2026-07-05", start: "A3", finish: "B3", distance: 150)
                (stage.wearers, stage.weather) = (wearer.map { ["general": $0] }, wearer.map { "rain \($0)" })
                race.stages.append(stage)
            }
        }
        try await follow(next(nil), at: 0)
        try await delay(300, at: 0)
        try await receive(next("Ana"), at: 3600)
        let shown = try #require(try library.races.wholeRace(id)?.stages.last)
        #expect(shown.number == 3 && shown.wearers == nil && shown.weather == nil)
        try await library.releaseHeldStages(at: Self.start + 3900)
        #expect(try library.races.wholeRace(id) == next("Ana"))
    }

    @Test func holdsBackWhatAFollowedRaceBeginsWith() async throws {
        try await delay(60, at: 0)
        try await follow(race(1), at: 100)
        #expect(try library.races.race(id)?.stages.map(\.start) == ["A1", "A2"])
        #expect(try await shown(at: 159) == nil)
        #expect(try await shown(at: 160) == 1)
        // Following it again shows nothing early either.
        try await receive(race(2), at: 200)
        try await follow(race(3), at: 210)
        #expect(try await shown(at: 210) == 1)
        #expect(try await shown(at: 260) == 2)
        #expect(try await shown(at: 270) == 3)
        try await library.changes.perform(.removeRace(id))
        #expect(try heldCount == 0)
    }
}
