import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import RaceModel
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// What a race was over time, in a file, and played from it.
@Suite struct RecordsRaces {
    /// 2026-07-04 at 13:00 in Paris.
    private static let start: Instant = 1_783_162_800

    /// A race of two stages, of which the second has lines in its ticker, a distance and perhaps a result.
    private func race(lines: Int = 0, kmToGo: Double? = nil, winner: String? = nil) -> Race {
        var first = Stage(number: 1, date: "2026-07-03", start: "A", finish: "B", winner: "Zoe")
        first.startTime = "2026-07-03T13:00:00+02:00"
        var second = Stage(number: 2, date: "2026-07-04", start: "B", finish: "C", distance: 150)
        second.startTime = "2026-07-04T13:00:00+02:00"
        second.ticker =
            lines == 0 ? nil : (1...lines).map { TickerLine(time: "2026-07-04T13:30:00+02:00", text: "line \($0)") }
        second.live = kmToGo.map { LiveReport(at: "2026-07-04T14:00:00+02:00", kmToGo: $0) }
        second.winner = winner
        var race = Race(race: "Volta", year: 2026, stages: [first, second])
        race.riders = [Rider(name: "Ana", number: 1), Rider(name: "Bea", number: 2)]
        race.withdrawals = [Withdrawal(rider: "Bea", stage: 1)]
        race.overall = winner.map { [$0] }
        race.schema = 3
        return race
    }

    /// The states of a day and their instants, from the start.
    private var day: [(at: Int64, race: Race)] {
        var withdrawn = race(lines: 3, kmToGo: 20)
        withdrawn.withdrawals?.append(Withdrawal(rider: "Ana", stage: 2, reason: "DNF"))
        withdrawn.riders?.append(Rider(name: "Cia", number: 3))
        var edited = withdrawn
        edited.stages[1].ticker?[1].text = "corrected"
        return [
            (-3600, race()), (600, race(lines: 1)), (1200, race(lines: 2, kmToGo: 100)), (1800, withdrawn),
            (2400, edited), (3000, race(lines: 4, winner: "Ana")),
        ]
    }

    private func media(_ states: [(at: Int64, race: Race)]) throws -> [UInt8] {
        var recorder = RaceRecorder()
        return try states.flatMap { try recorder.line(for: $0.race, at: Self.start + $0.at) ?? [] }
    }

    @Test func readsWhatItWrites() throws {
        let media = try RaceRecording(try media(day))
        #expect(media.count == day.count)
        var race: Race?
        for (index, state) in day.enumerated() {
            race = media.race(index..<index + 1, after: race)
            #expect(race == state.race, "\(index)")
            #expect(media.instant(index) == Self.start + state.at)
        }
    }

    /// Only what changes is written.
    @Test func writesChangesAlone() throws {
        let lines = try media(day).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.count == 6 && lines[0].hasPrefix(#"{"at":"2026-07-04T10:00:00Z","#))
        #expect(lines[2].contains(#""ticker_from":1"#) && !lines[2].contains("line 1") && !lines[2].contains("Zoe"))
        #expect(!lines[2].contains("Bea") && lines[3].contains("Cia"))
        var recorder = RaceRecorder()
        #expect(try recorder.line(for: race(), at: 0) != nil && recorder.line(for: race(), at: 9) == nil)
    }

    @Test func playsADayWithResultsHidden() async throws {
        let library = try Library(path: nil)
        let replay = RaceReplay(try RaceRecording(try media(day)), in: library)
        #expect(replay.beginning == Self.start - 300)
        let id = race().id
        var next = try await replay.play(until: replay.beginning)
        #expect(next == Self.start + 600)
        // The other stage is hidden, the one that is played is not.
        #expect(try library.races.race(id)?.stages.map(\.isSpoiler) == [true, false])
        #expect(try library.races.race(id)?.stages[0].winner == nil && library.races.subscriptions().isEmpty)
        for state in day.dropFirst() {
            #expect(next == Self.start + state.at)
            #expect(try await replay.play(until: Self.start + state.at - 1) == next)
            next = try await replay.play(until: Self.start + state.at)
            let shown = try library.races.wholeRace(id)
            #expect(shown?.stages[1] == state.race.stages[1])
        }
        #expect(next == nil)
        #expect(try library.races.race(id)?.stages[1].winner == "Ana")
    }

    @Test func skipsWhatIsNoState() async throws {
        let lines = try media(day).split(separator: 0x0A).map { Array($0) }
        let bad: [String] = [
            "", "{", "[]", "\u{0}", #"{"at":"2026-07-04T13:00:00Z"}"#,
            #"{"at":"soon","race":"Volta","year":2026,"stages":[]}"#,
            #"{"at":"2026-07-04T11:20:00Z","ticker_from":1e308,"race":"Volta","year":2026,"stages":[{"number":2,"start":"B","finish":"C","results":[{"place":1,"rider":"Nobody"}]}]}"#,
            #"{"at":"9999-12-31T23:59:59Z","ticker_from":-1e308,"race":"Volta","year":2026,"stages":[{"number":99,"start":"B","finish":"C"}]}"#,
            #"{"at":"2026-07-04T11:20:00Z","race":"Volta","year":99999999999999999999,"stages":[]}"#,
            #"{"at":"2026-07-04T11:20:00Z","race":"Volta","year":2026,"stages":"# + String(repeating: "[", count: 5000),
        ]
        var all: [UInt8] = lines[0] + [0x0A]
        for text in bad { all += Array(text.utf8) + [0x0A] }
        all += lines[1] + [0x0A] + lines[5].prefix(100)
        let media = try RaceRecording(all)
        var race: Race?
        var instants: [Instant] = []
        for index in 0..<media.count {
            instants.append(media.instant(index))
            race = media.race(index..<index + 1, after: race) ?? race
        }
        // Instants never go back, and no pause is longer than a day.
        #expect(instants == instants.sorted() && (instants.last ?? 0) < Self.start + 3 * 86_400)
        #expect(race == day[1].race)
        for text in bad + ["<html>", "{\"race\": 1}"] {
            #expect(throws: RaceFileError.self, "\(text.prefix(60))") {
                var race: Race?
                let media = try RaceRecording(Array(text.utf8))
                race = media.race(0..<1, after: nil)
                if race != nil { throw RaceFileError(problems: []) }
            }
        }
    }

    /// Lines are checked together, and those that make the race invalid leave out nothing but themselves.
    @Test func appliesLinesTogether() throws {
        let invalid = Array(
            #"{"at":"2026-07-04T11:20:00Z","race":"Volta","year":2026,"stages":[{"number":2,"start":"B","finish":"C","results":[{"place":1,"rider":"Nobody"}]}]}"#
                .utf8)
        var lines = try media(day).split(separator: 0x0A).map { Array($0) }
        lines.append(invalid)
        let media = try RaceRecording(lines.flatMap { $0 + [0x0A] })
        #expect(media.race(0..<7, after: nil) == day[5].race)
        let last = try #require(media.race(0..<6, after: nil))
        #expect(last == day[5].race && media.race(6..<7, after: last) == nil)
        #expect(media.race(2..<2, after: last) == nil)
        #expect(media.race(2..<4, after: day[1].race) == day[3].race)
    }

    /// The first state is there before thousands of others of the same instant, which are shown in parts. No stage with
    /// a result among them is revealed.
    @Test func beginsBeforeManyStates() async throws {
        let count = 1200
        let states =
            [(at: Int64(0), race: race())]
            + (1...count).map { (at: Int64(0), race: race(lines: $0, winner: $0 == count ? "Ana" : nil)) }
        let library = try Library(path: nil)
        let replay = RaceReplay(try RaceRecording(try media(states)), in: library)
        try await replay.begin()
        let first = try library.races.wholeRace(race().id)
        #expect(first?.stages[1].ticker == nil && first?.stages[1].winner == nil)
        #expect(try library.races.race(race().id)?.stages.map(\.isSpoiler) == [true, true])
        #expect(try await replay.play(until: Self.start) == nil)
        #expect(try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ticker_line") } == count)
        #expect(try library.races.race(race().id)?.stages.map(\.isSpoiler) == [true, true])
    }

    /// A recording makes no requests, whatever it names.
    @Test func requestsNothing() throws {
        var race = race()
        race.stages[1].trackURL = "https://a.example/track.gpx"
        race.stages[1].imageURL = "https://a.example/picture.jpg"
        let played = try #require(try RaceRecording(try media([(0, race)])).race(0..<1, after: nil))
        #expect(played.stages[1].trackURL == nil && played.stages[1].imageURL == nil)
    }

    /// Values of any type never trap.
    @Test func survivesDamagedFiles() throws {
        let whole = try media(day)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1..<8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard
                let media = try? RaceRecording(Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random))))
            else { continue }
            var race: Race?
            for index in 0..<media.count { race = media.race(index..<index + 1, after: race) ?? race }
            #expect(race?.stages.count ?? 2 <= 3)
        }
    }

    @Test func clocksRunAtTheirSpeed() {
        let elapsed = Mutex(0.0)
        func clock(_ speed: Double) -> ReplayClock {
            ReplayClock(from: 1000, speed: speed) { elapsed.withLock { $0 } }
        }
        #expect(clock(60).now == 1000 && clock(60).wait(until: 1600) == 10)
        elapsed.withLock { $0 = 10 }
        #expect(clock(60).now == 1600 && clock(1).now == 1010 && clock(60).wait(until: 1600) == 0)
        #expect(clock(.infinity).now == 37_000 && clock(-5).now == 1001 && clock(.nan).now > 0)
        elapsed.withLock { $0 = .infinity }
        #expect(clock(60).now == .distantFuture && clock(60).wait(until: .distantFuture) == 0)
    }

    /// A recording that begins during a stage is played from its first state, not from the start of the next stage.
    @Test func beginsWithTheRecordedStage() throws {
        func withNext(_ race: Race) -> Race {
            var race = race
            var next = Stage(number: 3, date: "2026-07-05", start: "C", finish: "D")
            next.startTime = "2026-07-05T12:00:00+02:00"
            race.stages.append(next)
            return race
        }
        let states = day.dropFirst().map { (at: $0.at, race: withNext($0.race)) }
        let replay = RaceReplay(try RaceRecording(try media(states)), in: try Library(path: nil))
        #expect(replay.beginning == Self.start + 600 && replay.end == Self.start + 3000)
    }

    /// A paused clock stands still, goes on from there, and stops at the end of the recording.
    @Test func pausesAReplay() throws {
        let elapsed = Mutex(0.0)
        func wait(_ seconds: Double) { elapsed.withLock { $0 += seconds } }
        let clock = ReplayClock(from: 1000, until: 2000, speed: 10) { elapsed.withLock { $0 } }
        wait(5)
        #expect(clock.now == 1050 && !clock.isPaused && !clock.isOver)
        clock.togglePause()
        for _ in 0..<2 {
            wait(1000)
            #expect(clock.now == 1050 && clock.isPaused && clock.wait(until: 1150) == 10)
        }
        clock.togglePause()
        #expect(clock.now == 1050 && !clock.isPaused)
        wait(1)
        clock.togglePause()
        wait(7)
        clock.togglePause()
        wait(1)
        #expect(clock.now == 1070 && clock.wait(until: 1150) == 8)
        wait(1e9)
        #expect(clock.now == 2000 && clock.isOver)
        let replay = RaceReplay(try RaceRecording(try media(day)), in: try Library(path: nil))
        #expect(replay.end == Self.start + 3000)
        // An end before the beginning stops the clock at once.
        #expect(ReplayClock(from: 1000, until: 0, speed: 1) { 5 }.now == 1000)
    }
}
