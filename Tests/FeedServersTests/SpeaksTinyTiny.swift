import Feeds
import Foundation
import LoopbackServer
import Testing

@testable import Accounts

/// Tiny Tiny RSS's JSON API: requests, and the meaning of responses.
@Suite(.timeLimit(.minutes(2))) struct SpeaksTinyTiny {
    private typealias Answer = LoopbackServer.Answer
    private static let login = content(#"{"session_id":"s2","api_level":23}"#)
    private static let notLoggedIn = refusal("NOT_LOGGED_IN")

    private static func content(_ text: String) -> LoopbackServer.Answer {
        .json(#"{"seq":0,"status":0,"content":\#(text)}"#)
    }
    private static func refusal(_ reason: String) -> LoopbackServer.Answer {
        .json(#"{"seq":0,"status":1,"content":{"error":"\#(reason)"}}"#)
    }

    private func fixture(_ answers: [Answer], session: String? = "s1") throws -> OtherServerFixture<TinyTinyServer> {
        try OtherServerFixture(.ttrss, "/tt-rss/api/", ["POST /tt-rss/api/": answers], authorization: session)
    }

    /// The operations with their sessions, in order.
    private func operations(_ fixture: OtherServerFixture<TinyTinyServer>) -> [String] {
        fixture.server.requests.compactMap { request in
            let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            return [body?["op"], body?["sid"]].compactMap { $0 as? String }.joined(separator: " ")
        }
    }

    @Test func logsInWithoutAValidSession() async throws {
        let known = try fixture([Self.content("[]")])
        for _ in 0..<2 { _ = try await known.client.labels() }
        #expect(operations(known) == ["getLabels s1", "getLabels s1"] && known.kept.isEmpty)
        let new = try fixture([Self.login, Self.content("[]")], session: nil)
        for _ in 0..<2 { _ = try await new.client.labels() }
        #expect(operations(new) == ["login", "getLabels s2", "getLabels s2"] && new.kept == ["s2"])
        #expect(new.server.bodies.first == #"{"op":"login","password":"secret","user":"alice"}"#)
        let expired = try fixture([Self.notLoggedIn, Self.login, Self.content("[]")])
        _ = try await expired.client.labels()
        #expect(operations(expired) == ["getLabels s1", "login", "getLabels s2"] && expired.passwordRequests == 1)
        let locked = try fixture([.init(401), Self.login, Self.notLoggedIn])
        #expect(await failure { try await locked.client.labels() } == .passwordRefused)
        #expect(operations(locked).count == 3)
    }

    @Test(
        arguments: [
            (refusal("LOGIN_ERROR"), .passwordRefused), (refusal("API_DISABLED"), .switchedOff),
            (refusal("UNKNOWN_METHOD"), .refused("UNKNOWN_METHOD")),
            (.json(#"{"status":1,"content":[]}"#), .refused("no reason given")),
            (.json("{}"), .noAPI("another program answers at this address")),
            (content("[]"), .unreadable("unexpected data")),
            (content("{}"), .noAPI("another program answers at this address")),
            (.page, .noAPI("received a web page, not data")),
            (.init(429, headers: ["Retry-After": "9"]), .tooManyRequests(seconds: 9)),
        ] as [(LoopbackServer.Answer, ServerError)])
    func explainsAnswersToALogin(answer: LoopbackServer.Answer, error: ServerError) async throws {
        let fixture = try fixture([answer], session: nil)
        #expect(await failure { try await fixture.client.labels() } == error)
    }

    @Test func readsFeedsWithTheirCategories() async throws {
        let feeds = #"""
            [{"id":3,"title":"A","feed_url":"https://u:p@a.example/f","cat_id":2},
            {"id":"4","title":"","feed_url":"https://b.example/f","cat_id":"0"},{"id":-4,"title":"All"},null]
            """#
        let categories = #"[{"id":"2","title":"News"},{"id":0,"title":"Uncategorized"},{"id":-1,"title":"Special"}]"#
        let fixture = try fixture([Self.content(feeds), Self.content(categories)])
        #expect(
            try await fixture.client.subscriptions() == [
                RemoteSubscription(id: "3", title: "A", url: "https://a.example/f", folder: "News"),
                RemoteSubscription(id: "4", title: "https://b.example/f", url: "https://b.example/f"),
            ])
        #expect(operations(fixture) == ["getFeeds s1", "getCategories s1"])
    }

    private static func page(_ ids: Range<Int>) -> LoopbackServer.Answer {
        content("[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]")
    }

    /// A page repeats the end of the previous one, so that marks set in the meantime leave no gap.
    @Test func readsListsInOverlappingPages() async throws {
        let short = try fixture([Self.page(0..<59)])
        #expect(try await short.client.ids(.unread, continuation: nil) == RemotePage(ids: (0..<59).map(String.init)))
        #expect(
            short.server.bodies == [
                #"{"feed_id":-4,"include_attachments":false,"limit":200,"op":"getHeadlines","show_content":false,"show_excerpt":false,"sid":"s1","skip":0,"view_mode":"unread"}"#
            ])
        // Twenty entries were marked between the pages: nothing is missing.
        let long = try fixture([Self.page(0..<200), Self.page(199..<250)])
        let page = try await long.client.ids(.starred, continuation: nil)
        #expect(Set(page.ids) == Set((0..<250).map(String.init)) && page.continuation == nil)
        #expect(long.server.bodies.map { $0.contains(#""skip":180"#) } == [false, true])
        #expect(long.server.bodies.allSatisfy { $0.contains(#""feed_id":-1"#) && $0.contains("all_articles") })
        // More were, or all: the list isn't complete.
        for next in [Self.page(200..<250), Self.content("[]")] {
            let gap = try fixture([Self.page(0..<200), next])
            #expect(
                await failure { try await gap.client.ids(.unread, continuation: nil) }
                    == .away("the list changed while it was read"))
        }
        // A version that returns at most sixty, and one that ignores the offset.
        let sixty = try fixture([Self.page(0..<60), Self.page(40..<100), Self.page(80..<100)])
        #expect(try await Set(sixty.client.ids(.unread, continuation: nil).ids).count == 100)
        let same = try fixture([Self.page(0..<200)])
        #expect(try await same.client.ids(.unread, continuation: nil).continuation == nil)
        #expect(same.lines.count == 2)
    }

    @Test func continuesLongLists() async throws {
        let pages = (0..<6).map { Self.page($0 * 180..<$0 * 180 + 200) } + [Self.page(1080..<1100)]
        let fixture = try fixture(pages)
        let first = try await fixture.client.ids(.unread, continuation: nil)
        #expect(Set(first.ids).count == 920 && first.continuation?.hasPrefix("900,720,721,") == true)
        let second = try await fixture.client.ids(.unread, continuation: first.continuation)
        #expect(Set(first.ids + second.ids).count == 1100 && second.continuation == nil)
        let broken = try self.fixture([Self.content(#"[{"id":1},{"id":"a b"}]"#)])
        #expect(await failure { try await broken.client.ids(.unread, continuation: nil) } == .unreadable("invalid id"))
    }

    @Test func readsEntries() async throws {
        let items = #"""
            [{"id":"7","feed_id":"3","title":"T","link":"https://a.example/7","author":"","updated":1795288873,
            "content":"<p>x</p>","attachments":[{"content_url":"https://a.example/1.mp3","content_type":"audio/mpeg"},
            {"content_url":""}]},{"id":8,"feed_id":null,"updated":1e400},{"id":9,"feed_id":1}]
            """#
        let fixture = try fixture([Self.content("[]"), Self.content(items)])
        var entry = RemoteEntry(id: "7", subscription: "3")
        (entry.title, entry.link, entry.html) = ("T", "https://a.example/7", "<p>x</p>")
        entry.published = 1_795_288_873
        entry.enclosures = [RemoteEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg")]
        #expect(try await fixture.client.entries(["7", "8"]) == [entry, RemoteEntry(id: "8", subscription: "")])
        #expect(fixture.server.bodies.allSatisfy { $0.contains(#""article_id":"7,8""#) })
    }

    // MARK: Labels and marks

    private static let labels = content(
        #"[{"id":-1027,"caption":"x"},{"id":-1026,"caption":"later"},{"id":-1025,"caption":""},{"caption":"y"}]"#)

    @Test func listsLabels() async throws {
        let fixture = try fixture([Self.labels, Self.page(1..<3)])
        let labels = try await fixture.client.labels()
        #expect(labels.names == ["x"] && labels.hasLater && labels.unlisted.isEmpty && !labels.createsMissing)
        #expect(try await fixture.client.ids(.label("x"), continuation: nil) == RemotePage(ids: ["1", "2"]))
        #expect(fixture.server.bodies.last?.contains(#""feed_id":-1027"#) == true)
        #expect(try await fixture.client.ids(.later, continuation: nil) == RemotePage(ids: ["1", "2"]))
        let none = try self.fixture([Self.content("[]")])
        #expect(try await none.client.ids(.label("z"), continuation: nil) == RemotePage(ids: []))
    }

    @Test(arguments: [
        (RemoteMark.read, true, #"{"article_ids":"9,7","field":2,"mode":0,"op":"updateArticle","sid":"s1"}"#),
        (.read, false, #"{"article_ids":"9,7","field":2,"mode":1,"op":"updateArticle","sid":"s1"}"#),
        (.starred, true, #"{"article_ids":"9,7","field":0,"mode":1,"op":"updateArticle","sid":"s1"}"#),
        (.starred, false, #"{"article_ids":"9,7","field":0,"mode":0,"op":"updateArticle","sid":"s1"}"#),
        (.label("x"), true, #"{"article_ids":"9,7","assign":true,"label_id":-1027,"op":"setArticleLabel","sid":"s1"}"#),
        (.later, false, #"{"article_ids":"9,7","assign":false,"label_id":-1026,"op":"setArticleLabel","sid":"s1"}"#),
        // A label that the server lacks isn't sent.
        (.label("z"), true, #"{"op":"getLabels","sid":"s1"}"#),
    ])
    func sendsMarks(mark: RemoteMark, value: Bool, body: String) async throws {
        let done = Self.content(#"{"status":"OK","updated":2}"#)
        let fixture = try fixture(mark.isLabel ? [Self.labels, done] : [done])
        try await fixture.client.send(mark, value, ["9", "7"])
        #expect(fixture.server.bodies.last == body)
        guard !mark.isLabel else { return }
        let refused = try self.fixture([Self.content(#"{"status":"no"}"#)])
        #expect(await failure { try await refused.client.send(mark, value, ["9"]) } == .unreadable("it is not 'OK'"))
    }

    // MARK: Subscriptions

    @Test(
        arguments: [
            (#"{"status":{"code":1,"feed_id":5}}"#, "5", nil), (#"{"status":{"code":0,"feed_id":5}}"#, "5", nil),
            (#"{"status":{"code":1}}"#, nil, nil), (#"{"status":{"code":2}}"#, nil, .refused("invalid address")),
            (#"{"status":{"code":3}}"#, nil, .refused("no feed at this address")),
            (#"{"status":{"code":4}}"#, nil, .refused("several feeds at this address")),
            (#"{"status":{"code":99}}"#, nil, .refused("the server can't add the feed (code 99)")),
            (#"{"status":"OK"}"#, nil, .unreadable("no result")),
        ] as [(String, String?, ServerError?)])
    func followsFeeds(answer: String, id: String?, error: ServerError?) async throws {
        let fixture = try fixture([Self.content(answer)])
        let found = await failure {
            let feed = try await fixture.client.perform(.subscribe(url: "u"))
            #expect(feed == id)
        }
        #expect(found == error)
    }

    @Test func unfollowsFeeds() async throws {
        let fixture = try fixture([Self.content(#"{"status":"OK"}"#), Self.refusal("E_OPERATION_FAILED")])
        #expect(try await fixture.client.perform(.unsubscribe(id: "7")) == nil)
        #expect(fixture.server.bodies == [#"{"feed_id":7,"op":"unsubscribeFeed","sid":"s1"}"#])
        let error = await failure { try await fixture.client.perform(.unsubscribe(id: "7")) }
        #expect(error == .refused("E_OPERATION_FAILED"))
        for operation in [RemoteOperation.rename(id: "7", title: "B"), .move(id: "7", folder: "F", from: nil)] {
            #expect(await failure { try await fixture.client.perform(operation) }?.mayPass == false)
        }
    }
}
