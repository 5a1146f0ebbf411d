import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What reading stores in the library: full texts, previous texts, reading positions, saved pages, and feed options.
@Suite(.timeLimit(.minutes(10))) struct ReadingTests {
    private static func feed(_ items: [(guid: String, html: String)], at base: String = "https://a.example") -> String {
        let entries = items.map { item in
            "<item><guid>\(item.guid)</guid><title>Entry \(item.guid)</title><link>\(base)/\(item.guid)</link>"
                + "<pubDate>Sun, 09 May 2010 1\(item.guid.count):00:00 GMT</pubDate><description><![CDATA[\(item.html)]]></description></item>"
        }
        return "<rss><channel><title>F</title>\(entries.joined())</channel></rss>"
    }

    private static func store(_ text: String, _ library: Library, _ id: FeedID, at date: Instant) async throws
        -> StoredChanges
    {
        let reading = try FeedParser.parse(Array(text.utf8), base: "https://a.example/")
        return try await library.store(reading.feed, in: id, record: FetchRecord(date: date))
    }

    private static func only(_ library: Library) throws -> EntryDetail {
        let row = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        return try #require(try library.entries.detail(of: row.id))
    }

    @Test func keepsThePreviousTextAndIgnoresMarkup() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        _ = try await Self.store(Self.feed([("1", "<p>One two three</p>")]), library, id, at: 1_300_000_000)
        let same = try await Self.store(
            Self.feed([("1", "<div>One <b>two</b> three<img src='https://t.example/?x=1'></div>")]), library, id,
            at: 1_300_000_100)
        let unchanged = try Self.only(library)
        #expect(same == StoredChanges() && unchanged.dates.previous == nil)
        // The new markup is shown anyway.
        #expect(try Self.only(library).html?.contains("<b>") == true)
        let other = try await Self.store(
            Self.feed([("1", "<p>One four three five</p>")]), library, id, at: 1_300_000_200)
        let previous = try #require(try Self.only(library).dates.previous)
        #expect(other.updated == 1 && previous.came == 2 && previous.went == 1 && previous.replaced == 1_300_000_200)
        #expect(previous.html?.contains("two") == true)
        // It survives deletion and undo.
        let entry = try Self.only(library)
        let receipt = try await library.changes.perform(.delete(entries: [entry.id], now: 2))
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 1).isEmpty)
        try await library.changes.perform(.undo(receipt.id))
        #expect(try Self.only(library).dates.previous == previous)
    }

    @Test func marksChangedEntriesUnreadWhereWanted() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        for isWanted in [false, true] {
            var options = SubscriptionOptions()
            options.marksChangedUnread = isWanted
            try await library.changes.perform(.setOptions(id, options))
            _ = try await Self.store(Self.feed([("1", "<p>First \(isWanted).</p>")]), library, id, at: 1_300_000_000)
            let entry = try Self.only(library)
            try await library.changes.perform(.mark(.read, true, entries: [entry.id], wholeStories: false, now: 5))
            _ = try await Self.store(Self.feed([("1", "<p>Second \(isWanted).</p>")]), library, id, at: 1_300_000_100)
            #expect(try Self.only(library).isRead != isWanted)
        }
    }

    @Test func marksOldEntriesAsRead() async throws {
        let library = try Library(path: nil)
        let day: Int64 = 86_400
        let now: Instant = 1_300_000_000
        var ids: [FeedID] = []
        for name in ["a", "b"] {
            let id = try await library.follow("https://\(name).example/feed")
            let entries = ["1", "2", "3", "4"].map { ("\(name)\($0)", "<p>\($0)</p>") }
            _ = try await Self.store(Self.feed(entries), library, id, at: now)
            ids.append(id)
        }
        let feed = ids[0]
        let rows = try library.entries.rows(in: EntryQuery(.subscription(feed), mergesDuplicates: false), limit: 9)
        for (mark, row) in [(EntryMark.starred, rows[0]), (.later, rows[1])] {
            try await library.changes.perform(.mark(mark, true, entries: [row.id], wholeStories: false, now: now))
        }
        func unread() throws -> [Int] {
            try ids.map { id in try library.feeds.all().first { $0.id == id }?.unread ?? 0 }
        }
        var options = SubscriptionOptions()
        options.readAfterDays = 3
        try await library.changes.perform(.setOptions(feed, options))
        // Three days to the second are not enough.
        try await library.changes.perform(Change(MarkOldRead(now: now + 3 * day)))
        #expect(try unread() == [4, 4])
        let change = Change(MarkOldRead(now: now + 3 * day + 1))
        let receipt = try await library.changes.perform(change)
        #expect(try receipt.count == 2 && unread() == [2, 4])
        #expect(try await library.changes.perform(Change(MarkOldRead(now: now + 9 * day))).count == 0)
        _ = try await library.undo(receipt)
        #expect(try unread() == [4, 4])
    }

    @Test func storesOnlyChangedFeedOptions() throws {
        let kept: [(inout SubscriptionOptions) -> Void] = [
            { $0.fullText = true }, { $0.isUncounted = true }, { $0.dailyLimit = 3 }, { $0.interval = 7 },
            { $0.showsPictures = false }, { $0.marksChangedUnread = true }, { $0.isHidden = true },
            { $0.readAfterDays = 3 }, { $0.notifies = true },
        ]
        for change in kept {
            var options = SubscriptionOptions()
            change(&options)
            #expect(options != SubscriptionOptions() && SubscriptionOptions(stored: options.stored) == options)
        }
        #expect(SubscriptionOptions().stored == nil && SubscriptionOptions(stored: nil) == SubscriptionOptions())
        // Options stored by a later version, and invalid ones.
        #expect(SubscriptionOptions(stored: "{\"isHidden\": true, \"new\": 1}").isHidden)
        #expect(SubscriptionOptions(stored: "{") == SubscriptionOptions())
    }

    @Test func aQuietFeedNeverNotifies() async throws {
        let (library, loud) = try await Library.following("https://a.example/feed")
        let other = try await library.follow("https://b.example/feed")
        for id in [loud, other] {
            _ = try await Self.store(Self.feed([("1", "a"), ("22", "b")]), library, id, at: 1_300_000_000)
        }
        var options = SubscriptionOptions()
        options.isUncounted = true
        let receipt = try await library.changes.perform(.setOptions(loud, options))
        #expect(try library.feeds.options(of: loud) == options)
        #expect(try library.feeds.unreadCount() == 2 && library.feeds.all().map(\.unread) == [0, 2])
        let unread = EntryScope.unread(keepingReadSince: 10)
        #expect(
            try library.entries.count(in: EntryQuery(unread)) == 2
                && library.entries.rows(in: EntryQuery(unread), limit: 9).allSatisfy { $0.subscriptionID == other })
        #expect(try library.entries.rows(in: EntryQuery(.subscription(loud)), limit: 9).count == 2)
        try await library.changes.perform(.undo(receipt.id))
        #expect(try library.feeds.unreadCount() == 4 && library.feeds.options(of: loud) == SubscriptionOptions())
    }

    @Test func marksExcessOfBusyFeedsRead() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        var options = SubscriptionOptions()
        options.dailyLimit = 2
        try await library.changes.perform(.setOptions(id, options))
        _ = try await Self.store(
            Self.feed([("1", "a"), ("22", "b"), ("333", "c"), ("4444", "d")]), library, id, at: 1_300_000_000)
        #expect(try library.feeds.unreadCount() == 2 && library.entries.rows(in: EntryQuery(.all), limit: 9).count == 4)
    }

    @Test func fetchesAndIndexesFullTextsOnce() async throws {
        let sentence = "The peloton crossed the mountain in the rain, and nobody was seen to complain about it at all. "
        let server = try LoopbackServer { request in
            switch request.path {
            case "/feed":
                .init(
                    ReadingTests.feed(
                        [("1", "Short."), ("22", "Short too.")], at: "http://\(request.headers["host"] ?? "")"))
            case "/1":
                .init(
                    "<html><body><article>" + String(repeating: "<p>\(sentence)</p>", count: 5)
                        + "<a rel=next href='/1/2'>2</a></article></body></html>", type: "text/html")
            case "/1/2":
                .init(
                    "<html><body><article>" + String(repeating: "<p>Velodrome. \(sentence)</p>", count: 5)
                        + "</article></body></html>", type: "text/html")
            case "/22": .init("<html><body></body></html>", type: "text/html")
            default: .init(404)
            }
        }
        let (library, id) = try await Library.following(server.url("/feed"))
        var options = SubscriptionOptions()
        options.fullText = true
        try await library.changes.perform(.setOptions(id, options))
        let service = ReloadService(library: library)
        try await service.reload { _ in }
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 9).compactMap {
            try library.entries.detail(of: $0.id)
        }
        let full = try #require(entries.first { $0.title == "Entry 1" })
        #expect(full.ownHTML?.contains("peloton") == true && full.ownHTML?.contains("Velodrome") == true)
        // A page without an article keeps the feed's text, and isn't requested again.
        #expect(
            entries.first { $0.title == "Entry 22" }.map { $0.fullHTML == "" && $0.ownHTML == "Short too." } == true)
        let asked = server.requests.count
        try await service.reload { _ in }
        #expect(server.requests.count == asked + 1)
        while try await library.changes.perform(IndexSome()).count > 0 {}
        let query = try SearchQuery("velodrome")
        #expect(try library.entries.rows(in: EntryQuery(.search(query)), limit: 9).map(\.id) == [full.id])
    }

    @Test func savesAPageOnceAndUndoesIt() async throws {
        let library = try Library(path: nil)
        let page = SavedPage(
            url: "https://a.example/x", title: "Saved", author: "A", html: "<p>Text</p>", date: "2010-05-09")
        let receipt = try await library.changes.perform(.savePage(page, now: 1_300_000_000))
        let again = try await library.changes.perform(.savePage(page, now: 1_300_000_001))
        #expect(receipt.count == 1 && again.count == 0)
        let entry = try Self.only(library)
        #expect(entry.feedTitle == "Saved pages" && entry.html == "<p>Text</p>")
        #expect(entry.dates.publishedText == "2010-05-09")
        #expect(try library.entries.rows(in: EntryQuery(.later), limit: 9).count == 1)
        #expect(try LibraryCheck.run(library) == [])
        // It is no feed: it is neither fetched nor exported, and its links open the page.
        #expect(try library.feeds.all().map(\.isFeed) == [false] && library.feeds.list().isEmpty)
        #expect(try library.entries.id(ofPageAt: "http://www.a.example/x?utm_source=y") == entry.id)
        try await library.changes.perform(.undo(receipt.id))
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 9).isEmpty && LibraryCheck.run(library).isEmpty)
    }

    @Test func keepsAReadingPosition() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        _ = try await Self.store(Self.feed([("1", "a")]), library, id, at: 1_300_000_000)
        let entry = try Self.only(library)
        #expect(entry.place == nil)
        try await library.changes.perform(.storeReadingPosition(entry.id, "12:340"))
        #expect(try Self.only(library).place == "12:340")
    }

    @Test(arguments: [
        ("https://a.example/x", true), ("https://a.example/", true), ("https://a.example/x.html", true),
        ("https://a.example/x.MP3?y=1", false), ("ftp://a.example/x", false), ("https://a.example/v1.2/x", true),
    ])
    func recognizesPossiblePages(url: String, isPage: Bool) { #expect(PageService.mayBePage(url) == isPage) }

    /// A response that the server doesn't declare as text is no page, whatever it contains.
    @Test(arguments: [
        ("text/html; charset=utf-8", nil), ("application/xhtml+xml", nil), ("text/plain", nil), ("", nil),
        ("application/xml", nil),
        ("image/png", "this isn't a web page but image/png"),
        ("application/json", "this isn't a web page but application/json"),
    ]) func recognizesPages(type: String, problem: String?) async throws {
        let server = try LoopbackServer { _ in .init("<p>One</p>", type: type) }
        do throws(PageService.Failure) {
            let page = try await PageService().fetch(server.url("/"), ownHost: TrustedHost.of(server.url("/")))
            #expect(problem == nil && page.html == "<p>One</p>")
        } catch {
            #expect(error.description == problem)
        }
    }
}
