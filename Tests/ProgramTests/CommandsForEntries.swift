import CommonTesting
import Feeds
import Foundation
import LibraryTesting
import LoopbackServer
import Testing

@testable import tappa

/// Commands on feeds and entries: their effects, output and formats.
@Suite(.timeLimit(.minutes(10))) struct CommandsForEntries: ProgramSuite {
    let temporary = TemporaryFolder()
    private let server: LoopbackServer

    /// The last entry in a feed is stored first.
    private static let feed = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "News", "home_page_url": "https://n.example/", "items": [
        {"id": "3", "title": "Third\\u009b", "content_html": "<p>The last story.</p>"},
        {"id": "2", "url": "https://n.example/2", "title": "Second", "date_published": "2026-01-02T10:00:00Z",
         "content_html": "<p>story story story words</p>", "attachments": [{"url": "https://n.example/2.mp3", "mime_type": "audio/mpeg"}]},
        {"id": "1", "url": "https://n.example/1", "title": "First words", "date_published": "2026-01-01T10:00:00Z",
         "authors": [{"name": "Ann"}], "content_html": "<p>The <b>old</b> story.</p>"}]}
        """

    init() throws {
        server = try LoopbackServer { request in
            switch request.path {
            case "/feed", "/b": .init(CommandsForEntries.feed, type: "application/feed+json")
            case "/article":
                .init(
                    "<html lang=en><head><title>A page</title></head><body><nav>menu</nav><article><h1>A page</h1>\(String(repeating: "<p>Words of an article that is long enough to be one, with commas, and sentences.</p>", count: 12))</article></body></html>",
                    type: "text/html")
            case "/short": .init("<html><head><title>Brief</title></head></html>", type: "text/html")
            case "/a.mp3": .init(200, headers: ["Content-Type": "audio/mpeg"], body: Array(repeating: 7, count: 2000))
            default: .init(404)
            }
        }
    }

    private func follow() { #expect(tappa("add", "--as-is", server.url("/feed")).code == 0) }

    // MARK: Marks

    @Test(arguments: [
        ("read", EntryMark.read, true), ("unread", .read, false), ("starred", .starred, true),
        ("unstarred", .starred, false),
        ("later", .later, true), ("not-later", .later, false),
    ]) func setsMarksByName(word: String, mark: EntryMark, value: Bool) {
        let own = MarkCommand.Mark(rawValue: word)
        #expect(own?.mark == mark && own?.value == value)
        #expect(MarkCommand.Mark.allCases.count == 6)
    }

    @Test func readsEntryNumbers() throws {
        #expect(try EntryNumbers.read(["12", "7", "12"]) == [12, 7, 12])
        #expect(try EntryNumbers.read(["\(Int64.max)"]) == [EntryID(rawValue: .max)])
        for words in [[], ["0"], ["-1"], ["x"], ["1", ""], ["1.5"], ["9223372036854775808"]] {
            #expect(throws: ExitStatus.usage, "\(words)") { try EntryNumbers.read(words) }
        }
        #expect(try EntryNumbers.read(Array(repeating: "1", count: 100_000)).count == 100_000)
        #expect(throws: ExitStatus.usage) { try EntryNumbers.read(Array(repeating: "1", count: 100_001)) }
    }

    @Test func marksAndTagsTheNamedEntries() throws {
        follow()
        // The first word of each line is the number; other words may come in any order.
        #expect(tappa("mark", "-", "starred", input: "1\n\n 3 Third\n").output == "marked 2 of 2 starred\n")
        #expect(tappa("mark", "starred", "1", "2").output == "marked 1 of 2 starred\n")
        #expect(tappa("mark", "2", "unstarred").output == "marked 1 of 1 unstarred\n")
        #expect(tappa("tag", "+a", "b", "-", "2", input: "1\n").output == "changed 2 of 2\n")
        #expect(tappa("tag", "^a", "+c", "+7", "1").output == "changed 1 of 1\n")
        let found = try rows(tappa("search", "--json", "story").output)
        #expect(found.map { $0["id"] as? Int } == [3, 2, 1])
        #expect(found.map { $0["starred"] as? Bool } == [true, false, true])
        #expect(found.map { $0["tags"] as? [String] } == [[], ["a", "b"], ["7", "b", "c"]])
        for words in [
            ["mark", "1"], ["mark", "read", "starred", "1"], ["mark", "read"], ["mark", "read", "1", "x"],
            ["tag", "1"], ["tag", "+a"],
            ["tag", "+", "1"], ["tag", "^", "1"], ["tag", String(repeating: "x", count: 201), "1"],
        ] {
            let refused = tappa(words)
            #expect(refused.code == 64 && refused.output.isEmpty && refused.errors.hasPrefix("tappa: "), "\(words)")
        }
        #expect(tappa("tag", String(repeating: "x", count: 200), "1").code == 0)
        #expect(tappa("mark", "read", "1", "4").failed(66, "tappa: no such entry: 4\n"))
        #expect(try rows(tappa("search", "--json", "is:read").output).isEmpty)
        #expect(tappa("mark", "read", "3").code == 0)
        #expect(tappa("list").output == "2/3\tNews\t\(server.url("/feed"))\n")
    }

    // MARK: Search and show

    @Test func printsTheFieldsOfHits() throws {
        follow()
        let text = tappa("search", "story").output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(
            text.map { Array($0.prefix(4)) } == [
                ["", "Third", "News", ""], ["2026-01-02", "Second", "News", "https://n.example/2"],
                ["2026-01-01", "First words", "News", "https://n.example/1"],
            ])
        #expect(text.allSatisfy { $0.count == 5 && $0[4].contains("story") })
        let first = try #require(try rows(tappa("search", "--json", "title:first").output).first)
        #expect(
            Set(first.keys) == [
                "version", "id", "title", "url", "feed", "feed_id", "feed_url", "author", "date", "arrived", "read",
                "starred", "later", "tags", "context", "place",
            ])
        #expect(first["version"] as? Int == 1 && first["date"] as? String == "2026-01-01T10:00:00Z")
        #expect(first["author"] as? String == "Ann" && first["feed"] as? String == "News")
        #expect(first["feed_url"] as? String == server.url("/feed") && first["url"] as? String == "https://n.example/1")
        // Each mark has its own key.
        let id = try #require(first["id"] as? Int)
        for (mark, marks) in [("starred", [false, true, false]), ("later", [false, true, true])] {
            #expect(tappa("mark", mark, "\(id)").code == 0)
            let marked = try #require(try rows(tappa("search", "--json", "title:first").output).first)
            #expect(["read", "starred", "later"].map { marked[$0] as? Bool } == marks, "\(mark)")
        }
        // The best result contains the word most often.
        let best = try rows(tappa("search", "--json", "--by-relevance", "story").output)
        #expect(best.first?["id"] as? Int == 2 && best.count == 3)
        #expect(try rows(tappa("search", "--json", "--limit", "2", "story").output).map { $0["id"] as? Int } == [3, 2])
        // A leading hyphen belongs to the query; without words, everything that arrived matches.
        #expect(try rows(tappa("search", "--json", "story", "-last").output).map { $0["id"] as? Int } == [2, 1])
        #expect(try rows(tappa("search", "--json", "--since", "1h").output).count == 3)
        #expect(try rows(tappa("search", "--json", "--since", "1h", "words").output).count == 2)
        let wrong = tappa("search", "fee:x")
        #expect(wrong.code == 64 && wrong.errors.contains("did you mean 'feed:'?") && wrong.output.isEmpty)
        let since = tappa("search", "--since", "never", "x")
        #expect(
            since.code == 64 && since.errors.hasPrefix("tappa: --since needs an age")
                && since.errors.contains("not 'never'"))
    }

    @Test func showsEntriesInEveryFormat() throws {
        follow()
        let both = tappa("show", "2", "1")
        let parts = both.output.components(separatedBy: "\n\n")
        #expect(both.code == 0 && both.output.hasPrefix("Second\n") && both.output.contains("\n\nFirst words\n"))
        #expect(!both.output.hasSuffix("\n\n") && both.output.hasSuffix("\n") && parts.count > 2)
        #expect(both.output.contains("The old story."))
        let markdown = tappa("show", "1", "--format", "md").output
        #expect(markdown.hasPrefix("# First words\n") && markdown.contains("**old**"))
        #expect(tappa("show", "1", "--format", "html").output.contains("<b>old</b>"))
        let json = try rows(tappa("show", "--format", "json", "2", "1").output)
        #expect(json.map { $0["id"] as? Int } == [2, 1])
        #expect(
            json[0]["enclosures"] as? [String] == ["https://n.example/2.mp3"]
                && json[1]["enclosures"] as? [String] == [])
        #expect(json[1]["content_html"] as? String == "<p>The <b>old</b> story.</p>")
        #expect((json[1]["content_text"] as? String)?.contains("The old story.") == true && json[1]["context"] == nil)
        #expect(!tappa("show", "3").output.unicodeScalars.contains { (0x80...0x9F) ~= $0.value })
        // It marks nothing as read.
        #expect(tappa("status").output == "3 unread\n")
        let missing = tappa("show", "1", "9")
        #expect(missing.code == 66 && missing.output.isEmpty && missing.errors == "tappa: no such entry: 9\n")
        #expect(tappa("show", "1", "--format", "pdf").code == 64)
    }

    // MARK: Pages

    @Test func savesAPageOnceAsArticleOrLink() throws {
        #expect(tappa("save", server.url("/article")).output == "saved: A page\n")
        #expect(tappa("save", server.url("/article")).output == "already saved: A page\n")
        #expect(tappa("save", server.url("/short")).output == "saved as a link: Brief\n")
        let missing = tappa("save", server.url("/none"))
        #expect(missing.code == 69 && missing.errors.hasPrefix("tappa: \(server.url("/none")): "))
        let file = tappa("save", "file:///etc/passwd")
        #expect(file.code == 64 && file.errors.contains("it must begin with http:// or https://"))
        let later = try rows(tappa("search", "--json", "is:later").output)
        #expect(Set(later.compactMap { $0["title"] as? String }) == ["A page", "Brief"])
        #expect(later.allSatisfy { $0["feed"] as? String == "Saved pages" })
    }

    // MARK: Downloads

    @Test func fillsRunsAndEmptiesTheQueue() throws {
        let folder = temporary.path("pods")
        let run = ["downloads", "run", "--set", "audio.folder=\(folder)"]
        let added = tappa("downloads", "add", server.url("/a.mp3"), server.url("/gone.mp3?x=1/2#y"))
        #expect(added.output == "queued \(server.url("/a.mp3"))\nqueued \(server.url("/gone.mp3?x=1/2#y"))\n")
        #expect(tappa("downloads", "add", server.url("/a.mp3")).output == "already queued: \(server.url("/a.mp3"))\n")
        for wrong in ["ftp://a.example/x.mp3", "http://", "http://[", "http://a.example:99999/x.mp3"] {
            #expect(tappa("downloads", "add", wrong).code == 64)
        }
        let waiting = try rows(tappa("downloads", "list", "--json").output)
        #expect(
            waiting.map { $0["title"] as? String } == ["a", "gone"]
                && waiting.allSatisfy { $0["done"] as? Bool == false })
        #expect(waiting.map { $0["url"] as? String } == [server.url("/a.mp3"), server.url("/gone.mp3?x=1/2#y")])
        let first = tappa(run)
        #expect(first.code == 69 && first.errors == "tappa: 1 file could not be downloaded\n", "\(first)")
        let lines = first.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(lines.count == 2 && lines[0][0] == "a" && lines[0][2].hasPrefix(folder + "/") && lines[1][0] == "gone")
        #expect(FileManager.default.contents(atPath: String(lines[0][2]))?.count == 2000)
        // Failed downloads are retried, completed ones aren't.
        let before = server.requests.count
        let second = tappa(run)
        #expect(second.code == 69 && server.requests.count == before + 1 && !second.output.contains("a\t"))
        let done = try rows(tappa("downloads", "--json").output)
        #expect(
            done.map { $0["done"] as? Bool } == [true, false] && done[0]["size"] as? Int == 2000
                && done[1]["error"] is String)
        let text = tappa("downloads").output.split(separator: "\n")
        #expect(text.count == 2 && text[0].hasPrefix("1\t") && text[1].hasPrefix("2\t"))
        #expect(
            tappa("downloads", "remove", "1").output == "removed a\n"
                && tappa("downloads", "remove", "2").output == "removed gone\n")
        #expect(FileManager.default.fileExists(atPath: String(lines[0][2])))
        #expect(tappa("downloads", "remove", "1").failed(66, "tappa: no such download: 1\n"))
        #expect(tappa("downloads").output.isEmpty && tappa(run).code == 0)
        #expect(tappa("downloads", "add", "--title", "My name", server.url("/a.mp3")).code == 0)
        #expect(tappa("downloads").output.contains("\tMy name\t"))
    }

    // MARK: Reloads

    @Test func reportsEachFeedInTheChosenFormat() throws {
        #expect(
            tappa(
                "add", "--as-is", server.url("/b"), "http://127.0.0.1:1/away", server.url("/feed"), server.url("/none")
            ).code == 0)
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        let text = tappa("reload")
        let lines = text.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(text.code == 69 && text.errors == "tappa: 2 of 4 feeds failed\n")
        #expect(Set(lines.map(\.count)) == [3] && lines.count == 4)
        let results = Dictionary(uniqueKeysWithValues: lines.map { ($0[2], $0[1]) })
        #expect(
            results[server.url("/feed")] == "unchanged"
                && results[server.url("/none")] == "! not found (404)")
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        let json = tappa("reload", "--json")
        let items = try rows(json.output)
        #expect(json.code == 69 && json.errors == text.errors)
        let urls = items.compactMap { $0["url"] as? String }
        #expect(urls.count == 4 && urls == urls.sorted())
        let keys: Set<String> = ["id", "url", "title", "added", "updated", "problems", "seconds"]
        for item in items {
            #expect(Set(item.keys).subtracting(["error", "held_back"]) == keys)
            let url = item["url"] as? String ?? ""
            #expect((item["error"] != nil) == (url.hasSuffix("/none") || url.hasSuffix("/away")), "\(item)")
        }
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        let quiet = tappa("reload", "--quiet")
        #expect(quiet.code == 69 && quiet.output.isEmpty)
        let errors = quiet.errors.split(separator: "\n")
        #expect(errors.count == 3 && errors.last == "tappa: 2 of 4 feeds failed")
        #expect(errors.filter { $0.contains("(404)") }.count == 1)
        for url in ["http://127.0.0.1:1/away", server.url("/none")] {
            #expect(tappa("remove", url).output == "removed \(url)\n")
        }
        let well = tappa("reload", "--quiet")
        #expect(well.code == 0 && well.output.isEmpty && well.errors.isEmpty)
        let new = tappa("list").output.split(separator: "\n")
        #expect(new == ["3/3\tNews\t\(server.url("/b"))", "3/3\tNews\t\(server.url("/feed"))"])
    }

    @Test func showsErrorsBesideFeeds() throws {
        #expect(
            tappa("add", "--as-is", "--folder", "F", "--title", "My name", server.url("/none")).errors.contains(
                "can't read \(server.url("/none")) now"))
        #expect(tappa("list").output == "0/0\tMy name\t\(server.url("/none"))\t! not found (404)\n")
        let item = try #require(try rows(tappa("list", "--json").output).first)
        #expect(
            item["folder"] as? String == "F" && item["title"] as? String == "My name" && item["unread"] as? Int == 0)
        #expect(item["error"] as? String == "not found (404)")
        #expect(
            tappa("remove", "https://unknown.example/").failed(66, "tappa: you don't follow https://unknown.example/\n")
        )
        let two = tappa("add", "--title", "x", server.url("/feed"), server.url("/b"))
        #expect(two.code == 64 && two.errors.contains("--title can be used with one feed only"))
        for program in ["exec:", "filter:x"] {
            #expect(tappa("add", program).failed(66, "tappa: '\(program)' lacks a program or an address\n"))
        }
    }

    // MARK: Rules

    @Test func listsTriesRunsAndUndoesRules() throws {
        follow()
        let folder = home.appendingPathComponent(".config/tappa")
        let none = tappa("rules")
        #expect(none.code == 0 && none.output.isEmpty)
        #expect(none.errors == "No rules. Define them in \(folder.path)/config.toml as [[rules]].\n")
        #expect(tappa("rules", "try", "x").errors == "tappa: no such rule: 'x' in the configuration\n")
        try folder.write(
            "[[rules]]\nname = \"a\"\nwhen = \"story\"\nthen = [\"star\", \"tag t\"]\n[[rules]]\nname = \"b\"\nwhen = \"none\"\nthen = \"delete\"\n",
            to: "config.toml")
        #expect(tappa("rules").output == "a\t0\tnever\tstory\tstar, tag t\nb\t0\tnever\tnone\tdelete\n")
        let listed = try rows(tappa("rules", "list", "--json").output)
        #expect(
            listed.map { $0["name"] as? String } == ["a", "b"] && listed[0]["then"] as? [String] == ["star", "tag t"])
        let tried = tappa("rules", "try").output.split(separator: "\n").map(String.init)
        #expect(tried.count == 5 && tried[0] == "a\t3 in 30 days\tstar, tag t" && tried[4] == "b\t0 in 30 days\tdelete")
        #expect(tried[1...3].allSatisfy { $0.hasPrefix("  ") && $0.hasSuffix("\tNews") })
        #expect(tappa("rules", "try", "a", "--days", "7", "--limit", "1").output.split(separator: "\n").count == 2)
        #expect(tappa("rules", "try", "a", "--limit", "0").output == "a\t3 in 30 days\tstar, tag t\n")
        for words in [["--days", "0"], ["--days", "36501"], ["--limit", "-1"], ["--limit", "5001"]] {
            #expect(tappa(["rules", "try"] + words).code == 64, "\(words)")
        }
        // Without a terminal it reports how many and does nothing.
        let asked = tappa("rules", "apply", "a")
        #expect(asked.code == 64 && asked.output == "3 entries match 'story': star, tag t\n")
        #expect(asked.errors == "tappa: use --yes to apply it\n")
        #expect(
            tappa("rules", "apply", "b").output == "0 entries match 'none': delete\n"
                && tappa("rules", "apply", "b").code == 0)
        #expect(try rows(tappa("search", "--json", "is:starred").output).isEmpty)
        #expect(
            tappa("rules", "apply", "a", "--yes").output
                == "star, tag t: 3 entries; 'tappa rules undo a' reverts this\n"
        )
        #expect(try rows(tappa("search", "--json", "is:starred", "tag:t").output).count == 3)
        #expect(tappa("rules", "undo", "a").output == "Undid 6 changes of the rule a\n")
        #expect(try rows(tappa("search", "--json", "is:starred").output).isEmpty)
        #expect(tappa("rules", "apply", "c", "--yes").failed(66, "tappa: no such rule: 'c'; the rules are 'a', 'b'\n"))
    }
}
