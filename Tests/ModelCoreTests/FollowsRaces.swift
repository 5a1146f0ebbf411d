import FeedParsing
import Fetching
import Foundation
import LibraryTesting
import LoopbackServer
import RaceModel
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Races followed at their addresses.
@Suite struct FollowsRaces {
    /// The server's answers and the time.
    private final class World: Sendable {
        private struct State {
            var answer = LoopbackServer.Answer("")
            var now: Instant = 1_795_176_000
        }
        private let state = Mutex(State())

        var now: Instant { state.withLock { $0.now } }
        func pass(_ seconds: Int64) { state.withLock { $0.now += seconds } }

        func serve(_ answer: LoopbackServer.Answer) { state.withLock { $0.answer = answer } }

        /// Returns 304 if the client has the current document.
        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            var answer = state.withLock { $0.answer }
            let etag = "\"\(answer.body.hashValue)\""
            if answer.status == 200, request.headers["if-none-match"] == etag { return LoopbackServer.Answer(304) }
            answer.headers["ETag"] = etag
            return answer
        }
    }

    /// A library that follows a race on the server.
    private struct Scene {
        let library: Library
        let server: LoopbackServer
        let service: RaceFollowService
        let time = World()

        init() throws {
            let world = time
            library = try Library(path: nil)
            server = try LoopbackServer { world.answer($0) }
            service = RaceFollowService(library: library, clock: { world.now })
        }

        func serve(_ document: String, status: Int = 200, headers: [String: String] = [:]) {
            time.serve(LoopbackServer.Answer(status, headers: headers, body: Array(document.utf8)))
        }

        func follow() async throws {
            try await library.changes.perform(try await service.read(server.url("/volta.json")).change)
        }

        func update(_ reason: ReloadService.Reason = .user) async throws -> RaceUpdate {
            try #require(try await service.update(reason: reason).first)
        }

        var race: Race? { (try? library.races.all().first).flatMap { try? library.races.race($0.id) } }
    }

    /// A race with stages between these towns and some winners.
    private static func race(_ towns: [String], winners: [String] = [], first: Int = 1, year: Int = 2026) -> String {
        let stages = towns.indices.dropLast().map { index in
            let winner = winners.indices.contains(index) ? ", \"winner\": \"\(winners[index])\"" : ""
            return """
                {"number": \(first + index), "date": "2026-11-\(20 + index)", "start": "\(towns[index])", \
                "finish": "\(towns[index + 1])"\(winner)}
                """
        }
        return "{\"race\": \"Volta\", \"year\": \(year), \"stages\": [\(stages.joined(separator: ", "))]}"
    }

    private static let towns = ["Porto", "Lisbon", "Évora", "Tavira", "Sagres"]

    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test func receivesResultsAutomatically() async throws {
        scene.serve(FollowsRaces.race(FollowsRaces.towns))
        try await scene.follow()
        #expect(scene.race?.stages.count == 4)
        guard case .unchanged = try await scene.update().result else { return #expect(Bool(false)) }
        #expect(scene.server.requests.last?.headers["if-none-match"] != nil)
        scene.serve(FollowsRaces.race(FollowsRaces.towns, winners: ["Rider One"]))
        guard case .changed = try await scene.update().result else { return #expect(Bool(false)) }
        #expect(scene.race?.stages[0].winner == "Rider One")
    }

    /// A race reloads every five minutes on its stage days and once a day otherwise.
    @Test func reloadsARaceWhenDue() async throws {
        scene.serve(FollowsRaces.race(FollowsRaces.towns))
        try await scene.follow()
        _ = try await scene.update(.timer)
        func isAsked() async throws -> Bool {
            let before = scene.server.requests.count
            _ = try await scene.update(.timer)
            return scene.server.requests.count > before
        }
        scene.time.pass(290)
        #expect(try await !isAsked())
        scene.time.pass(20)
        #expect(try await isAsked())
        scene.time.pass(20 * 86_400)
        #expect(try await isAsked())
        scene.time.pass(80_000)
        #expect(try await !isAsked())
        scene.time.pass(7_000)
        #expect(try await isAsked())
        // The server's Retry-After applies to the user, too.
        scene.serve("", status: 503, headers: ["Retry-After": "600"])
        scene.time.pass(90_000)
        guard case .failed = try await scene.update().result else { return #expect(Bool(false)) }
        guard case .heldBack = try await scene.update().result else { return #expect(Bool(false)) }
    }

    /// A track stays with its stage when numbers and the race's name change.
    @Test func keepsWhatTheUserAdded() async throws {
        scene.serve(FollowsRaces.race(FollowsRaces.towns))
        try await scene.follow()
        let gpx = """
            <gpx><trk><trkseg><trkpt lat="41" lon="-8"><ele>1</ele></trkpt><trkpt lat="41.1" lon="-8"><ele>900</ele></trkpt>
            </trkseg></trk></gpx>
            """
        let track = try TrackReader.read(Array(gpx.utf8))
        try await scene.library.changes.perform(.storeTrack(track, race: "volta-2026", stage: 2))
        scene.serve(FollowsRaces.race(FollowsRaces.towns, first: 5))
        _ = try await scene.update()
        #expect(try Array(scene.library.races.sparks(of: "volta-2026").keys) == [6])
        scene.serve(FollowsRaces.race(FollowsRaces.towns, year: 2027))
        _ = try await scene.update()
        #expect(try scene.library.races.all().map(\.id) == ["volta-2027"])
        #expect(try Array(scene.library.races.sparks(of: "volta-2027").keys) == [2])
        #expect(try scene.library.races.subscriptions().map(\.raceID) == ["volta-2027"])
    }

    /// A document that is no race, or lost most of its stages, changes nothing and reports it.
    @Test func anInvalidRaceChangesNothing() async throws {
        let whole = FollowsRaces.race(FollowsRaces.towns, winners: ["Rider One"])
        scene.serve(whole)
        try await scene.follow()
        let before = scene.race
        let wrong = [
            "", "<html>gone</html>", String(whole.dropLast(30)),
            "{\"race\": \"Volta\", \"year\": 2026, \"stages\": []}",
            FollowsRaces.race(["Porto", "Lisbon"]),
        ]
        for document in wrong {
            scene.serve(document)
            #expect(try await scene.update().error != nil, "\(document)")
            #expect(scene.race == before)
            let error = try scene.library.races.subscriptions().first?.error
            #expect(error?.isEmpty == false)
        }
        #expect(try scene.library.races.subscriptions().first?.error?.contains("1 of 4 stages") == true)
        // The user can accept it anyway.
        try await scene.follow()
        #expect(scene.race?.stages.count == 1)
        #expect(try scene.library.races.subscriptions().first?.error == nil)
        scene.server.stop()
        scene.time.pass(100_000)
        guard case .failed = try await scene.update().result else { return #expect(Bool(false)) }
        #expect(scene.race?.stages.count == 1)
    }

    /// Names and passwords of an address never appear in messages or logs.
    @Test func messagesOfARaceShowNoPassword() {
        let subscription = RaceSubscription(address: "https://bob:hunter2@race.example/v.json", raceID: "v", name: "v")
        let error = RaceUpdate(subscription: subscription, result: .shrunk(to: 1, of: 4)).error
        #expect(error?.contains("https://race.example/v.json") == true && error?.contains("hunter2") == false)
        #expect(subscription.shownAddress == "https://race.example/v.json")
    }

    @Test func unfollowsARace() async throws {
        scene.serve(FollowsRaces.race(FollowsRaces.towns))
        try await scene.follow()
        let receipt = try await scene.library.changes.perform(.removeRace("volta-2026"), id: UUID())
        #expect(receipt.count == 1)
        // A removed race isn't requested; undo restores it, still followed.
        #expect(try await scene.service.update(reason: .user).isEmpty)
        #expect(scene.race == nil)
        try await scene.follow()
        try await scene.library.changes.perform(.unfollowRace("volta-2026"))
        #expect(try await scene.service.update(reason: .user).isEmpty)
        #expect(scene.race?.stages.count == 4)
    }

    @Test func findsTheNearestRace() async throws {
        let library = try Library(path: nil)
        #expect(try library.races.nearest(to: CalendarDay("2026-11-22")!) == nil)
        func store(_ name: String, _ days: [String]) async throws {
            let stages = days.enumerated().map { Stage(number: $0 + 1, date: $1, start: "A", finish: "B") }
            try await library.changes.perform(
                .storeRace(Race(race: name, year: 2026, stages: stages), isBundled: false))
        }
        try await store("Early", ["2026-01-01", "2026-11-10"])
        try await store("Late", ["2026-12-10", "2026-12-12"])
        try await store("Never", [])
        let bundled = Race(
            race: "Bundled", year: 2026, stages: [Stage(number: 1, date: "2026-11-22", start: "A", finish: "B")])
        try await library.changes.perform(.storeRace(bundled, isBundled: true))
        for (day, race) in [("2026-11-22", "early-2026"), ("2026-11-25", "late-2026"), ("2030-01-01", "late-2026")] {
            #expect(try library.races.nearest(to: CalendarDay(day)!) == race, "\(day)")
        }
    }

    /// A race exported as a calendar has the same stages when imported.
    @Test func exportsARaceAsACalendar() throws {
        var race = try RaceFile.read(Data(FollowsRaces.race(FollowsRaces.towns).utf8))
        race.stages[0].start = "Vila; \\ Real, " + String(repeating: "é", count: 60)
        race.stages[1].articleURL = "https://race.example/2"
        let text = RaceCalendarWriter.write(race, now: 1_795_176_000)
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(text.contains("DTSTAMP:20261120T120000Z") && text.contains("DTSTART;VALUE=DATE:20261120"))
        let back = try RaceFile.read(Data(text.utf8), name: "x")
        #expect(back.stages.map(\.route) == race.stages.map(\.route))
        #expect(back.stages.map(\.date) == race.stages.map(\.date))
        #expect(back.stages[1].articleURL == "https://race.example/2")
    }

    /// A stage that starts in two hours and ends three hours later.
    @Test func reloadsARaceDuringAStage() async throws {
        let start = scene.time.now + 7200
        func document(_ more: String) -> String {
            """
            {"schema": 2, "race": "Volta", "year": 2026\(more), "stages": [{"number": 1, "date": "2026-11-20", "start": "A", "finish": "B",
             "start_time": "\(Timestamp.rfc3339(start))", "finish_time": "\(Timestamp.rfc3339(start + 10_800))"}]}
            """
        }
        scene.serve(document(""))
        try await scene.follow()
        func pause() async throws -> Int64 {
            try #require(try await scene.update().subscription.nextFetch).seconds(since: scene.time.now)
        }
        // At its start, then every five minutes until an hour after its end, then after a day.
        #expect(try await pause() == 7200)
        scene.time.pass(7200)
        #expect(try await pause() == 300)
        scene.time.pass(10_800 + 3599)
        #expect(try await pause() == 300)
        scene.time.pass(1)
        #expect(try await pause() == 86_400)
        scene.time.pass(-14_400)
        scene.serve(document(", \"ttl\": 20"))
        #expect(try await pause() == 1200)
    }
}
