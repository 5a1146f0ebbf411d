import CommonTesting
import Foundation
import Testing

/// Input and output of commands: pipes, broken files, configurations, JSON.
@Suite struct CommandLineInputs {
    private let temporary = TemporaryFolder()
    private var home: URL { temporary.url }

    private func shell(_ line: String) -> Program.Outcome {
        Program.run(
            "/bin/sh", ["-c", line, Program.path.path], environment: ["HOME": home.path, "XDG_CONFIG_HOME": ""])
    }

    @Test func readsPipesLikeFiles() throws {
        let feed = "<rss><channel><title>Piped</title></channel></rss>"
        for place in ["/dev/stdin", "/dev/fd/0", "-"] {
            let result = shell("echo '\(feed)' | \"$0\" parse \(place)")
            #expect(result.code == 0 && result.output.contains("\"title\": \"Piped\""), "\(place)")
        }
        #expect(shell("echo '<p>words</p>' | \"$0\" render /dev/stdin").output == "words\n")
        #expect(Program.tappa("parse", home.path).code != 0)
    }

    @Test func reportsAnUnreadableList() throws {
        let broken = Program.tappa(
            "import", try temporary.write("<opml><body><outline text=\"x\"", to: "b.opml"), "--in-memory")
        #expect(broken.code == 65 && broken.errors.contains("no feeds found") && broken.output.isEmpty)
        let part = "<opml><body><outline text=\"x\" xmlUrl=\"https://a.example/\"/><outl"
        let half = Program.tappa("import", try temporary.write(part, to: "h.opml"), "--in-memory")
        #expect(half.code == 0 && half.output == "added 1\n")
    }

    @Test func summarizesRaceFiles() throws {
        let stages = (1...2).map { "{\"number\": \($0), \"start\": \"A\", \"finish\": \"B\"}" }.joined(separator: ",")
        let whole = try temporary.write("{\"race\": \"Volta\", \"year\": 2026, \"stages\": [\(stages)]}", to: "v.json")
        #expect(Program.tappa("race", "import", whole, "--in-memory").output == "added volta-2026: 2 stages\n")
        let table = try temporary.write("number,start,finish\n1,A,B\n", to: "t.csv")
        let none = Program.tappa("race", "import", table, "--in-memory")
        #expect(none.code == 65 && none.errors.contains("this is not a race (JSON or iCalendar)"))
        let half = try temporary.write(
            #"{"race": "V", "year": 2026, "stages": [{"number": 1.5, "start": "A", "finish": "B"}]}"#, to: "h.json")
        let result = Program.tappa("race", "import", half, "--in-memory")
        #expect(result.code == 65 && result.errors.contains("stages, item 1, number: expected a whole number"))
        #expect(Program.tappa("race", "import", "/no/such/file", "--in-memory").code == 66)
    }

    @Test func commandsWarnOfTheConfigurationAndContinue() throws {
        let broken = try temporary.write("[appearance]\ntheme = \"none such\"\n", to: "config.toml")
        for command in [["list"], ["status"], ["export"], ["reload"], ["search", "x"], ["stages"], ["check"]] {
            for (path, code) in [(broken, Int32(0)), ("/no/such/config", 66)] {
                let result = Program.run(Program.path.path, command + ["--in-memory", "--config", path])
                // A reload reports unreachable feeds with another exit status.
                let hasCode = result.code == code || command == ["reload"] && code == 0 && result.code != 65
                #expect(hasCode && result.errors.contains(path), "\(command) \(path) \(result.code)")
            }
        }
    }

    /// An unknown word is quoted in the message without control characters.
    @Test func escapesUnknownArguments() {
        for words in [["status", "a\u{1B}[31m"], ["--\u{1B}]0;x\u{7}"], ["reload", "--jobs", "\u{9B}2J"]] {
            let result = Program.run(Program.path.path, words)
            #expect(result.code == 64 && result.output.isEmpty)
            #expect(result.errors.hasPrefix("Error: ") && result.errors.contains("\n"))
            #expect(
                !result.errors.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F) ~= $0.value) })
        }
    }

    @Test func printsJSONLikeJq() {
        let result = Program.tappa("list", "--json", "--in-memory")
        #expect(result.output.contains("    \"error\": null,\n"))
        #expect(!result.output.contains("\" : "))
        let parsed = shell(
            "echo '{\"version\": \"https://jsonfeed.org/version/1\", \"title\": \"a : b \\\"c\\\" []\", \"items\": []}' | \"$0\" parse -"
        )
        #expect(parsed.output.contains("\"items\": []") && parsed.output.contains("a : b \\\"c\\\" []"))
    }

    @Test func exportsContainNoControlsOrPasswords() throws {
        let database = home.appendingPathComponent("l.sqlite").path
        let list = try temporary.write("https://a.example/feed \"~Name \u{9B}31m \u{202E}evil\"\n", to: "urls")
        #expect(Program.tappa("import", list, "--database", database, home: home).code == 0)
        let add = Program.tappa(
            "add", "--as-is", "http://alice:secret@127.0.0.1:1/feed", "--database", database, home: home)
        #expect(add.code == 0 && !add.output.contains("secret") && !add.errors.contains("secret"))
        for command in [["export"], ["list"], ["list", "--json"]] {
            let output = Program.run(
                Program.path.path, command + ["--database", database], environment: ["HOME": home.path]
            ).output
            #expect(output.contains("127.0.0.1:1/feed") && !output.contains("secret") && !output.contains("alice"))
            #expect(!output.unicodeScalars.contains { (0x80...0x9F).contains($0.value) || $0.value == 0x202E })
        }
    }
}
