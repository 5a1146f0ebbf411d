import CommonTesting
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Testing

/// `tappa add`: addresses, feeds of a page, password handling, and questions on a terminal.
@Suite struct AddsFeeds: ProgramSuite {
    let temporary = TemporaryFolder()
    private let server: LoopbackServer
    private var database: String { temporary.path("l.sqlite") }

    private static let feed =
        "<rss><channel><title>F</title><item><title>x</title><guid>1</guid></item></channel></rss>"

    init() throws {
        // A page with two feeds, a page with one, and feeds that need a login.
        server = try LoopbackServer { request in
            switch request.path {
            case "/two":
                return .init(
                    """
                    <html><head><link rel="alternate" type="application/rss+xml" title="All" href="/feed/1">
                    <link rel="alternate" type="application/rss+xml" href="/feed/2"></head></html>
                    """, type: "text/html")
            case "/one":
                return .init(
                    "<html><head><link rel=alternate type='application/rss+xml' href='/feed/1'></head></html>",
                    type: "text/html")
            case "/none": return .init("<html><p>words</p></html>", type: "text/html")
            case "/feed/1", "/feed/2": return .init(AddsFeeds.feed)
            case "/mine":
                let isMine =
                    request.headers["authorization"] == "Basic " + Data("alice:pass:word".utf8).base64EncodedString()
                return isMine && request.headers["x-key"] == "7" ? .init(AddsFeeds.feed) : .init(401)
            default: return .init(404)
            }
        }
    }

    private func add(
        _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
    ) -> Program.Outcome {
        tappa(["add", "--database", database] + arguments, input: input, environment: environment)
    }

    /// The followed addresses without the bundled ones.
    private func followed() throws -> [String] {
        try Library(path: database).feeds.all().map(\.url).filter { $0.contains("127.0.0.1") }.sorted()
    }

    @Test func addsTheOnlyFeedOfAPage() throws {
        let result = add(server.url("/one"))
        #expect(result.code == 0 && result.output == "added \(server.url("/feed/1"))\n")
        #expect(add(server.url("/feed/1")).output == "already followed: \(server.url("/feed/1"))\n")
        #expect(try followed() == [server.url("/feed/1")])
    }

    @Test func listsSeveralFeedsInAPipeWithoutAdding() throws {
        let result = add(server.url("/two"))
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.errors == """
                \(server.url("/two")) names 2 feeds; add one of them, or all with --all:
                  1  \(server.url("/feed/1"))  All
                  2  \(server.url("/feed/2"))

                """)
        #expect(try followed().isEmpty)
        #expect(add("--all", "--folder", "New", server.url("/two")).code == 0)
        #expect(try followed() == [server.url("/feed/1"), server.url("/feed/2")])
        #expect(try Library(path: database).feeds.all().count { $0.folder == "New" } == 2)
    }

    @Test(arguments: [("2", ["/feed/2"]), ("1 2 3", ["/feed/1", "/feed/2"]), ("", [])])
    func promptsOnATerminal(answer: String, expected: [String]) async throws {
        let tmux = try TmuxSession(
            "tappa add --database \(database) \(server.url("/two"))", width: 100, height: 20, home: home)
        #expect(await tmux.wait(for: "Numbers of the feeds to add"))
        tmux.send(answer)
        tmux.press("Enter")
        #expect(await tmux.wait(for: expected.isEmpty ? "ended with 65" : "ended with 0"))
        #expect(try followed() == expected.map { server.url($0) })
    }

    @Test func rejectsPagesWithoutFeedAndKeepsSilentHosts() throws {
        let none = add(server.url("/none"))
        #expect(none.code == 65 && none.errors.contains(server.url("/none")))
        let away = add("http://127.0.0.1:1/feed")
        #expect(away.code == 0 && away.output.hasPrefix("added http://127.0.0.1:1/feed (can't be read now: "))
        #expect(try followed() == ["http://127.0.0.1:1/feed"])
        #expect(add("ftp://127.0.0.1/x").code == 66)
        // Several at once, each with its own result, in the given order.
        let several = add(server.url("/one"), server.url("/none"), server.url("/two"))
        #expect(several.code == 65 && several.output == "added \(server.url("/feed/1"))\n")
    }

    @Test func sendsAndKeepsNamesAndHeaders() throws {
        #expect(add("--header", "no colon", server.url("/mine")).code == 64)
        #expect(add("--header", "X-Key: 7\u{01}", server.url("/mine")).code == 64)
        let refused = add("--user", "alice:wrong", "--header", "X-Key: 7", server.url("/mine"))
        #expect(refused.output.contains("can't be read now"))
        // The same feed with the right name: the stored header is replaced.
        for arguments in [
            ["--user", "alice:pass:word"],
            ["--user", "alice", "--password-command", "printf 'pass:word\\n'"],
            ["--user", "alice", "--password-env", "FEED_PASSWORD"],
        ] {
            let result = Program.tappa(
                ["add", "--database", database, "--header", "X-Key: 7"] + arguments + [server.url("/mine")],
                home: home, environment: ["FEED_PASSWORD": "pass:word"])
            #expect(
                result.output == "already followed: \(server.url("/mine")); changed its header lines\n", "\(arguments)")
            try OtherProgram.makeFeedsDue(at: database)
            let reload = Program.tappa(
                ["reload", "--database", database, "--json"], home: home,
                environment: ["FEED_PASSWORD": "pass:word"])
            let rows = try JSONDecoder().decode([Outcome].self, from: Data(reload.output.utf8))
            #expect(rows.first { $0.url == server.url("/mine") }?.error == nil, "\(arguments)")
        }
    }

    private struct Outcome: Decodable {
        var url: String
        var error: String?
    }

    @Test func readsThePasswordFromNetrc() throws {
        chmod(try home.write("machine 127.0.0.1 login alice password pass:word\n", to: ".netrc"), 0o600)
        let result = add("--user", "alice", "--header", "X-Key: 7", server.url("/mine"), input: "")
        #expect(result.output == "added \(server.url("/mine"))\n")
    }

    @Test func promptsForAPasswordWithoutEcho() async throws {
        let tmux = try TmuxSession(
            "tappa add --database \(database) --user alice --header 'X-Key: 7' \(server.url("/mine"))", width: 100,
            height: 20, home: home)
        #expect(await tmux.wait(for: "Password of alice"))
        tmux.send("pass:word")
        tmux.press("Enter")
        #expect(await tmux.wait(for: "added \(server.url("/mine"))\n"))
        #expect(!tmux.text.contains("pass:word"))
    }

    @Test func showsReloadProgressOnATerminal() async throws {
        let addresses = [server.url("/feed/1"), server.url("/feed/2"), "http://127.0.0.1:1/feed"]
        let list = "<opml><body>\(addresses.map { "<outline xmlUrl='\($0)'/>" }.joined())</body></opml>"
        #expect(tappa("import", "-", "--database", database, input: list).code == 0)
        let tmux = try await TmuxSession(
            "tappa reload --database \(database)", width: 100, height: 20, home: home, expecting: "ended with 69")
        let text = tmux.text
        #expect(text.contains("feed/1: 1 new") && text.contains(": ! 127.0.0.1 does not answer"))
        // The progress line was erased.
        #expect(!text.contains("/3"))
        // In a pipe each feed has a line with its address.
        try OtherProgram.makeFeedsDue(at: database)
        let piped = tappa("reload", "--database", database)
        let lines = piped.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("F\tunchanged\t\(server.url("/feed/1"))"))
        #expect(!piped.output.contains("\r") && !piped.errors.contains("\u{1B}"))
        for (jobs, code) in [("0", Int32(64)), ("1", 69), ("128", 69), ("129", 64)] {
            try OtherProgram.makeFeedsDue(at: database)
            #expect(tappa("reload", "--jobs", jobs, "--database", database).code == code, "\(jobs)")
        }
    }

    @Test func confirmsThousandsOfFeeds() async throws {
        let list = home.appendingPathComponent("urls")
        func write(_ count: Int) throws {
            try home.write((0..<count).map { "https://a.example/\($0)\n" }.joined(), to: "urls")
        }
        func run(_ arguments: String...) -> Program.Outcome {
            tappa(["import", "--database", database] + arguments)
        }
        try write(1001)
        let refused = run(list.path)
        #expect(refused.code == 65 && refused.errors.contains("1001 feeds; use --yes"))
        for (answer, result) in [("no", "ended with 0"), ("y", "added 1001")] {
            let tmux = try TmuxSession(
                "tappa import --database \(database) \(list.path)", width: 200, height: 20, home: home)
            #expect(await tmux.wait(for: "has 1001 feeds. Follow them all? y/n"))
            tmux.send(answer)
            tmux.press("Enter")
            #expect(await tmux.wait(for: result))
            #expect(tmux.text.contains("added") == (answer == "y"))
        }
        #expect(run("--yes", list.path).output == "added 0, already followed: 1001\n")
        try write(1000)
        #expect(run(list.path).output == "added 0, already followed: 1000\n")
    }
}
