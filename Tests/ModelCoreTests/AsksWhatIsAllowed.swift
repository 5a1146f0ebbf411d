import CommonTesting
import FeedParsing
import Fetching
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing
import WebAddresses

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What is fetched, when, and on whose authority: feeds, pages and audio.
@Suite(.timeLimit(.minutes(5))) struct AsksWhatIsAllowed {
    // MARK: Hosts

    @Test(
        arguments: [
            ("http://a.example/x", "a.example"), ("https://A.Example:8080?x", "a.example:8080"),
            ("http://u:p@a.example#x", "a.example"),
            ("http://[::1]:81/", "[::1]:81"), ("http://a@b@c.example/", "c.example"), ("mailto:a@b.example", nil),
            ("", nil),
            ("//a.example/", nil), ("http:///x", nil),
        ] as [(String, String?)])
    func readsTheHostOfAnAddress(address: String, host: String?) { #expect(TrustedHost.of(address) == host) }

    /// Addresses in a document may be private only on the document's own host.
    @Test(
        arguments: [
            ("http://10.0.0.5/x.mp3", "10.0.0.5", true), ("https://10.0.0.5/x.mp3", "10.0.0.5", true),
            ("http://NAS.local/x", "nas.local", true), ("http://u:p@10.0.0.5/x", "10.0.0.5", true),
            ("http://10.0.0.5:8080/x", "10.0.0.5:8080", true), ("http://10.0.0.5:8080/x", "10.0.0.5", false),
            ("http://10.0.0.5/x", "10.0.0.5:8080", false), ("http://10.0.0.6/x", "10.0.0.5", false),
            ("http://10.0.0.5.evil.example/", "10.0.0.5", false), ("http://10.0.0.5@evil.example/", "10.0.0.5", false),
            ("http://sub.nas.local/", "nas.local", false), ("http://nas.local/", "sub.nas.local", false),
            ("http://10.0.0.5/x", nil, false), ("mailto:x", nil, false), ("", nil, false), ("http:///x", nil, false),
        ] as [(String, String?, Bool)])
    func allowsPrivateAddressesOnTheOwnHost(address: String, ownHost: String?, isAllowed: Bool) {
        #expect(TrustedHost.mayBePrivate(address, ownHost: ownHost) == isAllowed)
    }

    /// An enclosure may be in a private network only on the host of a feed that the user typed.
    @Test func allowsPrivateRecordingsOnTheFeedsOwnHost() async throws {
        let (library, own) = try await Library.following("http://10.0.0.5/feed")
        let port = try await library.follow("http://10.0.0.6:8080/feed")
        let web = try await library.follow("https://a.example/feed")
        let found = NewSubscription(found: "http://10.0.0.7/feed", from: TypedAddress("https://a.example/"))
        let outside = try await library.changes.perform(.subscribe([found], now: 1)).subscriptions[0].id
        for (feed, address, isAllowed) in [
            (own, "http://10.0.0.5/1.mp3", true), (own, "https://10.0.0.5/1.mp3", true),
            (own, "http://10.0.0.6/1.mp3", false),
            (own, "http://10.0.0.5:8080/1.mp3", false), (own, "http://127.0.0.1/1.mp3", false),
            (port, "http://10.0.0.6:8080/1.mp3", true), (port, "http://10.0.0.6/1.mp3", false),
            (web, "http://10.0.0.5/1.mp3", false), (web, "https://a.example/1.mp3", true),
            (outside, "http://10.0.0.7/1.mp3", false), (outside, "http://10.0.0.5/1.mp3", false),
            (nil, "http://10.0.0.5/1.mp3", false), (999, "http://10.0.0.5/1.mp3", false),
        ] as [(FeedID?, String, Bool)] {
            #expect(
                try library.feeds.mayBePrivate(media: address, of: feed) == isAllowed, "\(feed ?? 0) \(address)")
        }
        // A typed address is trusted.
        try await library.follow("http://10.0.0.7/feed")
        #expect(try library.feeds.mayBePrivate(media: "http://10.0.0.7/1.mp3", of: outside))
    }

    @Test(arguments: [
        ("http://a.example/x", "http://a.example/x", true, true),
        ("http://a.example/x", "https://a.example/y", true, true),
        ("https://a.example/x", "http://a.example/y", true, false),
        ("https://a.example/", "https://a.example:444/", true, false),
        ("https://a.example/", "https://b.example/", false, false),
        ("https://a.example/", "https://x.a.example/", false, false),
        ("file:///x", "file:///x", true, true), ("file:///x", "file:///y", false, false),
        ("exec:a", "exec:b", false, false),
    ])
    func recognizesTypedAddresses(typed: String, other: String, isOnSameHost: Bool, isTrusted: Bool) {
        let address = TypedAddress(typed, headers: ["X: 1"])
        #expect(address.isOnSameHost(other) == isOnSameHost && address.trusts(other) == isTrusted)
        #expect(address.headers(for: other) == (isTrusted ? ["X: 1"] : []))
        let named = TypedAddress("https://u:p@a.example/", headers: ["X: 1"])
        #expect(named.address == "https://a.example/" && named.headers == ["X: 1", UserInfo.authorization("u:p")])
    }

    // MARK: Times

    /// A stored time beyond any valid delay comes from a wrong clock and doesn't delay anything.
    @Test func holdsBackForADayAtMost() {
        let now: Instant = 1_000_000
        let instants: [(Instant?, Bool)] = [
            (nil, false), (0, false), (now - 1, false), (now, false), (now + 1, true), (now + 86_400, true),
            (now + 86_401, false), (.distantFuture, false),
        ]
        for (instant, holds) in instants { #expect(FetchSchedule.holds(instant, now: now) == holds) }
        for (notBefore, isAskedToWait) in instants {
            for (nextFetch, isNotDue) in instants {
                func reason(_ reason: ReloadService.Reason) -> String? {
                    FetchSchedule.heldBack(notBefore: notBefore, nextFetch: nextFetch, reason, now: now)
                }
                for user in [ReloadService.Reason.user, .insisting] {
                    #expect(reason(user) == (isAskedToWait ? "the server asked to wait" : nil))
                }
                #expect(
                    reason(.timer) == (isAskedToWait ? "the server asked to wait" : isNotDue ? "not due yet" : nil))
            }
        }
    }

    @Test(
        arguments: [
            ("max-age=3600", nil, 3600), ("MAX-AGE=60", nil, 60), ("public , max-age = 60", nil, 60),
            ("max-age=60, max-age=90", nil, 90),
            ("max-age=0", nil, nil), ("max-age=-5", nil, nil), ("max-age=soon", nil, nil), ("s-maxage=60", nil, nil),
            ("max-age", nil, nil),
            ("no-store, max-age=60", nil, nil), ("max-age=60, no-cache", nil, nil), ("no-cache", 10, 600),
            ("max-age=60", 1, 60), ("max-age=60", 2, 120), ("max-age=120", 1, 120), ("max-age=86400", nil, 86_400),
            ("max-age=86401", nil, 86_400),
            ("", 1440, 86_400), ("", 1441, 86_400), ("", -1, nil), ("", 0, nil), ("", 1, 60),
        ] as [(String, Int?, Int64?)])
    func obeysCachingHeaders(control: String, ttl: Int?, pause: Int64?) {
        #expect(
            FetchSchedule.next(headers: ["cache-control": control], ttlMinutes: ttl, now: 500)
                == pause.map { Instant(500) + $0 }
        )
    }

    @Test(arguments: [
        (-1, 900), (0, 900), (1, 900), (2, 1800), (3, 3600), (7, 57_600), (8, 86_400), (9, 86_400), (.max, 86_400),
    ])
    func pausesLongerAfterEachFailure(failures: Int, pause: Int64) {
        #expect(FetchSchedule.retry(failures: failures, now: 500) == Instant(500) + pause)
    }

    @Test(
        arguments: [
            (nil, nil), ("1", 501), ("86400", 86_900), ("86401", 86_900), (" 60 ", 560), ("0", nil), ("-1", nil),
            ("1.5", 501),
            ("Thu, 01 Jan 1970 00:08:21 GMT", 501), ("Thu, 01 Jan 1970 00:08:20 GMT", nil),
            ("Fri, 02 Jan 1970 00:08:21 GMT", 86_900), ("Fri, 01 Jan 2100 00:00:00 GMT", 86_900),
        ] as [(String?, Instant?)])
    func obeysRetryAfter(header: String?, instant: Instant?) {
        #expect(FetchSchedule.retryAfter(header, now: 500) == instant)
    }

    // MARK: Reloads

    @Test(arguments: [
        (401, "access denied (401)"), (403, "access denied (403)"),
        (404, "not found (404)"), (410, "gone (410)"),
        (429, "too many requests (429)"), (500, "server error (500)"),
        (503, "server error (503)"), (599, "server error (599)"),
        (400, "the server answered 400"), (418, "the server answered 418"), (600, "the server answered 600"),
    ])
    func saysWhatAStatusMeans(status: Int, sentence: String) {
        #expect(HTTPStatus.sentence(for: status) == sentence)
    }

    private func row(_ library: Library, _ id: FeedID) throws -> String {
        try #require(
            try library.read { db in
                try String.fetchOne(
                    db,
                    sql: """
                        SELECT failures || ' ' || coalesce(next_fetch, '-') || ' ' || coalesce(not_before, '-') || ' '
                            || is_gone || ' ' || coalesce(etag, '-') || ' ' || total_count FROM subscription WHERE id = ?
                        """, arguments: [id])
            })
    }

    private static let feed = "<rss><channel><ttl>60</ttl><item><title>a</title><guid>1</guid></item></channel></rss>"

    /// What is stored after each response: failures in a row, the next fetch, the server's wait, and whether the feed
    /// is gone.
    @Test func recordsTheConsequencesOfAnAnswer() async throws {
        let now: Instant = 1_790_000_000
        let current = Mutex(LoopbackServer.Answer(404))
        let server = try LoopbackServer { _ in current.withLock { $0 } }
        let (library, id) = try await Library.following(server.url("/"))
        let service = ReloadService(library: library, clock: { now })
        func after(_ answer: LoopbackServer.Answer, reason: ReloadService.Reason = .insisting) async throws -> String {
            current.withLock { $0 = answer }
            try await service.reload(reason: reason) { _ in }
            return try row(library, id)
        }
        let feed = Self.feed
        #expect(try await after(.init(500)) == "1 \(now + 900) - 0 - 0")
        #expect(try await after(.init(503, headers: ["Retry-After": "600"])) == "2 \(now + 1800) \(now + 600) 0 - 0")
        // Until then, no reload asks.
        #expect(try await after(.init(404)) == "2 \(now + 1800) \(now + 600) 0 - 0")
        try library.execute("UPDATE subscription SET not_before = NULL")
        #expect(try await after(.init(404)) == "3 \(now + 3600) - 0 - 0", "only 410 is for good")
        #expect(try await after(.init(410)) == "4 \(now + 7200) - 1 - 0")
        #expect(try await after(.init(feed, headers: ["ETag": "e"])) == "0 \(now + 3600) - 0 e 1")
        #expect(try await after(.init(304, headers: ["Cache-Control": "max-age=7200"])) == "0 \(now + 7200) - 0 e 1")
        #expect(try await after(.init(304)) == "0 \(now + 7200) - 0 e 1", "the last answer stays valid")
        #expect(
            try await after(.init(304, headers: ["Cache-Control": "max-age=60"])) == "0 \(now + 3600) - 0 e 1",
            "the feed's ttl outlasts the answer")
        #expect(try await after(.init(feed, headers: ["ETag": "f"])) == "0 \(now + 3600) - 0 f 1")
        #expect(try await after(.init(410)) == "1 \(now + 900) - 1 f 1")
        #expect(try await after(.init(304)) == "0 \(now + 3600) - 0 f 1", "a feed that answers is there again")
        // Not due: the timer skips it, the user's reload doesn't.
        let count = server.requests.count
        _ = try await after(.init(304), reason: .timer)
        #expect(server.requests.count == count)
        _ = try await after(.init(304), reason: .user)
        #expect(server.requests.count == count + 1)
    }

    /// Feeds of a server are not fetched locally, even if named; the others are, in any order.
    @Test func reloadsOnlyLocalFeeds() async throws {
        let server = try LoopbackServer { _ in .init(Self.feed) }
        let steps = try await SyncSteps()
        try await steps.step(.storeSubscriptions([SyncSteps.feed(1, url: server.url("/there"))], now: 1))
        for path in ["/here", "/too"] { try await steps.library.follow(server.url(path)) }
        let all = try steps.library.feeds.all()
        let service = ReloadService(library: steps.library)
        try await service.reload { _ in }
        #expect(Set(server.requests.map(\.path)) == ["/here", "/too"])
        try await service.reload(
            all.filter { $0.url.hasSuffix("/there") || $0.url.hasSuffix("/too") }, reason: .insisting
        ) { _ in }
        #expect(server.requests.count == 3 && server.requests.last?.path == "/too")
    }

    @Test func distinguishesNewsFromNothingNew() async throws {
        let answer = Mutex(LoopbackServer.Answer(404))
        let server = try LoopbackServer { _ in answer.withLock { $0 } }
        let library = try await Library.following(server.url("/")).library
        let service = ReloadService(library: library)
        var results: [String] = []
        for (title, count) in [("a", 1), ("a", 1), ("b", 1), ("b", 2)] {
            let items = (1...count).map { "<item><title>\(title)</title><guid>\($0)</guid></item>" }.joined()
            answer.withLock { $0 = .init("<rss><channel>\(items)</channel></rss>") }
            let list = ResultList()
            try await service.reload(reason: .insisting) { await list.add($0.result) }
            results += await list.words
        }
        #expect(results == ["1 new, 0 changed", "unchanged", "0 new, 1 changed", "1 new, 0 changed"])
    }

    private actor ResultList {
        var words: [String] = []
        func add(_ result: ReloadOutcome.Result) {
            switch result {
            case .changed(let changes): words.append("\(changes.added) new, \(changes.updated) changed")
            case .unchanged: words.append("unchanged")
            case .failed(let reason): words.append("failed: \(reason)")
            case .heldBack(let reason): words.append("held back: \(reason)")
            }
        }
    }

    /// A program runs only for a feed that the user added by hand; a filter receives the whole document.
    @Test func runsOnlyProgramsOfTheUser() async throws {
        let server = try LoopbackServer { request in
            request.path == "/gone"
                ? .init(410) : .init(Self.feed.replacing("<title>a<", with: "<title>b<"), headers: ["ETag": "e"])
        }
        let library = try Library(path: nil)
        func follow(_ url: String, byHand: Bool = true) async throws -> FeedID? {
            var new = NewSubscription(url: url)
            new.runsProgram = byHand
            return try await library.changes.perform(.subscribe([new], now: 1)).subscriptions.first?.id
        }
        let made = try #require(try await follow("exec:/bin/echo '\(Self.feed)'"))
        let filter = try #require(try await follow("filter:/bin/cat:\(server.url("/x"))"))
        let gone = try #require(try await follow("filter:/bin/cat:\(server.url("/gone"))"))
        let broken = try #require(try await follow("exec:/bin/false"))
        #expect(try await follow("exec:/bin/true", byHand: false) == nil)
        for _ in 0..<2 { try await ReloadService(library: library).reload(reason: .insisting) { _ in } }
        #expect(try library.feeds.feed(made)?.total == 1 && library.feeds.feed(filter)?.total == 1)
        #expect(try library.feeds.feed(gone)?.error == "gone (410)")
        #expect(try library.feeds.feed(broken)?.error == "the program '/bin/false' failed (1)")
        #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
        try library.execute("UPDATE subscription SET runs_program = 0")
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        #expect(try library.feeds.feed(made)?.error == "programs are allowed only in feeds that you added yourself")
        #expect(try library.feeds.feed(made)?.total == 1)
    }

    // MARK: Pages

    @Test(
        arguments: [
            (200, nil), (203, nil), (404, "the page no longer exists (404)"), (410, "the page no longer exists (410)"),
            (403, "access denied (403)"),
            (500, "server error (500)"), (304, "the server answered 304"),
        ] as [(Int, String?)])
    func saysWhyThereIsNoPage(status: Int, problem: String?) async throws {
        let server = try LoopbackServer { _ in
            .init(status, headers: ["Content-Type": "text/html"], body: Array("<p>One</p>".utf8))
        }
        let own = TrustedHost.of(server.url("/"))
        let result = await Task { try await PageService().fetch(server.url("/"), ownHost: own) }.result
        switch result {
        case .success(let page): #expect(problem == nil && page.html == "<p>One</p>" && page.url == server.url("/"))
        case .failure(let error): #expect("\(error)" == problem)
        }
        for host in [nil, "a.example", "127.0.0.1"] {
            let refused = await #expect(throws: PageService.Failure.self) {
                try await PageService().fetch(server.url("/"), ownHost: host)
            }
            #expect(refused?.description == "127.0.0.1 resolves to a private address; request refused")
        }
        #expect(server.requests.count == 1)
    }

    @Test func readsPagesOfEightMebibytes() async throws {
        let server = try LoopbackServer { request in
            .init(
                200, headers: ["Content-Type": "text/plain"],
                body: [UInt8](repeating: 0x61, count: 8 << 20 + (request.path == "/more" ? 1 : 0)))
        }
        let own = TrustedHost.of(server.url("/"))
        #expect(try await PageService().fetch(server.url("/fits"), ownHost: own).html.utf8.count == 8 << 20)
        let error = await #expect(throws: PageService.Failure.self) {
            try await PageService().fetch(server.url("/more"), ownHost: own)
        }
        #expect(error?.description == "the document is larger than 8 MiB")
    }

    private static let sentence =
        "The peloton crossed the mountain in the rain, and nobody was seen to complain about it at all. "

    private static func page(_ word: String, next: String? = nil) -> LoopbackServer.Answer {
        let link = next.map { "<a rel=next href='\($0)'>next</a>" } ?? ""
        let text = String(repeating: "<p>\(word) \(sentence)</p>", count: 5)
        return .init(
            "<html><head><title>T</title></head><body><article>\(text)\(link)</article></body></html>",
            type: "text/html")
    }

    /// An article has at most ten pages, each once, and ends at a missing one.
    @Test(
        arguments: [
            (["/a?p=1": "/a?p=2", "/a?p=2": "/a?p=3", "/a?p=3": nil], ["/a?p=1", "/a?p=2", "/a?p=3"]),
            (["/a?p=1": "/a?p=2", "/a?p=2": "/a?p=1"], ["/a?p=1", "/a?p=2"]), (["/a?p=1": "/a?p=1"], ["/a?p=1"]),
            (["/a?p=1": "/a?p=2"], ["/a?p=1", "/a?p=2"]),
            (
                Dictionary(uniqueKeysWithValues: (1...14).map { ("/a?p=\($0)", "/a?p=\($0 + 1)") }),
                (1...10).map { "/a?p=\($0)" }
            ),
        ] as [([String: String?], [String])])
    func putsThePagesOfAnArticleTogether(pages: [String: String?], expected: [String]) async throws {
        let server = try LoopbackServer { request in
            pages[request.path].map { Self.page("word\(request.path.dropFirst(5))x", next: $0) } ?? .init(404)
        }
        let text = try await PageService().fullText(server.url("/a?p=1"), ownHost: TrustedHost.of(server.url("/")))
        #expect(server.requests.map(\.path) == expected)
        for path in pages.keys {
            #expect(text.html.contains("word\(path.dropFirst(5))x") == expected.contains(path), "\(path)")
        }
    }

    @Test func savesPagesUnchanged() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/article": return Self.page("velodrome")
            case "/moved": return .init(302, headers: ["Location": "/article"])
            default: return .init("<html><body></body></html>", type: "text/html")
            }
        }
        let own = TrustedHost.of(server.url("/"))
        let page = try await PageService().savedPage(server.url("/moved"), ownHost: own)
        #expect(page.url == server.url("/article") && page.title == "T" && page.html?.contains("velodrome") == true)
        let empty = try await PageService().savedPage(server.url("/empty"), ownHost: own)
        #expect(empty.title == server.url("/empty") && empty.html == nil)
    }

    @Test(arguments: [
        "mp3", "m4a", "ogg", "oga", "opus", "flac", "wav", "mp4", "m4v", "webm", "mkv", "mov", "pdf", "zip", "gz",
        "epub", "jpg", "jpeg",
        "png", "gif", "webp", "svg", "torrent", "exe", "dmg", "iso",
    ])
    func rejectsFilesAsPages(ending: String) {
        for address in ["https://a.example/x.\(ending)", "http://a.example/y/x.\(ending.uppercased())?q=1#f"] {
            #expect(!PageService.mayBePage(address), "\(address)")
        }
        #expect(
            PageService.mayBePage("https://a.example/\(ending)")
                && PageService.mayBePage("https://a.example/x?y=z.\(ending)"))
        #expect(PageService.mayBePage("https://a.example/x.\(ending)/y"))
    }

    // MARK: Full texts

    /// Twenty pages for each reload, newest first, each once. Failed ones wait.
    @Test func limitsFullTextsPerReload() async throws {
        let items = (1...25).map { number in
            "<item><guid>\(number)</guid><title>E\(number)</title><link>/p\(number)</link>"
                + "<pubDate>\(number + 1) Jan 2010 10:00:00 GMT</pubDate></item>"
        }.joined()
        let server = try LoopbackServer { request in
            switch request.path {
            case "/feed": .init("<rss><channel>\(items)</channel></rss>", headers: ["ETag": "e"])
            case "/p25": .init(500)
            default: Self.page("word")
            }
        }
        let (library, id) = try await Library.following(server.url("/feed"))
        let service = ReloadService(library: library)
        func reload() async throws -> [String] {
            let before = server.requests.count
            try await service.reload(reason: .insisting) { _ in }
            return server.requests.dropFirst(before + 1).map(\.path)
        }
        #expect(try await reload().isEmpty, "only where its user wants them")
        var options = SubscriptionOptions()
        options.fullText = true
        try await library.changes.perform(.setOptions(id, options))
        #expect(try await reload() == (6...25).reversed().map { "/p\($0)" })
        #expect(try await reload() == (1...5).reversed().map { "/p\($0)" })
        #expect(try await reload() == [])
        // A feed with an address from elsewhere may not lead into the private network.
        options.isFromOutside = true
        // The page that failed is requested again after its pause.
        let days = Mutex<Int64>(1)
        let texts = FullTextService(
            library: library, fetcher: Fetcher(), clock: { .now + days.withLock { $0 } * 86_400 })
        let before = server.requests.count
        await texts.fetch(of: id, url: server.url("/feed"), options: options)
        #expect(server.requests.count == before)
        options.isFromOutside = false
        days.withLock { $0 = 2 }
        await texts.fetch(of: id, url: server.url("/feed"), options: options)
        #expect(server.requests.count == before + 1)
        options.fullText = false
        await texts.fetch(of: id, url: server.url("/feed"), options: options)
        #expect(server.requests.count == before + 1)
    }

    // MARK: Discovery

    @Test(arguments: [
        ("http://a.example/x", ["https://a.example/x", "http://a.example/x"]),
        ("HTTP://a.example", ["https://a.example", "HTTP://a.example"]),
        ("https://a.example/", ["https://a.example/"]), ("http://a.example:8080/", ["http://a.example:8080/"]),
        ("http://a.example?x=y:z", ["https://a.example?x=y:z", "http://a.example?x=y:z"]), ("file:///x", ["file:///x"]),
    ])
    func triesHTTPSFirst(address: String, candidates: [String]) {
        #expect(FeedDiscovery.candidates(address) == candidates)
    }

    @Test(arguments: [
        ("https://a.example/feed.xml", true), ("http://a.example/feed.xml", false),
        ("http://a.example:8080/feed.xml", true),
        ("https://a.example/page.html", false),
    ])
    func keepsPlainFeedsAsTheyAre(address: String, isPlain: Bool) { #expect(FeedDiscovery.isPlain(address) == isPlain) }

    @Test func findsFeedsOnTheSameHostOnly() async throws {
        let (feed, other) = (Self.feed, try LoopbackServer { _ in .init(Self.feed) })
        let server = try LoopbackServer { request in
            switch request.path {
            case "/moved": .init(301, headers: ["Location": "/there"])
            case "/there": .init(feed)
            case "/for-now": .init(302, headers: ["Location": "/there"])
            case "/out": .init(302, headers: ["Location": other.url("/feed")])
            case "/403": .init(403)
            default: .init(404)
            }
        }
        func look(_ path: String) async -> String {
            do {
                switch try await FeedDiscovery().look(
                    at: path.hasPrefix("http") ? path : server.url(path), headers: ["X: 1"])
                {
                case .feed(let url, let title, _): return "feed \(url) \(title ?? "-")"
                case .page(let links): return "page \(links.count)"
                }
            } catch {
                if case .unknownHost(let reason) = error { return "unknown host: \(reason)" }
                return "\(error)"
            }
        }
        #expect(await look("/moved") == "feed \(server.url("/there")) -")
        #expect(await look("/for-now") == "feed \(server.url("/for-now")) -")
        #expect(await look("/403") == "access denied (403)")
        #expect(await look("/out") == "127.0.0.1 resolves to a private address; request refused")
        #expect(other.requests.isEmpty)
        #expect(server.requests.allSatisfy { $0.headers["x"] == "1" })
        #expect(await look("http://no-such-host.invalid/") == "unknown host: no such host: no-such-host.invalid")
    }
}
