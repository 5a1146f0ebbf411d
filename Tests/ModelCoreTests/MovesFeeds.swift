import CommonTesting
import FeedParsing
import Fetching
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Feeds that move to other addresses, which other feeds may have already.
@Suite struct MovesFeeds {
    private let library: Library

    init() throws { library = try Library(path: nil) }

    private static func item(_ number: Int, _ more: String = "") -> String {
        "<item><title>E\(number)</title><guid isPermaLink='false'>e\(number)</guid>"
            + "<link>https://s.example/\(number)</link>\(more)</item>"
    }

    private static func rss(_ title: String, _ items: String, head: String = "") -> String {
        "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>\(title)</title>"
            + "\(head)\(items)</channel></rss>"
    }

    private func reload(_ service: ReloadService) async throws -> [ReloadOutcome] {
        let outcomes = Mutex<[ReloadOutcome]>([])
        try await service.reload(reason: .insisting) { outcome in outcomes.withLock { $0.append(outcome) } }
        return outcomes.withLock { $0 }.sorted { $0.subscription.id < $1.subscription.id }
    }

    private func entries(_ feed: FeedID) throws -> [EntryRow] {
        try library.entries.rows(in: EntryQuery(.subscription(feed)), limit: 99).sorted { $0.title < $1.title }
    }

    /// The status of the answers for the first address.
    private final class Status: Sendable {
        private let current: Mutex<Int>
        var value: Int {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }

        init(_ value: Int) { current = Mutex(value) }
    }

    /// A server with two addresses of a feed, the first of which redirects to the second once it is told to.
    private func movingServer(_ status: Status) throws -> LoopbackServer {
        try LoopbackServer { request in
            if request.path == "/old", status.value != 200 {
                return .init(status.value, headers: ["Location": "/new"])
            }
            let items = request.path == "/old" ? [1, 2, 3] : [2, 3, 4]
            return .init(MovesFeeds.rss(request.path, items.map { MovesFeeds.item($0) }.joined()))
        }
    }

    /// A feed also moves when its document hasn't changed, so that later reloads cost one request.
    @Test func movesWithoutANewDocument() async throws {
        let status = Status(200)
        let server = try LoopbackServer { request in
            if request.path == "/old", status.value != 200 {
                return .init(status.value, headers: ["Location": "/new"])
            }
            if request.headers["if-none-match"] != nil { return .init(304) }
            return .init(MovesFeeds.rss("Feed", MovesFeeds.item(1)), headers: ["ETag": "1"])
        }
        try await library.follow(server.url("/old"))
        let service = ReloadService(library: library)
        for answer in [200, 301, 301] {
            status.value = answer
            _ = try await reload(service)
        }
        #expect(server.requests.map(\.path) == ["/old", "/old", "/new", "/new"])
    }

    /// The second permanent redirect in a row to a feed that is followed already merges the two with marks, tags and
    /// reading positions. Undone, both are as they were, and stay separate.
    @Test(arguments: [301, 308]) func mergesFeedsThatBecomeOne(permanent: Int) async throws {
        let status = Status(200)
        let server = try movingServer(status)
        let (old, new) = (
            try await library.follow(server.url("/old")), try await library.follow(server.url("/new"))
        )
        let service = ReloadService(library: library)
        _ = try await reload(service)
        let (own, others) = (try entries(old), try entries(new))
        #expect(own.map(\.title) == ["E1", "E2", "E3"] && others.map(\.title) == ["E2", "E3", "E4"])
        try await library.setMark(.starred, true, entries: [own[1].id], now: 1)
        try await library.setMark(.read, true, entries: [own[2].id, others[0].id], now: 7)
        for change in [
            Change.storeReadingPosition(own[1].id, "5"), .tagEntries([own[2].id], adding: ["t"], removing: []),
            .tag(old, ["x"]), .tag(new, ["y"]), .move(old, folder: "F"),
            .delete(entries: [own[0].id], now: .now),
        ] {
            try await library.changes.perform(change)
        }
        status.value = permanent
        #expect(try await reload(service).allSatisfy { $0.merge == nil })
        #expect(try library.feeds.all().map(\.id) == [old, new])
        #expect(try library.feeds.health(of: old)?.newAddress == server.url("/new"))
        let before = try LibraryPicture.tables(of: library)

        let merge = try #require(try await reload(service).first?.merge)
        #expect(merge.sentence == "Merged two feeds named /new, which have one address now")
        #expect(merge.receipt.undo == "merging two feeds named /new")
        #expect(try library.feeds.all().map(\.id) == [new])
        let merged = try entries(new)
        #expect(merged.map(\.title) == ["E2", "E3", "E4"])
        #expect(merged.map(\.isStarred) == [true, false, false] && merged.map(\.isRead) == [true, true, false])
        #expect(try library.entries.detail(of: merged[0].id)?.place == "5")
        let tagged = try library.read { db in
            try String.fetchAll(
                db, sql: "SELECT tag FROM entry_tag WHERE entry_id = ?", arguments: [merged[1].id])
        }
        #expect(tagged == ["t"])
        #expect(try library.feeds.health(of: new)?.tags == ["x", "y"])
        #expect(try library.feeds.feed(new)?.folder == "F")
        // The previous address is known.
        let again = try await library.changes.perform(
            .subscribe([NewSubscription(url: server.url("/old"))], now: 9))
        #expect(again.subscriptions.map(\.id) == [new] && again.count == 0)
        #expect(try LibraryPicture.faults(of: library) == [])
        #expect(try LibraryPicture.tables(of: library)["deleted_entry"]?.first?.contains("e1") == true)

        try await library.undo(merge.receipt)
        let after = try LibraryPicture.tables(of: library)
        for table in ["entry", "entry_tag", "subscription_tag", "deleted_entry", "counter"] {
            #expect(after[table] == before[table], "\(table)")
        }
        #expect(try library.feeds.all().map(\.id) == [old, new] && library.feeds.feed(new)?.folder == nil)
        #expect(try LibraryPicture.faults(of: library) == [])
        for _ in 0..<3 { #expect(try await reload(service).allSatisfy { $0.merge == nil }) }
        #expect(try library.feeds.all().map(\.id) == [old, new])
    }

    /// A temporary redirect merges nothing, and one that ends starts the count again.
    @Test func mergesOnlyWhatLasts() async throws {
        let status = Status(302)
        let server = try movingServer(status)
        for path in ["/old", "/new"] { try await library.follow(server.url(path)) }
        let service = ReloadService(library: library)
        for next in [302, 302, 301, 200, 301, 302, 301] {
            status.value = next
            #expect(try await reload(service).allSatisfy { $0.merge == nil })
        }
        #expect(try library.feeds.all().count == 2)
        #expect(try await reload(service).first?.merge != nil)
    }

    /// An announced address is used on request, with what the feed has; its header lines go to no other server.
    @Test func usesNewAddressesOnRequest() async throws {
        let server = try LoopbackServer { request in
            let head = "<itunes:new-feed-url>https://b.example/feed</itunes:new-feed-url>"
            return .init(MovesFeeds.rss("F", MovesFeeds.item(1), head: request.path == "/plain" ? "" : head))
        }
        var new = NewSubscription(url: server.url("/a"), headers: ["X-Key: 1"])
        new.folder = "F"
        let feed = try #require(
            try await library.changes.perform(.subscribe([new], now: 1)).subscriptions.first?.id)
        _ = try await reload(ReloadService(library: library))
        #expect(try library.feeds.feed(feed)?.hasNewAddress == true)
        let address = try #require(try library.feeds.health(of: feed)?.newAddress)
        #expect(address == "https://b.example/feed")
        let before = try LibraryPicture.tables(of: library)
        let receipt = try await library.changes.perform(Change(MoveFeedAddress(feed, to: address)))
        let health = try #require(try library.feeds.health(of: feed))
        #expect(health.url == address && health.previousURL == server.url("/a") && health.newAddress == nil)
        #expect(try library.feeds.feed(feed)?.hasNewAddress == false && library.feeds.options(of: feed).isFromOutside)
        #expect(try library.feeds.requests(for: [feed])[feed]?.headers == [])
        #expect(try entries(feed).count == 1)
        try await library.undo(receipt)
        #expect(try LibraryPicture.tables(of: library)["subscription"] == before["subscription"])
    }

    /// An address that the user enters may be private and has its own header lines; one that somebody names may not.
    @Test func trustsAddressesThatTheUserEnters() async throws {
        let feed = try await library.follow("https://a.example/feed")
        try await library.changes.perform(Change(MoveFeedAddress(feed, to: "http://192.168.0.2/feed")))
        #expect(try library.feeds.options(of: feed).isFromOutside)
        try await library.changes.perform(
            Change(MoveFeedAddress(feed, to: "http://192.168.0.3/feed", typed: ["X-Key: 2"])))
        #expect(try !library.feeds.options(of: feed).isFromOutside)
        #expect(try library.feeds.requests(for: [feed])[feed]?.headers.isEmpty == false)
    }

    /// A document that stops announcing an address is believed.
    @Test func forgetsAddressesThatAreNoLongerAnnounced() async throws {
        let announces = Mutex(true)
        let server = try LoopbackServer { _ in
            let head = "<itunes:new-feed-url>https://b.example/feed</itunes:new-feed-url>"
            return .init(MovesFeeds.rss("F", MovesFeeds.item(1), head: announces.withLock { $0 } ? head : ""))
        }
        let feed = try await library.follow(server.url("/a"))
        for value in [true, false] {
            announces.withLock { $0 = value }
            _ = try await reload(ReloadService(library: library))
            #expect(try library.feeds.feed(feed)?.hasNewAddress == value)
        }
    }

    /// Spellings of an address are one feed, wherever they come from.
    @Test func followsSpellingsOnce() async throws {
        let spellings = [
            "http://A.Example:80/f", "http://a.example/f", "HTTP://a.example/f#top", "http://a.example:080/f",
        ]
        for url in spellings {
            try await library.changes.perform(.subscribe([NewSubscription(url: url)], now: 1))
        }
        try await library.changes.perform(.subscribe(spellings.map { NewSubscription(url: $0) }, now: 2))
        #expect(try library.feeds.all().map(\.url) == ["http://a.example/f"])
        let list = """
            <opml><body><outline text="A"><outline xmlUrl="feed:http://B.example:80/g"/></outline>
            <outline text="B"><outline xmlUrl="http://b.example/g"/></outline></body></opml>
            """
        let read = try SubscriptionFiles.read(Array(list.utf8)).list
        #expect(read.map(\.url) == ["http://b.example/g"] && read.first?.folder == "A" && read.first?.tags == ["B"])
    }

    /// A redirect moves a feed to no spelling of an address that another feed has.
    @Test func movesToNoSpellingOfAnother() async throws {
        let server = try LoopbackServer { request in
            request.path == "/old"
                ? .init(301, headers: ["Location": "/new#part"]) : .init(MovesFeeds.rss("F", MovesFeeds.item(1)))
        }
        for path in ["/old", "/new"] { try await library.follow(server.url(path)) }
        let service = ReloadService(library: library)
        _ = try await reload(service)
        #expect(try library.feeds.all().map(\.url) == [server.url("/old"), server.url("/new")])
        _ = try await reload(service)
        #expect(try library.feeds.all().map(\.url) == [server.url("/new")])
    }
}
