import Fetching
import TerminalUI

/// A command of the user's own: another program that gets an entry, or several commands of the dashboard as one.
///
/// ```toml
/// [[commands]]
/// name = "share"
/// key = "B"
/// run = ["notify-send", "{title}", "{link}"]
/// mode = "background"
/// ```
package struct UserCommand: Hashable, Sendable {
    /// What becomes of the terminal and of what the program prints.
    package enum Mode: String, CaseIterable, Sendable {
        /// It runs beside the dashboard; only a failure is told.
        case background
        /// It has the pane until it ends.
        case pane
        /// What it prints is shown.
        case output
    }

    /// What it gets at once.
    package enum Target: String, CaseIterable, Sendable {
        /// An entry; each of those that are marked, one after the other.
        case entry
        /// The list that is shown, or what is marked in it, in one go.
        case list
    }

    /// How the entry is put on its standard input.
    package enum Input: String, CaseIterable, Sendable {
        case none, markdown, html, json
    }

    /// What to run.
    package enum Program: Hashable, Sendable {
        /// The program and its arguments; no shell reads them, so that fields of an entry can be put into them.
        case words([String])
        /// A text for the shell; fields of an entry are in its environment alone.
        case shell(String)
        /// Commands of the dashboard by their names, one after the other.
        case steps([String])
    }

    package var name: String
    package var program: Program
    package var mode: Mode
    package var input: Input
    package var target: Target

    /// The fields of an entry that can stand in braces.
    package static let fields = ["title", "link", "feed", "author", "date", "enclosure"]
    /// Those of a list.
    private static let listFields = ["title"]

    /// The commands that it does; empty: it runs a program.
    package var steps: [String] { if case .steps(let names) = program { names } else { [] } }

    /// The command as keys, help and palette know it.
    package var definition: CommandDefinition {
        UserCommand.definition(named: name)
    }

    /// The command of a name as keys, help and palette know it.
    static func definition(named name: String) -> CommandDefinition {
        CommandDefinition(
            "user.\(name)", DisplayText(name), keys: [], group: "Your commands", place: "entries", needs: "an entry",
            .takesMarkedRows)
    }

    /// What is wrong with one, and in which line.
    struct Problem: Error {
        var line: Int
        var message: String
    }

    /// Reads a table of the configuration.
    init(_ table: TOMLTable, line: Int) throws(Problem) {
        for key in table.keys where !["name", "key", "run", "sh", "do", "mode", "input", "on"].contains(key) {
            throw Problem(
                line: table[key]?.line ?? line,
                message: "a command has only name, key, run, sh, do, mode, input and on, not '\(key)'")
        }
        guard let name = table["name"]?.string, !name.isEmpty, name.count <= 40,
            name.allSatisfy({ $0.isLetter || $0.isNumber || "-_ ".contains($0) })
        else {
            throw Problem(
                line: table["name"]?.line ?? line,
                message: "a command needs a name of letters, digits, hyphens and spaces")
        }
        self.name = name
        target = try UserCommand.choice(table["on"], name, "on") ?? .entry
        let fields = target == .list ? UserCommand.listFields : UserCommand.fields
        program = try UserCommand.program(table, name, line, fields)
        mode = try UserCommand.choice(table["mode"], name, "mode") ?? .background
        input = try UserCommand.choice(table["input"], name, "input") ?? .none
        if input != .none, mode == .pane {
            throw Problem(
                line: table["input"]?.line ?? line,
                message: "the command '\(name)' uses the pane, so its standard input is the terminal")
        }
    }

    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ value: TOMLValue?, _ name: String, _ key: String
    ) throws(Problem) -> Value? where Value.RawValue == String {
        guard let value else { return nil }
        if let known = value.string.flatMap({ Value(rawValue: $0) }) { return known }
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(
            line: value.line, message: "the \(key) of '\(name)' must be one of \(names), not '\(value.text)'")
    }

    private static func program(
        _ table: TOMLTable, _ name: String, _ line: Int, _ fields: [String]
    ) throws(Problem) -> Program {
        switch (table["run"], table["sh"], table["do"]) {
        case (nil, nil, let steps?):
            let names = steps.array?.compactMap(\.string) ?? []
            guard !names.isEmpty, names.count == steps.array?.count else {
                throw Problem(line: steps.line, message: "do must be a list of command identifiers, as in [keys]")
            }
            if let other = ["mode", "input", "on"].compactMap({ table[$0] }).first {
                throw Problem(line: other.line, message: "'\(name)' runs no program that could use this")
            }
            return .steps(names)
        case (let run?, nil, nil):
            let words = run.array?.compactMap(\.string) ?? []
            guard let first = words.first, !first.isEmpty, words.count == run.array?.count else {
                throw Problem(line: run.line, message: "run must be a list of strings: the program, then its arguments")
            }
            for field in words.flatMap(braced) where !fields.contains(field) {
                let known = fields.map { "{\($0)}" }.joined(separator: ", ")
                throw Problem(line: run.line, message: "'\(name)' uses an unknown field {\(field)}; use \(known)")
            }
            return .words(words)
        case (nil, let shell?, nil):
            guard let text = shell.string, !text.isEmpty else {
                throw Problem(line: shell.line, message: "sh must be a string for the shell")
            }
            if let field = braced(text).first(where: UserCommand.fields.contains) {
                throw Problem(
                    line: shell.line,
                    message:
                        "fields aren't allowed in shell text: '\(name)' can use \"$TAPPA_\(field.uppercased())\" instead of {\(field)}"
                )
            }
            return .shell(text)
        default: throw Problem(line: line, message: "the command '\(name)' needs either run, sh or do")
        }
    }

    /// The names between braces.
    static func braced(_ text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            guard let end = part.firstIndex(of: "}") else { return nil }
            let name = part[..<end]
            return !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter } ? String(name) : nil
        }
    }

    /// A word with an entry's fields in the place of their names, each looked at once: what a title has in braces stays as it is.
    /// No field begins an option.
    package static func expand(_ word: String, _ values: [String: String]) -> String {
        CommandWords.filled(word) { insert(values, into: $0) }
    }

    private static func insert(_ values: [String: String], into word: String) -> String {
        var result = ""
        var rest = word[...]
        while let start = rest.firstIndex(of: "{") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.firstIndex(of: "}"), let value = values[String(rest[rest.index(after: start)..<end])]
            else {
                result.append("{")
                rest = rest.dropFirst()
                continue
            }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
