import FeedParsing
import Foundation
import ModelCore

/// Fills a new library: the race that comes with the program, a guide, and two feeds to begin with.
enum FirstStart {
    private static let feeds = [
        ("https://www.appcoda.com/feed/", "AppCoda"), ("https://useyourloaf.com/blog/rss.xml", "Use Your Loaf"),
    ]

    static func prepare(_ library: Library) throws {
        if let assets = FileLocations.assets {
            try addRaces(assets, to: library)
            try addGuide(assets, to: library)
        }
        for (url, title) in feeds { _ = try library.addSubscription(url: url, title: title) }
        try library.markPrepared()
    }

    private static func addRaces(_ assets: URL, to library: Library) throws {
        let directory = assets.appendingPathComponent("races")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        for file in files where file.hasSuffix(".json") {
            let data = try Data(contentsOf: directory.appendingPathComponent(file))
            try library.store(try RaceFile.read(data), isBundled: true)
        }
    }

    /// The guide is there at once, without a network: it is read from its file now and at each reload.
    private static func addGuide(_ assets: URL, to library: Library) throws {
        let file = assets.appendingPathComponent("feeds/welcome.atom")
        guard let data = FileManager.default.contents(atPath: file.path) else { return }
        let (id, _) = try library.addSubscription(url: file.absoluteString)
        let reading = try FeedParser.parse(Array(data), base: file.absoluteString)
        let now = Int64(Date().timeIntervalSince1970)
        try runBlocking { _ = try await library.store(reading.feed, in: id, record: FetchRecord(date: now)) }
    }
}
