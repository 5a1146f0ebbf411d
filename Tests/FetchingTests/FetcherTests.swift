import CommonTesting
import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Fetching

@Suite(.serialized, .timeLimit(.minutes(10))) struct FetcherTests {
    let fetcher = Fetcher()

    @Test func fetchesAndAsksConditionally() async throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"v1\""
                ? .init(304) : .init("<rss/>", headers: ["ETag": "\"v1\""])
        }
        let first = try await fetcher.fetch(FetchRequest(url: server.url("/feed")))
        #expect(first.status == 200)
        #expect(first.headers["etag"] == "\"v1\"")
        #expect(String(decoding: first.body, as: UTF8.self) == "<rss/>")
        let second = try await fetcher.fetch(FetchRequest(url: server.url("/feed"), etag: "\"v1\""))
        #expect(second.status == 304)
        #expect(server.requests[0].headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test func followsRedirectsButNotToFiles() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/moved": .init(301, headers: ["Location": "/there"])
            case "/file": .init(302, headers: ["Location": "file:///etc/hostname"])
            case "/loop": .init(302, headers: ["Location": "/loop"])
            default: .init("here")
            }
        }
        let answer = try await fetcher.fetch(FetchRequest(url: server.url("/moved")))
        #expect(answer.permanentURL == server.url("/there"))
        await #expect(throws: FetchError.failed("it redirects to an address that is neither http nor https")) {
            try await fetcher.fetch(FetchRequest(url: server.url("/file")))
        }
        await #expect(throws: FetchError.tooManyRedirects) {
            try await fetcher.fetch(FetchRequest(url: server.url("/loop")))
        }
    }

    @Test func fetchesPrivateAddressesOnlyWhenTheUserNamedThem() async throws {
        let other = try LoopbackServer { _ in .init("secret") }
        let server = try LoopbackServer { request in
            request.path == "/out" ? .init(302, headers: ["Location": other.url("/inside")]) : .init("own")
        }
        #expect(try await fetcher.fetch(FetchRequest(url: server.url("/"))).status == 200)
        await #expect(throws: FetchError.privateAddress("127.0.0.1")) {
            try await fetcher.fetch(FetchRequest(url: server.url("/out")))
        }
        #expect(other.requests.isEmpty)
        let request = FetchRequest(url: server.url("/"), allowsPrivateHost: false)
        await #expect(throws: FetchError.privateAddress("127.0.0.1")) { try await fetcher.fetch(request) }
        for (host, name) in [
            ("169.254.169.254", "169.254.169.254"), ("[fe80::1]", "fe80::1"),
            ("[::ffff:169.254.1.1]", "::ffff:a9fe:101"), ("0xA9FEA9FE", "169.254.169.254"),
        ] {
            await #expect(throws: FetchError.privateAddress(name), "\(host)") {
                try await fetcher.fetch(FetchRequest(url: "http://\(host)/"))
            }
        }
    }

    @Test func limitsTheDecodedBody() async throws {
        // 5,000 zeros compressed with gzip: far smaller than the limit until they are decoded.
        let zeros: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2,
            0xA0, 0xF5, 0x4F, 0x6D, 0x0A, 0x3F, 0xA0, 0x00, 0x00, 0x00, 0x00, 0x80, 0xB7, 0x01, 0xA8, 0x0E, 0xE5, 0xD8,
            0x88, 0x13, 0x00, 0x00,
        ]
        let server = try LoopbackServer { request in
            request.path == "/gzip"
                ? .init(200, headers: ["Content-Encoding": "gzip"], body: zeros)
                : .init(200, body: [UInt8](repeating: 65, count: 5000))
        }
        var request = FetchRequest(url: server.url("/plain"))
        request.limits.body = 500
        await #expect(throws: FetchError.bodyTooLarge(limit: 500)) { try await fetcher.fetch(request) }
        request.url = server.url("/gzip")
        await #expect(throws: FetchError.bodyTooLarge(limit: 500)) { try await fetcher.fetch(request) }
        // Checks the fixture: within the limit it is all zeros.
        request.limits.body = 5000
        let whole = try await fetcher.fetch(request)
        #expect(whole.body == [UInt8](repeating: 0, count: 5000) && !whole.isCut)
    }

    @Test func describesFailuresPlainly() async throws {
        await #expect(throws: FetchError.cannotConnect("127.0.0.1")) {
            try await fetcher.fetch(FetchRequest(url: "http://127.0.0.1:1/"))
        }
        await #expect(throws: FetchError.badAddress("gopher://x/")) {
            try await fetcher.fetch(FetchRequest(url: "gopher://x/"))
        }
        await #expect(throws: FetchError.noSuchFile("/no/such/file")) {
            try await fetcher.fetch(FetchRequest(url: "file:///no/such/file"))
        }
    }

    @Test func endsACancelledFetch() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 20_000) }
        let url = server.url("/slow")
        let task = Task { try await fetcher.fetch(FetchRequest(url: url)) }
        #expect(await eventually { !server.requests.isEmpty })
        task.cancel()
        // Immediately, not when the server answers.
        let isFirst = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await task.result.isFailure(.cancelled) }
            group.addTask {
                try? await Task.sleep(for: .seconds(10))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        #expect(isFirst && fetcher.remembered == 0)
    }

    @Test func doesNotWaitForCancelledFetches() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 20_000) }
        let url = server.url("/slow")
        // One continues, so that not everything ends at once.
        let tasks = (0..<2).map { _ in Task { try await fetcher.fetch(FetchRequest(url: url)) } }
        defer { tasks[1].cancel() }
        #expect(await eventually { server.requests.count >= 2 })
        tasks[0].cancel()
        #expect(await eventually(within: .seconds(15)) { server.departures == 1 })
    }

    /// The default limits of a fetch (limits of what comes from outside).
    @Test func hasTheDocumentedLimits() {
        let limits = FetchRequest(url: "x").limits
        #expect(limits.connectTimeout == 10_000 && limits.totalTimeout == 60_000)
        #expect(limits.body == 16_777_216 && limits.headers == 65_536 && limits.redirects == 5)
    }

    @Test func enforcesEachLimitExactly() async throws {
        let server = try LoopbackServer { request in
            let number = Int(request.path.dropFirst(2)) ?? 0
            switch request.path.prefix(2) {
            case "/r": return number == 0 ? .init("end") : .init(302, headers: ["Location": "/r\(number - 1)"])
            case "/b": return .init(200, body: [UInt8](repeating: 0x78, count: number))
            default: return .init(200, headers: ["X-Long": String(repeating: "x", count: number)])
            }
        }
        #expect(try await fetcher.fetch(FetchRequest(url: server.url("/r5"))).status == 200)
        await #expect(throws: FetchError.tooManyRedirects) {
            try await fetcher.fetch(FetchRequest(url: server.url("/r6")))
        }
        var request = FetchRequest(url: server.url("/b3000"))
        request.limits.body = 3000
        #expect(try await fetcher.fetch(request).body.count == 3000)
        request.url = server.url("/b3001")
        await #expect(throws: FetchError.bodyTooLarge(limit: 3000)) { try await fetcher.fetch(request) }
        request.url = server.url("/h800")
        request.limits.headers = 1000
        #expect(try await fetcher.fetch(request).headers["x-long"]?.count == 800)
        request.url = server.url("/h1000")
        await #expect(throws: FetchError.headersTooLarge(limit: 1000)) { try await fetcher.fetch(request) }
    }

    /// Two at once to a name, and eight to an address that many names share, unless it answers quickly.
    @Test(arguments: [
        (names: 1, keepsAlive: false, milliseconds: 30, limit: 2...2), (40, false, 250, 8...8), (40, true, 250, 8...8),
        (60, false, 30, 9...60), (60, true, 30, 9...60),
    ])
    func limitsConnections(
        names: Int, keepsAlive: Bool, milliseconds: UInt32, limit: ClosedRange<Int>
    ) async throws {
        let counts = Mutex((now: 0, maximum: 0))
        let server = try LoopbackServer(keepsAlive: keepsAlive) { request in
            // A redirect begins again while other requests run and wait.
            if request.path == "/" { return .init(302, headers: ["Location": "/feed"]) }
            counts.withLock { counts in
                counts.now += 1
                counts.maximum = max(counts.maximum, counts.now)
            }
            usleep(milliseconds * 1000)
            counts.withLock { $0.now -= 1 }
            return .init("x")
        }
        let (fetcher, port, requests) = (Fetcher(), server.port, max(10, names))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<requests {
                group.addTask {
                    let url = "http://a\(number % names).localhost:\(port)/"
                    return try await fetcher.fetch(FetchRequest(url: url)).status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: requests))
        #expect(limit.contains(counts.withLock { $0.maximum }))
        #expect(fetcher.remembered == 0)
    }

    @Test func fetchesIntoAFileWithHeaderFields() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("words", to: "file")
        let answer = try await fetcher.fetch(FetchRequest(url: "file://" + file))
        #expect(answer.status == 200 && !answer.isCut)
        #expect(answer.body == [UInt8]("words".utf8))
        let server = try LoopbackServer { _ in
            .init(raw: "HTTP/1.1 201 X\r\nA:one\r\nB:  two: 2 \r\nA: three\r\nContent-Length: 1\r\n\r\nx")
        }
        let fields = try await fetcher.fetch(
            FetchRequest(url: server.url("/"), headers: ["no colon", "X-Bad: a\u{0A}X-Other: b", "X-Good: 1"]))
        #expect(fields.status == 201 && fields.headers["a"] == "three" && fields.headers["b"] == "two: 2")
        let sent = server.requests[0].headers
        #expect(sent["x-good"] == "1" && sent["x-bad"] == nil && sent["x-other"] == nil && sent["no colon"] == nil)
        #expect(
            sent["user-agent"] == ProgramVersion.userAgent && sent["accept"]?.hasPrefix("application/atom+xml") == true
        )
        for url in ["http://a\u{7F}/", "javascript:x", "", "http://a b/"] {
            await #expect(throws: FetchError.badAddress(url)) { try await fetcher.fetch(FetchRequest(url: url)) }
        }
    }

    @Test(arguments: [
        (FetchError.bodyTooLarge(limit: 3 << 20), "the document is larger than 3 MiB"),
        (.headersTooLarge(limit: 64 << 10), "the server's header is larger than 64 KiB"),
        (.badAddress("x"), "'x' is not an http, https or file address"), (.unavailable, "libcurl is not installed"),
        (.cancelled, "stopped"), (.noSuchHost("h"), "no such host: h"), (.cannotConnect("h"), "h does not answer"),
        (.timedOut, "the server took too long"),
        (.proxyFailed("the proxy p does not answer"), "the proxy p does not answer"),
        (.unrequestedPart, "the server sent only a part of the document (206)"),
        (.tooManyRedirects, "too many redirects"),
        (.insecure("r"), "the connection is not secure: r"), (.noSuchFile("f"), "no such file: f"),
        (.privateAddress("h"), "h resolves to a private address; request refused"),
        (.notHTTP("h"), "h doesn't speak HTTP"), (.failed("r"), "the transfer failed: r"),
    ])
    func describesEveryFailure(error: FetchError, sentence: String) {
        #expect("\(error)" == sentence)
    }

    /// Cancellation works before the request is in the queue, in it, and during the transfer.
    @Test func endsAFetchCancelledAtAnyMoment() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 20_000) }
        let (fetcher, url) = (Fetcher(), server.url("/slow"))
        let ends = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let task = Task { try await fetcher.fetch(FetchRequest(url: url)) }
                    for _ in 0..<(number % 20) { await Task.yield() }
                    task.cancel()
                    let result = await task.result
                    if case .failure(let error as FetchError) = result { return error == .cancelled }
                    return false
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(ends.count == 400 && ends.allSatisfy { $0 })
        #expect(fetcher.remembered == 0)
    }

    @Test func endsWithATimeout() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 5000) }
        var request = FetchRequest(url: server.url("/slow"))
        request.limits.totalTimeout = 100
        await #expect(throws: FetchError.timedOut) { try await fetcher.fetch(request) }
    }
}

extension Result where Failure == any Error {
    fileprivate func isFailure(_ expected: FetchError) -> Bool {
        if case .failure(let error as FetchError) = self { error == expected } else { false }
    }
}
