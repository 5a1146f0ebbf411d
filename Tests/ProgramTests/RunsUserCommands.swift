import CommonTesting
import Configuration
import Dashboard
import FeedParsing
import Foundation
import LibraryTesting
import ModelCore
import TerminalUI
import Testing

@testable import tappa

/// The user's own commands get an entry as arguments, in the environment and on standard input, and no shell reads it.
@MainActor @Suite struct RunsUserCommands {
    private let temporary = TemporaryFolder()

    private func entry(title: String = "A \"title\"; $(touch x) `id` {link}") async throws -> EntryDetail {
        let library = try Library(path: nil)
        let feed = try await library.follow("https://example.org/feed")
        var entry = ParsedEntry()
        (entry.title, entry.link, entry.contentHTML) = (title, "https://example.org/1", "<p>Some <b>text</b>.</p>")
        var parsed = ParsedFeed(format: .rss)
        parsed.title = "News"
        parsed.entries = [entry]
        try await library.store(parsed, in: feed, record: FetchRecord(date: 1))
        let row = try #require(try library.entries(in: .all, limit: 1).first)
        return try #require(try library.entry(row.id))
    }

    private func command(_ text: String) throws -> UserCommand {
        let file = ConfigurationFile.parse(
            "[[commands]]\nname = \"test\"\n" + text, path: "c.toml", for: .init(.dashboard))
        #expect(file.problems.isEmpty)
        return try #require(file.commands.first)
    }

    private func run(_ text: String, _ entry: EntryDetail) async throws -> EntryCommand.Result {
        await UserCommandRunner.command(try command(text)) { _ in nil }.run(.entry(entry)) { _ in "# Markdown\n" }
    }

    private func output(_ text: String, _ entry: EntryDetail) async throws -> String? {
        if case .output(let text) = try await run(text, entry) { text } else { nil }
    }

    @Test func fieldsAreArgumentsAsTheyAre() async throws {
        let entry = try await entry()
        let printed = try await output(
            #"run = ["printf", "%s|", "{title}", "{link}", "{feed}", "x{date}y"]"# + "\nmode = \"output\"", entry)
        #expect(printed == "A \"title\"; $(touch x) `id` {link}|https://example.org/1|News|xy|")
    }

    @Test func aShellFindsThemInItsEnvironment() async throws {
        let entry = try await entry()
        #expect(
            try await output(#"sh = 'printf "%s %s" "$TAPPA_TITLE" "$TAPPA_LINK"'"# + "\nmode = \"output\"", entry)
                == "A \"title\"; $(touch x) `id` {link} https://example.org/1")
    }

    @Test(arguments: [
        ("markdown", "# Markdown\n"), ("html", "<p>Some <b>text</b>.</p>"),
        (
            "json",
            #"{"author":"","content_html":"<p>Some <b>text</b>.</p>","date":"","enclosure":"","feed":"News","link":"https://example.org/1","title":"T"}"#
        ),
    ])
    func theTextComesOnStandardInput(kind: String, text: String) async throws {
        let printed = try await output(
            "run = [\"cat\"]\nmode = \"output\"\ninput = \"\(kind)\"", try await entry(title: "T"))
        #expect(printed == text)
    }

    /// A list in one go: its title, and its entries parted by rules, or a line of JSON each.
    @Test(arguments: [
        ("markdown", "# One\n\n---\n\n# Two\n"), ("html", "<p>Some <b>text</b>.</p>\n<hr>\n<p>Some <b>text</b>.</p>"),
        ("none", ""),
    ])
    func aListComesInOneGo(kind: String, text: String) async throws {
        let entries = [try await entry(title: "One"), try await entry(title: "Two")]
        let command = try command(
            "sh = 'cat; printf \"%s %s\" \"$TAPPA_TITLE\" \"$TAPPA_LINK\"'\nmode = \"output\"\ninput = \"\(kind)\"\non = \"list\""
        )
        let target = EntryCommand.Target.list(entries, title: "My list")
        guard
            case .output(let printed) = await UserCommandRunner.command(command, handOver: { _ in nil }).run(
                target, { "# \($0.title)\n" })
        else {
            Issue.record("it has printed nothing")
            return
        }
        #expect(printed == text + "My list ")
    }

    @Test func aListIsALineOfJSONForEachEntry() async throws {
        let entries = [try await entry(title: "One"), try await entry(title: "Two\nlines")]
        let command = try command("run = [\"cat\"]\nmode = \"output\"\ninput = \"json\"\non = \"list\"")
        let result = await UserCommandRunner.command(command, handOver: { _ in nil }).run(
            .list(entries, title: "L"), { _ in "" })
        guard case .output(let printed) = result else {
            Issue.record("it has printed nothing")
            return
        }
        let titles = try printed.split(separator: "\n").map { line in
            try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["title"]
        }
        #expect(titles == ["One", "Two lines"])
    }

    @Test func whatFailsIsToldInTheProgramsOwnWords() async throws {
        let entry = try await entry(title: "T")
        guard case .failed(let none) = try await run("run = [\"no-such-program\"]", entry),
            case .failed(let own) = try await run("sh = 'echo no bookmarks today >&2; exit 3'", entry)
        else {
            Issue.record("it did not fail")
            return
        }
        #expect(none == "test: there is no program 'no-such-program'.")
        #expect(own == "test failed (3): no bookmarks today.")
        let path = temporary.path("made")
        guard case .done = try await run("run = [\"touch\", \"\(path)\"]", entry) else {
            Issue.record("it failed")
            return
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
