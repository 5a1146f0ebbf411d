import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

@Suite(.timeLimit(.minutes(10))) struct ReloadServiceTests {
    @Test func FEE_03_reportsEveryFeedByItself() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/good":
                request.headers["if-none-match"] == "e"
                    ? .init(304)
                    : .init(
                        "<rss><channel><item><title>a</title><guid>1</guid></item></channel></rss>",
                        headers: ["ETag": "e"])
            case "/page": .init("<html><body>hello</body></html>", type: "text/html")
            case "/empty": .init("")
            case "/cut": .init("<rss><channel><title>C</title><item><title>x</title><guid>9</guid></item><item><ti")
            default: .init(404)
            }
        }
        let library = try Library(path: nil)
        for path in ["/good", "/page", "/empty", "/cut", "/gone"] {
            try await library.follow(server.url(path))
        }
        let service = ReloadService(library: library)
        try await service.reload { _ in }
        let rows = try library.feeds.all()
        #expect(
            rows.map(\.error) == [
                nil, "this is a web page, not a feed", "the document is empty", nil, "not found (404)",
            ])
        #expect(rows.map(\.total) == [1, 0, 0, 1, 0])
        let unchanged = Mutex(0)
        try await service.reload([rows[0]]) { outcome in
            if case .unchanged = outcome.result { unchanged.withLock { $0 += 1 } }
        }
        #expect(unchanged.withLock { $0 } == 1)
        #expect(server.requests.last?.headers["if-none-match"] == "e")
    }

    @Test func sendsAndRenewsValidators() async throws {
        // Each answer has its own validator; the last one isn't requested again.
        let server = try LoopbackServer { request in
            switch request.headers["if-none-match"] {
            case nil: .init(ReloadServiceTests.feed, headers: ["ETag": "1", "Last-Modified": "first"])
            case "1": .init(ReloadServiceTests.feed, headers: ["ETag": "2", "Last-Modified": "second"])
            case "2": .init(304, headers: ["ETag": "3"])
            default: .init(500)
            }
        }
        let library = try await Library.following(server.url("/")).library
        let service = ReloadService(library: library)
        for _ in 0..<3 { try await service.reload(reason: .insisting) { _ in } }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "1", "2"])
        #expect(server.requests.map { $0.headers["if-modified-since"] } == [nil, "first", "second"])
    }

    /// Returns a library in a file with three feeds of a server.
    private func threeFeeds() async throws -> (LoopbackServer, TemporaryFolder, Library) {
        let server = try LoopbackServer { _ in .init(ReloadServiceTests.feed) }
        let folder = TemporaryFolder()
        let library = try Library(path: folder.path("l.sqlite"))
        for path in ["/1", "/2", "/3"] { try await library.follow(server.url(path)) }
        return (server, folder, library)
    }

    /// The next document is fetched while one is parsed and stored, however long that takes.
    @Test func storingBlocksNoTransfer() async throws {
        let (server, folder, library) = try await threeFeeds()
        let other = try OtherProgram.lock(folder.path("l.sqlite"))
        async let reload: Void = ReloadService(library: library).reload(jobs: 1) { _ in }
        #expect(await eventually { server.requests.count >= 3 })
        #expect(Set(server.requests.map(\.path)) == ["/1", "/2", "/3"])
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await reload
        #expect(try library.feeds.all().map(\.total) == [1, 1, 1])
    }

    /// While many bytes wait to be parsed, feeds start one after the other, and all of them do.
    @Test func fetchesNothingMoreWhileDocumentsWait() async throws {
        let (server, folder, library) = try await threeFeeds()
        let service = ReloadService(library: library)
        // As if another reload had fetched large documents.
        service.waitingBytes.withLock { $0 = 4 << 20 }
        let other = try OtherProgram.lock(folder.path("l.sqlite"))
        async let reload: Void = service.reload(jobs: 1) { _ in }
        #expect(await eventually { library.changes.pending > 0 })
        try await Task.sleep(for: .milliseconds(200))
        #expect(server.requests.map(\.path) == ["/1"])
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await reload
        #expect(try library.feeds.all().map(\.total) == [1, 1, 1])
    }

    private static let feed = "<rss><channel><ttl>60</ttl><item><title>a</title><guid>1</guid></item></channel></rss>"

    @Test func obeysServers() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/gone": .init(410)
            case "/busy": .init(503, headers: ["Retry-After": "600"])
            case "/moved": .init(301, headers: ["Location": "/new"])
            default: .init(ReloadServiceTests.feed)
            }
        }
        let library = try Library(path: nil)
        for path in ["/gone", "/busy", "/moved", "/plain"] { try await library.follow(server.url(path)) }
        let clock = Mutex<Instant>(1_790_000_000)
        let service = ReloadService(library: library, clock: { clock.withLock { $0 } })
        try await service.reload { _ in }
        #expect(server.requests.count == 5)
        #expect(try library.feeds.all().map(\.url)[2] == server.url("/new"))
        #expect(try library.feeds.health(of: 3)?.previousURL == server.url("/moved"))
        #expect(try library.feeds.health(of: 1)?.isGone == true)
        // Reload everything: deleted feeds and those that asked to wait are skipped; a moved feed is fetched again.
        try await service.reload { _ in }
        #expect(Set(server.requests.dropFirst(5).map(\.path)) == ["/new", "/plain"])
        // The timer also respects the feeds' own intervals.
        try await service.reload(reason: .timer) { _ in }
        #expect(server.requests.count == 7)
        clock.withLock { $0 += 3601 }
        try await service.reload(reason: .timer) { _ in }
        #expect(Set(server.requests.dropFirst(7).map(\.path)) == ["/busy", "/new", "/plain"])
        try await service.reload([library.feeds.all()[0]], reason: .insisting) { _ in }
        #expect(server.requests.last?.path == "/gone")
        let count = server.requests.count
        try await service.reload([library.feeds.all()[1]], reason: .insisting) { _ in }
        #expect(server.requests.count == count, "a server's wait also holds for a single feed")
    }

    @Test func stopsOneFeedAndContinuesOthers() async throws {
        let server = try LoopbackServer { request in
            request.path == "/slow"
                ? .init(200, body: Array(ReloadServiceTests.feed.utf8), delay: 20_000) : .init(ReloadServiceTests.feed)
        }
        let (library, slow) = try await Library.following(server.url("/slow"))
        for path in ["/a", "/b"] { try await library.follow(server.url(path)) }
        let service = ReloadService(library: library)
        let heldBack = Mutex<[String]>([])
        try await service.reload { subscription in
            guard subscription.id == slow else { return }
            Task {
                await server.wait(for: "/slow")
                service.cancel(slow)
            }
        } report: { outcome in
            if case .heldBack(let reason) = outcome.result { heldBack.withLock { $0.append(reason) } }
        }
        #expect(heldBack.withLock { $0 } == ["stopped"])
        #expect(try library.feeds.all().map(\.total) == [0, 1, 1])
        #expect(try library.feeds.all()[0].error == nil)
    }

    @Test func reportsAndStopsQueuedFeeds() async throws {
        let server = try LoopbackServer { request in
            .init(200, body: Array(ReloadServiceTests.feed.utf8), delay: request.path == "/1" ? 0 : 20_000)
        }
        let library = try Library(path: nil)
        for number in 1...2 { try await library.follow(server.url("/\(number)")) }
        let service = ReloadService(library: library)
        let begun = Mutex<[String]>([])
        let results = Mutex<[String]>([])
        // With one job, the second feed starts after the first.
        try await service.reload(jobs: 1) { row in
            begun.withLock { $0.append(row.url) }
            if row.url == server.url("/2") {
                Task {
                    await server.wait(for: "/2")
                    service.cancel(row.id)
                }
            }
        } report: { outcome in
            results.withLock { $0.append("\(outcome.result)") }
        }
        #expect(begun.withLock { $0 } == [server.url("/1"), server.url("/2")])
        // The first feed may still be in the library's queue when the second is stopped.
        #expect(results.withLock { $0.count { $0.contains("stopped") } } == 1)
    }

    @Test func fetchesAFeedWithItsHeaders() async throws {
        let server = try LoopbackServer { request in
            request.headers["cookie"] == "a=b" ? .init(ReloadServiceTests.feed) : .init(403)
        }
        let (library, id) = try await Library.following(server.url("/"))
        let service = ReloadService(library: library)
        try await service.reload { _ in }
        #expect(try library.feeds.feed(id)?.error == "access denied (403)")
        try await library.changes.perform(.setHeaders(id, ["Cookie: a=b"]))
        try await service.reload { _ in }
        #expect(try library.feeds.feed(id)?.total == 1)
    }

    @Test func discoversFeeds() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/feed.xml", "/blog/feed": .init(ReloadServiceTests.feed)
            case "/":
                .init(
                    "<html><head><link rel=alternate type='application/rss+xml' href='/feed.xml' title='A &amp; B'>",
                    type: "text/html")
            case "/two":
                .init(
                    "<html><head><base href='/blog/'><link rel='alternate' type='application/atom+xml' href='one'>"
                        + "<LINK REL=\"Alternate\" TYPE='application/feed+json' HREF='two'></head>", type: "text/html")
            case "/links":
                .init("<html><body><a href='/page'>x</a><a href='/blog/feed'>RSS</a></body></html>", type: "text/html")
            case "/none": .init("<html><body><a href='/page'>x</a></body></html>", type: "text/html")
            default: .init(404)
            }
        }
        let discovery = FeedDiscovery()
        guard case .feed(let url, _, _) = try await discovery.look(at: server.url("/feed.xml")) else {
            Issue.record("no feed")
            return
        }
        #expect(url == server.url("/feed.xml"))
        func links(_ path: String) async throws -> [String] {
            guard case .page(let links) = try await discovery.look(at: server.url(path)) else { return [] }
            return links.map(\.url)
        }
        #expect(try await links("/") == [server.url("/feed.xml")])
        #expect(try await links("/two") == [server.url("/blog/one"), server.url("/blog/two")])
        #expect(try await links("/links") == [server.url("/blog/feed")])
        guard case .feed(let usual, _, _) = try await discovery.look(at: server.url("/none")) else {
            Issue.record("no feed at the usual places")
            return
        }
        #expect(usual == server.url("/feed.xml"))
        let failure = await #expect(throws: FeedDiscovery.Failure.self) {
            try await discovery.look(at: server.url("/404"))
        }
        #expect(failure?.description == "not found (404)")
    }

    @Test func keepsEntriesAfterAFailure() async throws {
        let isBroken = Mutex(false)
        let server = try LoopbackServer { _ in
            isBroken.withLock { $0 }
                ? .init(500) : .init("<rss><channel><item><title>a</title><guid>1</guid></item></channel></rss>")
        }
        let library = try await Library.following(server.url("/")).library
        let service = ReloadService(library: library)
        try await service.reload { _ in }
        isBroken.withLock { $0 = true }
        try await service.reload { _ in }
        let row = try library.feeds.all()[0]
        #expect(row.total == 1)
        #expect(row.error == "server error (500)")
    }
}
