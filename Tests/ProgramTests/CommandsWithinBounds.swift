import CommonTesting
import Foundation
import LibraryKernel
import Logging
import LoopbackServer
import ModelCore
import Testing

@testable import tappa

extension FileLog {
    func note(_ level: Logger.Level, _ text: String) {
        log(event: .init(level: level, message: "\(text)", metadata: nil, source: "", file: "", function: "", line: 0))
    }
}

/// Output, rejections and exit statuses of commands.
@Suite struct CommandsWithinBounds: ProgramSuite {
    let temporary = TemporaryFolder()

    private static let cases: [([String], Int32)] = [
        (["render", "--width", "0", "-"], 64), (["render", "--width", "1", "-"], 0),
        (["render", "--width", "1000", "-"], 0), (["render", "--width", "1001", "-"], 64),
        (["search", "--limit", "0", "x"], 64), (["search", "--limit", "1", "x"], 0),
        (["search", "--limit", "5000", "x"], 0), (["search", "--limit", "5001", "x"], 64),
        (["search", "before:whenever"], 64), (["list", "--in-memory", "--database", "/tmp/x"], 64),
        (["recover", "--in-memory"], 64), (["recover", "--database", "/no/such/library"], 66),
        (["remove", "https://no.example/"], 66), (["race", "export", "none"], 66), (["race", "remove", "none"], 66),
        (["race", "track", "none", "1", "/no/such/file"], 66), (["parse", "/"], 74), (["render", "/no/such"], 66),
        (["stages", "--race", "none"], 66), (["config", "--path"], 0), (["no-such-command"], 64),
    ]

    /// Commands that need only a number within bounds or existing files.
    @Test(arguments: cases)
    func acceptsOrRejectsArguments(words: [String], code: Int32) {
        let result = tappa(words, input: "<p>x</p>")
        #expect(result.code == code, "\(words): \(result.errors)")
        // A rejection gives its reason, and a success prints nothing else.
        #expect(result.errors.isEmpty == (code == 0), "\(words): \(result.errors)")
    }

    @Test func wrapsAtTheWidth() {
        #expect(tappa(["render", "--width", "5", "-"], input: "<p>one two</p>").output == "one\ntwo\n")
        #expect(
            tappa(["render", "-"], input: "<p>\(String(repeating: "word ", count: 20))</p>").output.split(
                separator: "\n"
            )
            .map(\.count) == [79, 19])
    }

    @Test func reportsPartialReads() throws {
        let result = tappa([
            "parse", try home.write("<rss><channel><title>T</title><item><title>a & b</title></item>", to: "f.xml"),
        ])
        #expect(result.code == 0 && result.output.contains("a & b"))
        #expect(result.errors.hasPrefix("tappa: \(home.path)/f.xml: "))
        let list = tappa([
            "import", "--in-memory",
            try home.write("<opml><body><outline xmlUrl='https://a.example/'/><outl", to: "l.opml"),
        ])
        #expect(list.code == 0 && list.errors.hasPrefix("\(home.path)/l.opml: "))
    }

    @Test func ordersHitsByRankOrDate() throws {
        let opened = tappa(["search", "the"])
        let rows = opened.output.split(separator: "\n")
        #expect(rows.count > 1 && rows.count <= 20)
        #expect(tappa(["search", "--limit", "1", "the"]).output.split(separator: "\n").count == 1)
        let hits = try self.rows(tappa("search", "--json", "--by-relevance", "the").output)
        #expect(hits.count == rows.count)
        #expect(
            Set(hits.compactMap { $0["title"] as? String })
                == Set(rows.map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[1]) }))
        #expect(hits.allSatisfy { ($0["date"] as? String)?.count == 20 && $0["read"] as? Bool == false })
    }

    @Test func exportsAndImportsARace() throws {
        let whole = try home.write(
            """
            {"race": "Volta", "year": 2101, "stages": [{"number": 1, "start": "A", "finish": "B", "distance_km": 10},
            {"number": 2, "start": "B", "finish": "C", "distance_km": 12.5}]}
            """, to: "t.json")
        #expect(tappa(["race", "import", whole, "--name", "Other"]).output == "added volta-2101: 2 stages\n")
        let exported = tappa(["race", "export", "volta-2101"])
        #expect(tappa(["race", "remove", "volta-2101"]).output == "removed volta-2101\n")
        #expect(tappa(["race", "export", "volta-2101"]).code == 66)
        #expect(tappa(["race", "import", "-"], input: exported.output).output == "added volta-2101: 2 stages\n")
        #expect(tappa(["race", "export", "volta-2101"]).output == exported.output)
        #expect(tappa(["stages", "--race", "volta-2101"]).output == "1\t\tA → B\t10 km\t\t\n2\t\tB → C\t12.5 km\t\t\n")
        let points = (0...20).map { "<trkpt lat=\"45.\(10 + $0)\" lon=\"9\"><ele>\($0 * 10)</ele></trkpt>" }
        let track = try home.write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "t.gpx")
        #expect(tappa(["race", "track", "volta-2101", "2", track]).output == "22 km, 200 m of climbing, 0 climbs\n")
        #expect(tappa(["race", "track", "volta-2101", "3", track]).code == 66)
        #expect(tappa(["race", "track", "volta-2101", "2", whole]).code == 65)
    }

    @Test func everyCommandShowsLibraryNotices() throws {
        #expect(tappa(["list"]).code == 0)
        // The journal of a dashboard that couldn't store its changes is replayed and reported.
        let database = home.appendingPathComponent(".local/share/tappa/library.sqlite").path
        let before = try Library(path: database).feeds.all().count
        #expect(before > 0)
        #expect(tappa(["config"]).output.contains("appearance.theme = terminal\tdefault\n"))
        #expect(tappa(["status", "--format", "{feeds} {errors} #{unread}"]).output.hasPrefix("\(before) 0 ##"))
    }

    @Test func rotatesALargeLog() throws {
        let path = home.appendingPathComponent("state/tappa.log").path
        let log = try #require(FileLog(label: "test", path: path))
        log.note(.info, "first")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let first = try String(contentsOfFile: path, encoding: .utf8)
        #expect(first.hasSuffix(" info test: first\n"))
        // A log of exactly the maximum size stays; one byte more rotates it, with the current line.
        truncate(path, 1 << 20)
        log.note(.info, "second")
        #expect(!FileManager.default.fileExists(atPath: path + ".1"))
        log.note(.error, "third")
        #expect(FileManager.default.fileExists(atPath: path + ".1"))
        log.note(.info, "fourth")
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix(" info test: fourth\n"))
        #expect(FileLog(label: "test", path: "/proc/none/tappa.log") == nil)
    }

    @Test func restoresOrQuarantinesPaneState() throws {
        let file = home.appendingPathComponent("pane.json")
        #expect(ScreenState.read(file) == nil)
        let aside = home.appendingPathComponent("pane.unreadable")
        for text in ["invalid JSON", "{\"other\": true"] {
            try Data(text.utf8).write(to: file)
            #expect(ScreenState.read(file) == nil)
            #expect(try String(contentsOf: aside, encoding: .utf8) == text)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func describesInvalidPictures() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/page": .init("<html></html>", type: "text/html")
            case "/moved": .init(300)
            default: .init(404)
            }
        }
        func load(_ path: String, ownHost: String? = nil) async -> String? {
            let own = ownHost ?? "127.0.0.1:\(server.port)"
            return switch await PictureLoader().load(.address(server.url(path), ownHost: own)) {
            case .success: nil
            case .failure(let problem): "\(problem)"
            }
        }
        #expect(await load("/none")?.contains("not found (404)") == true)
        #expect(await load("/moved")?.contains("the server answered 300") == true)
        #expect(await load("/page")?.contains("this is not a picture but text/html") == true)
        // Another page's picture on a private address isn't requested.
        #expect(await load("/page", ownHost: "other.example")?.contains("private") == true)
        for (race, stage) in [("../giro-d-italia-2010", 1), ("giro-d-italia-2010", 99), ("none", 1)] {
            guard case .failure = await PictureLoader().load(.bundled(race: race, stage: stage)) else {
                Issue.record("\(race) \(stage) is there")
                continue
            }
        }
        #expect(
            PictureLoader.bundled(race: "giro-d-italia-2010", stage: 1)?.hasSuffix(
                "Assets/pictures/giro-d-italia-2010/01.png") == true)
    }
}
