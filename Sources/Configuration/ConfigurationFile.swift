import Feeds
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import TerminalUI

/// The configuration file in TOML, with a table for the first part of settings' names.
///
/// ```toml
/// [appearance]
/// theme = "rosa"
/// list-width = 42
///
/// [keys]
/// preset = "vim"
/// "entry.browser" = ["o", "alt-o"]
/// ```
package struct ConfigurationFile {
    /// The settings by name.
    package var settings: [String: String] = [:]
    /// The keys of the preset and the valid bindings of the file.
    package var keyMap = KeyMap()
    /// The valid commands of the user.
    package var commands: [UserCommand] = []
    /// The valid rules for new entries.
    package var rules: [Rule] = []
    /// The programs that print the passwords of accounts, by account name.
    package var passwordCommands: [String: [String]] = [:]
    /// The errors with their lines. Everything else applies.
    package var problems: [Problem] = []
    /// The consequences of bindings that are easily overlooked, with their lines.
    package var notices: [Problem] = []
    /// The commands to which the file itself binds keys.
    private(set) var boundCommands: Set<String> = []
    /// Whether the document could be parsed. If not, the previous configuration stays in effect.
    package var isReadable = true
    /// The reason why the file could not be read at all, or `nil`.
    package private(set) var unread: UserFile.Problem?
    /// The lines of the settings, by name.
    package var lines: [String: Int] = [:]
    /// The path of the file that is being read.
    private var path = ""

    /// The commands to which keys can be bound.
    package struct Commands: Sendable {
        var table: CommandTable
        var presets: [String: KeyMap]

        /// - Parameters:
        ///   - table: The program's commands.
        ///   - presets: The key presets by name.
        package init(_ table: CommandTable, presets: [String: KeyMap] = [:]) {
            self.table = table
            self.presets = presets
        }
    }

    /// An error in a file.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String

        /// The line of the error, or `nil` for the whole file.
        let line: Int?
        /// The error without its position.
        let message: String

        /// The maximum length of a message, which may quote the file.
        private static let maximumCharacters = 500

        init(_ path: String, _ line: Int, _ message: String) {
            let shown = message.prefix(Problem.maximumCharacters)
            self.message = shown + (shown.endIndex < message.endIndex ? "…" : "")
            description = "\(path), line \(line): \(self.message)"
            self.line = line
        }

        init(description: String) {
            self.description = description
            message = description
            line = nil
        }
    }

    /// The maximum size of a file in bytes.
    private static let maximumBytes = 1 << 20

    /// Reads a file. A missing file is empty. Errors are reported, and the rest of the file applies.
    ///
    /// A pipe is read only in `/dev`, where a shell passes its own: another might block.
    package static func read(_ path: String, for commands: @autoclosure () -> Commands) -> ConfigurationFile {
        var file = ConfigurationFile()
        var status = stat()
        // A link that leads nowhere isn't missing.
        if lstat(path, &status) == 0 {
            do throws(UserFile.Problem) {
                let data = try UserFile.read(path, maximum: maximumBytes, isFound: !path.hasPrefix("/dev/"))
                file = parse([UInt8](data), path: path, for: commands())
            } catch {
                file.fail(Problem(description: error.description))
                file.unread = error
            }
        }
        do throws(UserFile.Problem) {
            for rules in try RuleFile.files(besideConfiguration: path) { file.takeRules(fromFile: rules) }
        } catch {
            file.problems.append(Problem(description: error.description))
        }
        return file
    }

    private mutating func fail(_ problem: Problem) {
        problems.append(problem)
        isReadable = false
    }

    private mutating func report(_ line: Int, _ message: String) { problems.append(Problem(path, line, message)) }

    /// Adds the rules of a file that contains only rules.
    private mutating func takeRules(fromFile path: String) {
        self.path = path
        let data: Data
        do throws(UserFile.Problem) {
            data = try UserFile.read(path, maximum: ConfigurationFile.maximumBytes, isFound: true)
        } catch {
            return problems.append(Problem(description: error.description))
        }
        do throws(TOMLProblem) {
            let table = try TOMLParser.parse([UInt8](data))
            for key in table.keys where key != "rules" {
                report(table[key]?.line ?? 1, "only [[rules]] are allowed here, not '\(key)'")
            }
            if let value = table["rules"] { takeRules(value) }
        } catch {
            report(error.line, error.message)
        }
    }

    private mutating func takeRules(_ value: TOMLValue) {
        let (new, wrong) = RuleFile.read(value, commands: commands.filter(\.steps.isEmpty).map(\.name))
        for problem in wrong { report(problem.line, problem.message) }
        for rule in new {
            if rules.contains(where: { $0.name == rule.name }) {
                report(value.line, "duplicate rule '\(rule.name)'")
            } else {
                rules.append(rule)
            }
        }
    }

    /// Parses the text of a file.
    package static func parse(_ text: String, path: String, for commands: @autoclosure () -> Commands)
        -> ConfigurationFile
    {
        parse(Array(text.utf8), path: path, for: commands())
    }

    /// Parses the bytes of a file, which must be UTF-8.
    static func parse(_ bytes: [UInt8], path: String, for commands: @autoclosure () -> Commands)
        -> ConfigurationFile
    {
        var file = ConfigurationFile()
        file.path = path
        let table: TOMLTable
        do { table = try TOMLParser.parse(bytes, continuing: ["keys"]) } catch {
            file.fail(Problem(path, error.line, error.message))
            return file
        }
        let own = table["commands"].map { file.takeCommands($0, commands) } ?? []
        if !own.isEmpty || table["keys"]?.table != nil {
            file.takeKeys(table["keys"]?.table ?? TOMLTable(.implicit), own, commands())
        }
        if let rules = table["rules"] { file.takeRules(rules) }
        if let accounts = table["account"] { file.takeAccounts(accounts) }
        file.takeSettings(table, prefix: "")
        return file
    }

    /// Adds the user's commands, and returns their key bindings with lines.
    private mutating func takeCommands(
        _ value: TOMLValue, _ known: () -> Commands
    ) -> [(CommandTable.Binding, Int)] {
        guard let list = value.array else {
            report(value.line, "commands are tables under [[commands]]")
            return []
        }
        var bindings: [(CommandTable.Binding, Int)] = []
        for item in list {
            guard let table = item.table else {
                report(item.line, "a command is a table under [[commands]]")
                continue
            }
            do throws(TOMLProblem) {
                let command = try UserCommand(table, line: item.line)
                guard !commands.contains(where: { $0.name == command.name }) else {
                    throw item.problem("duplicate command '\(command.name)'")
                }
                try check(command.steps, line: table["do"]?.line ?? item.line, known)
                commands.append(command)
                if let key = table["key"] {
                    bindings.append((CommandTable.Binding(command.definition.name, [key.text]), key.line))
                }
            } catch {
                report(error.line, error.message)
            }
        }
        return bindings
    }

    /// Checks the steps of a command. They must be commands of the dashboard, earlier commands that run a program, so
    /// that none calls itself, or changes of settings.
    private func check(_ steps: [String], line: Int, _ known: () -> Commands) throws(TOMLProblem) {
        guard !steps.isEmpty else { return }
        let all = known().table.adding(commands.filter(\.steps.isEmpty).map(\.definition))
        for step in steps where all[step] == nil {
            guard let (name, value) = UserCommand.assignment(step) else {
                throw TOMLProblem(line: line, message: all.unknown(step))
            }
            guard let definition = Settings.definition(name) else {
                throw TOMLProblem(line: line, message: "no such setting: '\(name)'")
            }
            guard definition.value(of: value) != nil else {
                throw TOMLProblem(line: line, message: "\(name) must be \(definition.domain), not '\(value)'")
            }
            if let problem = ProgramSetting.problem(of: value, for: definition.name) {
                throw TOMLProblem(line: line, message: "\(name): \(problem)")
            }
        }
    }

    /// Adds `[account.NAME]` with `password-command = ["pass", "show", "rss"]`.
    private mutating func takeAccounts(_ value: TOMLValue) {
        let message = "accounts are tables such as [account.home] with password-command = [\"pass\", \"show\", \"rss\"]"
        guard let accounts = value.table else { return report(value.line, message) }
        for name in accounts.keys {
            guard let account = accounts[name] else { continue }
            let words = account.table?["password-command"]?.array?.compactMap(\.string) ?? []
            guard let table = account.table, table.keys == ["password-command"], !words.isEmpty,
                words.count == table["password-command"]?.array?.count
            else {
                report(account.line, message)
                continue
            }
            passwordCommands[name] = words
        }
    }

    private mutating func takeKeys(
        _ table: TOMLTable, _ own: [(CommandTable.Binding, Int)], _ commands: Commands
    ) {
        var table = table
        if let value = table["digits"] {
            // A setting among the keys.
            table["digits"] = nil
            var own = TOMLTable(.implicit)
            own["digits"] = value
            takeSettings(own, prefix: "keys")
        }
        var preset = KeyMap()
        if let value = table["preset"] {
            table["preset"] = nil
            if let known = value.string.flatMap({ commands.presets[$0] }) {
                preset = known
            } else {
                let names = commands.presets.keys.sorted().joined(separator: ", ")
                report(value.line, "keys.preset must be one of \(names), not '\(value.text)'")
            }
        }
        var bindings = own.map(\.0)
        var lines = own.map(\.1)
        let all = commands.table.adding(self.commands.map(\.definition))
        collectKeys(table, prefix: "", isCommand: { all[$0] != nil }) { binding, line in
            bindings.append(binding)
            lines.append(line)
        }
        let (map, wrong) = all.keyMap(of: bindings, over: preset)
        keyMap = map
        for problem in wrong { report(lines[problem.index], problem.message) }
        for (binding, line) in zip(bindings, lines) {
            guard let definition = all[binding.name] else { continue }
            boundCommands.insert(definition.name)
            notices += all.lostKeys(of: definition, in: map).map { key in
                Problem(
                    path, line,
                    "'\(key.name)' no longer performs \(definition.name) (\(definition.title.string)); a list that begins with \"+\" adds keys"
                )
            }
        }
    }

    private mutating func collectKeys(
        _ table: TOMLTable, prefix: String, isCommand: (String) -> Bool,
        _ take: (CommandTable.Binding, Int) -> Void
    ) {
        for key in table.keys {
            guard let value = table[key] else { continue }
            let name = prefix + key
            if let inner = value.table {
                // Without quotes, a name with a dot is a nested table.
                collectKeys(inner, prefix: name + ".", isCommand: isCommand, take)
                continue
            }
            let words = value.string.map { [$0] } ?? value.array?.map(\.text)
            // An empty list removes the keys of a command.
            guard let words, !words.isEmpty || isCommand(name) else {
                report(value.line, "\(name) has no keys")
                continue
            }
            take(CommandTable.Binding(name, words), value.line)
        }
    }

    private mutating func takeSettings(_ table: TOMLTable, prefix: String) {
        for key in table.keys {
            guard let value = table[key] else { continue }
            let name = prefix.isEmpty ? key : "\(prefix).\(key)"
            if ["keys", "commands", "rules", "account"].contains(name) { continue }
            if let inner = value.table {
                takeSettings(inner, prefix: name)
                continue
            }
            if name.hasSuffix(".keys.preset") {
                report(value.line, "keys.preset belongs above the first table, or under [keys] as preset")
                continue
            }
            guard let definition = Settings.definition(name) else {
                let meant = NearName.nearest(to: name, in: Settings.definitions.map(\.name))
                let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
                report(value.line, "no such setting: '\(name)'\(hint)")
                continue
            }
            let text = ConfigurationFile.text(of: value, for: definition)
            guard let meant = text.flatMap(definition.value), isMade(meant, definition) else {
                report(value.line, "\(name) must be \(definition.domain), not '\(text ?? value.text)'")
                continue
            }
            if let problem = ProgramSetting.problem(of: meant, for: definition.name) {
                report(value.line, "\(name): \(problem)")
                continue
            }
            settings[definition.name] = meant
            lines[definition.name] = value.line
        }
    }

    /// Returns a setting's value as text. Only programs and places can be lists, whose words become one line.
    private static func text(of value: TOMLValue, for definition: SettingDefinition) -> String? {
        switch (value.kind, definition.kind) {
        case (.boolean(let isOn), _): return isOn ? "on" : "off"
        case (.array(let values), .program), (.array(let values), .places):
            let words = values.compactMap(\.string)
            guard words.count == values.count, words.first?.isEmpty == false else { return nil }
            return CommandWords.joined(words)
        case (.array, _): return nil
        default: return value.text
        }
    }

    /// Whether a name that the program doesn't define was defined by the user.
    private func isMade(_ value: String, _ definition: SettingDefinition) -> Bool {
        guard case .named(let names) = definition.kind, !names.contains(value) else { return true }
        return ThemeFile.names(folder: ThemeFile.folder(besideConfiguration: path)).contains(value)
    }

    /// A file with all defaults.
    package static var defaults: String {
        var lines = tables(of: Settings.definitions) { definition in
            ["# \(definition.explanation) Can be \(definition.domain).", line(definition, definition.defaultValue)]
        }
        lines += [
            "", "# What is done with entries as they arrive: \(Rule.Action.known).", "# [[rules]]",
            "# name = \"no short films\"", "# when = \"link:youtube.com/shorts\"", "# then = [\"mark read\"]",
        ]
        return lines.joined(separator: "\n")
    }

    /// Returns settings in their tables, in the order of their definitions. Those without a table come first.
    static func tables(of definitions: [SettingDefinition], _ write: (SettingDefinition) -> [String]) -> [String] {
        // A name without a point belongs above the first table.
        func table(of definition: SettingDefinition) -> String {
            definition.name.contains(".") ? String(definition.name.prefix { $0 != "." }) : ""
        }
        let tables = Dictionary(grouping: definitions, by: table)
        var names = [""]
        for definition in definitions where !names.contains(table(of: definition)) {
            names.append(table(of: definition))
        }
        let parts = names.compactMap { name in
            tables[name].map { (name.isEmpty ? [] : ["[\(name)]"]) + $0.flatMap(write) }
        }
        return Array(parts.joined(separator: [""]))
    }

    static func line(_ definition: SettingDefinition, _ value: String) -> String {
        let name = definition.name.contains(".") ? definition.name.drop { $0 != "." }.dropFirst() : definition.name[...]
        return "\(name) = \(toml(definition, value))"
    }

    static func toml(_ definition: SettingDefinition, _ value: String) -> String {
        switch definition.kind {
        case .number: value
        case .toggle: value == "on" ? "true" : "false"
        case .places: "[" + CommandWords.split(value).map(RuleFile.quoted).joined(separator: ", ") + "]"
        case .choice, .named, .text, .program, .hours: RuleFile.quoted(value)
        }
    }
}
