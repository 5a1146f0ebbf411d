/// Keys that the user has bound otherwise than the program does.
public struct KeyMap: Sendable, Equatable {
    /// The keys of each command that has others than its own.
    public var bindings: [String: [KeySequence]]

    /// Whether hints name keys in words, `enter` and `ctrl-d`, rather than by signs, `⏎` and `^d`: for who hears them read out
    /// (``Window/isLinear``).
    public var namesKeys = false

    /// Makes a map; at first all commands have their own keys.
    public init(_ bindings: [String: [KeySequence]] = [:]) { self.bindings = bindings }

    /// The keys of a command.
    public func keys(for definition: CommandDefinition) -> [KeySequence] {
        bindings[definition.name] ?? definition.keys
    }

    /// The key that hints show; `nil` for a command without one.
    public func label(for definition: CommandDefinition) -> DisplayText? { keys(for: definition).first.map(label(of:)) }

    /// Keys as hints show them.
    public func label(of keys: KeySequence) -> DisplayText { keys.label(inWords: namesKeys) }

    /// All keys that do the same, as help shows them.
    public func label(of keys: [KeySequence]) -> DisplayText {
        DisplayText(keys.map { label(of: $0).string }.joined(separator: "  "))
    }
}
