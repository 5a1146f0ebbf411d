import Fetching
import LoopbackServer
import Testing

@testable import Accounts

/// Logins and tokens of the Google Reader API, for each response of a server.
@Suite(.timeLimit(.minutes(2))) struct LogsIntoGoogleReader {
    private typealias Answer = LoopbackServer.Answer
    private static let list = Answer.json(#"{"subscriptions":[]}"#)
    private static let badToken = Answer.plain("Unauthorized!", status: 401, headers: ["Google-Bad-Token": "true"])
    private static let minifluxBadToken = Answer.plain(
        "Unauthorized!", status: 401, headers: ["X-Reader-Google-Bad-Token": "true"])
    private static let unauthorized = Answer.plain("Unauthorized!", status: 401)

    @Test(
        arguments: [
            (200, "SID=a\nLSID=null\nAuth=alice/1f\n", "alice/1f", nil), (200, "Auth=a", "a", nil),
            (200, "SID=a\r\nAuth=alice/1f\r\n", "alice/1f", nil),
            (200, "Auth=" + String(repeating: "x", count: 1024), String(repeating: "x", count: 1024), nil),
            (
                200, "Auth=" + String(repeating: "x", count: 1025), nil,
                .unreadable("invalid characters in the authorization")
            ),
            (200, "Auth=\n", nil, .unreadable("invalid characters in the authorization")),
            (200, "Auth=a b", nil, .unreadable("invalid characters in the authorization")),
            (200, "Auth=a\u{7F}", nil, .unreadable("invalid characters in the authorization")),
            (200, "Auth=\u{FC}", nil, .unreadable("invalid characters in the authorization")),
            (200, "SID=a\n", nil, .noAPI("another program answers at this address")),
            (200, "", nil, .noAPI("another program answers at this address")),
            (200, "<html>\nAuth=a\n</html>", nil, .noAPI("another program answers at this address")),
            (400, "Bad Request!", nil, .passwordRefused),
            (400, "<html></html>", nil, .refused("the server answered 400")),
            (401, "Unauthorized!", nil, .passwordRefused), (403, "", nil, .passwordRefused),
            (503, "Service Unavailable!", nil, .switchedOff),
            (404, "", nil, .noAPI("not found (404)")),
        ] as [(Int, String, String?, ServerError?)])
    func readsTheAnswerToALogin(status: Int, body: String, authorization: String?, error: ServerError?) async throws {
        let server = try RecordedServer(["POST /accounts/ClientLogin": .plain(body, status: status)])
        let connection = ServerConnection(base: server.address, fetcher: Fetcher())
        let value = try? await GoogleReaderServer.login(connection, user: "al ice", password: "s&c=\u{FC}")
        #expect(value == authorization)
        let told = await failure {
            try await GoogleReaderServer.login(connection, user: "al ice", password: "s&c=\u{FC}")
        }
        #expect(told == error)
        #expect(server.bodies.first == "Email=al%20ice&Passwd=s%26c%3D%C3%BC")
        #expect(server.requests.first?.headers["content-type"] == "application/x-www-form-urlencoded")
    }

    @Test func asksForAPasswordOnlyWithoutAValidLogin() async throws {
        let known = try GoogleReaderFixture("GET subscription/list", Self.list)
        for _ in 0..<2 { _ = try await known.client.subscriptions() }
        #expect(known.passwordRequests == 0 && known.kept.isEmpty)
        #expect(
            known.server.requests.map { $0.headers["authorization"] } == [
                "GoogleLogin auth=alice/1", "GoogleLogin auth=alice/1",
            ])
        let new = try GoogleReaderFixture(["GET subscription/list": [Self.list]], authorization: nil)
        for _ in 0..<2 { _ = try await new.client.subscriptions() }
        #expect(new.passwordRequests == 1 && new.kept == ["alice/new"])
        #expect(
            new.server.requests.map { $0.headers["authorization"] }
                == [nil, "GoogleLogin auth=alice/new", "GoogleLogin auth=alice/new"])
        let none = try GoogleReaderFixture(["GET subscription/list": [Self.list]], authorization: nil, password: nil)
        #expect(await failure { try await none.client.subscriptions() } == .noPassword("the keyring is locked"))
        #expect(none.server.requests.isEmpty)
    }

    /// The token of a login is requested once and comes first in the body; the header carries the login.
    @Test func sendsTokenAndHeaderWithEachChange() async throws {
        let fixture = try GoogleReaderFixture("POST edit-tag", .plain("OK"))
        for _ in 0..<2 { try await fixture.client.send(.read, true, ["7"]) }
        #expect(fixture.lines == ["GET token", "POST edit-tag", "POST edit-tag"])
        #expect(fixture.server.bodies.allSatisfy { $0.hasPrefix("T=token57&") })
        #expect(fixture.server.requests.allSatisfy { $0.headers["authorization"] == "GoogleLogin auth=alice/1" })
    }

    @Test(
        arguments: [
            ("", ""), (" t\r\n", "t"),
            (String(repeating: "t", count: 1024) + "\n", String(repeating: "t", count: 1024)),
            (String(repeating: "t", count: 1025), nil),
        ] as [(String, String?)])
    func readsTheToken(text: String, token: String?) async throws {
        let fixture = try GoogleReaderFixture(["GET token": [.plain(text)], "POST edit-tag": [.plain("OK")]])
        let error = await failure { try await fixture.client.send(.read, true, ["7"]) }
        #expect(error == (token == nil ? .unreadable("invalid token") : nil))
        #expect(fixture.server.bodies.first == token.map { "T=\($0)&a=user%2F-%2Fstate%2Fcom.google%2Fread&i=7" })
    }

    /// A page in place of the token is one of a server in maintenance.
    @Test func namesAPageInPlaceOfTheToken() async throws {
        let fixture = try GoogleReaderFixture(["GET token": [.plain("<!doctype html><p>Back soon")]])
        let error = await failure { try await fixture.client.send(.read, true, ["7"]) }
        #expect(error == .noAPI("received a web page, not a token"))
    }

    /// The reaction to a rejection of a list or a change: a new login, a new token, or an error.
    @Test func logsInAgainOnceWhenALoginExpired() async throws {
        let (list, no) = (Self.list, Self.unauthorized)
        let renewed = try GoogleReaderFixture(["GET subscription/list": [no, list]])
        #expect(try await renewed.client.subscriptions().isEmpty)
        #expect(renewed.kept == ["alice/new"] && renewed.passwordRequests == 1)
        #expect(
            renewed.lines == [
                "GET subscription/list?output=json", "POST /accounts/ClientLogin", "GET subscription/list?output=json",
            ])
        #expect(renewed.server.requests.last?.headers["authorization"] == "GoogleLogin auth=alice/new")
        // Rejected again, or rejected right after a login: reports the password.
        let refused = try GoogleReaderFixture(["GET subscription/list": [no]])
        #expect(await failure { try await refused.client.subscriptions() } == .passwordRefused)
        #expect(refused.lines.filter { $0.hasPrefix("GET") }.count == 2)
        let fresh = try GoogleReaderFixture(["GET subscription/list": [no]], authorization: nil)
        #expect(await failure { try await fresh.client.subscriptions() } == .passwordRefused)
        #expect(fresh.lines == ["POST /accounts/ClientLogin", "GET subscription/list?output=json"])
        // Without a password the rejected token stays, since only it may work again.
        let locked = try GoogleReaderFixture(["GET subscription/list": [no, list]], password: nil)
        #expect(await failure { try await locked.client.subscriptions() } == .noPassword("the keyring is locked"))
        #expect(try await locked.client.subscriptions().isEmpty && locked.kept.isEmpty)
        let wrong = try GoogleReaderFixture(["GET subscription/list": [no], "POST /accounts/ClientLogin": [no]])
        #expect(await failure { try await wrong.client.subscriptions() } == .passwordRefused)
        #expect(wrong.kept == [nil])
    }

    @Test(arguments: [true, false]) func fetchesANewTokenWhenTheOldOneIsRejected(isMiniflux: Bool) async throws {
        let bad = isMiniflux ? Self.minifluxBadToken : Self.badToken
        let fixture = try GoogleReaderFixture(
            ["POST edit-tag": [bad, .plain("OK")], "GET token": [.plain("old"), .plain("new")]])
        try await fixture.client.send(.read, true, ["7"])
        #expect(fixture.lines == ["GET token", "POST edit-tag", "GET token", "POST edit-tag"])
        #expect(fixture.server.bodies.map { String($0.prefix(5)) } == ["T=old", "T=new"])
        #expect(fixture.kept.isEmpty && fixture.passwordRequests == 0, "the login holds")
        // A second rejection of a change concerns the login; the token is requested again too.
        let login = try GoogleReaderFixture([
            "POST edit-tag": [Self.unauthorized, .plain("OK")],
            "GET token": [.plain("old"), .plain("new")],
        ])
        try await login.client.send(.read, true, ["7"])
        #expect(login.kept == ["alice/new"])
        #expect(
            login.lines
                == ["GET token", "POST edit-tag", "POST /accounts/ClientLogin", "GET token", "POST edit-tag"])
    }
}
