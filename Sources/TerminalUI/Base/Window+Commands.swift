/// The commands in reach of the focus.
extension Window {
    /// The reachable commands that help, palette and menus list.
    public var availableCommands: [(command: Command, keys: [KeySequence])] {
        reachableCommands.filter { $0.command.isListed }
    }

    /// The commands reachable from the focus, innermost first, without those hidden by inner ones.
    ///
    /// Each comes with the keys that reach it from here.
    public var reachableCommands: [(command: Command, keys: [KeySequence])] {
        var taken: Set<KeySequence> = []
        var result: [(command: Command, keys: [KeySequence])] = []
        for responder in responderChain {
            for command in responder.commands where command.isEnabled {
                let keys = keyMap.keys(for: command.definition).filter { !taken.contains($0) }
                taken.formUnion(keys)
                if !keys.isEmpty { result.append((command, keys)) }
            }
        }
        return result
    }

    /// The commands that responders from the focus outwards offer, innermost first, without duplicates but including
    /// disabled ones.
    public var offeredCommands: [Command] {
        var taken: Set<String> = []
        return responderChain.flatMap(\.commands).filter { taken.insert($0.name).inserted }
    }

    /// Performs a command as the innermost responder in a controller offers it. If it is disabled, the reason is
    /// reported as for a key.
    ///
    /// - Returns: Whether it was performed.
    @discardableResult
    public func perform(_ definition: CommandDefinition, from controller: ViewController) -> Bool {
        let offers = keys.responders(from: controller).lazy.flatMap(\.commands).filter { $0.definition == definition }
        setNeedsDisplay()
        if let command = offers.first(where: \.isEnabled) {
            command.perform()
            return true
        }
        if let keys = keyMap.keys(for: definition).first { unusedKey(keys, offers.first?.obstacle) }
        return false
    }
}
