/// The user's key bindings.
public struct KeyMap: Sendable, Equatable {
    /// The keys of each command whose keys differ from its defaults.
    public var bindings: [String: [KeySequence]]

    /// Whether hints contain key names such as `enter` and `ctrl-d` instead of symbols such as `
    /// ` and `^d`, for screen readers (``Window/isLinear``).
    public var namesKeys = false

    /// Creates a map.
    public init(_ bindings: [String: [KeySequence]] = [:]) { self.bindings = bindings }

    /// Returns the keys of a command.
    public func keys(for definition: CommandDefinition) -> [KeySequence] {
        bindings[definition.name] ?? definition.keys
    }

    /// Returns the key for hints, or `nil` for a command without keys.
    public func label(for definition: CommandDefinition) -> DisplayText? { keys(for: definition).first.map(label(of:)) }

    /// Returns keys as hints show them.
    public func label(of keys: KeySequence) -> DisplayText { keys.label(inWords: namesKeys) }

    /// Returns all keys of a command as the help shows them.
    public func label(of keys: [KeySequence]) -> DisplayText {
        DisplayText(keys.map { label(of: $0).string }.joined(separator: "  "))
    }
}
