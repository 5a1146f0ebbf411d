import LoopbackServer
import Testing
import WebAddresses

@testable import Fetching

/// The route of each request, direct or through a proxy, and its consequences.
@Suite struct RouteTests {
    private static func proxies(_ variables: [String: String]) -> ProxyEnvironment {
        ProxyEnvironment { variables[$0] }
    }

    @Test(
        arguments: [
            (["http_proxy": "p"], "http://a.example/", "p"), (["http_proxy": "p"], "https://a.example/", nil),
            (["https_proxy": "p"], "http://a.example/", nil), (["https_proxy": "p"], "https://a.example/", "p"),
            (["HTTPS_PROXY": "p"], "https://a.example/", "p"), (["HTTP_PROXY": "p"], "http://a.example/", nil),
            (["all_proxy": "p"], "http://a.example/", "p"), (["ALL_PROXY": "p"], "https://a.example/", "p"),
            (["http_proxy": "", "all_proxy": "p"], "http://a.example/", "p"), ([:], "http://a.example/", nil),
            (["all_proxy": "p", "no_proxy": "*"], "http://a.example/", nil),
            (["all_proxy": "p", "no_proxy": "b.example, .a.example"], "http://A.example:81/", nil),
            (["all_proxy": "p", "NO_PROXY": "a.example"], "http://x.a.example./", nil),
            (["all_proxy": "p", "no_proxy": "a.example"], "http://xa.example/", "p"),
            (["all_proxy": "p", "no_proxy": "10.0.0.0/8,192.168.1.1"], "http://10.9.8.7/", nil),
            (["all_proxy": "p", "no_proxy": "10.0.0.0/8,192.168.1.1"], "http://11.9.8.7/", "p"),
            (["all_proxy": "p", "no_proxy": "10.0.0.0/8,192.168.1.1"], "http://192.168.1.1:8080/", nil),
            (["all_proxy": "p", "no_proxy": "10.0.0.0/33,10.0.0.0/,/8,10.0.0.0/0"], "http://10.0.0.1/", "p"),
            (["all_proxy": "p", "no_proxy": "fd00::/8"], "http://[fd12::1]/", nil),
            (["all_proxy": "p", "no_proxy": "[::1]"], "http://[::1]:80/", nil),
            (["all_proxy": "p", "no_proxy": "0.1"], "http://10.0.0.1/", "p"),
        ] as [([String: String], String, String?)])
    func choosesTheRouteFromTheEnvironment(variables: [String: String], address: String, proxy: String?) {
        #expect(RouteTests.proxies(variables).proxy(for: address) == proxy)
    }

    /// Variables for other schemes, and exceptions, keep a request direct, so the address policy applies.
    @Test(
        arguments: [
            ["https_proxy": "http://127.0.0.1:1"], ["http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1"],
            ["all_proxy": "http://127.0.0.1:1", "no_proxy": "*"],
        ])
    func refusesPrivateAddressesThatBypassAProxy(variables: [String: String]) async throws {
        let server = try LoopbackServer { _ in .init("inner") }
        let fetcher = Fetcher(proxies: RouteTests.proxies(variables))
        let request = FetchRequest(url: server.url("/"), allowsPrivateHost: false)
        await #expect(throws: FetchError.privateAddress("127.0.0.1")) { try await fetcher.fetch(request) }
        #expect(server.requests.isEmpty)
        // The route is direct.
        #expect(try await fetcher.fetch(FetchRequest(url: server.url("/own"))).status == 200)
        #expect(server.requests.map(\.path) == ["/own"])
    }

    @Test func choosesTheRouteAgainAfterARedirect() async throws {
        let inner = try LoopbackServer { _ in .init("inner") }
        let target = inner.url("/secret")
        let proxy = try LoopbackServer { request in
            request.path.hasSuffix("/out") ? .init(302, headers: ["Location": target]) : .init("proxied")
        }
        let fetcher = Fetcher(proxies: RouteTests.proxies(["http_proxy": proxy.url(""), "no_proxy": "127.0.0.1"]))
        let own = try await fetcher.fetch(FetchRequest(url: "http://a.example/", allowsPrivateHost: false))
        #expect(own.body == Array("proxied".utf8))
        let request = FetchRequest(url: "http://a.example/out", allowsPrivateHost: false)
        await #expect(throws: FetchError.privateAddress("127.0.0.1")) { try await fetcher.fetch(request) }
        #expect(inner.requests.isEmpty && proxy.requests.map(\.path) == ["http://a.example/", "http://a.example/out"])
        // The first request is an exception and direct; the target of its redirect uses the proxy.
        let start = try LoopbackServer { _ in .init(302, headers: ["Location": "http://a.example/"]) }
        let moved = try await fetcher.fetch(FetchRequest(url: start.url("/")))
        #expect(moved.body == Array("proxied".utf8) && start.requests.count == 1)
    }

    /// A proxy on this computer or in its network doesn't bypass the address policy.
    @Test func bypassesTheProxyForPrivateNames() async throws {
        let proxy = try LoopbackServer { _ in .init("proxied") }
        let fetcher = Fetcher(proxy: proxy.url(""), proxies: RouteTests.proxies([:]))
        for host in [
            "10.0.0.5", "localhost", "feeds.localhost:8080", "[::1]", "169.254.169.254", "localhost.",
            "[::ffff:a9fe:1]",
        ] {
            let request = FetchRequest(url: "http://\(host)/", allowsPrivateHost: false)
            let name = host.replacing(":8080", with: "")
            await #expect(throws: FetchError.privateAddress(name), "\(host)") { try await fetcher.fetch(request) }
        }
        await #expect(throws: FetchError.privateAddress("169.254.169.254")) {
            try await fetcher.fetch(FetchRequest(url: "http://169.254.169.254/"))
        }
        #expect(proxy.requests.isEmpty)
        #expect(try await fetcher.fetch(FetchRequest(url: "http://10.0.0.5/")).status == 200)
    }

    /// A sentence names the proxy that failed, and not the site, but no password.
    @Test(
        arguments: [
            ("http://a.example/", "", "the proxy PROXY closed the connection without an answer"),
            ("https://a.example/", "HTTP/1.1 403 No\r\n\r\n", "the proxy PROXY can't connect to a.example (403)"),
            ("https://a.example/", "HTTP/1.1 502 No\r\n\r\n", "the proxy PROXY can't connect to a.example (502)"),
            ("https://a.example/", "HTTP/1.1 407 No\r\n\r\n", "the proxy PROXY requires a name and password (407)"),
            (
                "http://a.example/", "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n",
                "the proxy PROXY requires a name and password (407)"
            ),
            ("http://a.example/", "SSH-2.0-x\r\n", "the proxy PROXY doesn't speak HTTP"),
        ])
    func namesAProxyThatFails(address: String, answer: String, sentence: String) async throws {
        let proxy = try LoopbackServer { _ in .init(raw: answer) }
        let fetcher = Fetcher(proxy: "http://user:secret@127.0.0.1:\(proxy.port)/", proxies: RouteTests.proxies([:]))
        let error = await #expect(throws: FetchError.self) { try await fetcher.fetch(FetchRequest(url: address)) }
        #expect(error?.description == sentence.replacing("PROXY", with: "127.0.0.1:\(proxy.port)"))
    }

    /// Requests that aren't sent make room for the next ones to their host.
    @Test(.timeLimit(.minutes(1))) func refusesEachRequestToAPrivateHost() async {
        let fetcher = Fetcher(proxy: "http://127.0.0.1:9", proxies: RouteTests.proxies([:]))
        for number in 1...5 {
            await #expect(throws: FetchError.privateAddress("10.0.0.1")) {
                try await fetcher.fetch(FetchRequest(url: "http://10.0.0.1/\(number)", allowsPrivateHost: false))
            }
        }
    }

    @Test(
        arguments: [
            ("http://user:secret@127.0.0.1:1", "the proxy 127.0.0.1:1 does not answer"),
            ("127.0.0.1:1/", "the proxy 127.0.0.1:1 does not answer"),
            ("socks5h://127.0.0.1:1", "the proxy 127.0.0.1:1 does not answer"),
            ("http://no-such-host.invalid:8", "no such proxy: no-such-host.invalid:8"),
        ])
    func namesAProxyThatIsMissing(proxy: String, sentence: String) async throws {
        let fetcher = Fetcher(proxies: RouteTests.proxies(["all_proxy": proxy]))
        for address in ["http://a.example/", "https://a.example/"] {
            let error = await #expect(throws: FetchError.self) { try await fetcher.fetch(FetchRequest(url: address)) }
            #expect(error?.description == sentence)
        }
    }

    /// A proxy that accepts connections and says nothing.
    @Test func namesAProxyThatIsSilent() async throws {
        let proxy = try LoopbackServer { _ in .init(200, body: [1], delay: 5000) }
        let fetcher = Fetcher(proxy: proxy.url(""), proxies: RouteTests.proxies([:]))
        var request = FetchRequest(url: "https://a.example/")
        request.limits.totalTimeout = 100
        await #expect(throws: FetchError.proxyFailed("the proxy 127.0.0.1:\(proxy.port) took too long")) {
            try await fetcher.fetch(request)
        }
    }

    // MARK: Redirects

    @Test(
        arguments: [
            ("http://a.example/", [(301, "http://b.example/")], true),
            ("http://a.example/", [(308, "https://a.example/"), (301, "https://a.example/new")], true),
            ("http://a.example/", [(301, "http://b.example/"), (302, "http://c.example/")], false),
            ("http://a.example/", [(303, "http://b.example/")], false),
            ("https://a.example/", [(301, "http://a.example/")], false),
            ("https://a.example/", [(301, "http://a.example/"), (301, "https://a.example/")], false),
            ("http://a.example/", [(301, "https://a.example/"), (308, "http://b.example/")], false),
        ] as [(String, [(Int, String)], Bool)])
    func permanentRedirectsNeverLoseHTTPS(start: String, redirects: [(Int, String)], isPermanent: Bool) throws {
        var hop = try #require(RequestHop(FetchRequest(url: start)))
        #expect(hop.permanentAddress == nil && hop.address == start)
        for (status, target) in redirects { try hop.follow(status, to: target) }
        #expect(hop.permanentAddress == (isPermanent ? redirects.last?.1 : nil))
        #expect(hop.address == redirects.last?.1)
    }

    @Test func sendsRedirectCredentialsOnlyToTheTarget() throws {
        var hop = try #require(
            RequestHop(FetchRequest(url: "http://u:p@a.example/", headers: ["X-Key: k"])))
        let own = ["X-Key: k", UserInfo.authorization("u:p")]
        #expect(hop.secrets == own && hop.address == "http://a.example/")
        try hop.follow(302, to: "http://v:q@b.example/")
        #expect(hop.secrets == [UserInfo.authorization("v:q")] && hop.address == "http://b.example/")
        try hop.follow(302, to: "http://c.example/")
        #expect(hop.secrets.isEmpty)
        try hop.follow(302, to: "http://a.example/back")
        #expect(hop.secrets == own)
    }

    /// The body of a redirect is dropped but counted.
    @Test func dropsTheBodyOfARedirect() async throws {
        let server = try LoopbackServer { request in
            request.path == "/"
                ? .init(302, headers: ["Location": "/end"], body: [UInt8](repeating: 65, count: 3000)) : .init("end")
        }
        var request = FetchRequest(url: server.url("/"))
        request.limits.body = 3000
        let answer = try await Fetcher().fetch(request)
        #expect(answer.body == Array("end".utf8) && answer.effectiveURL == server.url("/end"))
        request.limits.body = 2999
        await #expect(throws: FetchError.bodyTooLarge(limit: 2999)) { try await Fetcher().fetch(request) }
    }
}
