import CommonTesting
import Configuration
import Dashboard
import DashboardFrame
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import TerminalUI
import Testing

/// Imports from newsboat, rules, and scripts on entries, with the built program.
@Suite struct ImportsReaders: ProgramSuite {
    let temporary = TemporaryFolder()

    private static func feed(_ titles: [String]) -> String {
        let items = titles.map {
            "<item><title>\($0)</title><guid>\($0)</guid><link>https://x.example/\($0.hashValue.magnitude)</link></item>"
        }
        return "<rss><channel><title>News</title>\(items.joined())</channel></rss>"
    }

    @Test func importsANewsboatFolderCompletely() throws {
        let server = try LoopbackServer { _ in .init(ImportsReaders.feed(["one", "two", "three", "four"])) }
        let url = server.url("/feed")
        try home.write(
            """
            \(url) "~My news" daily "two words"
            \(url) more
            http://127.0.0.1:1/hidden "!"
            "query:Fresh:unread = \\"yes\\" and age < 3"
            "query:Odd:articleindex < 3"
            "exec:/bin/echo <rss><channel><title>Made</title></channel></rss>"
            """, to: ".newsboat/urls")
        try home.write(
            """
            bind-key ^R reload-all
            macro v set browser "mpv %u"; open-in-browser
            ignore-article "*" "title =~ \\"^four\\""
            """, to: ".newsboat/config")
        try OtherProgram.execute(
            """
            \(OtherProgram.newsboatItems)
            CREATE TABLE rss_feed (rssurl TEXT, url TEXT, title TEXT);
            INSERT INTO rss_feed VALUES ('\(url)', '', 'Theirs'), ('http://127.0.0.1:1/hidden', '', 'A &amp; B'), ('x', '', 'X');
            INSERT INTO rss_item VALUES (1, 'one', 'one', '', '', '\(url)', 1700000000, 'text', 0, '', '', 0, 's', 0),
                (2, 'two', 'two', '', '', '\(url)', 1700000000, 'text', 1, '', '', 0, '', 0),
                (3, 'three', 'three', '', '', '\(url)', 1700000000, 'text', 1, '', '', 0, '', 1);
            """, at: home.path + "/.newsboat/cache.db")
        let result = tappa("import", home.path + "/.newsboat", "--programs")
        #expect(result.code == 0)
        for sentence in [
            "added 3\n", "saved searches: 1\n", "entries of newsboat: 2, 1 read, 1 starred, 1 deleted\n",
            "changed: the query 'Fresh' became the saved search is:unread age:<3d\n",
            "skipped: the query 'Odd': tappa has no equivalent of 'articleindex < \"3\"'\n",
            "bind-key ^R reload-all: feeds.reloadAll\n", "the command 'mpv v' (, v)\n", "when = title:/^four/\n",
        ] { #expect(result.output.contains(sentence), "\(sentence)") }
        // As the first command it adds nothing else.
        let list = tappa("list").output
        #expect(list.split(separator: "\n").count == 3)
        // Feeds without a name of the user's have the titles of the cache until they are fetched.
        #expect(list.contains("\tMy news\t") && list.contains("\tA & B\t"))
        #expect(
            tappa("config").code == 0 && tappa("rules").output.hasPrefix("ignored 1\t0\tnever\ttitle:/^four/\tdelete\n")
        )
        tappa("reload")
        #expect(tappa("list").output.contains("\tMade\t"))
        // Read, starred and deleted states are imported, and ignored entries aren't kept.
        let entries = try rows(tappa("search", "--json", "--since", "1h").output)
        #expect(Set(entries.compactMap { $0["title"] as? String }) == ["one", "two"])
        let one = try #require(entries.first { $0["title"] as? String == "one" })
        #expect(
            one["read"] as? Bool == true && one["starred"] as? Bool == true && one["tags"] as? [String] == ["flag-s"])
        #expect(try rows(tappa("search", "--json", "tag:more").output).count == 2)
        #expect(tappa("rules").output.contains("ignored 1\t1\tlast "))
        #expect(tappa("rules", "undo", "ignored 1").output == "Undid 1 change of the rule ignored 1\n")
        // A second import changes nothing.
        #expect(
            tappa("import", home.path + "/.newsboat/urls", "--feeds-only", "--no-programs").output.hasPrefix(
                "added 0, already followed: 2\n"))
    }

    /// Newsboat's list and cache contain the password in the address.
    @Test func importsAConfigurationFromStandardInput() throws {
        let result = tappa("import", "-", input: "bind-key ^R reload-all\ninclude /dev/zero\n")
        let file = home.path + "/.config/tappa/config.toml"
        #expect(result.code == 0 && result.output.contains("wrote \(file)\n"))
        #expect(result.output.contains("include /dev/zero: can't be read\n"))
        #expect(FileManager.default.fileExists(atPath: file))
    }

    /// Names and tags that OPML can't express aren't accepted either.
    @Test func importsTheSameListThatItExports() throws {
        tappa("add", "--as-is", "--title", "", "--folder", "", "--tag", "a, b", "--tag", ",", "https://127.0.0.1:1/x")
        tappa("add", "--as-is", "--title", "A & <b>", "--folder", "F/G", "--tag", "two words", "https://127.0.0.1:1/y")
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.contains("dateCreated") } }
        let list = tappa("export").output
        #expect(list.contains("category=\"a,b\""))
        let other = home.path + "/other.sqlite"
        #expect(tappa("import", "-", "--database", other, input: list).output == "added 2\n")
        #expect(lines(tappa("export", "--database", other).output) == lines(list))
    }

    @Test func importsFeedsWithPasswordsAndTheirMarks() throws {
        let server = try LoopbackServer { request in
            request.headers["authorization"] == "Basic " + Data("alice:hushhush".utf8).base64EncodedString()
                ? .init(ImportsReaders.feed(["one", "two"])) : .init(401)
        }
        let plain = server.url("/feed")
        let url = plain.replacing("http://", with: "http://alice:hushhush@")
        try home.write("\(plain)\n\(url)\n", to: ".newsboat/urls")
        try OtherProgram.execute(
            """
            \(OtherProgram.newsboatItems)
            INSERT INTO rss_item VALUES (1, 'one', 'one', '', '', '\(url)', 1700000000, '', 0, '', '', 0, '', 0);
            """, at: home.path + "/.newsboat/cache.db")
        let result = tappa("import", home.path + "/.newsboat")
        #expect(result.output.contains("added 1, already followed: 1\n"))
        #expect(result.output.contains("entries of newsboat: 1, 1 read\n") && !result.output.contains("not taken"))
        let reload = tappa("reload")
        let list = tappa("list")
        #expect(list.output.split(separator: "\n").count == 1 && list.output.contains(plain))
        for text in [result.output, result.errors, reload.output, reload.errors, list.output, list.errors] {
            #expect(!text.contains("hushhush") && !text.contains("moved out of the library"))
        }
        let entries = try rows(tappa("search", "--json", "--since", "1h").output)
        #expect(entries.count == 2 && entries.count { $0["read"] as? Bool == true } == 1)
    }

    @Test func pagesNeverRunPrograms() throws {
        let page =
            "<html><head><link rel=alternate type='application/rss+xml' href='exec:touch \(home.path)/bad'></head></html>"
        let server = try LoopbackServer { _ in .init(page, type: "text/html") }
        tappa("add", "--all", server.url("/"))
        let list = "<opml><body><outline xmlUrl='exec:touch \(home.path)/bad'/></body></opml>"
        tappa("import", "-", input: list)
        tappa("reload")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/bad"))
        #expect(!tappa("list").output.contains("exec:"))
    }

    @Test func scriptsFindShowMarkAndTag() throws {
        let server = try LoopbackServer { _ in .init(ImportsReaders.feed(["alpha", "beta"])) }
        #expect(
            tappa("add", "--as-is", server.url("/feed"), "--tag", "t", "--folder", "F").output
                == "added \(server.url("/feed"))\n")
        let found = try rows(tappa("search", "alpha", "--json").output)
        let entry = try #require(found.first)
        #expect(
            entry["version"] as? Int == 1 && entry["feed"] as? String == "News"
                && entry["feed_url"] as? String == server.url("/feed"))
        let id = try #require(entry["id"] as? Int)
        // In any order.
        #expect(tappa("mark", "\(id)", "starred").output == "marked 1 of 1 starred\n")
        #expect(tappa("tag", "\(id)", "+race", "fun", "+2026").output == "changed 1 of 1\n")
        #expect(tappa("tag", "^fun", "-", input: "\(id)\n").output == "changed 1 of 1\n")
        let shown = try rows(tappa("show", "\(id)", "--format", "json").output)
        #expect(shown.first?["starred"] as? Bool == true && shown.first?["tags"] as? [String] == ["2026", "race"])
        #expect(tappa("show", "\(id)", "--format", "md").output.hasPrefix("# alpha\n"))
        #expect(
            tappa("show", "\(id)").output.hasPrefix("alpha\n")
                && tappa("show", "\(id)", "--format", "html").output.contains("<h1>alpha</h1>"))
        #expect(
            tappa("show", "99999").code == 66 && tappa("mark", "read", "x").code == 64 && tappa("tag", "+x").code == 64)
        #expect(tappa("search", "--since", "nonsense").code == 64)
        #expect(try rows(tappa("search", "--json", "--since", "2100-01-01").output).isEmpty)
        // Exported and imported again.
        let stars = tappa("export", "--starred").output
        let other = home.appendingPathComponent("other.sqlite").path
        #expect(
            tappa("import", "-", "--database", other, input: stars).output
                == "entries of -: 1, 1 starred, 1 in the saved pages\n")
        #expect(
            tappa("backup", home.path + "/b.sqlite").code == 0 && tappa("backup", home.path + "/b.sqlite").code == 74)
        tappa("remove", server.url("/feed"))
        #expect(tappa("restore", home.path + "/b.sqlite").output.contains("has 1 feed and 2 entries"))
        #expect(try rows(tappa("search", "tag:race", "--json").output).count == 1)
        // Adding a known feed changes it as requested.
        let again = tappa("add", "--as-is", server.url("/feed"), "--tag", "u", "--folder", "G", "--title", "N")
        #expect(again.output == "already followed: \(server.url("/feed")); changed its folder, its name, its tags\n")
    }

    @Test func rulesActOnArrivalsAndReportIt() throws {
        let titles = Counter()
        let server = try LoopbackServer { _ in .init(ImportsReaders.feed(titles.next())) }
        try home.write(
            """
            [notifications]
            by = "command"
            command = "\(home.path)/tell"
            [[commands]]
            name = "note"
            sh = "echo \\"$TAPPA_TITLE\\" >> '\(home.path)/noted'"
            [[rules]]
            name = "big"
            when = "title:big"
            then = ["star", "notify", "run note"]
            """, to: ".config/tappa/config.toml")
        try temporary.script("tell", "printf '%s|' \"$@\" > '\(home.path)/told'")
        tappa("add", "--as-is", server.url("/feed"))
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        #expect(tappa("reload").code == 0)
        func content(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: home.path + "/" + name) ?? Data(), as: UTF8.self)
        }
        #expect(content("noted") == "big; touch x\n")
        #expect(content("told") == "1 new entry|big; touch x|")
        #expect(tappa("rules", "try").output.hasPrefix("big\t2 in 30 days\tstar, notify, run note\n"))
        #expect(tappa("rules", "apply", "big").code == 64 && tappa("rules", "apply", "none", "--yes").code == 66)
        #expect(tappa("rules", "apply", "big", "--yes").output.contains("2 entries"))
    }

    private final class Counter: @unchecked Sendable {
        private var count = 0
        private let lock = NSLock()
        func next() -> [String] {
            lock.withLock {
                count += 1
                return count == 1 ? ["old", "big old"] : ["big; touch x", "old", "big old"]
            }
        }
    }

    /// The examples of README and guide work as printed.
    @Test func readsTheExamplesOfTheGuide() throws {
        let guide = Program.sources.appendingPathComponent("Sources/tappa/Guide.docc")
        let articles = try FileManager.default.contentsOfDirectory(at: guide, includingPropertiesForKeys: nil)
        let text = try ([Program.sources.appendingPathComponent("README.md")] + articles).map {
            try String(contentsOf: $0, encoding: .utf8)
        }.joined(separator: "\n")
        // The installed fragment is the documented one.
        let fragment = try String(
            contentsOf: Program.sources.appendingPathComponent("Assets/examples/tmux.conf"), encoding: .utf8)
        for line in fragment.split(separator: "\n").dropFirst() { #expect(text.contains(line), "\(line)") }
        let blocks = text.components(separatedBy: "```toml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count >= 4)
        for block in blocks where !block.hasPrefix("background") {
            let read = ConfigurationFile.parse(
                block, path: "README.md", for: ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all))
            #expect(read.problems.map(\.description) == [], "\(block)")
        }
        let commands = try #require(blocks.first { $0.contains("yt-dlp") })
        let read = ConfigurationFile.parse(commands, path: "README.md", for: ConfigurationFile.Commands(.dashboard))
        #expect(
            read.commands.map(\.name) == [
                "bookmark", "pipe", "open with", "save as file", "mail", "digest", "star and go on", "open in tmux",
                "film",
            ])
    }
}
