import Configuration
import Dashboard
import DashboardFrame
import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import TerminalText

/// Runs the user's commands as argument vectors, with an entry's fields in arguments and environment, and its text on
/// standard input if requested. No shell reads a field as code (``CommandTemplate``).
enum UserCommandRunner {
    /// The timeout in seconds of a program whose output is shown.
    static let patience = 30.0
    /// The maximum size of the shown output in bytes.
    private static let maximumOutput = 256 << 10

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
            let call: ProgramCall
            do throws(ProgramRefusal) { call = try self.call(command, fields) } catch {
                return .failed(error.description)
            }
            if command.mode == .pane {
                guard let code = handOver({ ChildProcess.runInTerminal(call) }) else {
                    return .failed("\(command.name) needs a terminal of its own.")
                }
                return ChildProcess.problem(of: command.name, code).map { .failed($0) } ?? .done
            }
            let input = input(command.input, target, markdown)
            guard command.mode == .output else {
                return result(of: command, await GuardedProgram.runDetached(call, input: input))
            }
            return result(of: command, await GuardedProgram.run(call, input: input, .init(patience: patience)))
        }
    }

    /// Runs a command for a new entry in the background, without pane and output.
    ///
    /// - Returns: An error message, or `nil` on success.
    static func runOnArrival(_ command: UserCommand, _ entry: EntryDetail, patience: Double = patience) -> String? {
        let fields = fields(of: entry)
        let call: ProgramCall
        do throws(ProgramRefusal) { call = try self.call(command, fields) } catch { return error.description }
        let input = input(command.input, .entry(entry)) { ArticleFile.text(of: $0, as: "md") }
        // The timeout is the same as for shown output, but what the program leaves running continues.
        let limits = GuardedProgram.Limits(patience: patience, keepsRest: true)
        let result = result(of: command, GuardedProgram.runBlocking(call, input: input, limits))
        if case .failed(let reason) = result { return reason }
        return nil
    }

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

    /// Returns the program with the fields in its arguments and in its environment.
    static func call(_ command: UserCommand, _ fields: [String: String]) throws(ProgramRefusal) -> ProgramCall {
        let template: CommandTemplate
        do throws(CommandTemplate.Problem) { template = try command.template() } catch {
            throw ProgramRefusal(description: "\(command.name): \(error.sentence()).")
        }
        // Fields can't choose the program, because it is the user's own word.
        let call = ProgramCall(template, fields) { name in
            name.contains("/") ? UserFile.expanded(name) : ChildProcess.find(name)
        }
        guard let call else {
            throw ProgramRefusal(description: "\(command.name): no such program: '\(template.program)'.")
        }
        return call
    }

    /// Returns the standard input. Entries of a list are separated by a rule, or in JSON are on separate lines.
    private static func input(
        _ kind: UserCommand.Input, _ target: EntryCommand.Target, _ markdown: (EntryDetail) -> String
    ) -> [UInt8]? {
        let entries: [EntryDetail]
        switch target {
        case .entry(let entry): return input(kind, entry, markdown)
        case .list(let list, _): entries = list
        }
        let parts = entries.compactMap { input(kind, $0, markdown) }
        switch kind {
        case .none: return nil
        case .markdown: return [UInt8](parts.joined(separator: Array("\n---\n\n".utf8)))
        case .html: return [UInt8](parts.joined(separator: Array("\n<hr>\n".utf8)))
        case .json: return Array(parts.flatMap { $0 + [UInt8(ascii: "\n")] })
        }
    }

    private static func input(
        _ kind: UserCommand.Input, _ entry: EntryDetail, _ markdown: (EntryDetail) -> String
    ) -> [UInt8]? {
        switch kind {
        case .none: return nil
        case .markdown: return Array(safe(markdown(entry)).utf8)
        case .html: return Array(safe(entry.ownHTML ?? entry.text ?? "").utf8)
        case .json:
            var object = fields(of: entry)
            object["content_html"] = entry.ownHTML.map(safe)
            object["content_text"] = entry.text.map(safe)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(object)).map { Array($0) }
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

    /// Returns what the dashboard shows of a program's end.
    private static func result(of command: UserCommand, _ result: GuardedProgram.Result) -> EntryCommand.Result {
        var output: String { String(decoding: result.output.prefix(maximumOutput), as: UTF8.self) }
        switch result.end {
        case .notStarted: return .failed("Can't start \(command.name).")
        case .cancelled: return .failed("\(command.name) was stopped.")
        case .tookTooLong: return .failed("\(command.name) took longer than 30 seconds and was stopped.")
        case .printedTooMuch:
            let sentence = "\(command.name) printed more than 16 MiB and was stopped."
            return command.mode == .output
                ? .output("\(sentence) This is the beginning:\n\n\(output)") : .failed(sentence)
        case .ended(let code):
            let said = result.firstError(maximum: 2_000).map { ": \(Sanitizer.sanitize($0))" } ?? ""
            if let problem = ChildProcess.problem(of: command.name, code, consequence: said) {
                return .failed(problem)
            }
            guard command.mode == .output else { return .done }
            let isWhole = result.output.count <= maximumOutput
            return .output(
                isWhole
                    ? output
                    : "These are the first 256 KiB of \(ByteCount.text(Int64(result.output.count))):\n\n\(output)")
        }
    }
}
