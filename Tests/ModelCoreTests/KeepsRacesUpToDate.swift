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

/// Followed races over their answers: valid, unchanged, invalid, shrunk, truncated, and rate-limited.
@Suite struct KeepsRacesUpToDate {
    private static let now: Instant = 1_795_176_000

    private final class World: Sendable {
        private let kept = Mutex<(answers: [String: LoopbackServer.Answer], now: Instant)>(
            ([:], KeepsRacesUpToDate.now))
        var now: Instant {
            get { kept.withLock { $0.now } }
            set { kept.withLock { $0.now = newValue } }
        }
        subscript(path: String) -> LoopbackServer.Answer? {
            get { kept.withLock { $0.answers[path] } }
            set { kept.withLock { $0.answers[path] = newValue } }
        }
    }

    private struct Scene {
        let library: Library
        let server: LoopbackServer
        let service: RaceFollowService
        let world = World()

        init() throws {
            let world = world
            library = try Library(path: nil)
            server = try LoopbackServer { world[$0.path] ?? .init(404) }
            service = RaceFollowService(library: library, clock: { world.now })
        }

        func serve(_ stages: Int, _ path: String = "/v.json", headers: [String: String] = [:], name: String = "V") {
            let rows = (1...stages).map { #"{"number": \#($0), "start": "A\#($0)", "finish": "B\#($0)"}"# }
            let text = #"{"race": "\#(name)", "year": 2026, "stages": [\#(rows.joined(separator: ","))]}"#
            world[path] = .init(200, headers: headers, body: Array(text.utf8))
        }

        @discardableResult func follow(_ path: String = "/v.json") async throws -> FollowedRace {
            let document = try await service.read(server.url(path))
            try await library.changes.perform(document.change)
            return document
        }

        func update(_ reason: ReloadService.Reason = .user) async throws -> RaceUpdate {
            try #require(try await service.update(reason: reason).first)
        }

        var stages: Int? { try? library.races.race("v-2026")?.stages.count }
        var subscription: RaceSubscription? { try? library.races.subscriptions().first }
    }

    private let scene: Scene

    init() throws { scene = try Scene() }

    /// A document that has lost half of its stages is accepted, one that has lost more isn't.
    @Test(arguments: [(4, 4, true), (4, 2, true), (4, 1, false), (5, 3, true), (5, 2, false), (1, 2, true)])
    func confirmsARaceThatLostHalf(before: Int, after: Int, isTaken: Bool) async throws {
        scene.serve(before)
        try await scene.follow()
        scene.serve(after)
        let update = try await scene.update()
        #expect(scene.stages == (isTaken ? after : before))
        #expect((update.error == nil) == isTaken && (scene.subscription?.error == nil) == isTaken)
        guard !isTaken else { return }
        #expect(
            update.error
                == "it now has only \(after) of \(before) stages; 'tappa race follow \(scene.server.url("/v.json"))' accepts this"
        )
        // Following it again accepts it, and clears the error.
        try await scene.follow()
        #expect(scene.stages == after && scene.subscription?.error == nil && scene.subscription?.failures == 0)
    }

    /// Failures are counted, leave the race unchanged and increase the pause; a success resets it.
    @Test func retriesAfterFailures() async throws {
        scene.serve(2, headers: ["ETag": "\"1\"", "Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT"])
        try await scene.follow()
        #expect(
            scene.subscription?.etag == "\"1\"" && scene.subscription?.lastModified == "Fri, 20 Nov 2026 10:00:00 GMT")
        #expect(scene.subscription?.lastSuccess == KeepsRacesUpToDate.now)
        let wrong: [(answer: LoopbackServer.Answer, words: String)] = [
            (.init(500), "server error (500)"), (.init(404), "not found (404)"),
            (.init("{"), "invalid JSON"),
            (.init(200, body: Array(repeating: 32, count: 500), cutAfter: 5), "cut off"),
        ]
        var pauses: [Int64] = []
        for (count, (answer, words)) in wrong.enumerated() {
            scene.world["/v.json"] = answer
            let update = try await scene.update()
            #expect(update.error?.contains(words) == true, "\(words): \(update.error ?? "-")")
            #expect(scene.subscription?.error == update.error && scene.subscription?.failures == count + 1)
            #expect(
                scene.stages == 2 && scene.subscription?.etag == "\"1\""
                    && scene.subscription?.lastSuccess == KeepsRacesUpToDate.now)
            pauses.append((scene.subscription?.nextFetch ?? 0).seconds(since: KeepsRacesUpToDate.now))
        }
        #expect(pauses == pauses.sorted() && Set(pauses).count == pauses.count && (pauses.first ?? 0) > 0, "\(pauses)")
        #expect(scene.server.requests.last?.headers["if-none-match"] == "\"1\"")
        #expect(scene.server.requests.last?.headers["if-modified-since"] == "Fri, 20 Nov 2026 10:00:00 GMT")
        scene.world.now += 100
        scene.serve(3, headers: ["ETag": "\"2\""])
        guard case .changed = try await scene.update().result else { return #expect(Bool(false)) }
        #expect(scene.subscription?.failures == 0 && scene.subscription?.error == nil && scene.stages == 3)
        #expect(scene.subscription?.etag == "\"2\"" && scene.subscription?.lastModified == nil)
        #expect(scene.subscription?.lastSuccess == KeepsRacesUpToDate.now + 100)
        // An unchanged answer is a success, too.
        scene.world["/v.json"] = .init(500)
        _ = try await scene.update()
        scene.world["/v.json"] = .init(304)
        guard case .unchanged = try await scene.update().result else { return #expect(Bool(false)) }
        #expect(
            scene.subscription?.failures == 0 && scene.subscription?.error == nil && scene.subscription?.etag == "\"2\""
        )
    }

    /// A timer waits until the race is due, the user only as long as the server asks.
    @Test func waitsWhenTheServerAsks() async throws {
        let text =
            #"{"race": "V", "year": 2026, "stages": [{"number": 1, "date": "2026-11-20", "start": "A", "finish": "B"}]}"#
        scene.world["/v.json"] = .init(200, headers: ["Cache-Control": "max-age=1800"], body: Array(text.utf8))
        try await scene.follow()
        func isAsked(_ reason: ReloadService.Reason) async throws -> Bool {
            let before = scene.server.requests.count
            _ = try await scene.update(reason)
            return scene.server.requests.count > before
        }
        // Half an hour as the server asks, on a day with requests every five minutes.
        #expect(try await isAsked(.user))
        scene.world.now += 1799
        #expect(try await !isAsked(.timer))
        scene.world.now += 1
        #expect(try await isAsked(.timer))
        scene.world["/v.json"] = .init(503, headers: ["Retry-After": "600"])
        #expect(try await isAsked(.user))
        #expect(scene.subscription?.notBefore == scene.world.now + 600)
        scene.world.now += 599
        let (user, timer) = (try await isAsked(.user), try await isAsked(.timer))
        #expect(!user && !timer)
        scene.serve(2)
        scene.world.now += 1
        #expect(try await isAsked(.user))
        #expect(scene.subscription?.notBefore == nil)
    }

    /// Races are updated one after the other, each with its own response; unfollowed ones aren't.
    @Test func updatesRacesIndependently() async throws {
        for (path, name) in [("/a", "A"), ("/b", "B"), ("/c", "C")] {
            scene.serve(2, path, name: name)
            try await scene.follow(path)
        }
        try await scene.library.changes.perform(.unfollowRace("c-2026"))
        scene.world["/a"] = .init(500)
        scene.serve(3, "/b", name: "B")
        let updates = try await scene.service.update(reason: .user)
        #expect(
            updates.map(\.subscription.raceID) == ["a-2026", "b-2026"]
                && updates.map { $0.error != nil } == [true, false])
        #expect(
            try scene.library.races.race("b-2026")?.stages.count == 3
                && scene.library.races.race("c-2026")?.stages.count == 2)
        #expect(scene.server.requests.map(\.path).suffix(2) == ["/a", "/b"])
    }

    @Test func namesFollowedRaces() async throws {
        scene.serve(1)
        #expect(try await scene.follow().words == "V 2026 with 1 stage")
        let calendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:A - B\nEND:VEVENT\nEND:VCALENDAR\n"
        scene.world["/tour.ics"] = .init(calendar)
        #expect(try await scene.follow("/tour.ics").words == "tour 2026 with 1 stage")
        #expect(
            try await scene.service.read(scene.server.url("/tour.ics"), name: "Giro").words == "Giro 2026 with 1 stage")
    }

    // MARK: Tracks

    /// A race's track is fetched; an invalid one is reported and requested again after a day.
    @Test func fetchesTracksOfRaces() async throws {
        let world = scene.world
        var race = Race(race: "V", year: 2026, stages: (1...3).map { Stage(number: $0, start: "A", finish: "B") })
        for index in race.stages.indices { race.stages[index].trackURL = scene.server.url("/\(index + 1).gpx") }
        try await scene.library.changes.perform(
            .followRace(race, RaceSubscription(address: scene.server.url("/v.json"), raceID: race.id, name: "v")))
        let gpx =
            "<gpx><trk><trkseg><trkpt lat=\"41\" lon=\"-8\"><ele>1</ele></trkpt><trkpt lat=\"41.1\" lon=\"-8\"><ele>9</ele></trkpt></trkseg></trk></gpx>"
        world["/1.gpx"] = .init(gpx)
        world["/2.gpx"] = .init("<html/>")
        let tracks = TrackService(library: scene.library, clock: { world.now })
        let problems = try await tracks.fetchMissing().sorted { $0.address < $1.address }
        #expect(problems.map(\.address) == [scene.server.url("/2.gpx"), scene.server.url("/3.gpx")])
        #expect(
            problems.map(\.error) == ["this is not GPX", "not found (404)"]
                || problems[0].error.hasPrefix("this is not GPX"))
        #expect(try scene.library.races.track(race: "v-2026", stage: 1)?.profile.points.count == 2)
        world["/2.gpx"] = .init(gpx)
        world.now += 86_400
        #expect(try await tracks.fetchMissing().isEmpty && scene.server.requests.count == 3)
        world.now += 1
        #expect(try await tracks.fetchMissing().map(\.address) == [scene.server.url("/3.gpx")])
        #expect(try scene.library.races.track(race: "v-2026", stage: 2) != nil && scene.server.requests.count == 5)
    }
}
