import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The rule for reloads, and what several programs that share a library ask of servers while days pass.
@Suite(.timeLimit(.minutes(10))) struct SharesReloads {
    private static let now: Instant = 1_790_000_000
    private static let (hour, day): (Int64, Int64) = (3600, 86_400)

    // MARK: The rule

    /// Each term of the rule alone, and the greatest of several, in seconds after the last fetch.
    @Test func aFeedIsDueAfterTheGreatestOfAllPauses() {
        let now = SharesReloads.now
        let terms: [(String, Int64, (inout FetchTiming) -> Void)] = [
            ("interval", 7200, { $0.interval = 120 }), ("week", 7 * 86_400, { $0.interval = 7 * 1440 }),
            ("response", 43_200, { $0.nextFetch = now + 43_200 }),
            ("wait", 5400, { $0.notBefore = now + 5400 }),
        ]
        for bits in 0..<(1 << terms.count) {
            for refresh in [Int64(0), 3600, 86_400] {
                var timing = FetchTiming(lastFetched: now)
                var pause = refresh
                for (index, term) in terms.enumerated() where bits & (1 << index) != 0 {
                    term.2(&timing)
                    pause = max(pause, term.1)
                }
                #expect(FetchSchedule.due(timing, refresh: refresh, now: now) == now + pause, "\(bits) \(refresh)")
            }
        }
    }

    /// A document that is cut off each time is requested less and less often, however long it claims to be valid.
    @Test func truncatedDocumentsWaitLongerEachTime() async throws {
        let item = "<item><guid>1</guid><title>One</title></item>"
        let body = Array("<rss version=\"2.0\"><channel><title>T</title>\(item)<item></item></channel></rss>".utf8)
        let server = try LoopbackServer { _ in
            .init(200, headers: ["Cache-Control": "max-age=50000"], body: body, cutAfter: body.count - 20)
        }
        let (library, feed) = try await Library.following(server.url("/feed"))
        let service = ReloadService(library: library, clock: { SharesReloads.now })
        for pause: Int64 in [900, 1800, 3600, 7200] {
            try await service.reload(reason: .insisting) { _ in }
            let next = try library.feeds.requests(for: [feed])[feed]?.timing.nextFetch
            #expect(next == SharesReloads.now + pause)
        }
        #expect(try library.feeds.all().first { $0.id == feed }?.total == 1)
    }

    /// Who asks decides what is held back.
    @Test func usersDontWaitForTheirOwnInterval() {
        let now = SharesReloads.now
        func reasons(_ change: (inout FetchTiming) -> Void) -> [String?] {
            var timing = FetchTiming(lastFetched: now - 60)
            change(&timing)
            return [ReloadService.Reason.timer, .user, .insisting].map {
                FetchSchedule.heldBack(timing, $0, refresh: 3600, now: now)
            }
        }
        let (wait, due) = ("the server asked to wait", "not due yet")
        let gone = "gone (410); reload this feed alone to retry"
        #expect(reasons { _ in } == [due, nil, nil])
        #expect(reasons { $0.lastFetched = nil } == [nil, nil, nil])
        #expect(reasons { $0.lastFetched = now - 3600 } == [nil, nil, nil])
        #expect(reasons { ($0.lastFetched, $0.nextFetch) = (now - 7200, now + 1) } == [due, nil, nil])
        #expect(reasons { ($0.lastFetched, $0.interval) = (now - 7200, 1440) } == [due, nil, nil])
        #expect(reasons { $0.notBefore = now + 1 } == [wait, wait, wait])
        #expect(reasons { $0.isGone = true } == [gone, gone, nil])
        let other = "another program reloads it"
        #expect(reasons { ($0.lastFetched, $0.claimed) = (nil, now - 5) } == [other, nil, nil])
        #expect(reasons { ($0.lastFetched, $0.claimed) = (nil, now - 90) } == [nil, nil, nil])
        // Wrong clocks delay nothing for long.
        #expect(reasons { $0.lastFetched = now + 10 * 86_400 } == [nil, nil, nil])
        #expect(reasons { ($0.lastFetched, $0.claimed) = (nil, now + 900) } == [nil, nil, nil])
        #expect(reasons { ($0.lastFetched, $0.nextFetch) = (now - 7200, now + 2 * 86_400) } == [nil, nil, nil])
    }

    /// 1970 began on a Thursday at midnight.
    @Test(
        arguments: [
            ("", 5, 5), ("<hour>0</hour>", 5, 3600), ("<hour>24</hour>", 5, 3600), ("<hour>1</hour>", 5, 5),
            ("<hour>0</hour><hour>1</hour>", 3599, 7200), ("<hour>23</hour><hour>0</hour>", 82_800, 90_000),
            ("<hour>-1</hour><hour>25</hour><hour>x</hour>", 5, 5), ("<day>Thursday</day>", 5, 86_400),
            ("<day>thursday</day><day> Friday </day>", 5, 172_800), ("<day>Noday</day>", 5, 5),
            ("<day>Thursday</day><hour>0</hour>", 5, 90_000),
            ((0...23).map { "<hour>\($0)</hour>" }.joined(), 5, 5),
        ] as [(String, Instant, Instant)]) func feedsNameHoursAndDaysToSkip(list: String, from: Instant, next: Instant)
        throws
    {
        let skips = list.replacing("<day>", with: "<skipDays><day>").replacing("</day>", with: "</day></skipDays>")
            .replacing("<hour>", with: "<skipHours><hour>").replacing("</hour>", with: "</hour></skipHours>")
        let text = "<rss><channel>\(skips)<item><guid>1</guid><title>a</title></item></channel></rss>"
        let feed = try FeedParser.parse(Array(text.utf8)).feed
        #expect(feed.skippedTimes.next(from: from) == next)
        let timing = FetchTiming(lastFetched: from - 1, skippedTimes: feed.skippedTimes)
        #expect(FetchSchedule.heldBack(timing, .timer, refresh: 0, now: from) == (next > from ? "not due yet" : nil))
    }

    @Test(
        arguments: [
            ("<sy:updatePeriod>hourly</sy:updatePeriod>", 60), ("<sy:updatePeriod> Daily </sy:updatePeriod>", 1440),
            ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 15),
            ("<sy:updateFrequency>24</sy:updateFrequency>", 60), ("<sy:updatePeriod>often</sy:updatePeriod>", nil),
            ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 60),
            ("<ttl>90</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", 90),
            ("<ttl>30</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", 60),
        ] as [(String, Int?)]) func feedsNameTheirPeriod(elements: String, minutes: Int?) throws
    {
        let text = """
            <rss xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>\(elements)<item><guid>1</guid>\
            <title>a</title></item></channel></rss>
            """
        #expect(try FeedParser.parse(Array(text.utf8)).feed.timeToLive == minutes)
    }

    @Test(
        arguments: [
            (["expires": "Thu, 01 Jan 1970 00:10:00 GMT"], 100), (["expires": "0"], nil),
            (["expires": "Thu, 01 Jan 1970 00:10:00 GMT", "date": "Thu, 01 Jan 1970 00:00:00 GMT"], 600),
            (["expires": "Thu, 01 Jan 1970 00:10:00 GMT", "cache-control": "max-age=60"], 60),
            (["expires": "Thu, 01 Jan 1970 00:10:00 GMT", "cache-control": "no-cache"], nil),
            (["expires": "Fri, 01 Jan 2100 00:00:00 GMT"], 86_400),
        ] as [([String: String], Int64?)]) func responsesAreValidUntilTheyExpire(
            headers: [String: String], pause: Int64?
        )
    {
        #expect(FetchSchedule.next(headers: headers, ttlMinutes: nil, now: 500) == pause.map { Instant(500) + $0 })
    }

    // MARK: Several programs

    /// A server that notes at which time each of its feeds is requested.
    private final class Requests: Sendable {
        let clock = Mutex(SharesReloads.now)
        private let times = Mutex<[String: [Instant]]>([:])
        var now: Instant { clock.withLock { $0 } }

        func note(_ path: String) { times.withLock { $0[path, default: []].append(now) } }
        func of(_ path: String) -> [Instant] { times.withLock { $0[path] ?? [] } }
    }

    /// Four panes that look every minute, and a timer every half an hour, over three days.
    @Test func fourPanesAndATimerAskAsOneProgram() async throws {
        let requests = Requests()
        let server = try LoopbackServer { request in
            requests.note(request.path)
            switch request.path {
            case "/cached": return .init(SharesReloads.feed, headers: ["Cache-Control": "max-age=43200", "ETag": "e"])
            case "/broken": return .init(500)
            default: return .init(SharesReloads.feed)
            }
        }
        let folder = TemporaryFolder()
        let first = try Library(path: folder.path("l.sqlite"))
        for path in ["/plain", "/cached", "/broken"] { try await first.follow(server.url(path)) }
        let panes = try (0..<4).map { _ in try Library(path: folder.path("l.sqlite")) }
        let timer = try Library(path: folder.path("l.sqlite"))
        @Sendable func reload(_ library: Library, refresh: Int) async throws {
            let service = ReloadService(library: library, clock: { requests.now })
            let due = try library.feeds.due(refresh: refresh, now: requests.now)
            guard !due.isEmpty else { return }
            try await service.reload(due, reason: .timer, refresh: refresh) { _ in }
        }
        for minute in 0..<(72 * 60) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for pane in panes { group.addTask { try await reload(pane, refresh: 60) } }
                if minute % 30 == 0 { group.addTask { try await reload(timer, refresh: 59) } }
                try await group.waitForAll()
            }
            requests.clock.withLock { $0 += 60 }
        }
        func pauses(_ path: String) -> [Int64] {
            zip(requests.of(path).dropFirst(), requests.of(path)).map { $0.seconds(since: $1) }
        }
        #expect(requests.of("/plain").count == 72 && pauses("/plain").allSatisfy { $0 == 3600 })
        #expect(requests.of("/cached").count == 6 && pauses("/cached").allSatisfy { $0 == 43_200 })
        // An hour at least, then twice as long each time.
        #expect(pauses("/broken").prefix(5) == [3600, 3600, 3600, 7200, 14_400], "\(pauses("/broken"))")
        #expect(try first.read { try Int.fetchOne($0, sql: "SELECT count(claimed) FROM subscription") } == 0)
    }

    /// A claim of a program that was suspended holds for a minute and a half, one of a program that was killed no longer,
    /// and a stopped reload ends its claims.
    @Test func claimsEndWithTheirProgram() async throws {
        let requests = Requests()
        let server = try LoopbackServer { request in
            requests.note(request.path)
            return .init(200, body: Array(SharesReloads.feed.utf8), delay: request.path == "/slow" ? 20_000 : 0)
        }
        let (library, killed) = try await Library.following(server.url("/killed"))
        let order = ReloadOrder(reason: .timer, refresh: 3600, start: requests.now)
        #expect(try await library.changes.perform(ClaimFeeds(feeds: [killed], order: order)).count == 1)
        #expect(try await library.changes.perform(ClaimFeeds(feeds: [killed], order: order)).count == 0)
        let service = ReloadService(library: library, clock: { requests.now })
        try await service.reload(reason: .timer, refresh: 60) { _ in }
        #expect(server.requests.isEmpty)
        requests.clock.withLock { $0 += 90 }
        try await service.reload(reason: .timer, refresh: 60) { _ in }
        #expect(server.requests.count == 1)
        requests.clock.withLock { $0 += 3600 }
        let next = ReloadOrder(reason: .timer, refresh: 3600, start: requests.now)
        #expect(try await library.changes.perform(ClaimFeeds(feeds: [killed], order: next)).count == 1)
        #expect(try library.feeds.due(refresh: 60, now: requests.now).isEmpty)
        // No process has this number.
        try library.execute("UPDATE subscription SET claimant = 2147483647")
        #expect(try library.feeds.due(refresh: 60, now: requests.now).map(\.id) == [killed])
        let slow = try await library.follow(server.url("/slow"))
        let reload = Task { try await service.reload(reason: .timer, refresh: 60) { _ in } }
        await server.wait(for: "/slow")
        #expect(try library.feeds.requests(for: [slow])[slow]?.timing.claimed == requests.now)
        reload.cancel()
        try await reload.value
        #expect(try library.feeds.requests(for: [slow])[slow]?.timing.claimed == nil)
    }

    /// Between the claim and the request of a feed, another program may have taken it over and fetched it.
    @Test func looksAgainBeforeEachRequest() async throws {
        let requests = Requests()
        let server = try LoopbackServer { _ in .init(SharesReloads.feed) }
        let (library, id) = try await Library.following(server.url("/"))
        var order = ReloadOrder(reason: .timer, refresh: 3600, start: requests.now)
        order.claimed = try #require(
            try await library.changes.perform(ClaimFeeds(feeds: [id], order: order)).answer as? Set<FeedID>)
        func reason() throws -> String? {
            order.heldBack(id, try #require(try library.feeds.requests(for: [id])[id]), now: requests.now)
        }
        #expect(try reason() == nil)
        requests.clock.withLock { $0 += 100 }
        let other = ReloadOrder(reason: .timer, refresh: 3600, start: requests.now)
        #expect(try await library.changes.perform(ClaimFeeds(feeds: [id], order: other)).count == 1)
        #expect(try reason() == "another program reloads it")
        try await library.changes.perform(NoteUnchanged(id, nextFetch: nil, date: requests.now))
        #expect(try reason() == "not due yet")
    }

    // MARK: Answers

    /// A 304 renews what it mentions, and the rest stays valid.
    @Test func renewsValidatorsAndValidityFromNotModified() async throws {
        let answers = Mutex<[LoopbackServer.Answer]>([
            .init(
                "<rss><channel><ttl>30</ttl><item><guid>1</guid></item></channel></rss>",
                headers: ["ETag": "1", "Last-Modified": "first", "Cache-Control": "max-age=7200"]),
            .init(304, headers: ["ETag": "2"]), .init(304, headers: ["Last-Modified": "second"]),
            .init(304, headers: ["Cache-Control": "max-age=60"]), .init(500), .init(304),
        ])
        let server = try LoopbackServer { _ in answers.withLock { $0.removeFirst() } }
        let (library, id) = try await Library.following(server.url("/"))
        let service = ReloadService(library: library, clock: { SharesReloads.now })
        var pauses: [Int64?] = []
        for _ in 0..<6 {
            try await service.reload { _ in }
            pauses.append(try library.feeds.health(of: id)?.nextFetch?.seconds(since: SharesReloads.now))
        }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "1", "2", "2", "2", "2"])
        #expect(
            server.requests.map { $0.headers["if-modified-since"] } == [
                nil, "first", "first", "second", "second", "second",
            ])
        // The ttl of the document is valid as long as the document.
        #expect(pauses == [7200, 7200, 7200, 1800, 900, 1800])
    }

    /// What looking for a feed has brought is stored with it.
    @Test func aNewFeedCostsOneRequest() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/feed": .init(SharesReloads.feed, headers: ["ETag": "e", "Last-Modified": "m"])
            case "/busy": .init(503, headers: ["Retry-After": "7200"])
            default: .init(404)
            }
        }
        let library = try Library(path: nil)
        let service = ReloadService(library: library, clock: { SharesReloads.now })
        for (path, added) in [("/feed", 1), ("/busy", 0)] {
            let id = try await library.follow(server.url(path))
            var answer: FirstAnswer?
            do throws(FeedDiscovery.Failure) {
                guard case .feed(_, _, let found) = try await FeedDiscovery().look(at: server.url(path)) else { return }
                answer = found.map { .success($0) }
            } catch { answer = error.answer }
            let row = try #require(try library.feeds.feed(id))
            try await service.reload([row], reason: .insisting, answers: [id: try #require(answer)]) { _ in }
            #expect(try library.feeds.feed(id)?.total == added)
        }
        #expect(server.requests.map(\.path) == ["/feed", "/busy"])
        let busy = try #require(try library.feeds.all().last)
        #expect(busy.error == "server error (503)")
        try await service.reload([busy], reason: .insisting) { _ in }
        #expect(server.requests.count == 2, "the server asked to wait")
        try await service.reload(reason: .user) { _ in }
        #expect(server.requests.last?.headers["if-none-match"] == "e" && server.requests.count == 3)
    }

    private static let feed = "<rss><channel><item><title>a</title><guid>1</guid></item></channel></rss>"
}
