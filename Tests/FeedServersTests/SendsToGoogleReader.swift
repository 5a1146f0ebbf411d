import Feeds
import LoopbackServer
import Testing

@testable import Accounts

/// The requests of the Google Reader API as sent.
@Suite(.timeLimit(.minutes(2))) struct SendsToGoogleReader {
    private static let unread = "user/-/state/com.google/reading-list&xt=user/-/state/com.google/read"

    @Test(
        arguments: [
            (RemoteList.unread, nil, "s=\(unread)&n=10000"),
            (.unread, "a b&c", "s=\(unread)&n=10000&c=a%20b%26c"),
            (.starred, nil, "s=user/-/state/com.google/starred&n=10000"),
            (.starred, "17", "s=user/-/state/com.google/starred&n=10000&c=17"),
            (.later, nil, "s=user/-/label/later&n=10000"),
            (.label("r\u{F6}mer/\u{FC} & x"), nil, "s=user/-/label/r%C3%B6mer%2F%C3%BC%20%26%20x&n=10000"),
        ] as [(RemoteList, String?, String)])
    func asksForLists(list: RemoteList, continuation: String?, query: String) async throws {
        let fixture = try GoogleReaderFixture("GET stream/items/ids", .json(#"{"itemRefs":[]}"#))
        _ = try await fixture.client.ids(list, continuation: continuation)
        #expect(fixture.lines == ["GET stream/items/ids?output=json&\(query)"])
    }

    /// FreshRSS accepts only decimal numbers; other servers accept only the long form.
    @Test(arguments: [
        ("7", "7", "0000000000000007"), ("-1", "-1", "ffffffffffffffff"),
        ("1795288873607743", "1795288873607743", "000660ce4394a23f"),
        ("5ae0d5e3e4b0f2c1a2b3c4d5", "5ae0d5e3e4b0f2c1a2b3c4d5", "5ae0d5e3e4b0f2c1a2b3c4d5"),
    ])
    func formatsEntryIdentifiersForEachServer(id: String, plain: String, long: String) async throws {
        let prefix = "tag%3Agoogle.com%2C2005%3Areader%2Fitem%2F"
        for (names, name) in [(GoogleReaderServer.Names.plain, plain), (.long, prefix + long)] {
            let fixture = try GoogleReaderFixture(
                ["POST edit-tag": [.plain("OK")], "POST stream/items/contents": [.json(#"{"items":[]}"#)]],
                names: names)
            _ = try await fixture.client.entries([id, "8"])
            try await fixture.client.send(.read, true, [id])
            let second = names == .plain ? "8" : prefix + "0000000000000008"
            #expect(
                fixture.server.bodies == [
                    "T=token57&output=json&i=\(name)&i=\(second)",
                    "T=token57&a=user%2F-%2Fstate%2Fcom.google%2Fread&i=\(name)",
                ])
            #expect(fixture.lines.contains("POST stream/items/contents?output=json"))
        }
    }

    /// The mark comes before the entries, so that a server that truncates a long form drops entries and not the mark.
    @Test(arguments: [
        (RemoteMark.read, true, "a=user%2F-%2Fstate%2Fcom.google%2Fread"),
        (.read, false, "r=user%2F-%2Fstate%2Fcom.google%2Fread"),
        (.starred, true, "a=user%2F-%2Fstate%2Fcom.google%2Fstarred"),
        (.starred, false, "r=user%2F-%2Fstate%2Fcom.google%2Fstarred"),
        (.later, true, "a=user%2F-%2Flabel%2Flater"), (.later, false, "r=user%2F-%2Flabel%2Flater"),
        (.label("a & \u{FC}"), true, "a=user%2F-%2Flabel%2Fa%20%26%20%C3%BC"),
        (.label("x"), false, "r=user%2F-%2Flabel%2Fx"),
    ])
    func sendsMarksBeforeEntries(mark: RemoteMark, value: Bool, field: String) async throws {
        let fixture = try GoogleReaderFixture("POST edit-tag", .plain("OK"))
        try await fixture.client.send(mark, value, ["9", "7", "8"])
        #expect(fixture.server.bodies == ["T=token57&\(field)&i=9&i=7&i=8"])
    }

    @Test func batchesMarksByTheServersLimit() throws {
        let client = try GoogleReaderFixture([:]).client
        #expect([RemoteMark.read, .later, .label("x"), .starred].map(client.maximumAtOnce) == [100, 100, 100, 500])
    }

    @Test(arguments: [
        (RemoteOperation.unsubscribe(id: "feed/1"), "ac=unsubscribe&s=feed%2F1"),
        (.rename(id: "feed/1", title: "A & B"), "ac=edit&s=feed%2F1&t=A%20%26%20B"),
        (.move(id: "feed/1", folder: "R & D", from: nil), "ac=edit&s=feed%2F1&a=user%2F-%2Flabel%2FR%20%26%20D"),
        (.move(id: "feed/1", folder: "New", from: "Old"), "ac=edit&s=feed%2F1&a=user%2F-%2Flabel%2FNew"),
        (.move(id: "feed/1", folder: nil, from: "Old"), "ac=edit&s=feed%2F1&r=user%2F-%2Flabel%2FOld"),
        (.move(id: "feed/1", folder: nil, from: nil), "ac=edit&s=feed%2F1"),
    ])
    func changesSubscriptions(operation: RemoteOperation, body: String) async throws {
        let fixture = try GoogleReaderFixture("POST subscription/edit", .plain("OK"))
        #expect(try await fixture.client.perform(operation) == nil)
        #expect(fixture.server.bodies == ["T=token57&" + body])
        #expect(fixture.lines == ["GET token", "POST subscription/edit"])
    }

    @Test func addsFeedsByTheirAddresses() async throws {
        let fixture = try GoogleReaderFixture(
            "POST subscription/quickadd", .json(#"{"numResults":1,"streamId":"feed/7"}"#))
        #expect(try await fixture.client.perform(.subscribe(url: "https://a.example/?x=1&y")) == "feed/7")
        #expect(fixture.server.bodies == ["T=token57&quickadd=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y"])
    }
}
