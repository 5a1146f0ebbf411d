import FeedParsing
import Fetching
import ModelCore
import TerminalUI

/// The converted configuration as TOML, reduced to what can be loaded together with the existing configuration.
extension NewsboatConfiguration {
    /// Returns settings, keys and commands in TOML, or an empty text if there are none.
    ///
    /// - Parameter withTheme: Whether the theme exists that the settings would name.
    package func text(withTheme: Bool) -> String { compose(withTheme: withTheme).text }

    /// Removes and reports what conflicts with existing commands, names or values.
    mutating func settle(besides file: ConfigurationFile, for known: ConfigurationFile.Commands) {
        for (name, line) in settingLines.sorted(by: { $0.key < $1.key }) where file.settings[name] != nil {
            drop(.setting(name), "the configuration already sets \(name)", line)
        }
        if file.settings["appearance.theme"] == nil, theme != nil { settings["appearance.theme"] = "\"newsboat\"" }
        nameCommands(besides: file)
        settleKeys(besides: file, for: known)
        dropWhatCannotBeLoaded(for: known)
        nameRules(besides: file)
        report()
    }

    /// Gives each command a unique name.
    private mutating func nameCommands(besides file: ConfigurationFile) {
        var names = Set(file.commands.map(\.name))
        for index in commands.indices {
            let name = String(commands[index].name.prefix(34))
            var candidate = name
            var number = 2
            while !names.insert(candidate).inserted {
                candidate = "\(name) \(number)"
                number += 1
            }
            // The steps of the same line name it.
            let (before, after) = ("\"user.\(commands[index].name)\"", "\"user.\(candidate)\"")
            for other in commands.indices where before != after && commands[other].line == commands[index].line {
                commands[other].body = commands[other].body.replacing(before, with: after)
            }
            commands[index].name = candidate
        }
    }

    private mutating func nameRules(besides file: ConfigurationFile) {
        var names = Set(file.rules.map(\.name))
        rules = rules.compactMap { rule in
            var rule = rule
            let name = rule.name
            var number = 2
            while !names.insert(rule.name).inserted {
                rule.name = "\(name) (\(number))"
                number += 1
            }
            let read = ConfigurationFile.parse(
                RuleFile.text(of: rule), path: "", for: ConfigurationFile.Commands(CommandTable([])))
            if let problem = read.problems.first {
                changed.removeAll { $0.contains("the rule '\(name)',") }
                left.append("the rule '\(name)': \(problem.message)")
                return nil
            }
            return rule
        }
    }

    // MARK: Loading

    /// The origin of a line of the text.
    private enum Owner: Hashable {
        case setting(String)
        case key(String)
        case command(Int)
        case commandKey(Int)
    }

    /// Loads the text as it would be written, and drops parts with errors until there are none.
    private mutating func dropWhatCannotBeLoaded(for known: ConfigurationFile.Commands) {
        while true {
            let (text, owners) = compose(withTheme: false)
            let problems = ConfigurationFile.parse(Array(text.utf8), path: "", for: known).problems
            guard !problems.isEmpty else { return }
            var dropped: Set<Owner> = []
            for problem in problems {
                guard let owner = problem.line.flatMap({ owners[$0] }) else { continue }
                if dropped.insert(owner).inserted { drop(owner, problem.message, line(of: owner)) }
            }
            // An error without an origin affects the whole document, so nothing can be loaded.
            if dropped.isEmpty {
                left.append(contentsOf: problems.map(\.message))
                (settings, settingLines, keys, commands, boundKeys) = ([:], [:], [], [], [])
            }
        }
    }

    private func line(of owner: Owner) -> String {
        switch owner {
        case .setting(let name): settingLines[name] ?? name
        case .key(let name): keys.first { $0.command == name }?.line ?? name
        case .command(let index), .commandKey(let index): commands[index].line
        }
    }

    private mutating func drop(_ owner: Owner, _ reason: String, _ line: String) {
        left.append("\(line): \(reason)")
        switch owner {
        case .setting(let name):
            settings[name] = nil
            settingLines[name] = nil
        case .key(let name):
            keys.removeAll { $0.command == name }
            boundKeys.removeAll { $0.command == name }
        case .commandKey(let index): commands[index].key = nil
        // Its entry stays, so that indexes of others don't change.
        case .command(let index): commands[index].body = ""
        }
    }

    /// Reports what remains.
    private mutating func report() {
        commands.removeAll { $0.body.isEmpty }
        let lines = settingLines.sorted { $0.key < $1.key }
        came += lines.filter { rewritten[$0.key] == nil }.map(\.value)
        changed += lines.compactMap { name, line in
            rewritten[name].map { words in
                let safe = ImportedText.shown(message: words)
                return !ProgramSetting.allCases.contains { $0.key.name == name }
                    ? "\(line): \(safe)"
                    : "\(line): rewritten, so that no shell reads the link as commands: \(name) = \(safe)"
            }
        }
        came += keys.map { "\($0.line): \($0.command)" }
        changed += commands.map { command in
            let isRewritten = command.body.contains(CommandVariable.prefix)
            let reason = isRewritten ? "rewritten, so that no shell reads the link or title as commands: " : ""
            return "\(command.line): \(reason)the command '\(command.name)'" + (command.key.map { " (\($0))" } ?? "")
        }
    }

    private func compose(withTheme: Bool) -> (text: String, owners: [Int: Owner]) {
        var lines: [String] = []
        var owners: [Int: Owner] = [:]
        func add(_ line: String, _ owner: Owner? = nil) {
            lines.append(line)
            owners[lines.count] = owner
        }
        func section(_ name: String) {
            if !lines.isEmpty { add("") }
            add(name)
        }
        let own = settings.filter { withTheme || $0.key != "appearance.theme" }
        let sections = Dictionary(grouping: own.keys.sorted()) { $0.prefix { $0 != "." } }
        for name in sections.keys.sorted() {
            section("[\(name)]")
            for setting in sections[name] ?? [] {
                add("\(setting.dropFirst(name.count + 1)) = \(own[setting] ?? "")", .setting(setting))
            }
        }
        if !boundKeys.isEmpty { section("[keys]") }
        for binding in boundKeys {
            let keys = binding.keys.map(NewsboatConfiguration.quoted).joined(separator: ", ")
            add("\(NewsboatConfiguration.quoted(binding.command)) = [\(keys)]", .key(binding.command))
        }
        for (index, command) in commands.enumerated() where !command.body.isEmpty {
            if !lines.isEmpty { add("") }
            add("[[commands]]", .command(index))
            add("name = \(NewsboatConfiguration.quoted(command.name))", .command(index))
            if let key = command.key { add("key = \(NewsboatConfiguration.quoted(key))", .commandKey(index)) }
            for line in command.body.split(separator: "\n") { add(String(line), .command(index)) }
        }
        return (lines.map { $0 + "\n" }.joined(), owners)
    }
}
