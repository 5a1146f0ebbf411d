import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Malicious or broken servers: limited cost, no lost data, no leaked credentials.
@Suite(.timeLimit(.minutes(10))) struct HostileServerTests {
    /// A server that accepts a login and otherwise follows a script.
    private func server(
        _ answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer?
    ) throws -> LoopbackServer {
        try LoopbackServer { request in
            if let own = answer(request) { return own }
            let path = request.path.split(separator: "?")[0]
            switch path {
            case "/accounts/ClientLogin": return .init("Auth=alice/1\n", type: "text/plain")
            case "/reader/api/0/token": return .init("t\n", type: "text/plain")
            case "/reader/api/0/subscription/list":
                return .init(
                    #"{"subscriptions":[{"id":"feed/1","title":"F","url":"https://example.org/f"}]}"#,
                    type: "application/json")
            default: return .init(#"{"itemRefs":[]}"#, type: "application/json")
            }
        }
    }

    private func client(_ server: LoopbackServer) async throws -> (
        library: Library, sync: () async throws -> SyncOutcome
    ) {
        let library = try Library(path: nil)
        let secret = try library.secrets.keep(Secret(user: "alice", password: .kept("secret")))
        try await library.changes.perform(
            .addAccount(
                NewAccount(name: "home", kind: .freshrss, address: server.url(""), user: "alice", secret: secret)))
        let account = try library.accounts.all(now: 0)[0]
        let service = SyncService(library: library, clock: { 1_795_289_000 })
        return (library, { await service.sync(account, .whole) })
    }

    @Test func limitsEndlessLists() async throws {
        let number = Mutex(0)
        let server = try server { request in
            guard request.path.contains("items/ids") else { return nil }
            let next = number.increment()
            return .init(#"{"itemRefs":[{"id":"\#(next)"}],"continuation":"c\#(next)"}"#, type: "application/json")
        }
        let client = try await client(server)
        #expect(try await client.sync() == .failed("unusable answer: the server's list never ends"))
        #expect(server.requests.count < 220)
        number.withLock { $0 = 0 }
        let circle = try self.server { request in
            request.path.contains("items/ids")
                ? .init(#"{"itemRefs":[{"id":"7"}],"continuation":"c"}"#, type: "application/json") : nil
        }
        #expect(
            try await self.client(circle).sync()
                == .failed("unusable answer: the server's list starts again from the beginning"))
    }

    /// A rejected list leaves nothing behind.
    @Test func discardsAnEndlessList() async throws {
        let number = Mutex(0)
        let server = try server { request in
            guard request.path.contains("items/ids") else { return nil }
            let next = number.increment()
            let ids = (0..<40_000).map { "{\"id\":\"\(next * 100_000 + $0)\"}" }.joined(separator: ",")
            return .init(#"{"itemRefs":[\#(ids)],"continuation":"c\#(next)"}"#, type: "application/json")
        }
        let client = try await client(server)
        #expect(try await client.sync() == .failed("unusable answer: the server's list never ends"))
        #expect(number.withLock { $0 } == 7)
        for table in ["remote_list", "remote_entry"] {
            #expect(try client.library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
        }
    }

    /// Names from a server have the same limits as those of other feeds, and its addresses contain no password.
    @Test func cutsTheNamesOfAServersFeeds() async throws {
        let long = String(repeating: "\u{E9}", count: 100_000)
        let server = try server { request in
            guard request.path.contains("subscription/list") else { return nil }
            let categories = #"[{"label":"\#(long)"},{"label":"t\#(long)"}]"#
            return .init(
                #"{"subscriptions":[{"id":"feed/1","title":"\#(long)","url":"https://u:p@a.example/","categories":\#(categories),"htmlUrl":"https://\#(long)"}]}"#,
                type: "application/json")
        }
        let client = try await client(server)
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        let row = try #require(try client.library.feeds.all().first)
        #expect(row.url == "https://a.example/" && row.title.utf8.count == 4096)
        let names = try client.library.feeds.foldersAndTags()
        #expect(names.folders.map(\.utf8.count) == [500] && names.tags.map(\.utf8.count) == [499])
    }

    @Test(arguments: [
        (#"{"itemRefs":[{"id":"\#(String(repeating: "9", count: 1 << 20))"}]}"#, "invalid id"),
        (#"{"itemRefs":[{"id":"7\u001b[2J"}]}"#, "invalid id"),
        (#"{"itemRefs":{"id":7}}"#, "unexpected data"),
        (String(repeating: "[", count: 100_000), "unexpected data"),
        ("true", "it is not JSON"),
        (#"{"unread":[]}"#, "no list of entries"),
    ])
    func listsThatAreNoneChangeNothing(body: String, reason: String) async throws {
        let server = try server { request in
            request.path.contains("items/ids") ? .init(body, type: "application/json") : nil
        }
        #expect(try await client(server).sync() == .failed("unusable answer: \(reason)"))
    }

    @Test func rejectsAMillionSubscriptions() async throws {
        let one = #"{"id":"feed/1","title":"F","url":"https://example.org/f"},"#
        let list = #"{"subscriptions":["# + String(repeating: one, count: 1_000_000) + "{}]}"
        let server = try server { request in
            request.path.contains("subscription/list") ? .init(list, type: "application/json") : nil
        }
        let client = try await client(server)
        #expect(try await client.sync() == .failed("unusable answer: larger than 16 MiB"))
        #expect(try client.library.feeds.all().isEmpty)
    }

    @Test func sendsTheSecretToNoOtherHost() async throws {
        let other = try LoopbackServer { _ in .init("Auth=alice/1\n", type: "text/plain") }
        for status in [301, 302, 307, 308] {
            let server = try LoopbackServer { request in
                .init(status, headers: ["Location": other.url(request.path)])
            }
            guard case .failed(let sentence) = try await client(server).sync() else {
                Issue.record("a redirect was followed")
                return
            }
            #expect(sentence.hasPrefix("no reader API here: the address redirects (\(other.url("/"))"))
        }
        // Nor after the login.
        let server = try server { request in
            request.path.contains("items/ids") ? .init(302, headers: ["Location": other.url("/")]) : nil
        }
        _ = try await client(server).sync()
        #expect(other.requests.isEmpty)
    }

    @Test func rejectsUnrequestedEntriesAndUnsafeMarkup() async throws {
        let server = try server { request in
            if request.path.contains("items/ids"), request.path.contains("reading-list") {
                return .init(#"{"itemRefs":[{"id":"7"},{"id":"8"}]}"#, type: "application/json")
            }
            guard request.path.contains("items/contents") else { return nil }
            func item(_ id: String, _ title: String, _ feed: String) -> String {
                #"{"id":"tag:google.com,2005:reader/item/\#(id)","title":"\#(title)","origin":{"streamId":"\#(feed)"},"#
                    + #""author":"<script>a</script>","published":"soon","canonical":[{"href":"javascript:alert(1)"}],"#
                    + #""summary":{"content":"<p onclick=x>text</p>"}}"#
            }
            let items = [
                item("0000000000000007", "<b>Seven</b> &amp; \\u001b[2J", "feed/1"),
                item("0000000000000009", "Nine", "feed/1"), item("0000000000000008", "Eight", "feed/99"),
            ]
            return .init(#"{"items":[\#(items.joined(separator: ","))]}"#, type: "application/json")
        }
        let client = try await client(server)
        #expect(try await client.sync() == .done(added: 1, sent: 0))
        let rows = try client.library.entries.rows(in: EntryQuery(.all), limit: 10)
        #expect(rows.count == 1 && rows[0].title.hasPrefix("Seven & "))
        // An item that can't be stored isn't requested again and again.
        let before = server.requests.count
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(server.requests.count == before + 4, "\(server.requests.map(\.path))")
    }

    @Test func obeysAServerThatAsksToWait() async throws {
        let server = try LoopbackServer { _ in .init(429, headers: ["Retry-After": "600"]) }
        let client = try await client(server)
        #expect(try await client.sync() == .failed("too many requests (429); the server asked to wait"))
        let account = try client.library.accounts.all(now: 1_795_289_000)[0]
        #expect(account.nextTry == 1_795_289_600)
        let service = SyncService(library: client.library, clock: { 1_795_289_300 })
        #expect(await service.sync(account, .timer) == .heldBack("its next attempt is later"))
        #expect(await service.sync(account, .whole) == .heldBack("the server asked to wait"))
        #expect(server.requests.count == 1)
    }
}
