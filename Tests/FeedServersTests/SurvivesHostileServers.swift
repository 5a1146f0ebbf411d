import Feeds
import LoopbackServer
import Testing

@testable import Accounts

/// Whatever a server answers, each call ends with an error or with sound values.
@Suite(.timeLimit(.minutes(5))) struct SurvivesHostileServers {
    private static let kinds: [(ServerKind, String)] = [
        (.fever, "/fever/"), (.nextcloud, NextcloudServer.path), (.ttrss, "/tt-rss/api/"), (.feedbin, "/v2"),
        (.miniflux, ""), (.reader, ""),
    ]

    /// Answers with the right keys and wrong values.
    private static let wrong: [String] = [
        "7", "[7]", #"["x"]"#, "{}", "[{}]", "null", "1e400", "[[[[]]]]", "true", #"{"id":1}"#,
        #"[{"id":1e400,"feed_id":99999999999999999999,"feed_url":5,"name":[]}]"#,
        #"[{"id":-1,"feed_id":{},"feed_url":"","title":7}]"#, #"[{"id":"\u0000","feed_id":"\n","feed_url":"x"}]"#,
    ]

    private static var bodies: [String] {
        let names = [
            "feeds", "feeds_groups", "groups", "items", "folders", "unread_item_ids", "saved_item_ids", "content",
            "subscriptions", "itemRefs", "tags", "entries", "session_id",
        ]
        let objects = wrong.map { value in
            let fields = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
            return #"{"api_version":3,"auth":1,"status":0,"total":0,\#(fields)}"#
        }
        let deep = String(repeating: "[", count: 100_000)
        return wrong + objects + ["", "OK", "{", "[{", #"{"items":["#, "\u{FEFF}[]", "\u{0}", deep, "<html>"]
    }

    private func call(_ server: any FeedServer) async -> [ServerError?] {
        var errors = [await failure { try await server.subscriptions() }]
        errors.append(await failure { try await server.send(.read, true, ["1"]) })
        errors.append(await failure { try await server.send(.starred, false, ["1"]) })
        errors.append(await failure { try await server.perform(.subscribe(url: "https://a.example/")) })
        errors.append(await failure { try await server.perform(.move(id: "1", folder: "F", from: "G")) })
        errors.append(await failure { try await server.perform(.rename(id: "1", title: "T")) })
        if let server = server as? any ListServer {
            errors.append(await failure { try await server.ids(.unread, continuation: nil) })
            errors.append(await failure { try await server.ids(.starred, continuation: "x") })
            errors.append(await failure { try await server.entries(["1"]) })
            _ = await failure { try await server.labels() }
        }
        if let server = server as? any ChangeServer {
            errors.append(await failure { try await server.entries(.list(.unread, before: nil), limit: 250) })
            errors.append(await failure { try await server.entries(.changed(since: 0, after: nil), limit: 250) })
        }
        return errors
    }

    private func server(_ kind: ServerKind, _ path: String, _ answer: LoopbackServer.Answer) throws -> (
        LoopbackServer, any FeedServer
    ) {
        let server = try LoopbackServer { _ in answer }
        let access = ServerAccess(
            base: server.url(path), user: "alice", fetcher: .init(), authorization: "s1", password: { "secret" })
        return (server, kind.server(access))
    }

    @Test(arguments: kinds) func readsAnyBody(kind: ServerKind, path: String) async throws {
        for body in Self.bodies {
            let (loopback, server) = try server(kind, path, .json(body))
            defer { loopback.stop() }
            _ = await call(server)
        }
    }

    /// Half a body, and statuses that concern no single request.
    @Test(arguments: kinds) func reportsErrorsOfAllRequests(kind: ServerKind, path: String) async throws {
        let half = LoopbackServer.Answer(200, body: Array(#"{"items":[]}"#.utf8), cutAfter: 5)
        for (answer, error) in [
            (half, ServerError.away("the answer was cut off")),
            (.init(429, headers: ["Retry-After": "120"]), .tooManyRequests(seconds: 120)),
            (.init(429, headers: ["Retry-After": "-99999999999999999999"]), .tooManyRequests(seconds: nil)),
            (.init(401), .passwordRefused), (.init(403), .passwordRefused), (.init(500), .away("server error (500)")),
            (.init(200, body: [UInt8](repeating: 0x20, count: 16 << 20) + [0x20]), .tooLarge),
        ] {
            let (loopback, server) = try server(kind, path, answer)
            defer { loopback.stop() }
            for found in await call(server) {
                // Some servers can't rename feeds, and say so without a request.
                let isUnsupported = if case .refused = found { true } else { false }
                #expect(found == error || isUnsupported && !kind.organisesFeeds, "\(kind)")
            }
        }
    }
}
