import TerminalUI

/// The imported keys beside those that commands have.
extension NewsboatConfiguration {
    /// Resolves conflicts of keys in the order of lines: the user's own keys and earlier lines take precedence. An
    /// imported key is added to those of its command. Only a key that another command has moves, and that command gets
    /// a free one if it has no other.
    mutating func settleKeys(besides file: ConfigurationFile, for known: ConfigurationFile.Commands) {
        let table = known.table.adding(
            file.commands.map(\.definition) + commands.map { UserCommand.definition(named: $0.name) })
        var settled = ImportedKeys(table, file, wanted: keys.map(\.key) + commands.compactMap(\.key))
        keys = keys.filter { claim($0, in: &settled) }
        for index in commands.indices {
            guard let key = commands[index].key else { continue }
            let name = "user.\(commands[index].name)"
            let wanted = WantedKey(command: name, key: key, line: commands[index].line)
            if !claim(wanted, in: &settled) { commands[index].key = nil }
        }
        // A command's own key is in its table.
        let own = Dictionary(commands.map { ("user.\($0.name)", $0.key) }) { first, _ in first }
        boundKeys = settled.lines(without: own.compactMapValues { $0 })
    }

    private mutating func claim(_ wanted: WantedKey, in settled: inout ImportedKeys) -> Bool {
        do throws(ImportedKeys.Refusal) {
            changed += try settled.claim(wanted.key, for: wanted.command).map { "\(wanted.line): \($0)" }
            return true
        } catch {
            left.append("\(wanted.line): \(error.reason)")
            return false
        }
    }
}

/// The keys of all commands while imported keys are added.
private struct ImportedKeys {
    struct Refusal: Error {
        var reason: String
    }

    private let table: CommandTable
    private let file: ConfigurationFile
    /// The keys of all lines, which no command gets in place of a lost one.
    private let wanted: [KeySequence]
    private var map: KeyMap
    /// The imported keys of each command, including those that it had already.
    private var claimed: [String: [KeySequence]] = [:]
    /// The commands with new keys in the order of lines, then those that lost some.
    private var added: [String] = []
    private var reduced: Set<String> = []

    init(_ table: CommandTable, _ file: ConfigurationFile, wanted: [String]) {
        self.table = table
        self.file = file
        self.wanted = wanted.compactMap { KeySequence($0) }
        map = file.keyMap
    }

    /// Adds a key to a command.
    ///
    /// - Returns: The consequences for other commands.
    mutating func claim(_ name: String, for command: String) throws(Refusal) -> [String] {
        guard let definition = table[command] else { throw Refusal(reason: "no such command: '\(command)'") }
        guard !file.boundCommands.contains(definition.name) else {
            throw Refusal(reason: "the configuration already binds \(definition.name)")
        }
        let key: KeySequence
        do { key = try KeySequence.read(name) } catch { throw Refusal(reason: error.description) }
        let clashes = table.clashes(of: definition, key, in: map)
        let hidden = table.hidden(by: definition, key, in: map)
        let hasAlready = map.keys(for: definition).contains(key)
        if !hasAlready || !clashes.isEmpty {
            try check(clashes)
            // Where an inner command needs the key, an outer one doesn't get it.
            if definition.place != CommandTable.everywhere { try check(hidden) }
        }
        claimed[definition.name, default: []].append(key)
        if !hasAlready { add(key, to: definition) }
        var consequences = clashes.map { lose($0.otherKey, of: $0.other) }
        for clash in hidden where !isKept(clash) && !(hasAlready && clash.key == clash.otherKey) {
            consequences +=
                definition.place == CommandTable.everywhere
                ? [lose(clash.otherKey, of: clash.other)] : unhide(clash, in: definition.place)
        }
        return consequences
    }

    private func check(_ clashes: [CommandTable.Clash]) throws(Refusal) {
        for clash in clashes {
            if isKept(clash) { throw Refusal(reason: clash.message) }
            if clash.otherKey.isEssential {
                throw Refusal(
                    reason: "'\(clash.otherKey.name)' stays with \(clash.other.name) (\(clash.other.title.string))")
            }
        }
    }

    /// Whether the other command keeps its key: the user's own, one of an earlier line, or one that everybody expects.
    private func isKept(_ clash: CommandTable.Clash) -> Bool {
        file.boundCommands.contains(clash.other.name)
            || claimed[clash.other.name]?.contains(clash.otherKey) == true
            || clash.command.place == CommandTable.everywhere && clash.otherKey.isEssential
    }

    private mutating func add(_ key: KeySequence, to definition: CommandDefinition) {
        map.bindings[definition.name] = map.keys(for: definition).union([key])
        if !added.contains(definition.name) { added.append(definition.name) }
    }

    /// Removes a key of a command, which gets another if it has none left.
    private mutating func lose(_ key: KeySequence, of other: CommandDefinition) -> String {
        let rest = map.keys(for: other).filter { $0 != key }
        map.bindings[other.name] = rest
        reduced.insert(other.name)
        let lost = "\(other.name) loses the key '\(key.name)'"
        guard rest.isEmpty else { return lost }
        guard let free = freeKey(for: other, insteadOf: key) else { return lost + " and has no other" }
        map.bindings[other.name] = [free]
        return lost + " and gets '\(free.name)'"
    }

    /// Gives a command that works everywhere another key if all of its keys mean something else in a place.
    private mutating func unhide(_ clash: CommandTable.Clash, in place: DisplayText) -> [String] {
        let imported = claimed.filter { table[$0.key]?.place != CommandTable.everywhere }.values.joined()
        let keys = map.keys(for: clash.other)
        guard keys.allSatisfy({ own in imported.contains { $0.isBlocked(by: own) } }),
            let free = freeKey(for: clash.other, insteadOf: clash.otherKey)
        else { return [] }
        add(free, to: clash.other)
        let title = clash.other.title.string
        return [
            "'\(clash.otherKey.name)' is no longer \(clash.other.name) (\(title)) in \(place), which gets '\(free.name)'"
        ]
    }

    /// Returns a key that no command has: the other case of the lost one, or one after Ctrl-X.
    private func freeKey(for other: CommandDefinition, insteadOf lost: KeySequence) -> KeySequence? {
        var letter: String?
        if case .character(let character)? = lost.presses.last?.key { letter = String(character) }
        let swapped = letter.map { $0 == $0.lowercased() ? $0.uppercased() : $0.lowercased() }
        let letters = [letter, swapped].compactMap { $0 } + "abcdefghijklmnopqrstuvwxyz".map { String($0) }
        let candidates = [swapped].compactMap { $0 } + letters.map { "ctrl-x \($0)" }
        let taken = table.commands.flatMap { map.keys(for: $0) } + wanted
        return candidates.lazy.compactMap { KeySequence($0) }.first { key in
            key != lost && !taken.contains(where: key.isBlocked)
        }
    }

    /// Returns the bindings of commands whose keys differ from those that they had.
    ///
    /// - Parameter own: The key in each command's own table.
    func lines(without own: [String: String]) -> [(command: String, keys: [String])] {
        let names = added + reduced.subtracting(added).sorted()
        return names.compactMap { name in
            guard let definition = table[name], let all = map.bindings[name] else { return nil }
            guard !reduced.contains(name) else {
                // A list that begins with + adds keys.
                let keys = all.first?.name == "+" ? Array(all.dropFirst()) + all.prefix(1) : all
                return (name, keys.map(\.name))
            }
            let before = file.keyMap.keys(for: definition).map(\.name) + [own[name]].compactMap { $0 }
            let keys = all.map(\.name).filter { !before.contains($0) }
            return keys.isEmpty ? nil : (name, ["+"] + keys)
        }
    }
}
