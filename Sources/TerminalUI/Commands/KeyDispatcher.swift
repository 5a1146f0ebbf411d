/// Finds the command for a key, or a sequence of keys, along a chain of responders.
@MainActor
struct KeyDispatcher {
    /// The keys of an incomplete sequence.
    private(set) var pending: [KeyPress] = []

    enum Outcome {
        case performed
        case waiting
        case unused
        /// A sequence without a command, of which no key is a command either.
        case unknownSequence(KeySequence)
    }

    /// Offers a key to each responder of the chain, innermost first: as a raw key, then to its commands.
    mutating func dispatch(_ press: KeyPress, to chain: [Responder], keyMap: KeyMap) -> Outcome {
        if pending.isEmpty {
            for responder in chain {
                if responder.handle(press) { return .performed }
                if let outcome = find([press], in: [responder], keyMap: keyMap) { return outcome }
            }
            return .unused
        }
        let sequence = pending + [press]
        pending = []
        return find(sequence, in: chain, keyMap: keyMap) ?? .unknownSequence(KeySequence(sequence))
    }

    /// Returns the keys that may follow the pending ones, with their commands.
    func continuations(in chain: [Responder], keyMap: KeyMap) -> [(keys: DisplayText, title: DisplayText)] {
        var rows: [(keys: DisplayText, title: DisplayText)] = []
        for command in chain.flatMap(\.commands) {
            for keys in keyMap.keys(for: command.definition)
            where keys.presses.count > pending.count && keys.presses.starts(with: pending) && command.isEnabled {
                let rest = KeySequence(Array(keys.presses[pending.count...]))
                let label = keyMap.label(of: rest)
                if !rows.contains(where: { $0.keys == label }) { rows.append((label, command.title)) }
            }
        }
        return rows
    }

    /// Returns the reason why the command of a key is disabled, or `nil` if no command has the key.
    func obstacle(to keys: KeySequence, in chain: [Responder], keyMap: KeyMap) -> DisplayText? {
        for command in chain.lazy.flatMap(\.commands) where keyMap.keys(for: command.definition).contains(keys) {
            if let obstacle = command.obstacle { return obstacle }
        }
        return nil
    }

    mutating func reset() { pending = [] }

    private mutating func find(_ sequence: [KeyPress], in chain: [Responder], keyMap: KeyMap) -> Outcome? {
        for responder in chain {
            let commands = responder.commands
            for command in commands {
                if keyMap.keys(for: command.definition).contains(where: { $0.presses == sequence }), command.isEnabled {
                    command.perform()
                    return .performed
                }
            }
            let isPrefix = commands.contains { command in
                keyMap.keys(for: command.definition).contains {
                    $0.presses.count > sequence.count && $0.presses.starts(with: sequence)
                } && command.isEnabled
            }
            if isPrefix {
                pending = sequence
                return .waiting
            }
        }
        return nil
    }
}
