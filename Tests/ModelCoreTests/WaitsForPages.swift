import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Full texts of pages that can't be fetched: what is asked of their hosts while hours and days pass.
@Suite(.timeLimit(.minutes(10))) struct WaitsForPages {
    private static let hour: Int64 = 3600

    private final class Scene: Sendable {
        let clock = Mutex<Instant>(1_790_000_000)
        let library: Library
        let server: LoopbackServer
        let feed: FeedID

        /// A feed with entries of pages on one or several hosts, the first of which is the newest.
        init(_ pages: [String], _ answer: @escaping @Sendable (String) -> LoopbackServer.Answer?) async throws {
            let items = pages.enumerated().map { number, page in
                "<item><guid>\(number)</guid><title>E\(number)</title><link>\(page)</link>"
                    + "<pubDate>\(28 - number / 10) Jan 2010 \(10 + number % 10):00:00 GMT</pubDate></item>"
            }.joined()
            server = try LoopbackServer { request in
                if request.path == "/feed" { return .init("<rss><channel>\(items)</channel></rss>") }
                return answer(request.path) ?? WaitsForPages.page
            }
            library = try Library(path: nil)
            feed = try await library.follow(server.url("/feed"))
            var options = SubscriptionOptions()
            options.fullText = true
            try await library.changes.perform(.setOptions(feed, options))
        }

        /// Reloads the feed after a time, and returns the pages that were requested.
        func reload(after seconds: Int64 = 0) async throws -> [String] {
            let now = clock.withLock { clock in
                clock += seconds
                return clock
            }
            let before = server.requests.count
            try await ReloadService(library: library, clock: { now }).reload { _ in }
            return server.requests.dropFirst(before + 1).map(\.path)
        }
    }

    private static let page = LoopbackServer.Answer(
        "<html><body><article>"
            + String(repeating: "<p>The peloton crossed the mountain in the rain without complaint.</p>", count: 9)
            + "</article></body></html>", type: "text/html")

    /// The newest pages fail for good, and the others are fetched nevertheless.
    @Test func failingPagesBlockNoOthers() async throws {
        let scene = try await Scene((0..<30).map { "/p\($0)" }) { path in
            path.count == 3 || path.hasPrefix("/p1") ? .init(404) : nil
        }
        let failing = Set((0..<20).map { "/p\($0)" })
        #expect(Set(try await scene.reload()) == failing)
        #expect(Set(try await scene.reload(after: 1800)) == Set((20..<30).map { "/p\($0)" }))
        #expect(try await scene.reload(after: 1799) == [])
        #expect(Set(try await scene.reload(after: 1)) == failing)
        #expect(try await scene.reload(after: 7199) == [])
        #expect(Set(try await scene.reload(after: 1)) == failing)
        // Of the 48 reloads of a day, hardly one asks.
        var count = 0
        for _ in 0..<(48 * 7) { count += try await scene.reload(after: 1800).count }
        #expect(count == 20 * 5, "\(count)")
    }

    /// 429 and 503 stop the host for as long as it says, and the pages of other hosts go on.
    @Test(arguments: [429, 503]) func aBusyHostIsLeftAlone(status: Int) async throws {
        let isBusy = Mutex(true)
        let other = try LoopbackServer { _ in WaitsForPages.page }
        let scene = try await Scene(["/a", "/b", "\(other.url("/c"))", "/d"]) { _ in
            isBusy.withLock { $0 } ? .init(status, headers: ["Retry-After": "7200"]) : nil
        }
        #expect(try await scene.reload() == ["/d"])
        #expect(try await scene.reload(after: 7199) == [])
        isBusy.withLock { $0 = false }
        #expect(try await scene.reload(after: 1) == ["/d", "/b", "/a"])
        #expect(try scene.library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM host_pause") } == 0)
        #expect(try scene.library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page_pause") } == 1)
    }

    /// Pages of other hosts replace those of a busy one in the same reload.
    @Test func otherHostsDontWaitBehindABusyOne() async throws {
        let others = (0..<3).map { "http://127.0.0.1:9/\($0)" }
        let scene = try await Scene((0..<30).map { "/p\($0)" } + others) { _ in
            .init(429, headers: ["Retry-After": "7200"])
        }
        #expect(try await scene.reload().count == 1)
        // Another port of the feed's host isn't trusted, so that each page fails by itself.
        #expect(try scene.library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page_pause") } == 4)
    }

    /// A host that doesn't answer twice in a row is left alone.
    @Test func aSilentHostIsLeftAloneAfterTwoRequests() {
        let now: Instant = 1_790_000_000
        let hour = WaitsForPages.hour
        func pauses(_ scope: PageService.Failure.Scope) -> [Int64?] {
            (1...4).map { PagePauses.host(scope, failures: $0, now: now)?.seconds(since: now) }
        }
        #expect(pauses(.page) == [nil, nil, nil, nil])
        #expect(pauses(.silentHost) == [nil, hour, 2 * hour, 4 * hour])
        #expect(pauses(.busyHost(retryAfter: nil)) == [hour, 2 * hour, 4 * hour, 8 * hour])
        #expect(pauses(.busyHost(retryAfter: "60")) == [60, 60, 60, 60])
        #expect(PagePauses.page(failures: 99, now: now).seconds(since: now) == 30 * 86_400)
    }

    /// A pause that was stored while the clock was ahead doesn't hold once the clock is right.
    @Test(arguments: [1, 2, 9]) func pausesOfAWrongClockDontHold(failures: Int) {
        let now: Instant = 1_790_000_000
        func holds(_ seconds: Int64) -> Bool { PagePauses.holds(now + seconds, failures: failures, now: now) }
        let own = PagePauses.page(failures: failures, now: now).seconds(since: now)
        // A server may ask to wait for a day.
        let longest = max(own, 86_400)
        #expect(holds(1) && holds(longest) && !holds(0) && !holds(longest + 1))
    }

    @Test func requestsToASilentHostEnd() async throws {
        let pages = (0..<9).map { "http://127.0.0.1:9/\($0)" }
        let scene = try await Scene(pages) { _ in nil }
        _ = try await scene.reload()
        func failures() throws -> [Int] {
            try scene.library.read {
                try Int.fetchAll($0, sql: "SELECT failures FROM page_pause ORDER BY entry_id DESC")
            }
        }
        // Another port of the feed's host isn't trusted, so that each page fails for itself.
        #expect(try failures().count == 9)
        let texts = FullTextService(library: scene.library, fetcher: .init(), clock: { 1_790_000_000 + 40 * 86_400 })
        for row in try scene.library.entries.rows(in: EntryQuery(.all), limit: 9) {
            await texts.fetch(row.id, link: "http://127.0.0.1:9/x", ownHost: "127.0.0.1:9")
        }
        #expect(try failures().reduce(0, +) == 9 + 2)
    }
}
