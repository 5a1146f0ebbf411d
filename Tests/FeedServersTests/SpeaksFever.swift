import Feeds
import LoopbackServer
import Testing

@testable import Accounts

/// The Fever API: requests, and the meaning of responses.
@Suite(.timeLimit(.minutes(2))) struct SpeaksFever {
    private typealias Answer = LoopbackServer.Answer

    private func fixture(_ answers: [String: [Answer]]) throws -> OtherServerFixture<FeverServer> {
        try OtherServerFixture(.fever, "/fever/", answers)
    }

    private static func answer(_ fields: String = "", auth: Int = 1) -> Answer {
        .json(#"{"api_version":3,"auth":\#(auth)\#(fields.isEmpty ? "" : ",")\#(fields)}"#)
    }

    /// The key is the digest of the user's name and password.
    @Test func sendsItsKeyWithEachRequest() async throws {
        let fixture = try fixture(["POST /fever/?api&unread_item_ids": [Self.answer(#""unread_item_ids":"3,1""#)]])
        for _ in 0..<2 {
            #expect(try await fixture.client.ids(.unread, continuation: nil) == RemotePage(ids: ["3", "1"]))
        }
        #expect(fixture.server.bodies == Array(repeating: "api_key=6f622058968bb90757e6c6ed79e5df81", count: 2))
        #expect(fixture.passwordRequests == 1)
    }

    @Test(
        arguments: [
            (answer(auth: 0), .passwordRefused), (.json(#"{"api_version":3,"auth":"0"}"#), .passwordRefused),
            (.json(#"{"api_version":3}"#), .noAPI("another program answers at this address")),
            (.json(#"{"auth":1}"#), .noAPI("another program answers at this address")),
            (.json(#"{"api_version":3,"auth":1}"#), .unreadable("no list of entries")),
            (answer(#""unread_item_ids":[1,2]"#), .unreadable("no list of entries")),
            (answer(#""unread_item_ids":"1,a b""#), .unreadable("invalid id")),
            (.page, .noAPI("received a web page, not data")), (.init(503), .away("busy or in maintenance (503)")),
            (.init(503, body: Array("Service Unavailable!".utf8)), .switchedOff),
            (.init(429, headers: ["Retry-After": "9"]), .tooManyRequests(seconds: 9)),
        ] as [(LoopbackServer.Answer, ServerError)])
    func explainsAnswers(answer: LoopbackServer.Answer, error: ServerError) async throws {
        let fixture = try fixture(["POST /fever/?api&unread_item_ids": [answer]])
        #expect(await failure { try await fixture.client.ids(.unread, continuation: nil) } == error)
    }

    @Test func readsFeedsWithTheirGroups() async throws {
        let feeds = #"""
            "feeds":[{"id":1,"title":"A","url":"https://u:p@a.example/f","site_url":"https://a.example/"},
            {"id":"2","title":"","url":"https://b.example/f","site_url":""},{"id":3},7,{"id":4,"url":"https://d.example/"}],
            "feeds_groups":[{"group_id":5,"feed_ids":"1,2"},{"group_id":6,"feed_ids":"1"},{"group_id":7,"feed_ids":"4"},
            {"group_id":8,"feed_ids":"4"}]
            """#
        let groups = #""groups":[{"id":5,"title":"News"},{"id":6,"title":"Tech"},{"id":7,"title":"Uncategorized"}]"#
        let fixture = try fixture([
            "POST /fever/?api&feeds": [Self.answer(feeds)], "POST /fever/?api&groups": [Self.answer(groups)],
        ])
        #expect(
            try await fixture.client.subscriptions() == [
                RemoteSubscription(
                    id: "1", title: "A", url: "https://a.example/f", homePage: "https://a.example/", folder: "News",
                    labels: ["Tech"]),
                RemoteSubscription(id: "2", title: "https://b.example/f", url: "https://b.example/f", folder: "News"),
                RemoteSubscription(id: "4", title: "https://d.example/", url: "https://d.example/"),
            ])
        #expect(await failure { try await fixture.client.perform(.subscribe(url: "u")) }?.mayPass == false)
    }

    /// Fifty entries at once; an empty answer is requested again; others than the requested ones are ignored.
    @Test func readsEntriesInBatches() async throws {
        let item = #"""
            {"id":"7","feed_id":2,"title":"T","author":"","html":"<p>x</p>","url":"https://a.example/7","is_saved":0,
            "is_read":1,"created_on_time":"1795288873"},{"id":9,"feed_id":2},{"id":51},[]
            """#
        let fixture = try fixture([
            "POST /fever/": [
                Self.answer(#""items":[]"#), Self.answer(#""items":[\#(item)]"#), Self.answer(#""items":[]"#),
            ]
        ])
        let ids = (0...50).map { String($0 == 9 ? 99 : $0) }
        var entry = RemoteEntry(id: "7", subscription: "2")
        (entry.title, entry.html, entry.link) = ("T", "<p>x</p>", "https://a.example/7")
        entry.published = 1_795_288_873
        #expect(try await fixture.client.entries(ids) == [entry])
        let first = ids.dropLast().joined(separator: ",")
        #expect(
            fixture.lines == [first, first, "50", "50"].map { "POST /fever/?api&items&with_ids=\($0)" })
    }

    @Test(
        arguments: [
            (RemoteMark.read, true, "read"), (.read, false, "unread"), (.starred, true, "saved"),
            (.starred, false, "unsaved"), (.later, true, nil), (.label("x"), true, nil),
        ] as [(RemoteMark, Bool, String?)])
    func sendsMarksOneByOne(mark: RemoteMark, value: Bool, state: String?) async throws {
        let fixture = try fixture(["POST /fever/": [Self.answer()]])
        try await fixture.client.send(mark, value, ["9", "7"])
        let bodies = ["9", "7"].map { "api_key=6f622058968bb90757e6c6ed79e5df81&mark=item&as=\(state ?? "")&id=\($0)" }
        #expect(fixture.server.bodies == (state == nil ? [] : bodies))
    }
}
