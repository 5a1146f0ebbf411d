import TerminalText

/// All commands of a program, and the nesting of the places where they work, to validate key bindings.
public struct CommandTable: Sendable {
    /// The definitions.
    public let commands: [CommandDefinition]
    /// The places inside each place, whose keys take precedence: those of lists before those of entries.
    private let inner: [DisplayText: Set<DisplayText>]
    private let byName: [String: CommandDefinition]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - commands: The definitions. Two with the same name are an error in the program.
    ///   - inner: The places inside each place.
    public init(_ commands: [CommandDefinition], inner: [DisplayText: Set<DisplayText>] = [:]) {
        self.commands = commands
        self.inner = inner
        byName = Dictionary(commands.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the table with additional commands, such as those of the user.
    public func adding(_ more: [CommandDefinition]) -> CommandTable {
        CommandTable(commands + more, inner: inner)
    }

    /// The places where commands work, in the order of the table.
    public var places: [DisplayText] {
        let own: Set<DisplayText> = ["questions", "menus", "the palette", "the help", "popovers"]
        var found: Set<DisplayText> = []
        return commands.map(\.place).filter { !own.contains($0) && found.insert($0).inserted }
    }

    /// The command with a name.
    public subscript(name: String) -> CommandDefinition? { byName[name] }

    /// A key binding of the user.
    public struct Binding: Sendable {
        /// The identifier of the command.
        public var name: String
        /// The keys as the user wrote them.
        public var keys: [String]

        /// Creates a binding.
        public init(_ name: String, _ keys: [String]) {
            self.name = name
            self.keys = keys
        }

        /// The keys after a `+`, which are added to those that the command has, or `nil` if all are replaced.
        var addedKeys: [String]? { keys.count > 1 && keys[0] == "+" ? Array(keys.dropFirst()) : nil }
    }

    /// Returns a key map of the valid bindings.
    ///
    /// - Parameters:
    ///   - bindings: The user's bindings.
    ///   - preset: The bindings for all other commands.
    /// - Returns: The map, and the index of each invalid binding with the reason. Keys of the preset give way to the
    ///   user's.
    public func keyMap(of bindings: [Binding], over preset: KeyMap = KeyMap()) -> (
        map: KeyMap, problems: [(index: Int, message: String)]
    ) {
        var map = preset
        var problems: [(index: Int, message: String)] = []
        var taken: [(index: Int, definition: CommandDefinition)] = []
        var added: [String: [KeySequence]] = [:]
        for (index, binding) in bindings.enumerated() {
            guard let definition = self[binding.name] else {
                problems.append((index, unknown(binding.name)))
                continue
            }
            do throws(KeySequence.Problem) {
                let keys = try (binding.addedKeys ?? binding.keys).map(KeySequence.read)
                let isAdded = binding.addedKeys != nil
                if isAdded { added[definition.name] = keys }
                map.bindings[definition.name] = isAdded ? map.keys(for: definition).union(keys) : keys
                taken.append((index, definition))
            } catch {
                problems.append((index, "\(error.description) (for \(binding.name))"))
            }
        }
        for (index, definition) in taken {
            let clashes = clashes(of: definition, in: map)
            let users = Set(taken.map(\.definition.name))
            for clash in clashes where !users.contains(clash.other.name) && preset.bindings[clash.other.name] != nil {
                let rest = map.keys(for: clash.other).filter { $0 != clash.otherKey }
                let defaults = clash.other.keys.filter { self.clashes(of: clash.other, $0, in: map).isEmpty }
                map.bindings[clash.other.name] = rest.isEmpty ? defaults : rest
            }
            guard let clash = self.clashes(of: definition, in: map).first else { continue }
            map.bindings[definition.name] =
                added[definition.name].map { new in map.keys(for: definition).filter { !new.contains($0) } }
                ?? preset.bindings[definition.name]
            problems.append((index, clash.message))
        }
        putReachableFirst(in: &map, taken.map(\.definition))
        return (map, problems.sorted { $0.index < $1.index })
    }

    /// Of several keys for a command that works everywhere, puts those first that no key that the user gave to another
    /// command hides in some place, since hints show the first.
    private func putReachableFirst(in map: inout KeyMap, _ bound: [CommandDefinition]) {
        let places = Set(places)
        let inner = bound.filter { command in
            command.place != CommandTable.everywhere && places.contains(command.place)
                && command.traits.isDisjoint(with: [.givesWay, .needsNoContent])
        }
        let hiding = Set(inner.flatMap { command in map.keys(for: command).filter { !command.keys.contains($0) } })
        guard !hiding.isEmpty else { return }
        for command in commands where command.place == CommandTable.everywhere {
            let keys = map.keys(for: command)
            guard let first = keys.first, hiding.contains(first) else { continue }
            let reachable = keys.filter { !hiding.contains($0) }
            if !reachable.isEmpty { map.bindings[command.name] = reachable.union(keys) }
        }
    }

    /// The place of commands that are available everywhere.
    package static let everywhere: DisplayText = "everywhere"

    /// Returns the essential keys that the user's bindings take from a command, unless another command with the same
    /// title has them there.
    package func lostKeys(of definition: CommandDefinition, in map: KeyMap) -> [KeySequence] {
        guard let bound = map.bindings[definition.name] else { return [] }
        return definition.keys.filter { key in
            key.isEssential && !bound.contains(key)
                && !commands.contains { other in
                    other.name != definition.name && other.title == definition.title && meet(other, definition)
                        && map.keys(for: other).contains(key)
                }
        }
    }

    /// A key that conflicts with another command.
    package struct Clash: Sendable {
        /// The command of the checked key.
        package let command: CommandDefinition
        /// The key.
        package let key: KeySequence
        /// The command with the same key, or a key that begins or continues it.
        package let other: CommandDefinition
        /// The key of the other command.
        package let otherKey: KeySequence

        /// The message for the user.
        package var message: String {
            let how = key == otherKey ? "is" : "is a prefix or an extension of the key of"
            return "'\(key.name)' for \(command.name) \(how) \(other.name) in \(other.place)"
        }
    }

    /// Returns the keys of a command that conflict with other commands.
    package func clashes(of definition: CommandDefinition, in map: KeyMap) -> [Clash] {
        map.keys(for: definition).flatMap { clashes(of: definition, $0, in: map) }
    }

    /// Returns the conflicts of one key of a command with other commands.
    package func clashes(of definition: CommandDefinition, _ key: KeySequence, in map: KeyMap) -> [Clash] {
        clashes(of: definition, key, in: map) { meet(definition, $0) }
    }

    /// Returns the conflicts between a command in one of the program's places and those that are available everywhere,
    /// of which the keys in the place take precedence.
    package func hidden(by definition: CommandDefinition, _ key: KeySequence, in map: KeyMap) -> [Clash] {
        let places = Set(places)
        return clashes(of: definition, key, in: map) { other in
            guard !other.traits.contains(.givesWay), !definition.traits.contains(.givesWay) else { return false }
            let (inner, outer) =
                definition.place == CommandTable.everywhere ? (other, definition) : (definition, other)
            return outer.place == CommandTable.everywhere && inner.place != CommandTable.everywhere
                && places.contains(inner.place) && !inner.traits.contains(.needsNoContent) && inner.title != "Close"
        }
    }

    private func clashes(
        of definition: CommandDefinition, _ key: KeySequence, in map: KeyMap,
        with isRelevant: (CommandDefinition) -> Bool
    ) -> [Clash] {
        // Commands with the same title do the same, so it doesn't matter which one performs.
        commands.filter { $0.name != definition.name && $0.title != definition.title && isRelevant($0) }.flatMap {
            other in
            map.keys(for: other).filter(key.isBlocked).map { otherKey in
                Clash(command: definition, key: key, other: other, otherKey: otherKey)
            }
        }
    }

    /// Whether two commands are available at the same time, so that their keys can conflict.
    private func meet(_ one: CommandDefinition, _ other: CommandDefinition) -> Bool {
        if one.place == other.place { return !one.traits.union(other.traits).contains(.givesWay) }
        if inner[one.place]?.contains(other.place) == true { return !other.traits.contains(.givesWay) }
        if inner[other.place]?.contains(one.place) == true { return !one.traits.contains(.givesWay) }
        return false
    }

    /// Returns the message about an unknown identifier, with the most similar one.
    package func unknown(_ name: String) -> String {
        let nearest = commands.map { (name: $0.name, distance: $0.name.editDistance(to: name)) }.min {
            $0.distance < $1.distance
        }
        let isNear = nearest.map { $0.distance <= max(2, name.count / 3) } ?? false
        return "no such command: '\(name)'" + (isNear ? "; did you mean '\(nearest?.name ?? "")'?" : "")
    }
}

extension [KeySequence] {
    /// Returns the keys, then those of others that are not among them.
    package func union(_ others: [KeySequence]) -> [KeySequence] {
        others.reduce(into: self) { if !$0.contains($1) { $0.append($1) } }
    }
}
