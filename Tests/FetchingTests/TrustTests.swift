import CCurl
import Foundation
import LoopbackServer
import Testing
import WebAddresses

@testable import Fetching

/// Decisions about addresses and credentials for each request.
@Suite struct TrustTests {
    // MARK: Addresses

    @Test(
        arguments: [
            // RFC 1918, and the neighbours of each range.
            ("10.0.0.0", 1), ("10.255.255.255", 1), ("9.255.255.255", 0), ("11.0.0.0", 0),
            ("172.16.0.0", 1), ("172.31.255.255", 1), ("172.15.255.255", 0), ("172.32.0.0", 0),
            ("192.168.0.0", 1), ("192.168.255.255", 1), ("192.167.255.255", 0), ("192.169.0.0", 0),
            // This network, loopback, shared address space (RFC 6598), multicast and reserved ranges.
            ("0.0.0.0", 1), ("0.255.255.255", 1), ("1.0.0.0", 0), ("127.0.0.1", 1), ("127.255.255.255", 1),
            ("126.255.255.255", 0), ("128.0.0.0", 0), ("100.64.0.0", 1), ("100.127.255.255", 1), ("100.63.255.255", 0),
            ("100.128.0.0", 0), ("224.0.0.0", 1), ("255.255.255.255", 1), ("223.255.255.255", 0), ("240.0.0.1", 1),
            // Link-local.
            ("169.254.0.0", 2), ("169.254.255.255", 2), ("169.253.255.255", 0), ("169.255.0.0", 0),
            // IPv6: unspecified, loopback, unique local (fc00::/7), link-local (fe80::/10), multicast.
            ("::", 1), ("::1", 1), ("fc00::", 1), ("fcff::1", 1), ("fd00::", 1), ("fdff:ffff::1", 1), ("fbff::1", 0),
            ("fe00::1", 0), ("fe80::", 2), ("febf:ffff::1", 2), ("fe7f::1", 0), ("fec0::1", 0), ("ff00::", 1),
            ("ff02::1", 1), ("2001:db8::1", 0), ("2606:4700::1", 0),
            // IPv4 addresses inside: mapped, compatible, NAT64, 6to4.
            ("::ffff:10.0.0.1", 1), ("::ffff:172.31.255.255", 1), ("::ffff:172.32.0.1", 0), ("::ffff:169.254.1.1", 2),
            ("::ffff:8.8.8.8", 0), ("::10.0.0.1", 1), ("64:ff9b::192.168.1.1", 1), ("64:ff9b::8.8.8.8", 0),
            ("2002:0a00:0001::", 1), ("2002:7f00:0001::", 1), ("2002:a9fe:0001::", 2), ("2002:0808:0808::", 0),
            ("no address", -1), ("", -1),
        ] as [(String, Int)])
    func recognizesEveryPrivateRange(text: String, kind: Int) {
        let address = IPAddress(text)
        #expect(address.map { Int(ccurl_kind_of_address($0.bytes, $0.bytes.count)) } ?? -1 == kind)
    }

    /// An open connection doesn't bypass the address policy.
    @Test func refusesRedirectsOverOpenConnections() async throws {
        let inner = try LoopbackServer(keepsAlive: true) { _ in .init("inner") }
        let target = inner.url("/secret")
        let outer = try LoopbackServer(keepsAlive: true) { _ in .init(302, headers: ["Location": target]) }
        let fetcher = Fetcher()
        let refused = FetchError.privateAddress("127.0.0.1")
        await #expect(throws: refused) { try await fetcher.fetch(FetchRequest(url: outer.url("/feed"))) }
        #expect(inner.requests.isEmpty)
        // The user follows the other one too, so that a connection to it is open.
        let own = try await fetcher.fetch(FetchRequest(url: inner.url("/own")))
        #expect(own.status == 200)
        for _ in 0..<3 {
            await #expect(throws: refused) { try await fetcher.fetch(FetchRequest(url: outer.url("/feed"))) }
        }
        #expect(inner.requests.count == 1)
        #expect(inner.requests.map(\.path) == ["/own"])
        // A host that may not be private isn't reached over an open connection either.
        let request = FetchRequest(url: inner.url("/other"), allowsPrivateHost: false)
        await #expect(throws: refused) { try await fetcher.fetch(request) }
        #expect(inner.requests.map(\.path) == ["/own"])
    }

    // MARK: Secrets

    @Test(
        arguments: [
            ("http://a.example/x", "http://A.EXAMPLE:80/y?z", true),
            ("http://a.example/", "http://a.example:8080/", false), ("http://a.example/", "https://a.example/", true),
            ("https://a.example/", "http://a.example/", false), ("http://a.example:8080/", "https://a.example/", false),
            ("http://a.example/", "https://a.example:444/", false), ("https://a.example/", "https://b.example/", false),
            ("http://a.example/", "https://b.example/", false),
            ("http://a.example:81/", "https://a.example:443/", false),
            ("https://a.example/", "https://a.example.evil/", false),
            ("https://a.example/", "https://evil@a.example/", true),
            ("https://a.example/", "https://a.example@evil/", false),
            ("https://a.example/", "https://evil\\@a.example/", false),
            ("https://a.example/", "https://a.example\\@evil/", false), ("http://[::1]:80/", "http://[::1]/", true),
            ("http://[::1]:81/", "http://[::1]/", false), ("https://a.example/", "ftp://a.example/", false),
            ("https://a.example/", "//a.example/", false), ("https://a.example/", "", false),
        ])
    func bindsSecretsToAnOrigin(from: String, to: String, isTrusted: Bool) throws {
        #expect(try #require(Origin(from)).trusts(to) == isTrusted)
    }

    @Test func removesCredentialsFromAddresses() {
        let split = UserInfo.split("http://alice:s%20e@a.example:81/x@y?q=@")
        #expect(split.address == "http://a.example:81/x@y?q=@")
        #expect(split.authorization == "Authorization: Basic " + Data("alice:s e".utf8).base64EncodedString())
        #expect(UserInfo.split("http://a.example/x@y").authorization == nil)
        #expect(UserInfo.split("file:///x@y").address == "file:///x@y")
    }

    /// All hosts resolve through a server of the test, so that there are several.
    @Test(
        arguments: [
            ("http://a.example/next", true), ("http://b.example/", false), ("http://a.example:81/", false),
            ("http://a.example.evil/", false), ("http://a.example@b.example/", false), ("//b.example/x", false),
            ("http://mallory:pw@a.example/", true), ("http://a.example\\@b.example/", false),
            ("http://a.example:80\\x@b.example/", false),
        ])
    func sendsHeadersOnlyToTheirOrigin(target: String, isOwn: Bool) async throws {
        let server = try LoopbackServer { request in
            request.path == "http://a.example/start" ? .init(302, headers: ["Location": target]) : .init("end")
        }
        let secrets = ["Authorization: Basic abc", "Cookie: a=b", "X-Key: secret"]
        let fetcher = Fetcher(proxy: server.url(""))
        let answer = try await fetcher.fetch(FetchRequest(url: "http://a.example/start", headers: secrets))
        #expect(answer.status == 200 && UserInfo.split(answer.effectiveURL).address == answer.effectiveURL)
        let requests = server.requests
        #expect(requests.count == 2)
        #expect(requests[0].headers["x-key"] == "secret" && requests[0].headers["authorization"] == "Basic abc")
        #expect(requests[1].headers["x-key"] == (isOwn ? "secret" : nil), "\(requests[1].path)")
        #expect(requests[1].headers["cookie"] == (isOwn ? "a=b" : nil))
        #expect(isOwn || requests[1].headers["authorization"]?.contains("abc") != true)
    }

    @Test func answersShowNoPassword() async throws {
        let server = try LoopbackServer { request in
            request.path == "/start" ? .init(301, headers: ["Location": "/feed"]) : .init("x")
        }
        let url = server.url("/start").replacing("http://", with: "http://alice:secret@")
        let answer = try await Fetcher().fetch(FetchRequest(url: url))
        #expect(answer.effectiveURL == server.url("/feed"))
        #expect(answer.permanentURL == server.url("/feed"))
        let expected = "Basic " + Data("alice:secret".utf8).base64EncodedString()
        #expect(server.requests.map { $0.headers["authorization"] } == [expected, expected])
    }

    // MARK: What was fetched

    @Test func reportsATruncatedDocument() async throws {
        let body = Array(String(repeating: "<item>words</item>", count: 400).utf8)
        let server = try LoopbackServer { _ in .init(200, headers: ["ETag": "a"], body: body, cutAfter: 3000) }
        let answer = try await Fetcher().fetch(FetchRequest(url: server.url("/")))
        #expect(answer.isCut && answer.body == Array(body.prefix(3000)))
        #expect(answer.headers["etag"] == "a")
    }

    /// Each kind of invalid response has its own message.
    @Test(
        arguments: [
            ("SSH-2.0-OpenSSH_9\r\n", "127.0.0.1 doesn't speak HTTP"),
            ("HTTP/1.1 000 x\r\nContent-Length: 0\r\n\r\n", "127.0.0.1 doesn't speak HTTP"),
            ("", "the transfer failed: 127.0.0.1 closed the connection without an answer"),
            (
                "HTTP/1.1 301 Moved\r\nLocation: ftp://a.example/x\r\nContent-Length: 0\r\n\r\n",
                "the transfer failed: it redirects to an address that is neither http nor https"
            ),
            (
                "HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
                "the transfer failed: it redirects to an address that is neither http nor https"
            ),
            (
                "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 200_000) + "\r\n\r\n",
                "the server's header is larger than 64 KiB"
            ),
            (
                String(
                    repeating: "HTTP/1.1 100 Continue\r\nX: \(String(repeating: "y", count: 1000))\r\n\r\n", count: 100),
                "the server's header is larger than 64 KiB"
            ),
            ("HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", "too many redirects"),
        ])
    func whatIsNoAnswerIsToldInPlainWords(raw: String, sentence: String) async throws {
        let server = try LoopbackServer { _ in .init(raw: raw) }
        let url = server.url("/")
        let error = await #expect(throws: FetchError.self) { try await Fetcher().fetch(FetchRequest(url: url)) }
        #expect(error?.description == sentence)
    }

    @Test(arguments: [
        "http://127.0.0.1:99999/", "http://127.0.0.1:x/", "http://a b/", "http://a\u{7F}/", "http:///a/",
        "http://a\\b/", "ftp://a.example/", "http:a.example", "//a.example/", "",
    ])
    func reportsAnInvalidAddress(url: String) async {
        let error = await #expect(throws: FetchError.self) { try await Fetcher().fetch(FetchRequest(url: url)) }
        #expect(error?.description.hasPrefix("'\(url)' is not an http, https or file address") == true)
    }

    /// Waiting for a busy host doesn't count as a timeout and delays nobody else.
    @Test func waitingInTheQueueIsNoTimeout() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [1], delay: 150) }
        let (fetcher, url) = (Fetcher(), server.url("/"))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    var request = FetchRequest(url: url)
                    request.limits.totalTimeout = 700
                    return try await fetcher.fetch(request).status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 12))
    }

    @Test func limitsRequestsToAHostAndServesOthers() {
        var queue = HostQueue(maximum: 2)
        func starts(_ id: UInt64, _ host: String) -> Bool { queue.mayStart(id, host: host) }
        func next(_ id: UInt64) -> UInt64? { queue.next(after: id) }
        #expect([starts(1, "a"), starts(2, "a")] == [true, true])
        #expect([starts(3, "a"), starts(4, "a"), starts(5, "b")] == [false, false, true])
        // Cancelling a waiting request gives its permit to nobody else.
        #expect([next(3), next(1), next(1), next(2)] == [nil, 4, nil, nil])
        #expect([starts(6, "a"), starts(7, "a")] == [true, false])
        #expect(next(4) == 7)
    }

    @Test func returnsACookieSetByARedirect() async throws {
        let server = try LoopbackServer { request in
            request.headers["cookie"] == "seen=1"
                ? .init("feed") : .init(302, headers: ["Location": "/", "Set-Cookie": "seen=1"])
        }
        let fetcher = Fetcher()
        // For a single transfer.
        for _ in 0..<2 {
            let answer = try await fetcher.fetch(FetchRequest(url: server.url("/")))
            #expect(answer.status == 200)
        }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "seen=1", nil, "seen=1"])
    }
}
