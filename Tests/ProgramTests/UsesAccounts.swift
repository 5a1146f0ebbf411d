import Accounts
import CommonTesting
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Testing

/// `tappa account`: adding, listing, syncing, moving and removing, with passwords from each source.
@Suite struct UsesAccounts: ProgramSuite {
    let temporary = TemporaryFolder()
    private let server: ReaderServer
    private var database: String { temporary.path("l.sqlite") }
    var options: [String] { ["--database", database] }

    init() throws {
        server = try ReaderServer()
        let feed = server.addFeed("News", url: "https://example.org/feed", folder: "Papers")
        for number in 1...3 { server.addEntry("Entry \(number)", feed: feed) }
    }

    private func add(_ address: String? = nil) -> Program.Outcome {
        tappa(
            "account", "add", "home", address ?? server.address, "--user", "alice", "--password-command", "echo secret")
    }

    @Test func createsSyncsAndListsAnAccount() throws {
        let added = add()
        #expect(added.code == 0)
        #expect(
            added.output == "added home: Google Reader API at \(server.address)\nhome\t3 new, 0 sent\n",
            "\(added.errors)")
        let listed = tappa("account", "list").output
        #expect(listed.hasPrefix("home\tsynced just now\tGoogle Reader API\talice\t"))
        // As the first command it adds no bundled feeds.
        #expect(tappa("list").output == "3/3\tNews\thttps://example.org/feed\n")
        server.with { state in for id in state.entries.keys.sorted().dropLast() { state.entries[id]?.isRead = true } }
        server.requests = []
        #expect(tappa("account", "sync").output == "home\t0 new, 0 sent\n")
        #expect(server.requests.count == 3)
        #expect(tappa("status", "--format", "{unread} {pending}").output.hasSuffix(" 0\n"))
    }

    /// `add` of a feed that an account follows changes that feed instead of following it twice.
    @Test func addsNoFeedBesideThatOfAnAccount() throws {
        _ = add()
        let again = tappa("add", "--as-is", "--folder", "Blogs", "--title", "Mine", "https://example.org/feed")
        #expect(
            again.output == "already followed: https://example.org/feed; changed its folder, its name\n",
            "\(again.errors)")
        #expect(tappa("list").output == "3/3\tMine\thttps://example.org/feed\n")
        #expect(tappa("account", "sync").code == 0)
        #expect(server.with { $0.feeds.map { [$0.folder, $0.title] } } == [["Blogs", "Mine"]])
    }

    @Test func findsTheAPIFromTheSiteAddress() throws {
        let front = try LoopbackServer { [server] request in
            // FreshRSS's API is two folders below the address that users know.
            guard let range = request.path.range(of: "/p/api/greader.php") else {
                return .init("<html>Log in</html>", type: "text/html")
            }
            let path = request.path[range.upperBound...]
            guard path == "/accounts/ClientLogin" else { return .init(404) }
            _ = server
            return .init("SID=a\nAuth=alice/1\n", type: "text/plain")
        }
        let added = add(front.url("/"))
        #expect(added.output.hasPrefix("added home: FreshRSS at \(front.url("/p/api/greader.php"))\n"))
    }

    @Test(arguments: [
        (
            "wrong", "password rejected (many servers need a separate API password, which you set in their settings)",
            Int32(65)
        ),
        ("off", "the server's API is turned off; turn it on in the server's settings", 65),
        ("page", "nothing at http://127.0.0.1:", 65),
    ])
    func reportsErrorsAndCreatesNothing(fault: String, sentence: String, code: Int32) throws {
        server.with { state in
            if fault == "wrong" { state.password = "other" }
            state.isSwitchedOff = fault == "off"
        }
        if fault == "page" { server.setFault { _ in .page } }
        let result = add()
        #expect(result.code == code && result.errors.hasPrefix("tappa: \(sentence)"), "\(result.errors)")
        #expect(tappa("account").output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: database + ".secrets"))
    }

    @Test func sendsPasswordsOnlyOverHTTPS() throws {
        let result = add("http://feeds.example/")
        #expect(result.code == 65 && result.errors.contains("http would send the password"))
        #expect(add("https://a:b@feeds.example/").errors.contains("--user"))
        // No password is in the library or in a file that others can read.
        #expect(add().code == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: database))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("f00d"))
        let attributes = try FileManager.default.attributesOfItem(atPath: database + ".secrets")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func addsASecondServerAsAnotherAccount() throws {
        #expect(add().code == 0)
        // The password of the same account may change.
        #expect(add().code == 0)
        let other = try ReaderServer()
        let refused = add(other.address)
        #expect(refused.code == 65 && refused.errors.contains("the account 'home' of alice at"))
        #expect(tappa("account").output.split(separator: "\n").count == 1)
    }

    @Test func readsThePasswordFromEnvironmentOrNetrc() throws {
        let arguments = ["account", "add", "home", server.address, "--user", "alice"]
        #expect(tappa(arguments, environment: ["TAPPA_PASSWORD_HOME": "secret"]).code == 0)
        let netrc = try temporary.write("machine 127.0.0.1 login alice password secret\n", to: ".netrc")
        chmod(netrc, 0o600)
        #expect(tappa(arguments).code == 0)
        #expect(tappa("account").output.split(separator: "\n").count == 1)
        try FileManager.default.removeItem(atPath: netrc)
        #expect(tappa(arguments).code == 65)
        try temporary.write("[account.home]\npassword-command = ['echo', 'secret']\n", to: ".config/tappa/config.toml")
        #expect(tappa(arguments).code == 0)
    }

    @Test func showsAndKeepsPendingChanges() async throws {
        #expect(add().code == 0)
        let library = try Library(path: database)
        let row = try #require(
            try library.entries.rows(in: EntryQuery(.all), limit: 100).first { $0.title == "Entry 2" })
        try await library.changes.perform(.mark(.starred, true, entries: [row.id], wholeStories: false, now: 1))
        #expect(tappa("account", "outbox").output.hasPrefix("home\tStar: Entry 2\t"))
        let refused = tappa("account", "remove", "home")
        #expect(refused.code == 69 && refused.errors.contains("home has 1 pending change"))
        server.stop()
        let failed = tappa("account", "sync")
        #expect(failed.code == 69 && failed.output.hasPrefix("home\t! server away: "))
        #expect(
            tappa("account", "remove", "home", "--force", "--keep-feeds").output
                == "removed home; now local: 1 feed, 3 entries, 3 unread, 1 starred\n")
        #expect(tappa("account").output.isEmpty)
    }

    /// Each server is found at the address of its site, and syncs.
    @Test(arguments: [
        (ReaderServer.API.fever, "Fever API", "/fever/"),
        (.nextcloud, "Nextcloud News", "/index.php/apps/news/api/v1-3"),
        (.ttrss, "Tiny Tiny RSS", "/tt-rss/api/"), (.feedbin, "Feedbin", "/v2"),
    ])
    func findsOtherServers(api: ReaderServer.API, name: String, path: String) throws {
        server.with { $0.api = api }
        let added = add()
        #expect(
            added.output == "added home: \(name) at \(server.address)\(path)\nhome\t3 new, 0 sent\n", "\(added.errors)")
        #expect(tappa("list").output == "3/3\tNews\thttps://example.org/feed\n")
        #expect(tappa("account", "sync").output == "home\t0 new, 0 sent\n")
        #expect(tappa("account", "list", "--json").output.contains("\"\(api)\""))
    }

    @Test func saysThatTagsAreNotSynced() throws {
        server.with { $0.api = .fever }
        #expect(add().code == 0)
        let tagged = tappa("tag", "wind", "1")
        #expect(tagged.code == 0 && tagged.output == "changed 1 of 1\n")
        let words = "They stay on this machine: home (Fever API) has no tags"
        #expect(tagged.errors == "tappa: tags aren't synced. \(words)\n")
        let refused = tappa("remove", "https://example.org/feed")
        #expect(refused.code == 69)
        #expect(refused.errors == "tappa: home (Fever API) can't remove feeds; do it on the server\n")
        #expect(tappa("account", "outbox").output.isEmpty)
    }

    /// Another program's sync is waited for, and giving up is an error.
    @Test func waitsForAnotherProgram() async throws {
        #expect(add().code == 0)
        let library = try Library(path: database)
        let gate = AnswerGate()
        server.requests = []
        server.setFault { _ in
            gate.wait()
            return nil
        }
        let account = try #require(try library.accounts.all(now: 0).first)
        let other = Task { await SyncService(library: library).sync(account, .whole) }
        #expect(await eventually { !server.requests.isEmpty })
        let refused = tappa("account", "sync", "--wait", "0")
        #expect(refused.code == 69)
        #expect(refused.output == "home\t! another program is still syncing it; try again later\n")
        let errors = temporary.path("errors")
        let program = Task.detached { [temporary, database] in
            Program.shell(#""$0" account sync --database "\#(database)" 2>"\#(errors)""#, home: temporary.url)
        }
        let words = Data("tappa: another program is syncing home; waiting …\n".utf8)
        #expect(await eventually { FileManager.default.contents(atPath: errors) == words })
        gate.open()
        let waited = await program.value
        #expect(waited.code == 0 && waited.output == "home\t0 new, 0 sent\n")
        #expect(FileManager.default.contents(atPath: errors) == words)
        guard case .done = await other.value else { return #expect(Bool(false)) }
    }

    @Test func reloadSyncsAndMovesFeeds() throws {
        #expect(add().code == 0)
        #expect(tappa("reload").output == "home\tit was just synced\t\(server.address)\n")
        try OtherProgram.makeFeedsDue(at: database)
        #expect(tappa("reload").output == "home\tunchanged\t\(server.address)\n")
        let taken = tappa("account", "take", "home", "--all").output
        #expect(taken.contains("after: local 1 feed, 3 entries, 3 unread, 0 starred; home 0 feeds"))
        #expect(server.with { $0.feeds.isEmpty })
        let given = tappa("account", "give", "home", "https://example.org/feed").output
        #expect(given.hasSuffix("home 1 feed, 3 entries, 3 unread, 0 starred\n"))
        #expect(server.with { $0.feeds.map(\.url) } == ["https://example.org/feed"])
    }
}
