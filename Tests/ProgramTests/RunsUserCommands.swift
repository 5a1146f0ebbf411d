import CommonTesting
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import TerminalUI
import Testing

@testable import Configuration
@testable import Dashboard
@testable import DashboardFrame
@testable import tappa

extension EntryCommand.Result {
    fileprivate var output: String? { if case .output(let text) = self { text } else { nil } }
    fileprivate var failure: String? { if case .failed(let sentence) = self { sentence } else { nil } }
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}

extension EntryDetail {
    /// Stores a feed, and returns its first entry.
    static func first(of parsed: ParsedFeed) async throws -> EntryDetail {
        let (library, feed) = try await Library.following("https://example.org/feed")
        try await library.store(parsed, in: feed, record: FetchRecord(date: 1))
        let row = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        return try #require(try library.entries.detail(of: row.id))
    }
}

/// User commands receive an entry as arguments, in the environment and on standard input, and no shell interprets it.
@MainActor @Suite struct RunsUserCommands {
    private let temporary = TemporaryFolder()

    private func entry(title: String = "A \"title\"; $(touch x) `id` {link}") async throws -> EntryDetail {
        let entry = ParsedEntry(title: title, link: "https://example.org/1", html: "<p>Some <b>text</b>.</p>")
        return try await EntryDetail.first(of: ParsedFeed([entry], title: "News"))
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
        try await run(text, entry).output
    }

    @Test func passesFieldsAsArguments() async throws {
        let entry = try await entry()
        let printed = try await output(
            #"run = ["printf", "%s|", "{title}", "{link}", "{feed}", "x={date}"]"# + "\nmode = \"output\"", entry)
        #expect(printed == "A \"title\"; $(touch x) `id` {link}|https://example.org/1|News|x=|")
    }

    @Test func passesFieldsInTheEnvironment() async throws {
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
    func passesTheTextOnStandardInput(kind: String, text: String) async throws {
        let printed = try await output(
            "run = [\"cat\"]\nmode = \"output\"\ninput = \"\(kind)\"", try await entry(title: "T"))
        #expect(printed == text)
    }

    /// A list in one run: its title, and its entries separated by rules, or one line of JSON for each.
    @Test(arguments: [
        ("markdown", "# One\n\n---\n\n# Two\n"), ("html", "<p>Some <b>text</b>.</p>\n<hr>\n<p>Some <b>text</b>.</p>"),
        ("none", ""),
    ])
    func passesAListInOneRun(kind: String, text: String) async throws {
        let entries = [try await entry(title: "One"), try await entry(title: "Two")]
        let command = try command(
            "sh = 'cat; printf \"%s %s\" \"$TAPPA_TITLE\" \"$TAPPA_LINK\"'\nmode = \"output\"\ninput = \"\(kind)\"\non = \"list\""
        )
        let target = EntryCommand.Target.list(entries, title: "My list")
        let result = await UserCommandRunner.command(command, handOver: { _ in nil }).run(target, { "# \($0.title)\n" })
        #expect(result.output == text + "My list ")
    }

    @Test func passesAListAsJSONLines() async throws {
        let entries = [try await entry(title: "One"), try await entry(title: "Two\nlines")]
        let command = try command("run = [\"cat\"]\nmode = \"output\"\ninput = \"json\"\non = \"list\"")
        let result = await UserCommandRunner.command(command, handOver: { _ in nil }).run(
            .list(entries, title: "L"), { _ in "" })
        let titles = try #require(result.output).split(separator: "\n").map { line in
            try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["title"]
        }
        #expect(titles == ["One", "Two lines"])
    }

    @Test func quotesErrorsOfPrograms() async throws {
        let entry = try await entry(title: "T")
        let none = try await run("run = [\"no-such-program\"]", entry)
        #expect(none.failure == "test: no such program: 'no-such-program'.")
        let own = try await run("sh = 'echo no bookmarks today >&2; exit 3'", entry)
        #expect(own.failure == "test failed (3): no bookmarks today.")
        let path = temporary.path("made")
        #expect(try await run("run = [\"touch\", \"\(path)\"]", entry).isDone)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    // MARK: Modes

    /// In the pane a program has the fields in its environment, and this program's environment is unchanged afterwards.
    @Test func handsThePaneOver() async throws {
        let entry = try await entry(title: "-T $(x)")
        let path = temporary.path("told")
        let text =
            "sh = 'printf \"%s|%s\" \"$TAPPA_TITLE\" \"$TAPPA_FEED\" > \"\(path)\"; exit ${CODE:-0}'\nmode = \"pane\""
        let command = try command(text)
        let run = UserCommandRunner.command(command) { $0() }.run
        #expect(await run(.entry(entry), { _ in "" }).isDone)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == " -T $(x)|News")
        #expect(ProcessInfo.processInfo.environment["TAPPA_TITLE"] == nil)
        let none = await UserCommandRunner.command(command, handOver: { _ in nil }).run(.entry(entry), { _ in "" })
        #expect(none.failure == "test needs a terminal of its own.")
        let failing = try self.command("run = [\"false\"]\nmode = \"pane\"")
        let failed = await UserCommandRunner.command(failing, handOver: { $0() }).run(.entry(entry), { _ in "" })
        #expect(failed.failure == "test failed (1).")
    }

    /// A shown program ends after a while with all its children; a background program may continue.
    @Test func endsAProgramWithItsOutputView() async throws {
        let entry = try await entry(title: "T")
        let path = temporary.path("pid")
        let slow = try command("sh = 'sleep 600 & echo $! > \"\(path)\"; wait'\nmode = \"output\"")
        let stopped = await UserCommandRunner.command(slow, patience: 0.5, handOver: { _ in nil })
            .run(.entry(entry), { _ in "" })
        #expect(stopped.failure == "test took longer than 30 seconds and was stopped.")
        if let text = try? String(contentsOfFile: path, encoding: .utf8),
            let child = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            #expect(await eventually { kill(child, 0) != 0 || ended(child) })
        }
        #expect(UserCommandRunner.patience == 30)
        let brief = try command("sh = 'sleep 0.2'")
        let result = await UserCommandRunner.command(brief, patience: 0.01, handOver: { _ in nil })
            .run(.entry(entry), { _ in "" })
        #expect(result.isDone, "what runs beside the dashboard was ended")
    }

    /// Whether a process has ended and only waits for its parent.
    private func ended(_ process: pid_t) -> Bool {
        let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        return String(decoding: status, as: UTF8.self).contains(") Z ")
    }

    @Test func limitsShownOutput() async throws {
        let entry = try await entry(title: "T")
        for count in [1000, 262_144, 262_145, 400_000] {
            let text = try await output("sh = 'head -c \(count) /dev/zero | tr \"\\\\0\" x'\nmode = \"output\"", entry)
            #expect(text?.hasSuffix(String(repeating: "x", count: min(count, 262_144))) == true)
            #expect(text?.hasPrefix("These are the first 256 KiB") == (count > 262_144))
        }
        // In the background nothing is shown, even after an error.
        #expect(try await run("run = [\"echo\", \"x\"]", entry).isDone)
    }

    @Test(arguments: [
        (#"run = ["no-such"]"#, "test: no such program: 'no-such'."),
        (#"run = ["/no/such"]"#, "Can't start test."),
    ]) func runsOnlyProgramsOfTheConfiguration(text: String, sentence: String) async throws {
        let entry = try await entry(title: "true")
        #expect(try await run(text, entry).failure == sentence, "a field has chosen the program")
        #expect(
            ConfigurationFile.parse(
                "[[commands]]\nname = 'x'\nrun = ['{title}']", path: "", for: .init(.dashboard)
            ).problems.count == 1)
    }

    // MARK: On arrival

    @Test func aRuleRunsACommandForArrivals() async throws {
        let entry = try await entry(title: "T; $(x)")
        let path = temporary.path("arrived")
        let note = try command(
            "sh = 'printf \"%s|\" \"$TAPPA_TITLE\" > \"\(path)\"; cat >> \"\(path)\"'\ninput = \"markdown\"")
        #expect(UserCommandRunner.runOnArrival(note, entry) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("T; $(x)|# T; $(x)\n"))
        #expect(
            UserCommandRunner.runOnArrival(try command("run = [\"no-such\"]"), entry)
                == "test: no such program: 'no-such'.")
        #expect(
            UserCommandRunner.runOnArrival(try command("sh = 'echo why >&2; exit 2'"), entry) == "test failed (2): why."
        )
        #expect(
            UserCommandRunner.runOnArrival(try command("sh = 'sleep 600'"), entry, patience: 0.3)
                == "test took longer than 30 seconds and was stopped.")
    }

    // MARK: Fields

    @Test func sanitizesFields() async throws {
        let json = #"""
            {"version": "https://jsonfeed.org/version/1.1", "title": "News\u009b31m", "items": [{"id": "1",
            "title": "A\nB\u001b[31m\u202eC", "url": "https://example.org/1",
            "content_html": "<p>x\u001by</p>\r\n<p>z\tw</p>",
            "attachments": [{"url": "https://example.org/a.mp3", "mime_type": "audio/mpeg"}]}]}
            """#
        let detail = try await EntryDetail.first(of: try FeedParser.parse(Array(json.utf8)).feed)
        let fields = UserCommandRunner.fields(of: detail)
        #expect(Set(fields.keys) == Set(UserCommand.fields))
        for (name, value) in fields {
            #expect(
                !value.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F) ~= $0.value || $0.value == 0x202E },
                "\(name)")
        }
        #expect(fields["enclosure"] == "https://example.org/a.mp3" && fields["link"] == "https://example.org/1")
        let html = try await output("run = [\"cat\"]\nmode = \"output\"\ninput = \"html\"", detail)
        #expect(html?.contains("\u{1B}") == false && html?.contains("\t") == true && html?.contains("\n<p>z") == true)
    }
}
