/// Something that can be done where the focus is.
///
/// One list of commands serves keys, the help, toolbars and menus: each has a name for the settings, a title for people
/// and keys.
@MainActor
public struct Command {
    /// The name by which keys can be bound to it, such as `entry.open`.
    public let name: String
    /// What it does, in a word or two.
    public let title: DisplayText
    /// The keys it is bound to; the first is shown.
    public let keys: [KeySequence]
    /// Whether it can be done now.
    public let isEnabled: Bool
    /// Whether the help lists it.
    public let isListed: Bool
    /// Whether the detail of a split view offers it to the list beside it too, for a key that the list has no use for.
    public let worksFromList: Bool
    private let action: @MainActor () -> Void

    /// Makes a command.
    public init(
        _ name: String, _ title: DisplayText, keys: [KeySequence], isEnabled: Bool = true, isListed: Bool = true,
        worksFromList: Bool = false, action: @escaping @MainActor () -> Void
    ) {
        self.name = name
        self.title = title
        self.keys = keys
        self.isEnabled = isEnabled
        self.isListed = isListed
        self.worksFromList = worksFromList
        self.action = action
    }

    /// Does it.
    public func perform() { action() }
}

/// Keys that the user has bound otherwise than the program does.
public struct KeyMap: Sendable {
    /// The keys of each command that has others than its own.
    public var bindings: [String: [KeySequence]]

    /// Makes a map; at first all commands have their own keys.
    public init(_ bindings: [String: [KeySequence]] = [:]) { self.bindings = bindings }

    /// The keys of a command.
    @MainActor
    public func keys(for command: Command) -> [KeySequence] { bindings[command.name] ?? command.keys }
}
