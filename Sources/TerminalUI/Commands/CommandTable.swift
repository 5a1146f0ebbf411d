import TerminalText

/// All commands of a program, and the nesting of the places where they work, to validate key bindings.
public struct CommandTable: Sendable {
    /// The definitions.
    public let commands: [CommandDefinition]
    /// The places inside each place, whose keys take precedence: those of lists before those of entries.
    private let inner: [DisplayText: Set<DisplayText>]
    /// The current names of renamed commands by their previous names, which are still accepted.
    private let previousNames: [String: String]
    private let byName: [String: CommandDefinition]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - commands: The definitions. Two with the same name are an error in the program.
    ///   - inner: The places inside each place.
    ///   - previousNames: The current names of renamed commands by their previous names.
    public init(
        _ commands: [CommandDefinition], inner: [DisplayText: Set<DisplayText>] = [:],
        previousNames: [String: String] = [:]
    ) {
        self.commands = commands
        self.inner = inner
        self.previousNames = previousNames
        byName = Dictionary(commands.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the table with additional commands, such as those of the user.
    public func adding(_ more: [CommandDefinition]) -> CommandTable {
        CommandTable(commands + more, inner: inner, previousNames: previousNames)
    }

    /// The places where commands work, in the order of the table.
    public var places: [DisplayText] {
        let own: Set<DisplayText> = ["questions", "menus", "the palette", "the help", "popovers"]
        var places: [DisplayText] = []
        for command in commands where !own.contains(command.place) && !places.contains(command.place) {
            places.append(command.place)
        }
        return places
    }

    /// The command with a name or a previous name.
    public subscript(name: String) -> CommandDefinition? { byName[name] ?? previousNames[name].flatMap { byName[$0] } }

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
    }

    /// Returns a key map of the valid bindings.
    ///
    /// - Parameters:
    ///   - bindings: The user's bindings.
    ///   - preset: The bindings for all other commands.
    /// - Returns: The map, and the index of each invalid binding with the reason.
    public func keyMap(of bindings: [Binding], over preset: KeyMap = KeyMap()) -> (
        map: KeyMap, problems: [(index: Int, message: String)]
    ) {
        var map = preset
        var problems: [(index: Int, message: String)] = []
        var taken: [(index: Int, definition: CommandDefinition)] = []
        for (index, binding) in bindings.enumerated() {
            guard let definition = self[binding.name] else {
                problems.append((index, unknown(binding.name)))
                continue
            }
            do throws(KeySequence.Problem) {
                map.bindings[definition.name] = try binding.keys.map(KeySequence.read)
                taken.append((index, definition))
            } catch {
                problems.append((index, "\(error.description) (for \(binding.name))"))
            }
        }
        for (index, definition) in taken {
            guard let clash = clashes(of: definition, in: map).first else { continue }
            map.bindings[definition.name] = preset.bindings[definition.name]
            problems.append((index, clash.message))
        }
        return (map, problems.sorted { $0.index < $1.index })
    }

    /// A key that conflicts with another command.
    package struct Clash: Sendable {
        /// The command of the checked key.
        let command: CommandDefinition
        /// The key.
        let key: KeySequence
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
        var clashes: [Clash] = []
        for key in map.keys(for: definition) {
            for other in commands where other.name != definition.name && meet(definition, other) {
                for otherKey in map.keys(for: other)
                where key.presses.starts(with: otherKey.presses) || otherKey.presses.starts(with: key.presses) {
                    clashes.append(Clash(command: definition, key: key, other: other, otherKey: otherKey))
                }
            }
        }
        return clashes
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
