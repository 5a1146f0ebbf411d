import FeedParsing
import Fetching
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import RaceModel
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Tracks of races by address, and what a damaged library keeps.
@Suite struct RaceTrackTests {
    /// Documents by path; others don't exist.
    private final class Documents: Sendable {
        private let documents = Mutex<[String: String]>([:])
        private let asked = Mutex<[String]>([])

        subscript(path: String) -> String? {
            get { documents.withLock { $0[path] } }
            set { documents.withLock { $0[path] = newValue } }
        }
        var paths: [String] { asked.withLock { $0 } }

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            asked.withLock { $0.append(request.path) }
            guard let text = self[request.path] else { return LoopbackServer.Answer(404) }
            let etag = "\"\(text.hashValue)\""
            if request.headers["if-none-match"] == etag { return LoopbackServer.Answer(304) }
            return LoopbackServer.Answer(200, headers: ["ETag": etag], body: Array(text.utf8))
        }
    }

    private struct Scene {
        let library: Library
        let documents = Documents()
        let server: LoopbackServer
        let service: RaceFollowService

        init() throws {
            let documents = documents
            library = try Library(path: nil)
            server = try LoopbackServer { documents.answer($0) }
            service = RaceFollowService(library: library, clock: { 1_795_176_000 })
        }

        func follow(_ path: String) async throws {
            try await library.changes.perform(try await service.read(server.url(path)).change)
        }
    }

    private static let track = """
        <gpx version="1.1"><trk><trkseg><trkpt lat="41" lon="1"><ele>10</ele></trkpt><trkpt lat="41.2" lon="1"><ele>900</ele>\
        </trkpt><trkpt lat="41.4" lon="1"><ele>40</ele></trkpt></trkseg></trk></gpx>
        """

    @Test func fetchesTracksOnce() async throws {
        let scene = try Scene()
        let service = TrackService(library: scene.library, clock: { 1_795_176_000 })
        scene.documents["/1.gpx"] = RaceTrackTests.track
        scene.documents["/2.gpx"] = "<html></html>"
        scene.documents["/race.json"] = """
            {"race": "Alpha", "year": 2026, "stages": [
             {"number": 1, "start": "A", "finish": "B", "track_url": "\(scene.server.url("/1.gpx"))"},
             {"number": 2, "start": "B", "finish": "C", "track_url": "\(scene.server.url("/2.gpx"))"},
             {"number": 3, "start": "C", "finish": "D", "track_url": "file:///etc/passwd"}]}
            """
        try await scene.follow("/race.json")
        let problems = try await service.fetchMissing()
        #expect(problems.map(\.address) == [scene.server.url("/2.gpx")])
        #expect(try scene.library.races.track(race: "alpha-2026", stage: 1)?.profile.points.count == 3)
        #expect(try scene.library.races.sparks(of: "alpha-2026").keys.sorted() == [1])
        // Neither existing nor failed tracks are requested again today.
        #expect(try await service.fetchMissing().isEmpty)
        #expect(scene.documents.paths.filter { $0.hasSuffix(".gpx") }.count == 2)
        // The user's own track takes precedence.
        let own = Track(points: [.init(distance: 0, height: 0), .init(distance: 1, height: 1)])
        try await scene.library.changes.perform(.storeTrack(own, race: "alpha-2026", stage: 1))
        #expect(try scene.library.races.track(race: "alpha-2026", stage: 1)?.profile.points.count == 2)
    }

    /// A race on the public web can't make the program request private hosts.
    @Test func rejectsTracksOnPrivateHosts() async throws {
        let scene = try Scene()
        scene.documents["/1.gpx"] = RaceTrackTests.track
        var race = Race(race: "Alpha", year: 2026, stages: [Stage(number: 1, start: "A", finish: "B")])
        race.stages[0].trackURL = scene.server.url("/1.gpx")
        let subscription = RaceSubscription(address: "https://race.example/a.json", raceID: race.id, name: "a")
        try await scene.library.changes.perform(.followRace(race, subscription))
        #expect(try await TrackService(library: scene.library).fetchMissing().count == 1)
        #expect(scene.documents.paths.isEmpty)
    }

    /// Everything that a user could miss is saved from a damaged library: each table is either listed here or rebuilt.
    @Test func savesOrRebuildsEveryTable() throws {
        let library = try Library(path: nil)
        let tables = try library.read { db in
            Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        }
        let madeAgain: Set = [
            "grdb_migrations", "sqlite_sequence", "counter", "unindexed", "undo_step", "rule_step", "stored_journal",
            "remote_list", "remote_label", "fetched_track", "calendar_race", "past_winner", "wikidata_answer",
            "wikidata_allowance", "page_pause", "host_pause",
        ]
        let rest = tables.subtracting(LibraryTable.all.map(\.name)).subtracting(madeAgain).filter { name in
            !name.hasPrefix("trash_") && !name.hasPrefix("entry_search")
        }
        #expect(rest.isEmpty, "\(rest)")
    }
}
