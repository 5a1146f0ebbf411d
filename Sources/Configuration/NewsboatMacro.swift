import Fetching
import Foundation

/// Newsboat's macros (manual, "Macro Support") as commands: operations in order, settings for some of them, links passed
/// to programs, and articles piped to programs.
extension NewsboatConfiguration {
    /// Converts a macro to keys and commands, or reports the part without an equivalent.
    mutating func takeMacro(_ values: [String], _ line: String) {
        guard let key = values.first else { return left.append("\(line): missing key") }
        takeOperations(Macro.steps(values.dropFirst()), key: key, wanted: ", \(key)", line)
    }

    /// Reads newsboat's newer bindings: a sequence of keys, dialogs, and operations.
    mutating func takeBinding(_ values: [String], _ line: String) {
        guard values.count > 2 else { return left.append("\(line): missing operation") }
        guard let keys = NewsboatKeys.keys(values[0]) else {
            return left.append("\(line): terminals can't distinguish this key")
        }
        let steps = Macro.steps(values.dropFirst(2))
        let dialogs = values[1].split(separator: ",").map(String.init)
        let known = dialogs.filter { NewsboatKeys.contexts.contains($0.lowercased()) }
        if steps.count == 1, let operation = steps[0].first, steps[0].count == 1 {
            takeKey(keys, operation, known.isEmpty ? dialogs : known, line)
        } else {
            takeOperations(steps, key: values[0], wanted: keys, line)
        }
    }

    /// Adds a key for operations.
    ///
    /// - Parameters:
    ///   - key: The key as it names a command.
    ///   - wanted: The key to bind.
    private mutating func takeOperations(_ steps: [[String]], key: String, wanted: String, _ line: String) {
        var macro = Macro(key: key, line: line)
        for step in steps {
            if let problem = macro.add(step) { return left.append("\(line): \(problem)") }
        }
        switch (macro.parts.count, macro.programs.count) {
        case (0, _): left.append("\(line): tappa has no equivalent of its operations")
        case (1, 0) where !macro.parts[0].hasPrefix(NewsboatConfiguration.setPrefix):
            keys.append(WantedKey(command: macro.parts[0], key: wanted, line: line))
        case (1, 1):
            macro.programs[0].key = wanted
            commands.append(macro.programs[0])
        default:
            let names = macro.parts.map(NewsboatConfiguration.quoted).joined(separator: ", ")
            let name = "macro \(NewsboatConfiguration.letters(key))".trimmingCharacters(in: .whitespaces)
            commands += macro.programs
            commands.append(WantedCommand(name: name, key: wanted, body: "do = [\(names)]\n", line: line))
        }
    }

    /// The beginning of a step that changes a setting.
    static let setPrefix = "set "

    static func letters(_ key: String) -> String { key.filter { $0.isLetter || $0.isNumber } }

    /// A macro while its operations are read.
    private struct Macro {
        let key: String
        let line: String
        /// The identifiers of commands and changes of settings, in order.
        var parts: [String] = []
        var programs: [WantedCommand] = []
        /// The browser that the next operation uses.
        private var browser: String?

        init(key: String, line: String) { (self.key, self.line) = (key, line) }

        /// Returns the operations between semicolons, up to a description.
        static func steps(_ words: ArraySlice<String>) -> [[String]] {
            var steps: [[String]] = [[]]
            for word in words {
                if word == "--" { break }
                if word == ";" {
                    steps.append([])
                } else {
                    steps[steps.count - 1].append(word)
                }
            }
            return steps.filter { !$0.isEmpty }
        }

        /// Adds an operation.
        ///
        /// - Returns: Why it has no equivalent, or `nil`.
        mutating func add(_ step: [String]) -> String? {
            let operation = step[0].lowercased()
            switch (operation, step.count) {
            case ("set", 3) where step[1] == "browser": browser = step[2]
            case ("set", 3):
                guard let (name, value) = NewsboatConfiguration.setting(step[1], step[2], [:]) else {
                    return "tappa has no equivalent of the setting '\(step[1])'"
                }
                parts.append("\(NewsboatConfiguration.setPrefix)\(name)=\(value)")
            case ("pipe-to", 2):
                run(
                    step[1],
                    body: "sh = \(NewsboatConfiguration.quoted(step[1]))\ninput = \"markdown\"\nmode = \"output\"\n")
            case (_, 1) where operation.hasPrefix("open-in-browser") && browser != nil:
                guard let browser else { return nil }
                do throws(CommandTemplate.Problem) {
                    run(browser, body: try NewsboatConfiguration.program(browser, .newsboat, appending: ["link"]))
                } catch {
                    return error.sentence()
                }
            case (_, 1):
                guard let command = NewsboatConfiguration.operations[operation] else {
                    return "tappa has no equivalent of '\(operation)'"
                }
                parts.append(command)
            default: return "tappa has no equivalent of '\(NewsboatConfiguration.shown(step))'"
            }
            return nil
        }

        private mutating func run(_ program: String, body: String) {
            var name = NewsboatConfiguration.name(of: program, key: key)
            if programs.contains(where: { $0.name == name }) { name += " \(programs.count + 1)" }
            programs.append(WantedCommand(name: name, key: nil, body: body, line: line))
            parts.append("user.\(name)")
        }
    }
}
