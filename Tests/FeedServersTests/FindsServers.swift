import Feeds
import LoopbackServer
import Testing

@testable import Accounts
@testable import Fetching

/// The type of server at an address, and the errors of others.
@Suite(.timeLimit(.minutes(2))) struct FindsServers {
    private typealias Answer = LoopbackServer.Answer
    private static let login = "POST /accounts/ClientLogin"
    private static let auth = Answer.plain("Auth=alice/1\n")

    private func find(_ server: RecordedServer, _ path: String = "", password: String = "p") async throws(ServerError)
        -> DiscoveredServer
    {
        try await ServerDiscovery.find(server.address + path, user: "alice", password: password, fetcher: Fetcher())
    }

    @Test(arguments: ["", "/", "//", "/accounts/ClientLogin", "/reader/api/0", "/reader/api/0/token", "/v1", "/v1/"])
    func findsTheAPIAtTheGivenAddress(path: String) async throws {
        let nothing = try RecordedServer([String: Answer]())
        #expect(
            await failure { try await self.find(nothing, path) }
                == .noServer(nothing.address + path))
        #expect(
            nothing.lines == [
                "GET /v1/me", "GET /v1/me", "POST /accounts/ClientLogin", "POST /api/greader.php/accounts/ClientLogin",
                "POST /p/api/greader.php/accounts/ClientLogin", "GET /index.php/apps/news/api/v1-3/version",
                "POST /api/", "POST /tt-rss/api/", "GET /v2/subscriptions.json", "POST /fever/?api",
                "POST /api/fever.php?api", "POST /p/api/fever.php?api",
            ])
        #expect(nothing.requests.prefix(3).map { $0.headers["x-auth-token"] } == [nil, "p", nil])
        for (key, kind, below) in [
            (Self.login, ServerKind.reader, ""),
            ("POST /api/greader.php/accounts/ClientLogin", .freshrss, "/api/greader.php"),
            ("POST /p/api/greader.php/accounts/ClientLogin", .freshrss, "/p/api/greader.php"),
        ] {
            let server = try RecordedServer([key: Self.auth])
            #expect(
                try await find(server, path)
                    == DiscoveredServer(kind: kind, base: server.address + below, authorization: "alice/1"))
        }
    }

    @Test func findsMinifluxWithItsUsersPasswordOrAToken() async throws {
        let me = Answer.json(#"{"username":"alice"}"#)
        let password = try RecordedServer(["GET /v1/me": me, Self.login: Self.auth])
        #expect(try await find(password) == DiscoveredServer(kind: .miniflux, base: password.address))
        let token = try RecordedServer(["GET /v1/me": [.init(401), me], Self.login: [Self.auth]])
        #expect(try await find(token, "/v1/") == DiscoveredServer(kind: .minifluxToken, base: token.address))
        // Below an address of FreshRSS there is nothing else to look for.
        let fresh = try RecordedServer(["POST /x/greader.php/accounts/ClientLogin": Self.auth])
        #expect(
            try await find(fresh, "/x/greader.php/")
                == DiscoveredServer(kind: .freshrss, base: fresh.address + "/x/greader.php", authorization: "alice/1"))
        #expect(fresh.lines == ["POST /x/greader.php/accounts/ClientLogin"])
    }

    private static let sites: [(requests: [String], answer: Answer, kind: ServerKind, below: String)] = [
        (
            ["", "/index.php/apps/news/", "/apps/news", "/index.php/apps/news/api/v1-2"],
            .json(#"{"version":"28.4.0"}"#), .nextcloud, "/index.php/apps/news/api/v1-3"
        ),
        (["", "/api/", "/api"], .json(#"{"status":0,"content":{"session_id":"s1"}}"#), .ttrss, "/api/"),
        (["", "/tt-rss/api/"], .json(#"{"status":0,"content":{"session_id":"s1"}}"#), .ttrss, "/tt-rss/api/"),
        (["", "/v2/"], .json("[]"), .feedbin, "/v2"),
        (["", "/fever", "/fever/"], .json(#"{"api_version":3,"auth":1}"#), .fever, "/fever/"),
        (["", "/api/fever.php"], .json(#"{"api_version":3,"auth":1}"#), .fever, "/api/fever.php"),
    ]

    /// Each server is found at the address of its site and of its API.
    @Test func findsOtherServers() async throws {
        let requests = [
            ServerKind.nextcloud: "GET %/version", .ttrss: "POST %", .feedbin: "GET %/subscriptions.json",
            .fever: "POST %?api",
        ]
        for (paths, answer, kind, below) in Self.sites {
            let request = try #require(requests[kind]).replacing("%", with: below)
            for path in paths {
                let server = try RecordedServer([request: answer])
                let found = try await find(server, path)
                let session = kind == .ttrss ? "s1" : nil
                #expect(
                    found == DiscoveredServer(kind: kind, base: server.address + below, authorization: session),
                    "\(path) \(found)")
                if !path.isEmpty { #expect(server.lines.count <= 2, "\(path) \(server.lines)") }
            }
        }
        #expect(ServerDiscovery.places("https://feedbin.com/").map(\.base) == ["https://api.feedbin.com/v2"])
    }

    /// Each server is found at the address that the browser shows.
    @Test(arguments: [
        ("/i/?rid=1&a=normal", "POST /api/greader.php/accounts/ClientLogin", ServerKind.freshrss, "/api/greader.php"),
        ("/rss/i/index.php#x", "POST /rss/api/greader.php/accounts/ClientLogin", .freshrss, "/rss/api/greader.php"),
        ("/feed/3/entries", "POST /accounts/ClientLogin", .reader, ""),
    ]) func findsServersBelowPages(page: String, request: String, kind: ServerKind, below: String) async throws {
        let server = try RecordedServer([request: Self.auth])
        let found = try await find(server, page)
        #expect(found == DiscoveredServer(kind: kind, base: server.address + below, authorization: "alice/1"))
    }

    /// An address is checked without a name and password. Nothing else than a server counts.
    @Test func checksAddressesWithoutPasswords() async throws {
        let server = try RecordedServer(["POST /api/greader.php/accounts/ClientLogin": Answer(401)])
        try await ServerDiscovery.check(server.address + "/i/", fetcher: Fetcher())
        let nothing = try RecordedServer([String: Answer]())
        let error = await failure { try await ServerDiscovery.check(nothing.address + "/i/", fetcher: Fetcher()) }
        #expect(error == .noServer(nothing.address + "/i/"))
        #expect(
            error?.description
                == "nothing at \(nothing.address)/i/ answers as a feed server; try \(nothing.address)")
    }

    /// A host without encryption is told from one with a certificate that can't be trusted.
    @Test func recognizesHostsWithoutEncryption() {
        let base = "https://127.0.0.1:8090/x"
        for reason in ["OpenSSL SSL_connect: SSL_ERROR_SYSCALL", "wrong version number"] {
            let error = ServerConnection.error(.insecure(reason), base: base)
            #expect(
                error.description
                    == "127.0.0.1:8090 does not speak https; write http:// to use it without encryption")
        }
        let certificate = ServerConnection.error(.insecure("SSL certificate problem: expired"), base: base)
        #expect(certificate.description.hasPrefix("server away: "))
    }

    /// Of several errors, the most informative is reported in any order.
    @Test func reportsTheMostSpecificReason() async throws {
        let paths = ["", "/api/greader.php", "/p/api/greader.php"].map { "POST \($0)/accounts/ClientLogin" }
        let ranked: [(Answer, ServerError)] = [
            (.init(401), .passwordRefused),
            (.init(503, body: Array("Service Unavailable!".utf8)), .switchedOff),
            (.init(429, headers: ["Retry-After": "60"]), .tooManyRequests(seconds: 60)),
            (.init(400, body: Array("<p>".utf8)), .refused("the server answered 400")),
        ]
        for (index, (answer, error)) in ranked.enumerated() {
            for place in paths.indices {
                for other in [.init(404)] + ranked.dropFirst(index + 1).map(\.0) {
                    var answers: [String: Answer] = [:]
                    for path in paths { answers[path] = other }
                    answers[paths[place]] = answer
                    let server = try RecordedServer(answers)
                    #expect(await failure { try await self.find(server) } == error, "\(error) \(place)")
                }
            }
        }
        // An unreachable server isn't asked at its other addresses.
        let away = try RecordedServer([Self.login: .init(500)])
        #expect(await failure { try await self.find(away) } == .away("server error (500)"))
        #expect(away.lines.filter { $0.hasPrefix("POST") } == [Self.login])
    }

    // MARK: Errors

    @Test(
        arguments: [
            (200, [:], nil), (204, [:], nil), (299, [:], nil),
            (
                301, ["location": "https://b.example/"],
                .noAPI("the address redirects (https://b.example/); use the target address")
            ),
            (302, [:], .noAPI("the address redirects; use the target address")),
            (303, [:], .noAPI("the address redirects; use the target address")),
            (307, [:], .noAPI("the address redirects; use the target address")),
            (308, [:], .noAPI("the address redirects; use the target address")),
            (300, [:], .refused("the server answered 300")), (304, [:], .refused("the server answered 304")),
            (400, [:], .refused("the server answered 400")), (401, [:], .passwordRefused), (403, [:], .passwordRefused),
            (404, [:], .noAPI("not found (404)")),
            (405, [:], .noAPI("the server answered 405")),
            (410, [:], .noAPI("gone (410)")),
            (501, [:], .noAPI("server error (501)")),
            (409, [:], .refused("the server answered 409")), (422, [:], .refused("the server answered 422")),
            (429, [:], .tooManyRequests(seconds: nil)), (429, ["retry-after": "120"], .tooManyRequests(seconds: 120)),
            (429, ["retry-after": "soon"], .tooManyRequests(seconds: nil)),
            (503, [:], .away("busy or in maintenance (503)")),
            (503, ["retry-after": "60"], .away("busy or in maintenance (503)")),
            (500, [:], .away("server error (500)")),
            (502, [:], .away("server error (502)")),
            (599, [:], .away("server error (599)")),
        ] as [(Int, [String: String], ServerError?)])
    func readsStatuses(status: Int, headers: [String: String], error: ServerError?) {
        let answer = ServerConnection.Answer(status: status, body: [], headers: headers)
        #expect(ServerConnection.error(answer, turnsOffWith503: true) == error)
        #expect(ServerConnection.error(answer) == error)
        // FreshRSS means a setting by these words.
        let words = ServerConnection.Answer(status: 503, body: Array("Service Unavailable!".utf8), headers: [:])
        #expect(ServerConnection.error(words, turnsOffWith503: true) == .switchedOff)
    }

    @Test func readsClosedConnections() async throws {
        let server = try RecordedServer([
            "GET /cut": LoopbackServer.Answer(200, body: Array(#"{"itemRefs":[]}"#.utf8), cutAfter: 5),
            "GET /out": .init(302, headers: ["Location": "/in"]), "GET /in": .json("{}"),
            "GET /large": .init(200, body: [UInt8](repeating: 0x20, count: 16 << 20) + [0x20]),
            "GET /fits": .init(200, body: [UInt8](repeating: 0x20, count: 16 << 20)),
        ])
        let connection = ServerConnection(base: server.address, fetcher: Fetcher())
        #expect(await failure { try await connection.ask("/cut") } == .away("the answer was cut off"))
        #expect(await failure { try await connection.ask("/large") } == .tooLarge)
        #expect(try await connection.ask("/fits").body.count == 16 << 20)
        // No redirect is followed: its target would receive the secret.
        let moved = await failure { try await connection.ask("/out", secret: ["X-Auth-Token: t"]) }
        #expect(moved == .noAPI("the address redirects; use the target address"))
        let form = ServerConnection.form([("a", "b")])
        #expect(try await connection.ask("/out", message: form).status == 404)
        let none = ServerConnection(base: "gopher://a", fetcher: Fetcher())
        #expect(await failure { try await none.ask("/") } == .noAPI("'gopher://a' is not a server address"))
        let closed = ServerConnection(base: "http://127.0.0.1:1", fetcher: Fetcher())
        #expect(await failure { try await closed.ask("/") } == .away("127.0.0.1 does not answer"))
        let task = Task { await failure { try await connection.ask("/fits") } }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(!server.lines.contains("GET /in"))
    }

    @Test(arguments: [
        ("{}", true, false), (" \r\n\t[", true, false), ("<html>", false, true), ("\n<", false, true),
        ("", false, false),
        (" ", false, false), ("OK", false, false), ("x{", false, false),
    ])
    func distinguishesDataFromPages(body: String, isJSON: Bool, isPage: Bool) {
        let answer = ServerConnection.Answer(status: 200, body: Array(body.utf8), headers: [:])
        #expect(answer.isJSON == isJSON && answer.isPage == isPage)
    }

    @Test func escapesReservedCharacters() {
        #expect(ServerConnection.escaped("azAZ09-._~") == "azAZ09-._~")
        #expect(ServerConnection.escaped("\n +&=/?#%\u{FC}") == "%0A%20%2B%26%3D%2F%3F%23%25%C3%BC")
        let form = ServerConnection.form([("a", "1&2"), ("b", ""), ("a", "3")])
        #expect(form.body == Array("a=1%262&b=&a=3".utf8))
        #expect(form.method == "POST" && form.contentType == "application/x-www-form-urlencoded")
        #expect(ServerConnection.form([]).body.isEmpty)
    }

    @Test(arguments: [
        (
            ServerError.passwordRefused,
            "password rejected (many servers need a separate API password, which you set in their settings)", false
        ),
        (.switchedOff, "the server's API is turned off; turn it on in the server's settings", false),
        (.noAPI("x"), "no reader API here: x", false),
        (.tooManyRequests(seconds: nil), "too many requests (429)", true),
        (.tooManyRequests(seconds: 7), "too many requests (429); the server asked to wait", true),
        (.away("x"), "server away: x", true), (.refused("x"), "rejected by the server: x", false),
        (.tooLarge, "unusable answer: larger than 16 MiB", true),
        (.unreadable("x"), "unusable answer: x", true), (.noPassword("x"), "x", false),
        (.cancelled, "stopped", true),
    ])
    func saysWhatFailedAndWhetherToRetry(error: ServerError, sentence: String, mayPass: Bool) {
        #expect("\(error)" == sentence && error.mayPass == mayPass)
    }

    @Test(arguments: [
        (RemoteMark.read, "read", false), (.starred, "starred", false), (.later, "later", true),
        (.label("x"), "label/x", true), (.label(""), "label/", true), (.label("label/a b"), "label/label/a b", true),
    ])
    func namesStatesAsTheServerDoes(mark: RemoteMark, name: String, isLabel: Bool) {
        #expect(mark.name == name && RemoteMark(name: name) == mark && mark.isLabel == isLabel)
        #expect(RemoteMark(name: "unread") == nil && RemoteMark(name: "") == nil && RemoteMark(name: "label") == nil)
    }

    @Test func namesKindsOfServers() {
        #expect(
            ServerKind.allCases.map(\.name) == [
                "FreshRSS", "Google Reader API", "Miniflux", "Miniflux", "Nextcloud News", "Tiny Tiny RSS", "Feedbin",
                "Fever API",
            ])
        #expect(ServerKind.allCases.filter(\.hasLabels) == [.freshrss, .ttrss])
        #expect(ServerKind.labelled == "'freshrss', 'ttrss'")
        #expect(ServerKind.allCases.filter { !$0.addsFeeds } == [.fever])
        #expect(ServerKind.allCases.filter { !$0.organisesFeeds } == [.ttrss, .fever])
        #expect(RemoteList.everywhere == [.unread, .starred])
    }
}
