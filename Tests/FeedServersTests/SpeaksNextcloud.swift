import Feeds
import LoopbackServer
import Testing

@testable import Accounts

/// The API of Nextcloud's News app: requests, and the meaning of responses.
@Suite(.timeLimit(.minutes(2))) struct SpeaksNextcloud {
    private typealias Answer = LoopbackServer.Answer
    private static let base = "/index.php/apps/news/api/v1-3"

    private func fixture(_ answers: [String: [Answer]]) throws -> OtherServerFixture<NextcloudServer> {
        var all: [String: [Answer]] = [:]
        for (key, list) in answers {
            let words = key.split(separator: " ")
            all["\(words[0]) \(Self.base)\(words[1])"] = list
        }
        return try OtherServerFixture(.nextcloud, Self.base, all)
    }

    private func lines(_ fixture: OtherServerFixture<NextcloudServer>) -> [String] {
        fixture.lines.map { $0.replacing(Self.base, with: "") }
    }

    private static let feeds = Answer.json(
        #"""
        {"feeds":[{"id":39,"url":"https://u:p@a.example/f","title":"A","link":"https://a.example/","folderId":4},
        {"id":40,"url":"https://b.example/f","title":"","link":null,"folderId":null},{"id":41},
        {"id":42,"url":"https://c.example/f","title":"C","folderId":9}],"starredCount":2}
        """#)
    private static let folders = Answer.json(#"{"folders":[{"id":4,"name":"Media"},{"id":5,"name":""},3]}"#)

    @Test func readsFeedsWithTheirFolders() async throws {
        let fixture = try fixture(["GET /feeds": [Self.feeds], "GET /folders": [Self.folders]])
        #expect(
            try await fixture.client.subscriptions() == [
                RemoteSubscription(
                    id: "39", title: "A", url: "https://a.example/f", homePage: "https://a.example/", folder: "Media"),
                RemoteSubscription(id: "40", title: "https://b.example/f", url: "https://b.example/f"),
                RemoteSubscription(id: "42", title: "C", url: "https://c.example/f"),
            ])
        #expect(fixture.server.requests.allSatisfy { $0.headers["authorization"] == "Basic YWxpY2U6c2VjcmV0" })
    }

    @Test(arguments: [
        (ChangeQuery.list(.unread, before: nil), "?type=3&getRead=false&id=0&oldestFirst=false&batchSize=250&offset=0"),
        (.list(.unread, before: "43"), "?type=3&getRead=false&id=0&oldestFirst=false&batchSize=250&offset=43"),
        (.list(.starred, before: nil), "?type=2&getRead=true&id=0&oldestFirst=false&batchSize=250&offset=0"),
        (.changed(since: 1_795_289_000, after: nil), "/updated?type=3&id=0&lastModified=1795289000"),
    ])
    func requestsEntries(query: ChangeQuery, path: String) async throws {
        let fixture = try fixture(["GET /items\(path)": [.json(#"{"items":[]}"#)]])
        #expect(try await fixture.client.entries(query, limit: 250) == ChangePage(entries: []))
        #expect(lines(fixture) == ["GET /items\(path)"] && !fixture.client.pagesChanges)
    }

    @Test func readsEntries() async throws {
        let items = #"""
            {"items":[{"id":9,"feedId":67,"url":"https://a.example/9","title":"T","author":null,"pubDate":1367270544,
            "body":"<p>x</p>","enclosureMime":"audio/mpeg","enclosureLink":"https://a.example/1.mp3","unread":true,
            "starred":false,"lastModified":"1795289000123456"},{"id":8,"feedId":67,"unread":false,"starred":true,
            "lastModified":1795289111},{"id":7,"feedId":67},{"feedId":67,"unread":true},5]}
            """#
        let fixture = try fixture(["GET /items": [.json(items, headers: ["Date": "Sun, 22 Nov 2026 12:00:00 GMT"])]])
        var entry = RemoteEntry(id: "9", subscription: "67")
        (entry.title, entry.link, entry.html) = ("T", "https://a.example/9", "<p>x</p>")
        entry.published = 1_367_270_544
        entry.enclosures = [RemoteEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg")]
        let expected = [
            ChangedEntry(entry: entry, isUnread: true, isStarred: false),
            ChangedEntry(entry: RemoteEntry(id: "8", subscription: "67"), isUnread: false, isStarred: true),
        ]
        let page = try await fixture.client.entries(.list(.unread, before: nil), limit: 250)
        #expect(
            page == ChangePage(entries: expected, last: nil, newest: 1_795_289_111, told: 1_795_348_800))
        #expect(
            [0, 1_795_289_000, 1_795_289_000_123_456].map(NextcloudServer.instant) == [0, 1_795_289_000, 1_795_289_000])
    }

    /// A page that is full has a next one, except of changes, which come at once.
    @Test func readsTheEndOfAPage() async throws {
        let items = Answer.json(#"{"items":[{"id":9,"feedId":1,"unread":true},{"id":8,"feedId":1,"unread":true}]}"#)
        let fixture = try fixture(["GET /items": [items], "GET /items/updated": [items]])
        #expect(try await fixture.client.entries(.list(.unread, before: nil), limit: 2).last == "8")
        #expect(try await fixture.client.entries(.list(.unread, before: nil), limit: 3).last == nil)
        #expect(try await fixture.client.entries(.changed(since: 1, after: nil), limit: 2).last == nil)
    }

    @Test(
        arguments: [
            (RemoteMark.read, true, "read"), (.read, false, "unread"), (.starred, true, "star"),
            (.starred, false, "unstar"),
            (.later, true, nil), (.label("x"), false, nil),
        ] as [(RemoteMark, Bool, String?)])
    func sendsMarks(mark: RemoteMark, value: Bool, name: String?) async throws {
        let fixture = try fixture(["POST /items/\(name ?? "")/multiple": [.json("null")]])
        try await fixture.client.send(mark, value, ["9", "7"])
        #expect(lines(fixture) == (name.map { ["POST /items/\($0)/multiple"] } ?? []))
        #expect(fixture.server.bodies == (name == nil ? [] : [#"{"itemIds":[9,7]}"#]))
    }

    @Test(
        arguments: [
            (.json("null"), nil), (.json(""), nil), (.json(" []\n"), nil), (.json("{}"), nil),
            (.json("OK"), .unreadable("it is not a yes")), (.json(#"["x"]"#), .unreadable("it is not a yes")),
            (.page, .noAPI("received a web page, not a confirmation")),
            (.json(#"{"message":"Feed does not exist"}"#, status: 404), .refused("Feed does not exist")),
            (.json("{}", status: 404), .noAPI("not found (404)")),
            (.json(#"{"message":"later"}"#, status: 429, headers: ["Retry-After": "7"]), .tooManyRequests(seconds: 7)),
            (.json(#"{"message":"no"}"#, status: 401), .passwordRefused),
            (.init(503), .away("busy or in maintenance (503)")),
        ] as [(LoopbackServer.Answer, ServerError?)])
    func acceptsOnlyAnEmptyAnswer(answer: LoopbackServer.Answer, error: ServerError?) async throws {
        let fixture = try fixture(["POST /items/read/multiple": [answer], "DELETE /feeds/7": [answer]])
        #expect(await failure { try await fixture.client.send(.read, true, ["7"]) } == error)
        #expect(await failure { try await fixture.client.perform(.unsubscribe(id: "7")) } == error)
    }

    @Test func changesSubscriptions() async throws {
        let fixture = try fixture([
            "POST /feeds": [.json(#"{"feeds":[{"id":262}]}"#), .json(#"{"message":"exists"}"#, status: 409)],
            "GET /feeds": [Self.feeds], "GET /folders": [Self.folders], "DELETE /feeds/39": [.json("[]")],
            "POST /folders": [.json(#"{"folders":[{"id":12,"name":"New"}]}"#)], "POST /feeds/39/move": [.json("[]")],
            "POST /feeds/39/rename": [.json("[]")],
        ])
        for (operation, id, lines, body) in [
            (
                RemoteOperation.subscribe(url: "b"), "262", ["POST /feeds"], #"{"folderId":null,"url":"b"}"#
            ),
            (
                .subscribe(url: "https://b.example/f"), "40", ["POST /feeds", "GET /feeds"],
                #"{"folderId":null,"url":"https:\/\/b.example\/f"}"#
            ),
            (.unsubscribe(id: "39"), nil, ["DELETE /feeds/39"], ""),
            (.rename(id: "39", title: "B"), nil, ["POST /feeds/39/rename"], #"{"feedTitle":"B"}"#),
            (
                .move(id: "39", folder: "Media", from: nil), nil, ["GET /folders", "POST /feeds/39/move"],
                #"{"folderId":4}"#
            ),
            (
                .move(id: "39", folder: "New", from: "Media"), nil,
                ["GET /folders", "POST /folders", "POST /feeds/39/move"], #"{"name":"New"}{"folderId":12}"#
            ),
            (.move(id: "39", folder: nil, from: "Media"), nil, ["POST /feeds/39/move"], #"{"folderId":null}"#),
        ] as [(RemoteOperation, String?, [String], String)] {
            let (before, written) = (fixture.lines.count, fixture.server.bodies.count)
            #expect(try await fixture.client.perform(operation) == id)
            #expect(Array(self.lines(fixture).dropFirst(before)) == lines)
            #expect(fixture.server.bodies.dropFirst(written).joined() == body)
        }
    }
}
