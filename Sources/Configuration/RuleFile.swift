import Feeds
import Foundation
import LibraryKernel

/// Rules in TOML, in the configuration file or in their own files beside it.
///
/// ```toml
/// [[rules]]
/// name = "no sponsors"
/// when = "title:sponsored or link:/utm_medium=ads/"
/// then = ["mark read", "tag ads"]
/// ```
package enum RuleFile {
    /// Returns the folder of rule files, which tappa or the user wrote.
    package static func folder(besideConfiguration path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("rules").path
    }

    /// Returns the files in that folder, sorted by name.
    static func files(besideConfiguration path: String) throws(UserFile.Problem) -> [String] {
        let folder = folder(besideConfiguration: path)
        return try UserFile.names(inFolder: folder).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted().map
        { "\(folder)/\($0)" }
    }

    /// Parses the rules in a document.
    ///
    /// - Parameter commands: The names of the user's commands.
    /// - Returns: The valid rules, and the errors in others with their lines.
    static func read(_ value: TOMLValue, commands: [String]) -> (rules: [Rule], problems: [TOMLProblem]) {
        guard let list = value.array else { return ([], [value.problem("rules are tables under [[rules]]")]) }
        var rules: [Rule] = []
        var problems: [TOMLProblem] = []
        for item in list {
            do throws(TOMLProblem) { rules.append(try rule(item, commands)) } catch { problems.append(error) }
        }
        return (rules, problems)
    }

    private static func rule(_ item: TOMLValue, _ commands: [String]) throws(TOMLProblem) -> Rule {
        guard let table = item.table else { throw item.problem("a rule is a table under [[rules]]") }
        for key in table.keys where !["name", "when", "then"].contains(key) {
            throw table.problem(with: key, line: item.line, "a rule has only name, when and then, not '\(key)'")
        }
        guard let name = table["name"]?.string, !name.isEmpty, name.count <= 60 else {
            throw table.problem(with: "name", line: item.line, "a rule needs a name")
        }
        guard let when = table["when"]?.string else {
            throw table.problem(
                with: "when", line: item.line, "the rule '\(name)' needs a query: when = \"title:sponsored\"")
        }
        let query: SearchQuery
        do { query = try SearchQuery(when) } catch {
            throw table.problem(with: "when", line: item.line, "the query of '\(name)': \(error.description)")
        }
        guard let then = table["then"] else {
            throw item.problem("the rule '\(name)' needs actions: then = [\"mark read\"]")
        }
        let words = then.string.map { [$0] } ?? then.array?.map(\.text) ?? []
        var actions: [Rule.Action] = []
        for word in words {
            guard let action = Rule.Action(word) else {
                throw then.problem("'\(name)' has an unknown action '\(word)'; use \(Rule.Action.known)")
            }
            if case .run(let command) = action, !commands.contains(command) {
                throw then.problem("'\(name)': no such command: '\(command)'")
            }
            actions.append(action)
        }
        guard !actions.isEmpty else { throw then.problem("the rule '\(name)' does nothing") }
        return Rule(name: name, when: query, then: actions)
    }

    /// Writes a rule to a new file. An existing file is not overwritten.
    ///
    /// - Returns: The path of the file.
    package static func write(_ rule: Rule, besideConfiguration path: String) throws -> String {
        let folder = folder(besideConfiguration: path)
        PrivateFile.makeFolder(folder, isOwn: false)
        let words = rule.name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(8)
        let stem = words.isEmpty ? "rule" : String(words.joined(separator: "-").prefix(60))
        var file = "\(folder)/\(stem).toml"
        var number = 2
        while FileManager.default.fileExists(atPath: file) {
            file = "\(folder)/\(stem)-\(number).toml"
            number += 1
        }
        try UserFile.write(Data(text(of: rule).utf8), to: file, isPrivate: true)
        return file
    }

    /// Returns a rule in TOML.
    package static func text(of rule: Rule) -> String {
        let actions = rule.then.map { quoted($0.text) }.joined(separator: ", ")
        return """
            [[rules]]
            name = \(quoted(rule.name))
            when = \(quoted(rule.when.text))
            then = [\(actions)]

            """
    }

    /// Returns a basic string (TOML 1.0.0, String).
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
