import Fetching
import LoopbackServer
import Testing

@testable import Accounts

/// The meaning of recorded responses of the Google Reader API.
@Suite(.timeLimit(.minutes(2))) struct ReadsGoogleReaderAnswers {
    private typealias Answer = LoopbackServer.Answer

    /// Invalid responses to a request for data, and their errors.
    static let faults: [(status: Int, body: String, error: ServerError)] = [
        (200, " \n<!DOCTYPE html><html>", .noAPI("received a web page, not data")),
        (200, "", .unreadable("it is not JSON")), (200, "OK", .unreadable("it is not JSON")),
        (200, "null", .unreadable("it is not JSON")), (200, "[]", .unreadable("unexpected data")),
        (200, "{", .unreadable("unexpected data")),
        (200, #"{"items":7,"itemRefs":7,"tags":7,"subscriptions":7}"#, .unreadable("unexpected data")),
        (404, "{}", .noAPI("not found (404)")),
        (500, "{}", .away("server error (500)")), (429, "", .tooManyRequests(seconds: nil)),
        (400, "", .refused("the server answered 400")),
    ]

    /// Servers escape names and addresses as HTML, some twice.
    @Test func decodesNamesOfFeedsOnce() {
        let feed = RemoteSubscription(
            id: "1", title: "R&amp;D &lt;b&gt; &amp;amp; &#039;x&#39; & &copy;", url: "https://a.example/?a=1&amp;b=2",
            homePage: "https://a.example/?c&amp;d", folder: "News &amp; more", labels: ["A&quot;B"])
        #expect(feed.title == "R&D <b> &amp; 'x' & &copy;" && feed.url == "https://a.example/?a=1&b=2")
        #expect(feed.homePage == "https://a.example/?c&d" && feed.folder == "News & more" && feed.labels == ["A\"B"])
    }

    @Test func explainsEveryInvalidAnswer() async throws {
        for (status, body, error) in ReadsGoogleReaderAnswers.faults {
            let answer = Answer.json(body, status: status)
            let fixture = try GoogleReaderFixture([
                "GET subscription/list": [answer], "GET stream/items/ids": [answer], "GET tag/list": [answer],
                "POST stream/items/contents": [answer], "POST subscription/quickadd": [answer],
            ])
            let client = fixture.client
            #expect(await failure { try await client.subscriptions() } == error, "\(body)")
            #expect(await failure { try await client.ids(.unread, continuation: nil) } == error, "\(body)")
            #expect(await failure { try await client.labels() } == error, "\(body)")
            #expect(await failure { try await client.entries(["7"]) } == error, "\(body)")
            let added = await failure { try await client.perform(.subscribe(url: "u")) }
            let hasFields = status == 200 && body.hasPrefix("{\"")
            #expect(added == (hasFields ? .refused("the server can't add the feed") : error), "\(body)")
        }
    }

    // MARK: Feeds

    private static func feed(
        _ title: String = "T", url: String = "https://a.example/f", home: String? = nil, folder: String? = nil,
        labels: [String] = [], id: String = "feed/1"
    ) -> RemoteSubscription {
        RemoteSubscription(id: id, title: title, url: url, homePage: home, folder: folder, labels: labels)
    }

    @Test(
        arguments: [
            (
                #"{"id":"feed/66","title":"News","categories":[{"id":"user/-/label/Tech","label":"Tech"}],"url":"https://a.example/f","htmlUrl":"https://a.example/"}"#,
                feed("News", home: "https://a.example/", folder: "Tech", id: "feed/66")
            ),
            // A feed without a folder: no list, an empty one, one without a name, or FreshRSS's default.
            (#"{"id":"feed/1","title":"T","url":"https://a.example/f"}"#, feed()),
            (#"{"id":"feed/1","title":"T","url":"https://a.example/f","categories":[]}"#, feed()),
            (#"{"id":"feed/1","title":"T","url":"https://a.example/f","categories":[{}]}"#, feed()),
            (#"{"id":"feed/1","title":"T","url":"https://a.example/f","categories":[{"label":""}]}"#, feed()),
            (
                #"{"id":"feed/1","title":"T","url":"https://a.example/f","categories":[{"label":"Uncategorized"}]}"#,
                feed()
            ),
            // A folder by its identifier, the first of several, and full-width names.
            (
                #"{"id":"feed/1","title":"T","url":"https://a.example/f","categories":[{"id":"user/-/label/Tech"}]}"#,
                feed(folder: "Tech")
            ),
            (
                #"{"id":"feed/1","title":"T","url":"https://a.example/f","categories":[{"label":"Uncategorized"},{"label":"a"},{"label":"b"},{"label":"c"}]}"#,
                feed(folder: "a", labels: ["b", "c"])
            ),
            (
                #"{"id":"feed/1","title":"A ＆ B ＜i＞","url":"https://a.example/f","categories":[{"label":"R ＆ D"}]}"#,
                feed("A & B <i>", folder: "R & D")
            ),
            // Some servers use the address as the identifier, and the title may be missing; passwords are removed.
            (
                #"{"id":"feed/https://u:p@a.example/f"}"#,
                feed("https://a.example/f", id: "feed/https://u:p@a.example/f")
            ),
            (#"{"id":"https://a.example/f","title":"T"}"#, feed(id: "https://a.example/f")),
            (#"{"id":"feed/1","title":"T","url":"https://u:p@a.example/f"}"#, feed()),
            (#"{"id":"feed/1","title":"","url":"https://a.example/f"}"#, feed("")),
        ] as [(String, RemoteSubscription)])
    func readsFeeds(item: String, expected: RemoteSubscription) async throws {
        let other = #"{"id":"feed/2","title":"O","url":"https://o.example/"}"#
        let fixture = try GoogleReaderFixture(
            "GET subscription/list?output=json", .json("{\"subscriptions\":[\(item),\(other)]}"))
        let feeds = try await fixture.client.subscriptions()
        #expect(feeds == [expected, ReadsGoogleReaderAnswers.feed("O", url: "https://o.example/", id: "feed/2")])
        let none = try GoogleReaderFixture("GET subscription/list", .json(#"{"subscriptions":[]}"#))
        #expect(try await none.client.subscriptions().isEmpty)
    }

    @Test func limitsListsOfFeeds() throws {
        typealias Feed = RemoteSubscription
        let one = ReadsGoogleReaderAnswers.feed()
        #expect(try Feed.checked(Array(repeating: one, count: 20_000)).count == 20_000)
        #expect(throws: ServerError.unreadable("implausible number of feeds: 20001")) {
            try Feed.checked(Array(repeating: one, count: 20_001))
        }
        let (fits, long) = (String(repeating: "x", count: 4096), String(repeating: "x", count: 4097))
        #expect(try Feed.checked([ReadsGoogleReaderAnswers.feed(url: fits, id: fits)]).count == 1)
        for feed in [ReadsGoogleReaderAnswers.feed(url: long), ReadsGoogleReaderAnswers.feed(id: long)] {
            #expect(throws: ServerError.unreadable("an address is too long")) { try Feed.checked([one, feed]) }
        }
        #expect(ReadsGoogleReaderAnswers.feed(home: fits).homePage == fits)
        #expect(ReadsGoogleReaderAnswers.feed(home: long).homePage == nil)
        // Texts are truncated between characters.
        let (title, name) = (String(repeating: "\u{E9}", count: 2048), String(repeating: "\u{E9}", count: 250))
        let cut = ReadsGoogleReaderAnswers.feed(
            title + "x", folder: name + "x", labels: (0...20).map { name + "\($0)" })
        #expect(cut.title == title && cut.folder == name)
        #expect(cut.labels == Array(repeating: name, count: 20))
        let whole = ReadsGoogleReaderAnswers.feed(title, folder: name, labels: ["x"])
        #expect(whole.title == title && whole.folder == name && whole.labels == ["x"])
        #expect(ReadsGoogleReaderAnswers.feed("x" + title).title == "x" + title.dropLast())
    }

    // MARK: Lists

    @Test(
        arguments: [
            (#"{"itemRefs":[]}"#, [], nil), (#"{"itemRefs":[],"continuation":"7"}"#, [], nil),
            (#"{"itemRefs":[{"id":"9"},{"id":"7"}]}"#, ["9", "7"], nil),
            (#"{"itemRefs":[{"id":"9"},{"id":"7"}],"continuation":""}"#, ["9", "7"], nil),
            (#"{"itemRefs":[{"id":"9","x":1}],"continuation":"17"}"#, ["9"], "17"),
            (
                #"{"itemRefs":[{"id":"tag:google.com,2005:reader/item/000660ce4394a23f"},{"id":"5ae0d5e3e4b0f2c1a2b3c4d5"}]}"#,
                ["1795288873607743", "5ae0d5e3e4b0f2c1a2b3c4d5"], nil
            ),
        ] as [(String, [String], String?)])
    func readsPagesOfLists(body: String, ids: [String], next: String?) async throws {
        let page = try await GoogleReaderFixture("GET stream/items/ids", .json(body)).client.ids(
            .unread, continuation: nil)
        #expect(page.ids == ids && page.continuation == next)
    }

    @Test func rejectsListsWithInvalidIdentifiers() async throws {
        let (fits, long) = (String(repeating: "1", count: 256), String(repeating: "1", count: 257))
        for (id, isSound) in [(fits, true), (long, false), ("", false), ("7 8", false), ("\u{FC}", false)] {
            let body = #"{"itemRefs":[{"id":"1"},{"id":"\#(id)"},{"id":"3"}]}"#
            let fixture = try GoogleReaderFixture("GET stream/items/ids", .json(body))
            let error = await failure { try await fixture.client.ids(.starred, continuation: nil) }
            #expect(error == (isSound ? nil : .unreadable("invalid id")), "\(id)")
        }
        for (count, error) in [(4096, nil), (4097, ServerError.unreadable("the continuation is too long"))] {
            let body = #"{"itemRefs":[{"id":"1"}],"continuation":"\#(String(repeating: "c", count: count))"}"#
            let fixture = try GoogleReaderFixture("GET stream/items/ids", .json(body))
            #expect(await failure { try await fixture.client.ids(.unread, continuation: nil) } == error)
        }
        let none = try GoogleReaderFixture("GET stream/items/ids", .json("{}"))
        #expect(
            await failure { try await none.client.ids(.unread, continuation: nil) }
                == .unreadable("no list of entries"))
    }

    @Test(
        arguments: [
            ("1795288873607743", "1795288873607743"), ("007", "007"), ("", nil), ("a b", nil), ("a\n", nil),
            ("tag:google.com,2005:reader/item/", nil), ("tag:google.com,2005:reader/item/0000000000000007", "7"),
            ("tag:google.com,2005:reader/item/ffffffffffffffff", "-1"),
            ("tag:google.com,2005:reader/item/8000000000000000", "-9223372036854775808"),
            ("tag:google.com,2005:reader/item/7", "7"),
            ("tag:google.com,2005:reader/item/zzzzzzzzzzzzzzzz", "zzzzzzzzzzzzzzzz"),
            // Sixteen digits alone are a decimal number, even if they could be hexadecimal.
            ("0000000000000010", "0000000000000010"),
        ] as [(String, String?)])
    func normalizesEntryIdentifiers(text: String, id: String?) { #expect(GoogleReaderServer.identity(text) == id) }

    // MARK: Labels

    @Test(
        arguments: [
            (#"{"tags":[]}"#, false, [], []),
            (#"{"tags":[{"id":"user/-/state/com.google/starred"}]}"#, false, [], []),
            (#"{"tags":[{"id":"user/-/label/later","type":"tag"}]}"#, true, [], []),
            (#"{"tags":[{"id":"user/-/label/later","type":"folder"}]}"#, false, [], ["later"]),
            (
                #"{"tags":[{"id":"user/1/label/b","type":"tag"},{"id":"user/-/label/a"},{"id":"user/-/label/b","type":"tag"}]}"#,
                false, ["a", "b"], []
            ),
            // A folder's name isn't a label, in either order.
            (
                #"{"tags":[{"id":"user/-/label/F","type":"folder"},{"id":"user/-/label/F","type":"tag"},{"id":"user/-/label/x","type":"tag"}]}"#,
                false, ["x"], ["F"]
            ),
            (
                #"{"tags":[{"id":"user/-/label/F","type":"tag"},{"id":"user/-/label/F","type":"folder"}]}"#,
                false, [], ["F"]
            ),
            // Invisible and endless names are ignored.
            (
                #"{"tags":[{"id":"user/-/label/"},{"id":"user/-/label/a\u001bb"},{"id":"user/-/label/a\u202eb"},{"id":"user/-/label/römer/ü x"}]}"#,
                false, ["römer/ü x"], []
            ),
        ] as [(String, Bool, [String], Set<String>)])
    func readsLabels(body: String, hasLater: Bool, names: [String], unlisted: Set<String>) async throws {
        let labels = try await GoogleReaderFixture("GET tag/list?output=json", .json(body)).client.labels()
        #expect(labels.hasLater == hasLater && labels.names == names && labels.unlisted == unlisted)
    }

    @Test func limitsLabelsToAHundred() async throws {
        let long = String(repeating: "n", count: 256)
        let names = (100..<201).map { "l\($0)" } + [long, long + "n"]
        let body = names.map { #"{"id":"user/-/label/\#($0)","type":"tag"}"# }.joined(separator: ",")
        let labels = try await GoogleReaderFixture("GET tag/list", .json("{\"tags\":[\(body)]}")).client.labels()
        #expect(labels.names == (100..<200).map { "l\($0)" })
        #expect(labels.unlisted == ["l200", long])
    }

    // MARK: Entries

    private static func entry(_ body: (inout RemoteEntry) -> Void = { _ in }) -> RemoteEntry {
        var entry = RemoteEntry(id: "7", subscription: "feed/2")
        body(&entry)
        return entry
    }

    private static let id = #""id":"tag:google.com,2005:reader/item/0000000000000007","origin":{"streamId":"feed/2"}"#

    @Test(
        arguments: [
            (id, entry()), (#""id":"7","origin":{"streamId":"feed/2"}"#, entry()),
            (#""id":"7""#, RemoteEntry(id: "7", subscription: "")),
            (
                id
                    + #","title":"T","canonical":[{"href":"https://c.example/"}],"alternate":[{"href":"https://a.example/"}],"summary":{"content":"s"},"content":{"content":"c"},"author":"A","published":1793491200,"updated":1793491201,"enclosure":[{"href":"https://a.example/1.mp3","type":"audio/mpeg","length":5}]"#,
                entry {
                    ($0.title, $0.link, $0.html, $0.author) = ("T", "https://c.example/", "c", "A")
                    ($0.published, $0.updated) = (1_793_491_200, 1_793_491_201)
                    $0.enclosures = [RemoteEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", size: 5)]
                }
            ),
            (
                id + #","alternate":[{},{"href":"https://a.example/"}],"canonical":[{}]"#,
                entry { $0.link = "https://a.example/" }
            ),
            (id + #","summary":{"content":"s"},"content":{}"#, entry { $0.html = "s" }),
            (id + #","author":"","title":"""#, entry { $0.title = "" }),
            (
                id
                    + #","published":"1793491200","updated":"soon","enclosure":[{"type":"x"},{"href":"u","length":"12"},{"href":"v","length":"?"}]"#,
                entry {
                    $0.published = 1_793_491_200
                    $0.enclosures = [
                        RemoteEnclosure(url: "u", type: nil, size: 12), RemoteEnclosure(url: "v", type: nil, size: nil),
                    ]
                }
            ),
        ] as [(String, RemoteEntry)])
    func readsEntries(item: String, expected: RemoteEntry) async throws {
        // Unrequested entries are ignored, purged ones are missing, and the order is the server's.
        let others = #"{"id":"9"},{"id":"8","origin":{"streamId":"feed/3"}}"#
        let fixture = try GoogleReaderFixture(
            "POST stream/items/contents", .json("{\"items\":[{\(item)},\(others),{\"id\":\"\"}]}"))
        let entries = try await fixture.client.entries(["8", "7", "6"])
        #expect(entries == [expected, RemoteEntry(id: "8", subscription: "feed/3")])
        let none = try GoogleReaderFixture("POST stream/items/contents", .json(#"{"items":[]}"#))
        #expect(try await none.client.entries(["8", "7", "6"]).isEmpty)
    }

    @Test func limitsEnclosuresToTwenty() async throws {
        let files = (0..<21).map { #"{"href":"\#($0)"}"# }.joined(separator: ",")
        let body = #"{"items":[{"id":"7","enclosure":[\#(files)]}]}"#
        let entries = try await GoogleReaderFixture("POST stream/items/contents", .json(body)).client.entries(["7"])
        #expect(entries.first?.enclosures.map(\.url) == (0..<20).map { "\($0)" })
    }

    // MARK: Changes

    @Test(
        arguments: [
            ("OK", nil), ("OK\n", nil), (" OK\r\n", nil), ("ok", .unreadable("it is not 'OK'")),
            ("", .unreadable("it is not 'OK'")), ("OK, but", .unreadable("it is not 'OK'")),
            ("[]", .unreadable("it is not 'OK'")), ("<html>OK</html>", .noAPI("received a web page, not 'OK'")),
        ] as [(String, ServerError?)])
    func acceptsOnlyOKAsSuccess(body: String, error: ServerError?) async throws {
        let fixture = try GoogleReaderFixture(
            ["POST edit-tag": [.plain(body)], "POST subscription/edit": [.plain(body)]])
        let client = fixture.client
        #expect(await failure { try await client.send(.starred, true, ["7"]) } == error)
        for operation in [
            RemoteOperation.unsubscribe(id: "feed/1"), .rename(id: "feed/1", title: "T"),
            .move(id: "feed/1", folder: nil, from: "F"),
        ] { #expect(await failure { try await client.perform(operation) } == error) }
    }

    @Test(
        arguments: [
            (#"{"numResults":1,"streamId":"feed/7"}"#, "feed/7", nil), (#"{"numResults":1}"#, nil, nil),
            (#"{"numResults":2,"streamId":"feed/8","error":"twice"}"#, "feed/8", nil),
            (#"{"numResults":0,"error":"Feed cannot be added"}"#, nil, .refused("Feed cannot be added")),
            (#"{"numResults":0,"streamId":"feed/7"}"#, nil, .refused("the server can't add the feed")),
            ("{}", nil, .refused("the server can't add the feed")),
            (
                #"{"error":"\#(String(repeating: "e", count: 201))"}"#, nil,
                .refused(String(repeating: "e", count: 200))
            ),
            (#"{"numResults":1,"streamId":"\#(String(repeating: "f", count: 4097))"}"#, nil, nil),
        ] as [(String, String?, ServerError?)])
    func readsWhatBecameOfANewFeed(body: String, id: String?, error: ServerError?) async throws {
        let fixture = try GoogleReaderFixture("POST subscription/quickadd", .json(body))
        let client = fixture.client
        #expect(await failure { try await client.perform(.subscribe(url: "u")) } == error)
        if error == nil { #expect(try await client.perform(.subscribe(url: "u")) == id) }
    }
}
