import CLibXML2
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LoopbackServer
import ModelCore
import Races

/// Measures feeds: parsing, reloads from a local server, marks, searches and lists of subscriptions.
enum FeedBenchmark {
    /// Returns a feed with a number of entries of about three kilobytes each.
    static func feed(_ number: Int, entries: Int) -> String {
        let words = [
            "stage", "climb", "descent", "sprint", "peloton", "breakaway", "gravel", "façade", "東京", "rosa", "summit",
            "valley", "crosswind", "time-trial", "bidon", "echelon",
        ]
        var seed = UInt64(number + 1)
        func word() -> String {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return words[Int(seed >> 33) % words.count]
        }
        var text = "<rss version=\"2.0\"><channel><title>Feed \(number)</title><link>http://127.0.0.1/</link>"
        for entry in 0..<entries {
            let body = (0..<380).map { _ in word() }.joined(separator: " ")
            text +=
                "<item><title>\(word()) \(word()) \(number)-\(entry)</title><link>http://127.0.0.1/\(number)/\(entry)</link>"
            text += "<guid>u:\(number):\(entry)</guid><pubDate>Sun, 01 Nov 2026 00:00:00 +0000</pubDate>"
            text += "<description><![CDATA[<p>\(body)</p>]]></description></item>"
        }
        return text + "</channel></rss>"
    }

    static func run() async {
        parsing()
        do {
            for latency in [0, 50] {
                for entries in [50, 500] { try await reload(feeds: 200, entries: entries, latency: latency) }
            }
            try await rules()
            try await lists()
        } catch {
            print("feeds: \(error)")
        }
    }

    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .seconds(1)
    }

    private static func parsing() {
        let document = Array(feed(1, entries: 2000).utf8)
        let size = Double(document.count) / 1e6
        let ours = (0..<5).map { _ in seconds { _ = try? FeedParser.parse(document) } }.min() ?? .nan
        let bare = (0..<5).map { _ in seconds { readBare(document) } }.min() ?? .nan
        print(
            "parsing: \(format(size / ours)) MB/s into values, \(format(size / bare)) MB/s for libxml2's SAX with nothing behind it"
        )
    }

    /// Parses the document with libxml2 and handlers that do nothing.
    private static func readBare(_ bytes: [UInt8]) {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.startElementNs = { _, _, _, _, _, _, _, _, _ in }
        sax.endElementNs = { _, _, _, _ in }
        sax.characters = { _, _, _ in }
        sax.cdataBlock = sax.characters
        bytes.withUnsafeBytes { raw in
            let text = raw.bindMemory(to: CChar.self)
            _ = xmlSAXUserParseMemory(&sax, nil, text.baseAddress, Int32(text.count))
        }
    }

    private static func reload(feeds: Int, entries: Int, latency: Int) async throws {
        let documents = (0..<feeds).map { Array(feed($0, entries: entries).utf8) }
        let server = try LoopbackServer { request in
            let number = Int(request.path.dropFirst()) ?? 0
            if request.headers["if-none-match"] != nil { return .init(304, delay: latency) }
            return .init(200, headers: ["ETag": "\"\(number)\""], body: documents[number], delay: latency)
        }
        defer { server.stop() }
        let folder = try Workload.folder("reload")
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: folder.appendingPathComponent("l.sqlite").path)
        // A host of its own for each feed, because few requests at once go to one host.
        let new = (0..<feeds).map { number in
            NewSubscription(url: server.url("/\(number)").replacing("127.0.0.1", with: "feed-\(number).localhost"))
        }
        try await library.changes.perform(.subscribe(new, now: 1))
        let service = ReloadService(library: library)
        func measure() async throws -> Double {
            try await ContinuousClock().measure { try await service.reload { _ in } } / .seconds(1)
        }
        let cold = try await measure()
        let unchanged = try await measure()
        var line =
            "reload \(feeds) x \(entries) at \(latency) ms: cold \(format(cold)) s, unchanged \(format(unchanged)) s"
        if latency == 0 { line += try await engine(library, entries: feeds * entries) }
        print(line)
    }

    private static let queries = [
        "gravel summit", "gra*", "gravel or bidon", "gravel -summit", "title:gravel", "feed:\"Feed 7\"",
        "feed:\"Feed 7\" not gravel", "is:unread age:<30d gravel", "link:199/499", "length:>1m title:sprint",
        "(title:rosa or title:tokyo) after:2026-01-01", "has:link valley", "has:audio", "lang:en", "tag:none",
        "title:/gravel \\d/",
    ]

    /// Measures the library with a number of entries.
    private static func engine(_ library: Library, entries: Int) async throws -> String {
        let start = ContinuousClock.now
        while try await library.changes.perform(IndexSome()).count > 0 {}
        let indexing = start.duration(to: .now) / .seconds(1)
        // The first page of each query form.
        let forms = try queries.map { text in
            let query = try SearchQuery(text)
            let times = try (0..<5).map { _ in
                try seconds { _ = try library.search.hits(for: query, byRelevance: false, limit: 30) } * 1000
            }
            return "\(text) \(format(median(times)))"
        }
        let begin = ContinuousClock.now
        let last = try library.entries.lastID()
        try await library.changes.perform(.markAll(.read, true, .all, upTo: last, mergesDuplicates: false, now: 1))
        let marking = begin.duration(to: .now) / .milliseconds(1)
        return
            "; index of \(entries) entries \(format(indexing)) s, all marked read \(format(marking)) ms; "
            + "first page of a search in ms: \(forms.joined(separator: "; "))"
    }

    /// Measures 100 rules with 50 new feeds of 200 entries, compared to a reload without rules. Both fill the index.
    private static func rules() async throws {
        let documents = (0..<50).map { Array(feed($0, entries: 200).utf8) }
        let server = try LoopbackServer { request in .init(200, body: documents[Int(request.path.dropFirst()) ?? 0]) }
        defer { server.stop() }
        let queries = [
            "title:gravel%", "summit% valley", "link:199/49%", "feed:\"Feed 7\" title:rosa", "author:ann% or lang:d%",
        ]
        let all = try (0..<100).map { number in
            let text = queries[number % queries.count].replacing("%", with: "\(number)")
            return Rule(name: "\(number)", when: try SearchQuery(text), then: [.mark(.read)])
        }
        var times: [[Double]] = [[], []]
        for _ in 0..<3 {
            for (index, rules) in [[], all].enumerated() {
                let folder = try Workload.folder("rules")
                defer { try? FileManager.default.removeItem(at: folder) }
                let library = try Library(path: folder.appendingPathComponent("l.sqlite").path)
                library.rules = rules
                let new = (0..<50).map { NewSubscription(url: server.url("/\($0)")) }
                try await library.changes.perform(.subscribe(new, now: 1))
                let start = ContinuousClock.now
                try await ReloadService(library: library).reload { _ in }
                while try await library.changes.perform(IndexSome()).count > 0 {}
                times[index].append(start.duration(to: .now) / .seconds(1))
            }
        }
        let (without, with) = (median(times[0]), median(times[1]))
        print(
            "100 rules on 50 x 200 new entries: \(format(with)) s, without \(format(without)) s, "
                + "that is \(format((with / without - 1) * 100)) % more")
    }

    private static func lists() async throws {
        let listed = (0..<2000).map {
            ListedSubscription(url: "https://example.org/\($0)", title: "Feed \($0)", folder: "Folder \($0 % 20)")
        }
        let text = OPMLWriter.write(listed, title: "bench", date: "now")
        let library = try Library(path: nil)
        let begin = ContinuousClock.now
        let list = try SubscriptionListReader.read(Array(text.utf8)).subscriptions
        try await library.changes.perform(.subscribe(list.map { NewSubscription($0) }, now: 1))
        print("OPML of 2000 read and followed: \(format(begin.duration(to: .now) / .milliseconds(1))) ms")
        var track = "<gpx><trk><trkseg>"
        for index in 0..<100_000 {
            let height = 500 + 400 * sin(Double(index) / 5000)
            track += "<trkpt lat=\"\(45 + Double(index) / 100_000)\" lon=\"11\"><ele>\(height)</ele></trkpt>"
        }
        let bytes = Array((track + "</trkseg></trk></gpx>").utf8)
        let reading = try seconds { _ = StageProfile(try TrackReader.read(bytes)) }
        print("GPX of 100000 points to a profile: \(format(reading * 1000)) ms")
    }
}
