import FeedParsing
import Fetching
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Downloads
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Directories of races: followed and searched pages, the season, and tracks by address.
@Suite struct RaceDirectoryTests {
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

        func season(_ text: String = "", limit: Int = 100) throws -> [String] {
            try library.races.season(text, around: CalendarDay(instant: 1_795_176_000), limit: limit).map(\.name)
        }
    }

    private static func page(_ races: [(String, String, String)], next: String? = nil) -> String {
        let items = races.map { name, start, end in
            """
            {"name": "\(name)", "start": "\(start)", "end": "\(end)", "kind": "classic", "country": "IT", "address": "\(name.lowercased()).json"}
            """
        }
        let more = next.map { ", \"next\": \"\($0)\"" } ?? ""
        return "{\"schema\": 1, \"title\": \"All\", \"races\": [\(items.joined(separator: ", "))]\(more)}"
    }

    @Test func readsPagesToTheLast() async throws {
        let scene = try Scene()
        scene.documents["/d/races.json"] = RaceDirectoryTests.page(
            [("Alpha", "2026-11-01", "2026-11-02")], next: "2.json")
        scene.documents["/d/2.json"] = RaceDirectoryTests.page(
            [("Beta", "2026-11-19", "2026-11-22")], next: "races.json")
        try await scene.follow("/d/races.json")
        // The last page names itself, which ends the list.
        #expect(scene.documents.paths == ["/d/races.json", "/d/2.json"])
        #expect(try scene.season() == ["Alpha", "Beta"])
        let beta = try scene.library.races.season("", around: CalendarDay(instant: 1_795_176_000), limit: 9)[1]
        #expect(beta.address == scene.server.url("/d/beta.json"))
        #expect(beta.state(on: CalendarDay(instant: 1_795_176_000)) == .underWay)

        // Unchanged, it is requested once.
        #expect(try await scene.service.updateDirectories(reason: .user).map(\.error) == [nil])
        #expect(scene.documents.paths.count == 3)
        // A page that lost more than half is rejected, and so is an invalid one.
        scene.documents["/d/races.json"] = RaceDirectoryTests.page([])
        #expect(try await scene.service.updateDirectories(reason: .user)[0].error?.contains("0 of 2 races") == true)
        scene.documents["/d/races.json"] = "<html>"
        #expect(try await scene.service.updateDirectories(reason: .user)[0].error?.contains("invalid JSON") == true)
        #expect(try scene.season().count == 2)
        #expect(try scene.library.races.directories()[0].failures == 2)
        // Nothing remains after removal.
        try await scene.library.changes.perform(.unfollowDirectory(scene.server.url("/d/races.json")))
        #expect(try scene.season().isEmpty)
    }

    @Test func listsFollowedRacesOnceInTheSeason() async throws {
        let scene = try Scene()
        scene.documents["/races.json"] = RaceDirectoryTests.page([
            ("Alpha", "2026-11-01", "2026-11-02"), ("Béta", "2026-11-19", "2026-11-22"),
        ])
        scene.documents["/alpha.json"] = """
            {"race": "Alpha", "year": 2026, "kind": "national", "stages": [
             {"number": 1, "date": "2026-11-25", "start": "A", "finish": "B"}]}
            """
        try await scene.follow("/races.json")
        try await scene.follow("/alpha.json")
        #expect(try scene.season() == ["Béta", "Alpha 2026"])
        #expect(try scene.season("NATIONAL") == ["Alpha 2026"])
        #expect(try scene.season("beta classic") == ["Béta"])
        #expect(try scene.season("beta national").isEmpty)
        #expect(try scene.season("100%").isEmpty)
    }

    @Test(arguments: [
        (#"{"races": [{"name": "A"}]}"#, "line 1: races, item 1: address is missing"),
        (#"{"races": [{"name": "A", "address": "a.json", "start": "soon"}]}"#, "'soon' is not a date"),
        (#"{"races": [{"name": "A", "address": "file:///etc/passwd"}]}"#, "not a web address"),
        (
            #"{"races": [{"name": "A", "address": "a", "start": "2026-02-02", "end": "2026-02-01"}]}"#,
            "before the start"
        ),
        (#"{"races": {}}"#, "races: wrong type of value"),
    ])
    func reportsMistakes(text: String, words: String) throws {
        let error = #expect(throws: RaceFileError.self) {
            try RaceDirectory.read(Data(text.utf8), at: "https://race.example/races.json")
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func rejectsForeignAndEndlessPages() async throws {
        let scene = try Scene()
        scene.documents["/races.json"] = RaceDirectoryTests.page([], next: "https://other.example/races.json")
        await #expect(throws: (any Error).self) { try await scene.follow("/races.json") }
        for page in 0..<300 { scene.documents["/\(page).json"] = RaceDirectoryTests.page([], next: "\(page + 1).json") }
        await #expect(throws: (any Error).self) { try await scene.follow("/0.json") }
        #expect(scene.documents.paths.count < 220)
    }

    private static let track = """
        <gpx version="1.1"><trk><trkseg><trkpt lat="41" lon="1"><ele>10</ele></trkpt><trkpt lat="41.2" lon="1"><ele>900</ele>\
        </trkpt><trkpt lat="41.4" lon="1"><ele>40</ele></trkpt></trkseg></trk></gpx>
        """

    @Test func fetchesTracksOnce() async throws {
        let scene = try Scene()
        let service = TrackService(library: scene.library, clock: { 1_795_176_000 })
        scene.documents["/1.gpx"] = RaceDirectoryTests.track
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
        scene.documents["/1.gpx"] = RaceDirectoryTests.track
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
            "remote_list", "remote_label", "fetched_track",
        ]
        let rest = tables.subtracting(LibraryTable.all.map(\.name)).subtracting(madeAgain).filter { name in
            !name.hasPrefix("trash_") && !name.hasPrefix("entry_search")
        }
        #expect(rest.isEmpty, "\(rest)")
    }
}
