import Feeds
import LoopbackServer
import Testing

@testable import Accounts

/// Feedbin's API: requests, and the meaning of responses.
@Suite(.timeLimit(.minutes(2))) struct SpeaksFeedbin {
    private typealias Answer = LoopbackServer.Answer

    private func fixture(_ answers: [String: [Answer]]) throws -> OtherServerFixture<FeedbinServer> {
        try OtherServerFixture(.feedbin, "/v2", answers)
    }

    private static let feeds = Answer.json(
        #"""
        [{"id":525,"feed_id":47,"title":"A","feed_url":"https://u:p@a.example/f","site_url":"https://a.example/"},
        {"id":526,"feed_id":48,"title":null,"feed_url":"https://b.example/f","site_url":null},{"id":527},"x"]
        """#)
    private static let taggings = Answer.json(
        #"[{"id":4,"feed_id":47,"name":"Tech"},{"id":5,"feed_id":47,"name":"News"},{"id":6,"feed_id":48,"name":""},{}]"#
    )

    @Test func readsFeedsWithTheirTags() async throws {
        let fixture = try fixture([
            "GET /v2/subscriptions.json": [Self.feeds], "GET /v2/taggings.json": [Self.taggings],
        ])
        #expect(
            try await fixture.client.subscriptions() == [
                RemoteSubscription(
                    id: "47", title: "A", url: "https://a.example/f", homePage: "https://a.example/", folder: "Tech",
                    labels: ["News"]),
                RemoteSubscription(id: "48", title: "https://b.example/f", url: "https://b.example/f"),
            ])
        #expect(fixture.server.requests.allSatisfy { $0.headers["authorization"] == "Basic YWxpY2U6c2VjcmV0" })
    }

    @Test(
        arguments: [
            (.json("[3,1]"), nil), (.json("[]"), nil), (.json(#"["3"]"#), .unreadable("unexpected data")),
            (.json("[1e400]"), .unreadable("unexpected data")),
            (.json("[18446744073709551616]"), .unreadable("unexpected data")),
            (.json("{}"), .unreadable("unexpected data")), (.page, .noAPI("received a web page, not data")),
            (.init(401), .passwordRefused), (.init(503), .away("busy or in maintenance (503)")),
        ] as [(LoopbackServer.Answer, ServerError?)])
    func readsLists(answer: LoopbackServer.Answer, error: ServerError?) async throws {
        let fixture = try fixture(["GET /v2/unread_entries.json": [answer], "GET /v2/starred_entries.json": [answer]])
        #expect(await failure { try await fixture.client.ids(.unread, continuation: nil) } == error)
        #expect(await failure { try await fixture.client.ids(.starred, continuation: nil) } == error)
        #expect(fixture.lines == ["GET /v2/unread_entries.json", "GET /v2/starred_entries.json"])
    }

    private static func link(_ target: String) -> [String: String] {
        ["Links": "<https://a.example/v2/first>; rel=\"first\", <\(target)>; rel=\"next\""]
    }

    /// A hundred entries at once, in as many pages as the server wants.
    @Test func readsEntriesInPages() async throws {
        let item = #"""
            {"id":7,"feed_id":47,"title":null,"author":null,"content":null,"summary":"s","url":"https://a.example/7",
            "published":"2013-02-03T01:00:19.000000Z","enclosure":{"enclosure_url":"https://a.example/1.mp3",
            "enclosure_type":"audio/mpeg","enclosure_length":"86528647"}}
            """#
        let first = "GET /v2/entries.json?mode=extended&per_page=100&ids=7,8"
        let next = "/v2/entries.json?ids=7,8&page=2"
        let fixture = try fixture([
            first: [.json("[\(item)]", headers: Self.link("https://api.example" + next))],
            "GET " + next: [.json(#"[{"id":8,"feed_id":47,"content":"c","enclosure":[]},{"id":9,"feed_id":47}]"#)],
        ])
        var entry = RemoteEntry(id: "7", subscription: "47")
        (entry.html, entry.link, entry.published) = ("s", "https://a.example/7", 1_359_853_219)
        entry.enclosures = [RemoteEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", size: 86_528_647)]
        var other = RemoteEntry(id: "8", subscription: "47")
        other.html = "c"
        #expect(try await fixture.client.entries(["7", "8"]) == [entry, other])
        #expect(fixture.lines == [first, "GET " + next])
        let many = try self.fixture(["GET /v2/entries.json": [.json(#"[{"id":1,"feed_id":1}]"#)]])
        #expect(try await many.client.entries((0..<201).map(String.init)).map(\.id) == ["1"])
        // The second and third hundred came without their entries.
        #expect(many.lines.count == 3)
        let (away, endless) = (
            try self.fixture(["GET /v2/entries.json": [.json("[]", headers: Self.link("https://b.example/x"))]]),
            try self.fixture([
                "GET /v2/entries.json": [.json("[]", headers: Self.link("https://b.example/v2/entries.json"))]
            ])
        )
        #expect(await failure { try await away.client.entries(["1"]) } == .unreadable("the next page is elsewhere"))
        #expect(
            await failure { try await endless.client.entries(["1"]) } == .unreadable("the server's list never ends"))
    }

    @Test(arguments: [
        (RemoteMark.read, true, "/v2/unread_entries/delete.json", #"{"unread_entries":[9,7]}"#),
        (.read, false, "/v2/unread_entries.json", #"{"unread_entries":[9,7]}"#),
        (.starred, true, "/v2/starred_entries.json", #"{"starred_entries":[9,7]}"#),
        (.starred, false, "/v2/starred_entries/delete.json", #"{"starred_entries":[9,7]}"#),
        (.later, true, "", ""), (.label("x"), true, "", ""),
    ])
    func sendsMarks(mark: RemoteMark, value: Bool, path: String, body: String) async throws {
        let fixture = try fixture(["POST \(path)": [.json("[9]")]])
        try await fixture.client.send(mark, value, ["9", "7"])
        #expect(fixture.lines == (path.isEmpty ? [] : ["POST \(path)"]) && fixture.server.bodies.joined() == body)
        let refused = try self.fixture(["POST \(path)": [.json("{}")]])
        let error = await failure { try await refused.client.send(mark, value, ["9"]) }
        #expect(error == (path.isEmpty ? nil : .unreadable("unexpected data")))
    }

    @Test(
        arguments: [
            (.json(#"{"id":1,"feed_id":838}"#, status: 201), "838", nil),
            (.json(#"{"id":1,"feed_id":838}"#, status: 302), "838", nil), (.init(302), "47", nil),
            (
                .json(#"[{"feed_url":"https://a.example/1"},{"feed_url":"https://a.example/2"}]"#, status: 300), nil,
                .refused("several feeds at this address: https://a.example/1, https://a.example/2")
            ),
            (.json("{}", status: 404), nil, .refused("no feed at this address")),
            (.init(404), nil, .noAPI("not found (404)")),
        ] as [(LoopbackServer.Answer, String?, ServerError?)])
    func followsFeeds(answer: LoopbackServer.Answer, id: String?, error: ServerError?) async throws {
        let fixture = try fixture([
            "POST /v2/subscriptions.json": [answer],
            "GET /v2/subscriptions.json": [.json(#"[{"id":5,"feed_id":47,"feed_url":"https://b.example/f"}]"#)],
        ])
        let found = await failure {
            let feed = try await fixture.client.perform(.subscribe(url: "https://b.example/f"))
            #expect(feed == id)
        }
        #expect(found == error)
    }

    @Test func changesSubscriptions() async throws {
        let done = Answer(204)
        let fixture = try fixture([
            "GET /v2/subscriptions.json": [Self.feeds], "GET /v2/taggings.json": [Self.taggings],
            "DELETE /v2/subscriptions/525.json": [done], "POST /v2/subscriptions/525/update.json": [.json("{}")],
            "POST /v2/taggings.json": [.json("{}", status: 201)], "DELETE /v2/taggings/4.json": [done],
        ])
        let list = "GET /v2/subscriptions.json"
        for (operation, lines) in [
            (RemoteOperation.unsubscribe(id: "47"), [list, "DELETE /v2/subscriptions/525.json"]),
            (.unsubscribe(id: "9"), [list]),
            (.rename(id: "47", title: "B"), [list, "POST /v2/subscriptions/525/update.json"]),
            (.move(id: "47", folder: "New", from: nil), ["POST /v2/taggings.json"]),
            (
                .move(id: "47", folder: "New", from: "Tech"),
                ["POST /v2/taggings.json", "GET /v2/taggings.json", "DELETE /v2/taggings/4.json"]
            ),
            (.move(id: "47", folder: nil, from: "Tech"), ["GET /v2/taggings.json", "DELETE /v2/taggings/4.json"]),
        ] {
            let before = fixture.lines.count
            #expect(try await fixture.client.perform(operation) == nil)
            #expect(Array(fixture.lines.dropFirst(before)) == lines)
        }
        #expect(fixture.server.bodies.contains(#"{"feed_id":47,"name":"New"}"#))
        #expect(
            await failure { try await fixture.client.perform(.rename(id: "9", title: "B")) } == .refused("no such feed")
        )
    }
}
