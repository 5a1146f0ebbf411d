import FeedParsing
import Foundation
import ModelCore

/// Fills a new library: the race that comes with the program, a guide, and two feeds to begin with.
enum FirstStart {
    private static let feeds = [
        ("https://www.appcoda.com/feed/", "AppCoda"), ("https://useyourloaf.com/blog/rss.xml", "Use Your Loaf"),
    ]

    /// Brings the races, once: those that were removed do not come back.
    static func prepareRaces(_ library: Library) throws {
        guard try library.isWithout(.races), try library.isWithout(.feeds) else { return }
        if let assets = FileLocations.assets { try addRaces(assets, to: library) }
        try library.carryOut(.markPrepared(.races))
    }

    /// Brings the guide and the feeds to begin with, where a dashboard starts with nothing: who has added or imported feeds before has
    /// what they want.
    ///
    /// - Returns: Whether it is the first start.
    static func prepareFeeds(_ library: Library) throws -> Bool {
        guard library.readOnlyReason == nil, try library.isWithout(.feeds) else { return false }
        guard try library.subscriptions().isEmpty, try library.accounts(now: 0).isEmpty else {
            try library.carryOut(.markPrepared(.feeds))
            return false
        }
        if let assets = FileLocations.assets { try addGuide(assets, to: library) }
        let now = Int64(Date().timeIntervalSince1970)
        try library.carryOut(.subscribe(feeds.map { NewSubscription(url: $0.0, title: $0.1) }, now: now))
        try library.carryOut(.markPrepared(.feeds))
        return true
    }

    private static func addRaces(_ assets: URL, to library: Library) throws {
        let directory = assets.appendingPathComponent("races")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        for file in files where file.hasSuffix(".json") {
            let data = try Data(contentsOf: directory.appendingPathComponent(file))
            try library.carryOut(.storeRace(try RaceFile.read(data), isBundled: true))
        }
    }

    /// The guide is there at once, without a network: it is read from its file now and at each reload.
    private static func addGuide(_ assets: URL, to library: Library) throws {
        let file = assets.appendingPathComponent("feeds/welcome.atom")
        guard let data = FileManager.default.contents(atPath: file.path) else { return }
        let now = Int64(Date().timeIntervalSince1970)
        let receipt = try library.carryOut(.subscribe([NewSubscription(url: file.absoluteString)], now: now))
        guard let id = receipt.subscriptions.first?.id else { return }
        let reading = try FeedParser.parse(Array(data), base: file.absoluteString)
        try library.carryOut(.storeFeed(PreparedFeed(reading.feed, record: FetchRecord(date: now)), in: id))
    }
}
