import Fetching
import TerminalUI

/// A command of the user: a program that receives an entry, or a sequence of the dashboard's commands.
///
/// ```toml
/// [[commands]]
/// name = "share"
/// key = "B"
/// run = ["notify-send", "{title}", "{link}"]
/// mode = "background"
/// ```
package struct UserCommand: Hashable, Sendable {
    /// How the program uses the terminal, and what happens to its output.
    package enum Mode: String, CaseIterable, Sendable {
        /// It runs in the background. Only a failure is reported.
        case background
        /// It has the pane until it exits.
        case pane
        /// Its output is shown.
        case output
    }

    /// What the program receives.
    package enum Target: String, CaseIterable, Sendable {
        /// An entry. The program runs once for each marked entry.
        case entry
        /// The visible list, or its marked entries, at once.
        case list
    }

    /// The format in which entries are written to its standard input.
    package enum Input: String, CaseIterable, Sendable {
        case none, markdown, html, json
    }

    /// What to run.
    package enum Program: Hashable, Sendable {
        /// A program with its arguments, which may be or end with fields of an entry where no shell reads them.
        case words([String])
        /// A shell script. Fields of an entry are only in its environment.
        case shell(String)
        /// The identifiers of the dashboard's commands to perform in order, and changes of settings (`set NAME=VALUE`).
        case steps([String])
    }

    package var name: String
    package var program: Program
    package var mode: Mode
    package var input: Input
    package var target: Target

    /// The fields of an entry that can be used in braces.
    static let fields = ["title", "link", "feed", "author", "date", "enclosure"]
    private static let listFields = ["title"]

    /// The commands to perform; empty if it runs a program.
    package var steps: [String] { if case .steps(let names) = program { names } else { [] } }

    /// The definition for keys, help and palette.
    package var definition: CommandDefinition { UserCommand.definition(named: name) }

    static func definition(named name: String) -> CommandDefinition {
        CommandDefinition(
            "user.\(name)", DisplayText(name), keys: [], group: "Your commands", place: "entries", needs: "an entry",
            .actsOnMarkedRows)
    }

    /// Creates a command that passes an entry as Markdown to a typed command line and shows the output.
    package init(pipingTo line: String) {
        name = line.split(separator: " ").first.map { String($0.prefix(40)) } ?? "sh"
        (program, mode, input, target) = (.shell(line), .output, .markdown, .entry)
    }

    /// Returns the setting and the value of a step that changes one: `set feeds.order=oldest first`.
    package static func assignment(_ step: String) -> (name: String, value: String)? {
        guard step.hasPrefix("set "), let equals = step.firstIndex(of: "=") else { return nil }
        let name = step[..<equals].dropFirst(4).trimmingPrefix { $0 == " " }
        return (String(name), String(step[step.index(after: equals)...]))
    }

    init(_ table: TOMLTable, line: Int) throws(TOMLProblem) {
        for key in table.keys where !["name", "key", "run", "sh", "do", "mode", "input", "on"].contains(key) {
            throw table.problem(
                with: key, line: line,
                "a command has only name, key, run, sh, do, mode, input and on, not '\(key)'")
        }
        guard let name = table["name"]?.string, !name.isEmpty, name.count <= 40,
            name.allSatisfy({ $0.isLetter || $0.isNumber || "-_ ".contains($0) })
        else {
            throw table.problem(
                with: "name", line: line, "a command needs a name of letters, digits, hyphens and spaces")
        }
        self.name = name
        target = try UserCommand.choice(table["on"], name, "on") ?? .entry
        let fields = target == .list ? UserCommand.listFields : UserCommand.fields
        program = try UserCommand.program(table, name, line, fields)
        mode = try UserCommand.choice(table["mode"], name, "mode") ?? .background
        input = try UserCommand.choice(table["input"], name, "input") ?? .none
        do throws(CommandTemplate.Problem) { _ = try template() } catch {
            let sentence = error.sentence { words in
                "run = [\(words.map(UserCommand.quoted).joined(separator: ", "))]"
            }
            throw TOMLProblem(
                line: (table["run"] ?? table["sh"])?.line ?? line, message: "the command '\(name)': \(sentence)")
        }
        if input != .none, mode == .pane {
            throw table.problem(
                with: "input", line: line,
                "the command '\(name)' uses the pane, so its standard input is the terminal")
        }
    }

    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ value: TOMLValue?, _ name: String, _ key: String
    ) throws(TOMLProblem) -> Value? where Value.RawValue == String {
        guard let value else { return nil }
        if let known = value.string.flatMap({ Value(rawValue: $0) }) { return known }
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw value.problem("the \(key) of '\(name)' must be one of \(names), not '\(value.text)'")
    }

    private static func program(
        _ table: TOMLTable, _ name: String, _ line: Int, _ fields: [String]
    ) throws(TOMLProblem) -> Program {
        switch (table["run"], table["sh"], table["do"]) {
        case (nil, nil, let steps?):
            let names = steps.array?.compactMap(\.string) ?? []
            guard !names.isEmpty, names.count == steps.array?.count else {
                throw steps.problem("do must be a list of command identifiers, as in [keys]")
            }
            if let other = ["mode", "input", "on"].compactMap({ table[$0] }).first {
                throw other.problem("'\(name)' runs no program that could use this")
            }
            return .steps(names)
        case (let run?, nil, nil):
            let words = run.array?.compactMap(\.string) ?? []
            guard let first = words.first, !first.isEmpty, words.count == run.array?.count else {
                throw run.problem("run must be a list of strings: the program, then its arguments")
            }
            for field in words.flatMap(braced) where !fields.contains(field) {
                let known = fields.map { "{\($0)}" }.joined(separator: ", ")
                throw run.problem("'\(name)' uses an unknown field {\(field)}; use \(known)")
            }
            return .words(words)
        case (nil, let shell?, nil):
            guard let text = shell.string, !text.isEmpty else {
                throw shell.problem("sh must be a string for the shell")
            }
            if let field = braced(text).first(where: UserCommand.fields.contains) {
                throw shell.problem(
                    "fields aren't allowed in shell text: '\(name)' can use \"$TAPPA_\(field.uppercased())\" instead of {\(field)}"
                )
            }
            return .shell(text)
        default: throw TOMLProblem(line: line, message: "the command '\(name)' needs either run, sh or do")
        }
    }

    static func braced(_ text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            guard let end = part.firstIndex(of: "}") else { return nil }
            let name = part[..<end]
            return !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter } ? String(name) : nil
        }
    }

    /// Returns the command line that receives the fields. Commands without a program have an empty one.
    package func template() throws(CommandTemplate.Problem) -> CommandTemplate {
        switch program {
        case .words(let words): try CommandTemplate(words, .braces(UserCommand.fields), hasForeignInput: input != .none)
        case .shell(let text): try CommandTemplate(script: text, hasForeignInput: input != .none)
        case .steps: try CommandTemplate([], .none)
        }
    }

    /// Returns a string in TOML, without escapes if possible.
    private static func quoted(_ text: String) -> String {
        text.contains("\"") && !text.contains("'") && !text.contains("\n") ? "'\(text)'" : RuleFile.quoted(text)
    }
}
