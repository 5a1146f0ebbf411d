import CommonTesting
import FeedParsing
import Fetching
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Names, passwords and header lines are used where they belong and never stored in the library.
@Suite struct SecretTests {
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }
    private var path: String { temporary.path("l.sqlite") }

    private static func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }

    /// Returns the files beside a library that contain a text, in clear or encoded as a header line.
    private func files(with texts: String...) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            return texts.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }

    private func netrc(_ text: String, mode: mode_t) throws -> String {
        let file = folder.appendingPathComponent("netrc").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, mode)
        return file
    }

    @Test func fetchesWithSecretsKeptOutOfTheLibrary() async throws {
        let server = try LoopbackServer { request in
            request.headers["authorization"] == SecretTests.basic("alice:hushhush")
                && request.headers["cookie"] == "a=quiet"
                ? .init("<rss><channel><title>F</title><item><link>/one</link><guid>1</guid></item></channel></rss>")
                : .init(401)
        }
        let library = try Library(path: path)
        let secret = Secret(user: "alice", password: .kept("hushhush"), headers: ["Cookie: a=quiet"])
        let reference = try library.secrets.keep(secret)
        let new = NewSubscription(url: server.url("/feed"), headers: [reference])
        let id = try await library.changes.perform(.subscribe([new], now: 1)).subscriptions[0].id
        try await ReloadService(library: library).reload { _ in }
        #expect(try library.feeds.feed(id)?.error == nil)
        #expect(try library.entries.detail(of: 1)?.link == server.url("/one"))
        // The undo of the header lines contains none either.
        let changed = try await library.changes.perform(.setHeaders(id, []))
        try await ReloadService(library: library).reload { _ in }
        #expect(try library.feeds.feed(id)?.error == "access denied (401)")
        try await library.undo(changed)
        try await ReloadService(library: library).reload { _ in }
        #expect(try library.feeds.feed(id)?.error == nil)
        #expect(library.changes.drain() == .stored)
        let holders = try files(with: "hushhush", "a=quiet", SecretTests.basic("alice:hushhush"))
        #expect(holders == ["l.sqlite.secrets"])
        var status = stat()
        #expect(stat(path + ".secrets", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func readsPasswordsFromProgramsEnvironmentAndNetrc() throws {
        let store = SecretStore(library: path)
        store.setRunner { words in words == ["pass", "show", "two words"] ? "from program\nmore\n" : nil }
        func lines(_ password: Secret.Password, user: String? = "u", for address: String = "https://a.example/x") throws
            -> [String]
        {
            try store.resolve([store.keep(Secret(user: user, password: password)), "X: plain"], for: address)
        }
        func expected(_ text: String) -> [String] { ["Authorization: " + SecretTests.basic(text), "X: plain"] }
        #expect(try lines(.command(["pass", "show", "two words"])) == expected("u:from program"))
        #expect { try lines(.command(["broken"])) } throws: { "\($0)".contains("the password command broken failed") }
        setenv("TAPPA_TEST_PASSWORD", "from environment", 1)
        #expect(try lines(.environment("TAPPA_TEST_PASSWORD")) == expected("u:from environment"))
        #expect { try lines(.environment("TAPPA_NO_SUCH")) } throws: { "\($0)".contains("TAPPA_NO_SUCH") }
        let text = """
            # machine a.example login x password commented
            machine b.example login u password other
            machine a.example
              login v password second
            machine a.example login u password third
            default login u password anybody
            """
        let file = try netrc(text, mode: 0o600)
        #expect(try Netrc.find(host: "a.example", user: "u", in: file).password == "third")
        #expect(try Netrc.find(host: "a.example", user: nil, in: file) == ("v", "second"))
        #expect(try Netrc.find(host: "b.example", user: "u", in: file).password == "other")
        #expect(try Netrc.find(host: "c.example", user: "u", in: file).password == "anybody")
        #expect { try Netrc.find(host: "c.example", user: "w", in: file) } throws: {
            "\($0)".contains("no password for c.example")
        }
        for mode in [0o640, 0o604, 0o666] as [mode_t] {
            _ = try netrc(text, mode: mode)
            #expect { try Netrc.find(host: "a.example", user: "u", in: file) } throws: {
                "\($0)".contains("readable by others")
            }
        }
        #expect { try store.resolve(["secret:gone"], for: "x") } throws: { "\($0)".contains("no longer in") }
    }

    @Test func neverOverwritesAnUnreadableFile() throws {
        let secrets = SecretStore(library: path)
        let file = URL(fileURLWithPath: path + ".secrets")
        for text in ["{\"secret:A\": {\"user\": \"al", ""] {
            try Data(text.utf8).write(to: file)
            #expect(throws: SecretProblem.self) { try secrets.keep(Secret(headers: ["X-Key: new"])) }
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
        try FileManager.default.removeItem(at: file)
        let reference = try secrets.keep(Secret(headers: ["X-Key: new"]))
        #expect(try secrets.resolve([reference], for: "https://a.example/") == ["X-Key: new"])
    }

    /// Another program holds the lock of the folder and never releases it.
    @Test func doesNotWaitForeverForALock() throws {
        let secrets = SecretStore(library: path)
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
        #expect(flock(folder, LOCK_EX) == 0)
        #expect {
            try secrets.keep(Secret(headers: ["X-Key: new"]))
        } throws: {
            "\($0)".hasSuffix("another program has locked its folder")
        }
        close(folder)
        #expect(try secrets.keep(Secret(headers: ["X-Key: new"])).hasPrefix("secret:"))
    }

    @Test func storesSecretsFromSeveralPrograms() async throws {
        let path = path
        let references = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<40 {
                group.addTask { try SecretStore(library: path).keep(Secret(headers: ["X: \(number)"])) }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        let store = SecretStore(library: path)
        let lines = try references.flatMap { try store.resolve([$0], for: "https://a.example/") }
        #expect(Set(lines) == Set((0..<40).map { "X: \($0)" }))
    }

    /// A list may contain an address twice: with a name and a password, and without.
    @Test(arguments: [true, false]) func movesPasswordsOfListsIntoTheSecretsFile(isFirst: Bool) async throws {
        let (plain, full) = ("https://a.example/feed", "https://alice:hushhush@a.example/feed")
        do {
            let library = try Library(path: path)
            let list = (isFirst ? [full, plain] : [plain, full]).map { NewSubscription(url: $0) }
            let receipt = try await library.changes.perform(.subscribe(list, now: 1))
            #expect(receipt.subscriptions.map(\.isNew) == [true, false])
            let id = receipt.subscriptions[0].id
            #expect(try library.feeds.all().map(\.url) == [plain])
            let request = try #require(try library.feeds.requests(for: [id])[id])
            #expect(
                try library.secrets.resolve(request.headers, for: plain)
                    == ["Authorization: " + SecretTests.basic("alice:hushhush")])
            // A second run adds no other secret.
            let secrets = try Data(contentsOf: URL(fileURLWithPath: path + ".secrets"))
            try await library.changes.perform(.subscribe(list, now: 1))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".secrets")) == secrets)
            #expect(library.changes.drain() == .stored)
        }
        #expect(try files(with: "hushhush", SecretTests.basic("alice:hushhush")) == ["l.sqlite.secrets"])
        #expect(try Library(path: path).notices == [])
    }

    /// A program's arguments stay unchanged, even if they look like an address with a password.
    @Test func leavesProgramArgumentsUnchanged() async throws {
        let library = try Library(path: path)
        var new = NewSubscription(url: "exec:curl -s https://alice:word@a.example/feed")
        new.runsProgram = true
        try await library.changes.perform(.subscribe([new], now: 1))
        #expect(try library.feeds.all().map(\.url) == [new.url])
        #expect(try Library(path: path).notices == [])
    }

    @Test func movedFeedsLeaveTheirSecretBehind() async throws {
        // All servers are reached through this proxy, so that there can be several.
        let proxy = try LoopbackServer { request in
            request.path == "http://a.example/feed"
                ? .init(301, headers: ["Location": "http://b.example/feed"])
                : .init("<rss><channel><title>F</title></channel></rss>")
        }
        for isSecret in [true, false] {
            let library = try Library(path: nil)
            let lines = isSecret ? [try library.secrets.keep(Secret(headers: ["X-Key: k"]))] : []
            let feed = NewSubscription(url: "http://a.example/feed", headers: lines)
            try await library.changes.perform(.subscribe([feed], now: 1))
            let fetcher = Fetcher(proxy: proxy.url(""))
            try await ReloadService(library: library, fetcher: fetcher).reload { _ in }
            #expect(
                try library.feeds.all().map(\.url) == [isSecret ? "http://a.example/feed" : "http://b.example/feed"]
            )
        }
        let keys = proxy.requests.map { $0.path + " " + ($0.headers["x-key"] ?? "-") }
        #expect(
            keys == [
                "http://a.example/feed k", "http://b.example/feed -", "http://a.example/feed -",
                "http://b.example/feed -",
            ])
    }

    @Test func pagesPassNoSecretToOtherServers() async throws {
        let page =
            "<html><head><link rel='alternate' type='application/rss+xml' href='http://b.example/feed'></head></html>"
        let proxy = try LoopbackServer { request in
            request.path.hasSuffix("/feed") && !request.path.hasSuffix("a.example/feed")
                ? .init("<rss><channel><title>F</title></channel></rss>") : .init(page, type: "text/html")
        }
        let typed = TypedAddress("http://alice:hushhush@a.example:80/")
        #expect(typed.address == "http://a.example:80/")
        let found = try await FeedDiscovery(fetcher: Fetcher(proxy: proxy.url(""))).look(
            at: typed.address, headers: typed.headers)
        guard case .page(let links) = found else { throw POSIXError(.EINVAL) }
        #expect(links.map(\.url) == ["http://b.example/feed"])
        #expect(typed.headers(for: links[0].url) == [] && typed.headers(for: "http://a.example/x") == typed.headers)
        // Another port may be another server.
        #expect(typed.headers(for: "http://a.example:8080/x") == [] && typed.isOnSameHost("http://a.example:8080/x"))
        #expect(proxy.requests.first?.headers["authorization"] == SecretTests.basic("alice:hushhush"))
    }

    @Test func requestsATruncatedDocumentAgain() async throws {
        let items = (0..<100).map { "<item><guid>\($0)</guid><title>T</title></item>" }.joined()
        let body = Array("<rss><channel><title>F</title>\(items)</channel></rss>".utf8)
        let tries = Tries()
        let server = try LoopbackServer { request in
            if request.headers["if-none-match"] != nil { return .init(304) }
            return .init(200, headers: ["ETag": "a"], body: body, cutAfter: tries.next() == 1 ? 2000 : nil)
        }
        let (library, id) = try await Library.following(server.url("/"))
        try await ReloadService(library: library).reload { _ in }
        let first = try #require(try library.feeds.feed(id))
        #expect(first.total > 10 && first.total < 100)
        #expect(first.error?.contains("was cut off") == true)
        try await ReloadService(library: library).reload { _ in }
        #expect(try library.feeds.feed(id)?.total == 100)
        #expect(try library.feeds.feed(id)?.error == nil)
        try await ReloadService(library: library).reload { _ in }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, "a"])
    }

    /// Such a feed can be followed, and the reason is said.
    @Test func discoversAnIncompleteFeed() async throws {
        let server = try LoopbackServer { _ in .init("<?xml version=\"1.0\"?><rss vers") }
        let error = await #expect(throws: FeedDiscovery.Failure.self) {
            _ = try await FeedDiscovery(fetcher: Fetcher()).look(at: server.url("/feed"))
        }
        #expect(error?.description == "the document is incomplete")
    }

    /// A server can send the beginning of a document as if it were the whole. Validators belong to whole documents.
    @Test func requestsAnIncompleteDocumentAgain() async throws {
        let items = (0..<10).map { "<item><guid>\($0)</guid><title>T</title></item>" }.joined()
        let body = Array("<rss><channel><title>F</title>\(items)</channel></rss>".utf8)
        let lengths = [8, 200, body.count]
        let tries = Tries()
        let server = try LoopbackServer { request in
            if request.headers["if-none-match"] != nil { return .init(304) }
            return .init(200, headers: ["ETag": "a"], body: Array(body.prefix(lengths[tries.next() - 1])))
        }
        let (library, id) = try await Library.following(server.url("/"))
        try await ReloadService(library: library).reload { _ in }
        #expect(try library.feeds.feed(id)?.error == "the document is incomplete")
        try await ReloadService(library: library).reload { _ in }
        let part = try #require(try library.feeds.feed(id)).total
        #expect(part > 0 && part < 10)
        for _ in 0..<2 { try await ReloadService(library: library).reload { _ in } }
        #expect(try library.feeds.feed(id)?.total == 10)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, nil, "a"])
    }

    @Test func ignoresAnUnrequestedNotModified() async throws {
        let server = try LoopbackServer { _ in .init(304) }
        let (library, id) = try await Library.following(server.url("/"))
        try await ReloadService(library: library).reload { _ in }
        #expect(try library.feeds.feed(id)?.error?.contains("304") == true)
    }

    private final class Tries: @unchecked Sendable {
        private let lock = NSLock()
        private var count = 0
        func next() -> Int {
            lock.withLock {
                count += 1
                return count
            }
        }
    }
}
