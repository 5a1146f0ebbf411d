import Fetching
import Foundation
import LoopbackServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct FetcherTests {
    let fetcher = Fetcher()

    @Test func fetchesAndAsksConditionally() async throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"v1\""
                ? .init(304) : .init("<rss/>", headers: ["ETag": "\"v1\""])
        }
        defer { server.stop() }
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
        defer { server.stop() }
        let answer = try await fetcher.fetch(FetchRequest(url: server.url("/moved")))
        #expect(answer.permanentURL == server.url("/there"))
        await #expect(throws: FetchError.self) { try await fetcher.fetch(FetchRequest(url: server.url("/file"))) }
        await #expect(throws: FetchError.tooManyRedirects) {
            try await fetcher.fetch(FetchRequest(url: server.url("/loop")))
        }
    }

    @Test func privateAddressesAreAskedOnlyWhereTheUserNamedThem() async throws {
        let other = try LoopbackServer { _ in .init("secret") }
        let server = try LoopbackServer { request in
            request.path == "/out" ? .init(302, headers: ["Location": other.url("/inside")]) : .init("own")
        }
        defer {
            server.stop()
            other.stop()
        }
        #expect(try await fetcher.fetch(FetchRequest(url: server.url("/"))).status == 200)
        await #expect(throws: FetchError.privateAddress("127.0.0.1")) {
            try await fetcher.fetch(FetchRequest(url: server.url("/out")))
        }
        #expect(other.requests.isEmpty)
        var request = FetchRequest(url: server.url("/"))
        request.allowsPrivateHost = false
        await #expect(throws: FetchError.privateAddress("127.0.0.1")) { try await fetcher.fetch(request) }
        for address in ["http://169.254.169.254/", "http://[fe80::1]/", "http://[::ffff:169.254.1.1]/"] {
            await #expect(throws: FetchError.self) { try await fetcher.fetch(FetchRequest(url: address)) }
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
        defer { server.stop() }
        var request = FetchRequest(url: server.url("/plain"))
        request.limits.body = 500
        await #expect(throws: FetchError.bodyTooLarge(limit: 500)) { try await fetcher.fetch(request) }
        request.url = server.url("/gzip")
        await #expect(throws: FetchError.bodyTooLarge(limit: 500)) { try await fetcher.fetch(request) }
        // The fixture is sound: within the limit it is all zeros.
        request.limits.body = 5000
        let whole = try await fetcher.fetch(request)
        #expect(whole.body == [UInt8](repeating: 0, count: 5000) && !whole.isCut)
    }

    @Test func failuresHavePlainWords() async throws {
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

    @Test func aCancelledFetchEnds() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 20_000) }
        defer { server.stop() }
        let url = server.url("/slow")
        let task = Task { try await fetcher.fetch(FetchRequest(url: url)) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await #expect(throws: FetchError.cancelled) { try await task.value }
    }

    /// Whenever the cancellation comes: before the request is in the queue, in it, or under way.
    @Test func aFetchThatIsCancelledAtAnyMomentEnds() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 20_000) }
        defer { server.stop() }
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
    }

    @Test func aTimeOutEnds() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 5000) }
        defer { server.stop() }
        var request = FetchRequest(url: server.url("/slow"))
        request.limits.totalTimeout = 100
        await #expect(throws: FetchError.timedOut) { try await fetcher.fetch(request) }
    }
}
