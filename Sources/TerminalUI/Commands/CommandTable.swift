/// All commands of a program, and which of its places lie inside others: what keys can be bound to.
public struct CommandTable: Sendable {
    /// The definitions.
    public let commands: [CommandDefinition]
    /// The places whose keys are asked first, by the place around them: those of lists before those of entries.
    private let inner: [DisplayText: Set<DisplayText>]
    private let byName: [String: CommandDefinition]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - commands: The definitions; a name that stands in two of them is a mistake in the program.
    ///   - inner: For each place those that lie inside it.
    public init(_ commands: [CommandDefinition], inner: [DisplayText: Set<DisplayText>] = [:]) {
        self.commands = commands
        self.inner = inner
        byName = Dictionary(commands.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The table with further commands, such as a user's own.
    public func adding(_ more: [CommandDefinition]) -> CommandTable { CommandTable(commands + more, inner: inner) }

    /// The places in which commands work, in the order of the table; those of what lies over the rest tell their keys
    /// themselves.
    public var places: [DisplayText] {
        let own: Set<DisplayText> = ["questions", "menus", "the palette", "the help", "popovers"]
        var places: [DisplayText] = []
        for command in commands where !own.contains(command.place) && !places.contains(command.place) {
            places.append(command.place)
        }
        return places
    }

    /// The command of a name.
    public subscript(name: String) -> CommandDefinition? { byName[name] }

    /// A command for which keys are asked.
    public struct Binding: Sendable {
        /// The command's name.
        public var name: String
        /// The keys as their user wrote them.
        public var keys: [String]

        /// Makes a binding.
        public init(_ name: String, _ keys: [String]) {
            self.name = name
            self.keys = keys
        }
    }

    /// Takes over the bindings that can hold.
    ///
    /// - Parameters:
    ///   - bindings: What the user asks for.
    ///   - preset: What holds where the user asks for nothing.
    /// - Returns: The map, and for each binding that cannot hold its place among them with a sentence that says why.
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
                map.bindings[binding.name] = try binding.keys.map(KeySequence.read)
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

    /// A key that can't hold beside the key of another command.
    package struct Clash: Sendable {
        /// The command whose key was asked about.
        package let command: CommandDefinition
        /// Its key.
        package let key: KeySequence
        /// The command that has the key, or one that begins or continues it.
        package let other: CommandDefinition
        /// The key of that command.
        package let otherKey: KeySequence

        /// The sentence for the user.
        package var message: String {
            let how = key == otherKey ? "is" : "is a prefix or an extension of the key of"
            return "'\(key.name)' for \(command.name) \(how) \(other.name) in \(other.place)"
        }
    }

    /// The keys of a command that can't hold beside those of the others.
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

    /// Whether one of two commands would take the other's key from it.
    private func meet(_ one: CommandDefinition, _ other: CommandDefinition) -> Bool {
        if one.place == other.place { return !one.traits.union(other.traits).contains(.givesWay) }
        if inner[one.place]?.contains(other.place) == true { return !other.traits.contains(.givesWay) }
        if inner[other.place]?.contains(one.place) == true { return !one.traits.contains(.givesWay) }
        return false
    }

    /// The sentence about a name that no command has, with the one that was meant.
    package func unknown(_ name: String) -> String {
        let nearest = commands.map { (name: $0.name, distance: $0.name.editDistance(to: name)) }.min {
            $0.distance < $1.distance
        }
        let isNear = nearest.map { $0.distance <= max(2, name.count / 3) } ?? false
        return "no such command: '\(name)'" + (isNear ? "; did you mean '\(nearest?.name ?? "")'?" : "")
    }
}

extension String {
    /// Characters to insert, delete or replace to get from one to the other (Levenshtein).
    fileprivate func editDistance(to other: String) -> Int {
        let target = Array(other)
        var row = Array(0...target.count)
        for (index, character) in enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, candidate) in target.enumerated() {
                let replaced = diagonal + (character == candidate ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[target.count]
    }
}
