import FeedParsing
import Feeds
import Fetching
import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Accounts

/// Miniflux's own API: requests, and the meaning of responses.
@Suite(.timeLimit(.minutes(2))) struct SpeaksMiniflux {
    private typealias Answer = LoopbackServer.Answer

    private func fixture(
        _ answers: [String: [LoopbackServer.Answer]], isToken: Bool = false, passwords: [String] = ["secret"]
    ) throws -> (server: RecordedServer, client: MinifluxServer) {
        let server = try RecordedServer(answers)
        let left = Mutex(passwords)
        let client = MinifluxServer(
            ServerAccess(
                base: server.address, user: "alice", fetcher: Fetcher(),
                password: {
                    // The client lives no longer than its server.
                    _ = server
                    return try left.withLock { left in
                        if left.isEmpty { throw ClientNotes.NoPassword() }
                        return left.removeFirst()
                    }
                }), isToken: isToken)
        return (server, client)
    }

    private static func refusal(_ words: String, status: Int = 400) -> Answer {
        .json(#"{"error_message":"\#(words)"}"#, status: status)
    }

    private static func basic(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }

    // MARK: Who asks

    @Test func sendsAPasswordOrAToken() async throws {
        let (server, client) = try fixture(["GET /v1/feeds": [.json("[]")]])
        for _ in 0..<2 { #expect(try await client.subscriptions().isEmpty) }
        // The only password was requested once.
        #expect(
            server.requests.map { $0.headers["authorization"] } == ["Basic YWxpY2U6c2VjcmV0", "Basic YWxpY2U6c2VjcmV0"])
        #expect(server.requests.allSatisfy { $0.headers["x-auth-token"] == nil })
        let (other, token) = try fixture(["GET /v1/feeds": [.json("[]")]], isToken: true)
        _ = try await token.subscriptions()
        #expect(other.requests.map { $0.headers["x-auth-token"] } == ["secret"])
        #expect(other.requests[0].headers["authorization"] == nil)
    }

    @Test func asksForThePasswordAfterARejection() async throws {
        let (server, client) = try fixture(
            ["GET /v1/feeds": [Self.refusal("Access Unauthorized", status: 401), .json("[]")]], passwords: ["a", "b"])
        #expect(await failure { try await client.subscriptions() } == .passwordRefused)
        #expect(try await client.subscriptions().isEmpty)
        #expect(server.requests.map { $0.headers["authorization"] } == ["Basic YWxpY2U6YQ==", "Basic YWxpY2U6Yg=="])
        // A password that worked before is requested once more, since its source may have a new one.
        let (changed, client2) = try fixture(
            ["GET /v1/feeds": [.json("[]"), Self.refusal("no", status: 401), .json("[]")]], passwords: ["a", "b"])
        for _ in 0..<2 { #expect(try await client2.subscriptions().isEmpty) }
        #expect(
            changed.requests.map { $0.headers["authorization"] } == ["a", "a", "b"].map { Self.basic("alice:\($0)") })
        let (same, client3) = try fixture(
            ["GET /v1/feeds": [.json("[]"), Self.refusal("no", status: 401)]], passwords: ["a", "a", "a"])
        #expect(try await client3.subscriptions().isEmpty)
        #expect(await failure { try await client3.subscriptions() } == .passwordRefused)
        #expect(same.requests.count == 2)
        let (silent, none) = try fixture([:], passwords: [])
        #expect(await failure { try await none.subscriptions() } == .noPassword("the keyring is locked"))
        #expect(silent.requests.isEmpty)
    }

    @Test(arguments: [
        (200, #"{"id":1,"username":"alice"}"#, true), (200, #"{"id":1}"#, false), (200, "[]", false),
        (200, "<html></html>", false), (201, #"{"username":"alice"}"#, false), (401, #"{"username":"alice"}"#, false),
        (404, "", false),
    ])
    func isRecognizedByItsUser(status: Int, body: String, isMiniflux: Bool) async throws {
        let server = try RecordedServer(["GET /v1/me": .json(body, status: status)])
        let connection = ServerConnection(base: server.address, fetcher: Fetcher())
        for isToken in [false, true] {
            #expect(
                try await MinifluxServer.isMiniflux(connection, user: "alice", password: "p", isToken: isToken)
                    == isMiniflux)
        }
        #expect(server.requests.map { $0.headers["x-auth-token"] } == [nil, "p"])
        for password in ["a\nb", "\u{7F}"] {
            #expect(
                try await !MinifluxServer.isMiniflux(connection, user: "alice", password: password, isToken: true))
        }
        #expect(server.requests.count == 2)
    }

    // MARK: What is wrong

    @Test func explainsEveryInvalidAnswer() async throws {
        for (status, body, error) in ReadsGoogleReaderAnswers.faults where body != "[]" {
            let answer = Answer.json(body, status: status)
            let (_, client) = try fixture(
                [
                    "GET /v1/feeds": [answer], "GET /v1/entries": [answer], "POST /v1/feeds": [answer],
                    "PUT /v1/feeds/1": [answer], "GET /v1/categories": [answer],
                ])
            #expect(await failure { try await client.subscriptions() } == error, "\(body)")
            #expect(await failure { try await client.entries(.list(.unread, before: nil), limit: 9) } == error)
            #expect(await failure { try await client.entries(.changed(since: 7, after: nil), limit: 9) } == error)
            #expect(await failure { try await client.perform(.subscribe(url: "u")) } == error)
            #expect(await failure { try await client.perform(.rename(id: "1", title: "T")) } == error)
            #expect(await failure { try await client.perform(.move(id: "1", folder: "F", from: nil)) } == error)
        }
    }

    @Test func quotesTheServersReasonForARejection() async throws {
        let long = String(repeating: "w", count: 201)
        for (answer, error) in [
            (Self.refusal("This feed already exists."), ServerError.refused("This feed already exists.")),
            (Self.refusal(long), .refused(String(long.dropLast()))),
            (.json("{}", status: 400), .refused("the server answered 400")),
            (.plain("no", status: 418), .refused("the server answered 418")),
            // The words of another error are not the server's reason.
            (Self.refusal("broken", status: 500), .away("server error (500)")),
            (Self.refusal("none", status: 404), .refused("none")),
        ] {
            let (_, client) = try fixture(["POST /v1/feeds": [answer], "PUT /v1/entries": [answer]])
            #expect(await failure { try await client.perform(.subscribe(url: "u")) } == error)
            #expect(await failure { try await client.send(.read, true, ["7"]) } == error)
        }
    }

    // MARK: Feeds

    @Test(arguments: [
        (
            #"{"id":66,"title":"News","feed_url":"https://a.example/f","site_url":"https://a.example/","category":{"id":2,"title":"Tech"}}"#,
            RemoteSubscription(
                id: "66", title: "News", url: "https://a.example/f", homePage: "https://a.example/", folder: "Tech")
        ),
        // A feed without a folder is in the category "All", or in none.
        (
            #"{"id":1,"title":"T","feed_url":"https://u:p@a.example/f","category":{"id":1,"title":"All"}}"#,
            RemoteSubscription(id: "1", title: "T", url: "https://a.example/f")
        ),
        (
            #"{"id":1,"title":"","feed_url":"https://a.example/f","site_url":null,"category":null}"#,
            RemoteSubscription(id: "1", title: "", url: "https://a.example/f")
        ),
        (
            #"{"id":1,"title":"T","feed_url":"https://a.example/f","category":{"id":3,"title":"all"}}"#,
            RemoteSubscription(id: "1", title: "T", url: "https://a.example/f", folder: "all")
        ),
    ])
    func readsFeeds(item: String, expected: RemoteSubscription) async throws {
        let other = #"{"id":2,"title":"O","feed_url":"https://o.example/"}"#
        let (server, client) = try fixture(["GET /v1/feeds": [.json("[\(item),\(other)]")]])
        #expect(
            try await client.subscriptions()
                == [expected, RemoteSubscription(id: "2", title: "O", url: "https://o.example/")])
        #expect(server.lines == ["GET /v1/feeds"])
        let one = #"{"id":1,"title":"T","feed_url":"u"},"#
        let (_, many) = try fixture([
            "GET /v1/feeds": [.json("[" + String(repeating: one, count: 20_000) + other + "]")]
        ])
        #expect(
            await failure { try await many.subscriptions() } == .unreadable("implausible number of feeds: 20001"))
    }

    @Test func changesSubscriptions() async throws {
        let categories = Answer.json(#"[{"id":1,"title":"All"},{"id":5,"title":"Tech"}]"#)
        let feed = Answer.json(#"{"id":7,"title":"T"}"#)
        let (server, client) = try fixture([
            "POST /v1/feeds": [.json(#"{"feed_id":262}"#, status: 201)], "DELETE /v1/feeds/7": [.init(204)],
            "PUT /v1/feeds/7": [feed], "GET /v1/categories": [categories],
            "POST /v1/categories": [.json(#"{"id":9,"title":"New"}"#, status: 201)], "DELETE /v1/feeds/0": [.init(204)],
        ])
        for (operation, id, lines, bodies) in [
            (
                RemoteOperation.subscribe(url: "https://a.example/f"), "262", ["POST /v1/feeds"],
                [#"{"feed_url":"https:\/\/a.example\/f"}"#]
            ),
            (.unsubscribe(id: "7"), nil, ["DELETE /v1/feeds/7"], []),
            (.unsubscribe(id: "feed/7"), nil, ["DELETE /v1/feeds/0"], []),
            (.rename(id: "7", title: "A \"B\""), nil, ["PUT /v1/feeds/7"], [#"{"title":"A \"B\""}"#]),
            (
                .move(id: "7", folder: "Tech", from: nil), nil, ["GET /v1/categories", "PUT /v1/feeds/7"],
                [#"{"category_id":5}"#]
            ),
            // Leaving a folder means the first category; a missing folder is created.
            (
                .move(id: "7", folder: nil, from: "Tech"), nil, ["GET /v1/categories", "PUT /v1/feeds/7"],
                [#"{"category_id":1}"#]
            ),
            (
                .move(id: "7", folder: "New", from: "Tech"), nil,
                ["GET /v1/categories", "POST /v1/categories", "PUT /v1/feeds/7"],
                [#"{"title":"New"}"#, #"{"category_id":9}"#]
            ),
        ] as [(RemoteOperation, String?, [String], [String])] {
            let (before, written) = (server.lines.count, server.bodies.count)
            #expect(try await client.perform(operation) == id)
            #expect(Array(server.lines.dropFirst(before)) == lines)
            #expect(Array(server.bodies.dropFirst(written)) == bodies)
        }
        #expect(
            server.requests.allSatisfy {
                $0.method == "GET" || $0.headers["content-type"]?.hasPrefix("application/json") == true
            })
    }

    /// Changes are answered with no content (204): any other success may come from another program.
    @Test(
        arguments: [
            (204, "", nil), (200, "", .unreadable("it is not a yes")), (200, "{}", .unreadable("it is not a yes")),
            (201, "OK", .unreadable("it is not a yes")),
            (200, "<html></html>", .noAPI("received a web page, not a confirmation")),
        ] as [(Int, String, ServerError?)])
    func acceptsOnlyNoContentAsSuccess(status: Int, body: String, error: ServerError?) async throws {
        let answer = Answer.plain(body, status: status)
        let (_, client) = try fixture(["PUT /v1/entries": [answer], "DELETE /v1/feeds/7": [answer]])
        #expect(await failure { try await client.send(.read, true, ["7"]) } == error)
        #expect(await failure { try await client.send(.starred, false, ["7"]) } == error)
        #expect(await failure { try await client.perform(.unsubscribe(id: "7")) } == error)
    }

    // MARK: Entries

    @Test(arguments: [
        (ChangeQuery.list(.unread, before: nil), 250, "limit=250&status=unread&order=id&direction=desc"),
        (.list(.unread, before: "77"), 5, "limit=5&status=unread&order=id&direction=desc&before_entry_id=77"),
        (.list(.starred, before: nil), 250, "limit=250&starred=true&order=id&direction=desc"),
        (.list(.starred, before: "9"), 1, "limit=1&starred=true&order=id&direction=desc&before_entry_id=9"),
        (.changed(since: 0, after: nil), 250, "limit=250&changed_after=0&order=id&direction=asc"),
        (
            .changed(since: 1_795_289_000, after: "8"), 250,
            "limit=250&changed_after=1795289000&order=id&direction=asc&after_entry_id=8"
        ),
    ])
    func asksForEntries(query: ChangeQuery, limit: Int, text: String) async throws {
        let (server, client) = try fixture(["GET /v1/entries": [.json(#"{"total":0,"entries":[]}"#)]])
        _ = try await client.entries(query, limit: limit)
        #expect(server.lines == ["GET /v1/entries?\(text)"])
    }

    private static func entry(
        isUnread: Bool = true, isStarred: Bool = false, _ body: (inout RemoteEntry) -> Void = { _ in }
    ) -> ChangedEntry {
        var entry = RemoteEntry(id: "7", subscription: "2")
        body(&entry)
        return ChangedEntry(entry: entry, isUnread: isUnread, isStarred: isStarred)
    }

    @Test(
        arguments: [
            (#""status":"unread""#, entry()), (#""status":"unread","starred":false"#, entry()),
            (#""status":"unread","starred":true"#, entry(isStarred: true)),
            (#""status":"read""#, entry(isUnread: false)),
            (#""status":"read","starred":true"#, entry(isUnread: false, isStarred: true)),
            // Removed entries are ignored, whatever else is reported about them.
            (#""status":"removed","starred":true"#, nil),
            (
                #""status":"unread","title":"T","url":"https://a.example/7","author":"A","content":"<p>c</p>","published_at":"2026-11-22T10:00:00Z","enclosures":[{"url":"https://a.example/1.mp3","mime_type":"audio/mpeg","size":5}]"#,
                entry {
                    ($0.title, $0.link, $0.author, $0.html) = ("T", "https://a.example/7", "A", "<p>c</p>")
                    $0.published = 1_795_341_600
                    $0.enclosures = [RemoteEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", size: 5)]
                }
            ),
            (#""status":"unread","author":"","published_at":"soon","enclosures":null"#, entry()),
        ] as [(String, ChangedEntry?)])
    func readsEntries(fields: String, expected: ChangedEntry?) async throws {
        let body = #"{"total":2,"entries":[{"id":7,"feed_id":2,\#(fields)},{"id":8,"feed_id":3,"status":"unread"}]}"#
        let (_, client) = try fixture(["GET /v1/entries": [.json(body)]])
        let page = try await client.entries(.list(.unread, before: nil), limit: 250)
        let other = ChangedEntry(entry: RemoteEntry(id: "8", subscription: "3"), isUnread: true, isStarred: false)
        #expect(page.entries == [expected, other].compactMap { $0 })
    }

    /// The end of a page, the time of its last change, and the server's clock.
    @Test func readsTheOffsetOfAPage() async throws {
        func item(_ id: Int, _ status: String = "unread", changed: String = "null") -> String {
            #"{"id":\#(id),"feed_id":1,"status":"\#(status)","changed_at":\#(changed)}"#
        }
        let (ten, eleven) = (#""2026-11-22T10:00:00.123456Z""#, #""2026-11-22T11:00:00Z""#)
        let date = ["Date": "Sun, 22 Nov 2026 12:00:00 GMT"]
        for (items, headers, limit, last, newest, told) in [
            ([], [:], 2, nil, nil, nil), ([item(5)], [:], 2, nil, nil, nil),
            ([item(5), item(4)], date, 2, "4", nil, 1_795_348_800), ([item(5), item(4)], [:], 1, "4", nil, nil),
            ([item(5, changed: eleven), item(4, changed: ten)], date, 3, nil, 1_795_345_200, 1_795_348_800),
            ([item(5, changed: ten), item(4, changed: eleven)], [:], 3, nil, 1_795_345_200, nil),
            // Removed entries still count for the offset.
            ([item(5), item(4, "removed", changed: ten)], [:], 2, "4", 1_795_341_600, nil),
            ([item(4, "removed")], ["Date": "today"], 1, "4", nil, nil),
        ] as [([String], [String: String], Int, String?, Instant?, Instant?)] {
            let body = #"{"total":9,"entries":[\#(items.joined(separator: ","))]}"#
            let (_, client) = try fixture(["GET /v1/entries": [.json(body, headers: headers)]])
            let page = try await client.entries(.changed(since: 1, after: nil), limit: limit)
            #expect(page.last == last && page.newest == newest && page.told == told, "\(items) \(page)")
        }
        let (_, without) = try fixture(["GET /v1/entries": [.json(#"{"total":0,"entries":null}"#)]])
        #expect(try await without.entries(.list(.unread, before: nil), limit: 2).entries.isEmpty)
    }

    @Test func limitsPages() async throws {
        for (count, error) in [(8, nil), (9, ServerError.unreadable("a page has more entries than requested"))] {
            let items = (0..<count).map { #"{"id":\#($0),"feed_id":1,"status":"unread"}"# }.joined(separator: ",")
            let (_, client) = try fixture(["GET /v1/entries": [.json(#"{"total":9,"entries":[\#(items)]}"#)]])
            #expect(await failure { try await client.entries(.list(.unread, before: nil), limit: 2) } == error)
        }
        let files = (0..<21).map { #"{"url":"\#($0)"}"# }.joined(separator: ",")
        let item = #"{"id":1,"feed_id":1,"status":"unread","enclosures":[\#(files)]}"#
        let (_, client) = try fixture(["GET /v1/entries": [.json(#"{"total":1,"entries":[\#(item)]}"#)]])
        let page = try await client.entries(.list(.unread, before: nil), limit: 2)
        #expect(page.entries.first?.entry.enclosures.map(\.url) == (0..<20).map { "\($0)" })
    }

    // MARK: Marks

    @Test(arguments: [
        (RemoteMark.read, true, [#"{"entry_ids":[9,7],"status":"read"}"#]),
        (.read, false, [#"{"entry_ids":[9,7],"status":"unread"}"#]),
        (.starred, true, [#"{"entry_ids":[9,7],"starred":true}"#]),
        (.starred, false, [#"{"entry_ids":[9,7],"starred":false}"#]),
        // Miniflux has no labels.
        (.later, true, []), (.label("x"), false, []),
    ])
    func sendsMarks(mark: RemoteMark, value: Bool, bodies: [String]) async throws {
        let (server, client) = try fixture(["PUT /v1/entries": [.init(204)]])
        try await client.send(mark, value, ["9", "7"])
        #expect(server.bodies == bodies && server.lines == bodies.map { _ in "PUT /v1/entries" })
        #expect([RemoteMark.read, .later, .label("x"), .starred].map(client.maximumAtOnce) == [500, 500, 500, 20])
    }

    /// Before version 2.3 stars can only be toggled: the client checks each one before and after.
    @Test func togglesStarsWithoutAValue() async throws {
        let (on, off) = (Answer.json(#"{"id":7,"starred":true}"#), Answer.json(#"{"id":7,"starred":false}"#))
        let gone = Self.refusal("Resource Not Found", status: 404)
        let look = "GET /v1/entries/7"
        let toggle = "PUT /v1/entries/7/bookmark"
        for (value, looks, lines, error) in [
            (true, [on], [look], nil), (false, [off], [look], nil),
            (true, [off, on], [look, toggle, look], nil), (false, [on, off], [look, toggle, look], nil),
            (true, [off, off, off, on], [look, toggle, look, toggle, look, toggle, look], nil),
            (
                true, [off], [look, toggle, look, toggle, look, toggle, look, toggle],
                .unreadable("the server does not store a star")
            ),
            (true, [gone], [look], nil), (false, [gone], [look], nil),
            (true, [.init(404)], [look], .noAPI("not found (404)")),
            (true, [.json("{}")], [look], .unreadable("unexpected data")),
        ] as [(Bool, [Answer], [String], ServerError?)] {
            let (server, client) = try fixture([
                "PUT /v1/entries": [Self.refusal("no status")], look: looks, toggle: [.init(204)],
            ])
            #expect(await failure { try await client.send(.starred, value, ["7"]) } == error)
            #expect(server.lines == ["PUT /v1/entries"] + lines, "\(value) \(lines)")
        }
    }

    @Test func togglesStarsAfterTheFirstRejection() async throws {
        let on = Answer.json(#"{"starred":true}"#)
        let (server, client) = try fixture([
            "PUT /v1/entries": [Self.refusal("no status")], "GET /v1/entries/7": [on], "GET /v1/entries/8": [on],
        ])
        try await client.send(.starred, true, ["7", "8"])
        try await client.send(.starred, true, ["8"])
        #expect(server.lines == ["PUT /v1/entries", "GET /v1/entries/7", "GET /v1/entries/8", "GET /v1/entries/8"])
        // An outage is no rejection: the next request sends the value again.
        let (away, later) = try fixture(["PUT /v1/entries": [.init(500), .init(204)]])
        #expect(
            await failure { try await later.send(.starred, true, ["7"]) } == .away("server error (500)"))
        try await later.send(.starred, true, ["7"])
        #expect(away.lines == ["PUT /v1/entries", "PUT /v1/entries"])
    }
}
