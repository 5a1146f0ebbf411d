import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import ModelCore
import RaceModel

/// Fills a new library with the bundled races, the guide and two feeds.
enum FirstStart {
    private static let feeds = [
        ("https://www.appcoda.com/feed/", "AppCoda"), ("https://useyourloaf.com/blog/rss.xml", "Use Your Loaf"),
    ]

    static var feedAddresses: Set<String> { Set(feeds.map(\.0)) }

    /// Adds the initial content once. What the user removes doesn't return.
    ///
    /// - Parameter withFeeds: Whether to add the guide and feeds too, unless others were added before.
    /// - Returns: Whether nothing but commands that add feeds has opened the library before.
    @discardableResult
    static func prepare(_ library: Library, withFeeds: Bool) throws -> Bool {
        let isWithoutFeeds = try library.isWithout(.feeds)
        if isWithoutFeeds, try library.isWithout(.races) {
            if let assets = FileLocations.assets { try addRaces(assets, to: library) }
            try library.carryOut(MarkPrepared(.races))
        }
        guard withFeeds, isWithoutFeeds else { return isWithoutFeeds }
        if try library.feeds.all().isEmpty, try !library.accounts.hasAny() {
            if let assets = FileLocations.assets { try addGuide(assets, to: library) }
            let now = Instant.now
            try library.carryOut(.subscribe(feeds.map { NewSubscription(url: $0.0, title: $0.1) }, now: now))
        }
        try library.carryOut(MarkPrepared(.feeds))
        return true
    }

    private static func addRaces(_ assets: URL, to library: Library) throws {
        let directory = assets.appendingPathComponent("races")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        for file in files where file.hasSuffix(".json") {
            let data = try UserFile.read(directory.appendingPathComponent(file).path, isFound: true)
            try library.carryOut(.storeRace(try RaceFile.read(data), isBundled: true))
        }
    }

    /// Adds the guide, which is read from its file now and at each reload, without a network.
    private static func addGuide(_ assets: URL, to library: Library) throws {
        let file = assets.appendingPathComponent("feeds/welcome.atom")
        guard let data = PrivateFile.contents(file.path) else { return }
        let now = Instant.now
        let receipt = try library.carryOut(.subscribe([NewSubscription(url: file.absoluteString)], now: now))
        guard let id = receipt.subscriptions.first?.id else { return }
        let reading = try FeedParser.parse(Array(data), base: file.absoluteString)
        try library.carryOut(StoreFeed(PreparedFeed(reading.feed, record: FetchRecord(date: now)), in: id))
    }
}
