import CommonTesting
import Feeds
import TerminalUI
import Testing

@testable import Configuration

/// Rules in TOML and in newsboat's configuration.
@Suite struct RuleFileTests {
    private let temporary = TemporaryFolder()

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: ConfigurationFile.Commands(CommandTable([])))
    }

    @Test func readsRules() throws {
        let file = parse(
            """
            [[commands]]
            name = "note"
            run = ["note"]
            [[rules]]
            name = "one"
            when = "title:x or age:<2d"
            then = ["mark read", "tag t", "run note"]
            [[rules]]
            name = "two"
            when = "feed:y"
            then = "delete"
            """)
        #expect(file.problems.isEmpty)
        #expect(file.rules.map(\.name) == ["one", "two"])
        #expect(file.rules[0].then == [.mark(.read), .tag("t"), .run("note")] && file.rules[1].then == [.delete])
        // Written rules read back equal.
        #expect(
            parse("[[commands]]\nname = \"note\"\nrun = [\"n\"]\n" + RuleFile.text(of: file.rules[0])).rules == [
                file.rules[0]
            ])
    }

    @Test(
        arguments: [
            ("when = \"x\"\nthen = \"star\"", "line 1: a rule needs a name"),
            ("name = \"a\"\nthen = \"star\"", "line 1: the rule 'a' needs a query: when = \"title:sponsored\""),
            (
                "name = \"a\"\nwhen = \"fee:x\"\nthen = \"star\"",
                "line 3: the query of 'a': Unknown field 'fee'; did you mean 'feed:'?"
            ),
            ("name = \"a\"\nwhen = \"x\"", "line 1: the rule 'a' needs actions: then = [\"mark read\"]"),
            (
                "name = \"a\"\nwhen = \"x\"\nthen = [\"explode\"]",
                "line 4: 'a' has an unknown action 'explode'; use \(Rule.Action.known)"
            ),
            ("name = \"a\"\nwhen = \"x\"\nthen = [\"run b\"]", "line 4: 'a': no such command: 'b'"),
            ("name = \"a\"\nwhat = \"x\"", "line 3: a rule has only name, when and then, not 'what'"),
        ])
    func reportsMistakesWithTheirLine(text: String, sentence: String) throws {
        let file = parse("[[rules]]\n" + text)
        #expect(file.rules.isEmpty)
        #expect(file.problems.count == 1 && file.problems[0].description.hasPrefix("c.toml, " + sentence))
    }

    @Test func findsRulesFilesBesideTheConfiguration() throws {
        let path = temporary.path("config.toml")
        let rule = Rule(name: "A \"b\"\\", when: try SearchQuery("title:\"x y\""), then: [.tag("t")])
        let file = try RuleFile.write(rule, besideConfiguration: path)
        #expect(file.hasSuffix("/rules/a-b.toml"))
        // An existing file is not overwritten.
        #expect(try RuleFile.write(rule, besideConfiguration: path).hasSuffix("/rules/a-b-2.toml"))
        let read = ConfigurationFile.read(path, for: ConfigurationFile.Commands(CommandTable([])))
        #expect(read.rules == [rule])
        #expect(
            read.problems.map(\.description) == [
                "\(temporary.path("rules/a-b.toml")), line 1: duplicate rule 'A \"b\"\\'"
            ])
    }

    @Test func importsWhatItCanFromNewsboat() throws {
        let names = ["feeds.reloadAll", "list.down", "list.open", "feed.reload"]
        let table = CommandTable(names.map { CommandDefinition($0, "X", keys: [], place: DisplayText($0)) })
        let newsboat = NewsboatConfiguration(
            """
            # a comment
            reload-time 30
            browser "w3m %u"   # another
            bind-key ^R reload-all
            bind-key j down
            bind-key z set-filter
            macro v set browser "mpv %u"; open-in-browser; set browser "w3m %u"
            macro y set browser "yt-dlp '%u' | tee ~/log"; open-in-browser
            macro k open; reload
            ignore-article "*" "title =~ \\"Spon\\""
            ignore-article "https://x.example" "articleindex = 1"
            color background white color235
            max-items 100
            include killfile
            include nowhere
            """, for: ConfigurationFile.Commands(table)
        ) { $0 == "killfile" ? "ignore-article * \"author = \\\"Bob\\\"\"\ninclude killfile" : nil }
        // A file that includes itself doesn't loop.
        #expect(newsboat.rules.map(\.when.text) == ["title:/Spon/", "author:/^Bob$/"])
        #expect(newsboat.theme == "foreground = \"#e5e5e5\"\nbackground = \"#262626\"\n")
        let text = newsboat.text(withTheme: newsboat.theme != nil)
        for part in [
            "[feeds]\nbrowser = \"w3m %s\"\nkeep-entries = 100\nrefresh = 30",
            "\"feeds.reloadAll\" = [\"+\", \"ctrl-r\"]",
            "\"list.down\" = [\"+\", \"j\"]", "run = [\"mpv\", \"{link}\"]",
            "sh = \"yt-dlp \\\"$TAPPA_LINK\\\" | tee ~/log\"",
            "name = \"macro k\"\nkey = \", k\"\ndo = [\"list.open\", \"feed.reload\"]\n",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(newsboat.left.count == 4 && !newsboat.left.contains { $0.hasPrefix("max-items") })
        // The result is valid TOML.
        #expect(throws: Never.self) { try TOMLParser.parse(text) }
    }
}
