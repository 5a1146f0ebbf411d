import FeedParsing
import Configuration
import Dashboard
import Fetching
import Foundation
import ModelCore
import TerminalText

/// Runs the user's commands as argument vectors, with an entry's fields in arguments and environment, and its text on
/// standard input if requested. No shell parses a field.
enum UserCommandRunner {
    /// The timeout in seconds of a program whose output is shown.
    static let patience = 30.0
    /// The maximum size of the shown output in bytes.
    private static let mostOutput = 256 << 10

    /// Returns the command as the dashboard offers it.
    @MainActor
    static func command(
        _ command: UserCommand, patience: Double = patience, handOver: @escaping @MainActor (() -> Int) -> Int?
    ) -> EntryCommand {
        let steps = command.steps.map { step in
            UserCommand.assignment(step).map { EntryCommand.Step.set(name: $0.name, value: $0.value) } ?? .perform(step)
        }
        return EntryCommand(command.definition, steps: steps, acceptsList: command.target == .list) {
            target, markdown in
            let fields = fields(of: target)
            guard let words = words(command.program, fields, find: ChildProcess.find) else {
                return .failed("\(command.name): no such program: '\(firstWord(command.program))'.")
            }
            if command.mode == .pane {
                for (name, value) in fields { setenv(variable(name), CommandWords.argument(value), 1) }
                defer { for name in fields.keys { unsetenv(variable(name)) } }
                guard let code = handOver({ ChildProcess.runInTerminal(words) }) else {
                    return .failed("\(command.name) needs a terminal of its own.")
                }
                return ChildProcess.problem(of: command.name, code).map { .failed($0) } ?? .done
            }
            let input = input(command.input, target, markdown)
            return await Task.detached {
                run(command, words, fields, input, patience: command.mode == .output ? patience : nil)
            }.value
        }
    }

    /// Runs a command for a new entry in the background, without pane and output.
    ///
    /// - Returns: An error message, or `nil` on success.
    static func runOnArrival(_ command: UserCommand, _ entry: EntryDetail, patience: Double = patience) -> String? {
        let fields = fields(of: entry)
        guard let words = words(command.program, fields, find: ChildProcess.find) else {
            return "\(command.name): no such program: '\(firstWord(command.program))'."
        }
        let input = input(command.input, .entry(entry)) { entry in
            String(decoding: ArticleFile.data(of: entry, as: "md"), as: UTF8.self)
        }
        // The timeout is the same as for shown output.
        if case .failed(let reason) = run(command, words, fields, input, patience: patience) { return reason }
        return nil
    }

    /// Returns the fields of an entry or list.
    private static func fields(of target: EntryCommand.Target) -> [String: String] {
        switch target {
        case .entry(let entry): fields(of: entry)
        case .list(_, let title): ["title": Sanitizer.sanitize(title).replacing("\n", with: " ")]
        }
    }

    /// Returns the sanitised fields of an entry, each on one line.
    static func fields(of entry: EntryDetail) -> [String: String] {
        let date = entry.dates.published.map { Timestamp.rfc3339($0) }
        let values = [
            "title": entry.title, "link": entry.address ?? "", "feed": entry.feedTitle, "author": entry.author ?? "",
            "date": date ?? entry.dates.publishedText ?? "", "enclosure": entry.extras.enclosures?.first?.url ?? "",
        ]
        return values.mapValues { Sanitizer.sanitize($0).replacing("\n", with: " ") }
    }

    private static func variable(_ field: String) -> String { "TAPPA_" + field.uppercased() }

    private static func firstWord(_ program: UserCommand.Program) -> String {
        switch program {
        case .words(let words): words[0]
        case .shell: "sh"
        case .steps: ""
        }
    }

    /// Returns the command line with the program's path, or `nil` if the program doesn't exist.
    static func words(
        _ program: UserCommand.Program, _ fields: [String: String], find: (String) -> String?
    ) -> [String]? {
        switch program {
        case .steps: return nil
        case .shell(let text): return find("sh").map { [$0, "-c", text] }
        case .words(let words):
            // Fields can't choose the program, because it is the user's own word.
            let name = words[0]
            guard let path = name.contains("/") ? UserFile.expanded(name) : find(name) else { return nil }
            return [path] + words.dropFirst().map { UserCommand.expand($0, fields) }
        }
    }

    /// Returns the standard input. Entries of a list are separated by a rule, or in JSON are on separate lines.
    private static func input(
        _ kind: UserCommand.Input, _ target: EntryCommand.Target, _ markdown: (EntryDetail) -> String
    ) -> Data? {
        let entries: [EntryDetail]
        switch target {
        case .entry(let entry): return input(kind, entry, markdown)
        case .list(let list, _): entries = list
        }
        let parts = entries.compactMap { input(kind, $0, markdown) }
        switch kind {
        case .none: return nil
        case .markdown: return Data(parts.joined(separator: Data("\n---\n\n".utf8)))
        case .html: return Data(parts.joined(separator: Data("\n<hr>\n".utf8)))
        case .json: return Data(parts.flatMap { $0 + [UInt8(ascii: "\n")] })
        }
    }

    private static func input(
        _ kind: UserCommand.Input, _ entry: EntryDetail, _ markdown: (EntryDetail) -> String
    ) -> Data? {
        switch kind {
        case .none: return nil
        case .markdown: return Data(safe(markdown(entry)).utf8)
        case .html: return Data(safe(entry.ownHTML ?? entry.text ?? "").utf8)
        case .json:
            var object = fields(of: entry)
            object["content_html"] = entry.ownHTML.map(safe)
            object["content_text"] = entry.text.map(safe)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try? encoder.encode(object)
        }
    }

    /// Returns sanitised text that keeps line ends and tabs.
    private static func safe(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { Sanitizer.sanitize(String($0)) }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }

    private static func run(
        _ command: UserCommand, _ words: [String], _ fields: [String: String], _ input: Data?, patience: Double?
    ) -> EntryCommand.Result {
        guard let files = ProgramFiles(input: input) else {
            return .failed("\(command.name): can't create temporary files.")
        }
        defer { files.remove() }
        // Shell scripts get fields in the environment, as safe arguments.
        let own = fields.map { "\(variable($0.key))=\(CommandWords.argument($0.value))" }
        let inherited = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        guard let child = files.start(words, environment: inherited + own) else {
            return .failed("Can't start \(command.name).")
        }
        guard let code = end(of: child, patience: patience) else {
            return .failed("\(command.name) took longer than 30 seconds and was stopped.")
        }
        let said = files.firstError(most: 2_000).map { ": \(Sanitizer.sanitize($0))" } ?? ""
        if let problem = ChildProcess.problem(of: command.name, code, consequence: said) {
            return .failed(problem)
        }
        guard command.mode == .output else { return .done }
        let data = FileHandle(forReadingAtPath: files.output)?.readData(ofLength: mostOutput) ?? Data()
        return .output(String(decoding: data, as: UTF8.self))
    }

    /// Waits for a program, up to the timeout if there is one. Returns `nil` if it was killed.
    private static func end(of child: pid_t, patience: Double?) -> Int? {
        guard let patience else { return ChildProcess.wait(for: child) }
        let isOver = DispatchSemaphore(value: 0)
        let end = DispatchWorkItem {
            // Before the end that it causes, which the other thread may see at once.
            isOver.signal()
            // Kills everything in its session.
            kill(-child, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: end)
        let code = ChildProcess.wait(for: child)
        end.cancel()
        return isOver.wait(timeout: .now()) == .success ? nil : code
    }
}
