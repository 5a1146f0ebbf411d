import TerminalUI

/// The keys that the user has bound on the Keys page, as the setting stores them: `command=key`, separated by two
/// spaces. A command without a key has lost all.
package struct OwnKeys: Equatable {
    package private(set) var keys: [String: [KeySequence]] = [:]

    package init() {}

    /// Reads the setting. What can't be read is ignored.
    package init(_ text: String) {
        for item in text.split(separator: "  ") {
            guard let sign = item.firstIndex(of: "="), sign > item.startIndex else { continue }
            let key = KeySequence(String(item[item.index(after: sign)...]))
            keys[String(item[..<sign]), default: []] += key.map { [$0] } ?? []
        }
    }

    /// The value of the setting.
    package var text: String {
        guard !keys.isEmpty else { return OwnKeys.none }
        return keys.sorted { $0.key < $1.key }.flatMap { name, keys in
            keys.isEmpty ? ["\(name)="] : keys.map { "\(name)=\($0.name)" }
        }.joined(separator: "  ")
    }

    /// The value for no keys.
    package static let none = "none"

    /// Returns the keys over those of the configuration.
    func applied(over configured: KeyMap) -> KeyMap {
        var map = configured
        for (name, keys) in keys { map.bindings[name] = keys }
        return map
    }

    /// Binds a key to a command, as the first of its keys. Commands that have it in the same place lose it.
    package mutating func bind(_ key: KeySequence, to command: CommandDefinition, _ table: CommandTable, in map: KeyMap)
    {
        keys[command.name] = [key].union(map.keys(for: command))
        for clash in table.clashes(of: command, key, in: map) {
            let rest = (keys[clash.other.name] ?? map.keys(for: clash.other)).filter { $0 != clash.otherKey }
            keys[clash.other.name] = rest
        }
    }

    /// Removes a key from a command.
    package mutating func remove(_ key: KeySequence, from command: CommandDefinition, in map: KeyMap) {
        keys[command.name] = map.keys(for: command).filter { $0 != key }
    }

    /// Restores the keys of a command that it has without the page.
    package mutating func reset(_ name: String) { keys[name] = nil }
}
