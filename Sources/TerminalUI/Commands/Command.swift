/// Something that can be done where the focus is: a definition, and what it does here.
@MainActor
public struct Command {
    /// What it is.
    public let definition: CommandDefinition
    /// What it does here, in a word or two.
    public let title: DisplayText
    /// Why it cannot be done now; `nil`: it can.
    public let obstacle: DisplayText?
    private let action: @MainActor () -> Void

    /// Offers a command.
    ///
    /// - Parameters:
    ///   - definition: What it is.
    ///   - title: What it does here, where that is more exact than the definition's title.
    ///   - isEnabled: Whether it can be done now; what it needs is told by the definition.
    public init(
        _ definition: CommandDefinition, title: DisplayText? = nil, isEnabled: Bool = true,
        action: @escaping @MainActor () -> Void
    ) {
        self.definition = definition
        self.title = title ?? definition.title
        obstacle = isEnabled ? nil : definition.need.map { "this needs " + $0 } ?? "nothing to do now"
        self.action = action
    }

    /// Defines a command where it is offered: for programs that need no table of them.
    public init(
        _ name: String, _ title: DisplayText, keys: [KeySequence], isEnabled: Bool = true,
        _ traits: CommandDefinition.Traits = [], action: @escaping @MainActor () -> Void
    ) {
        self.init(CommandDefinition(name, title, keys: keys, traits), isEnabled: isEnabled, action: action)
    }

    /// The name by which keys can be bound to it.
    public var name: String { definition.name }

    /// Whether it can be done now.
    public var isEnabled: Bool { obstacle == nil }

    /// Whether help and palette list it.
    public var isListed: Bool { !definition.traits.contains(.unlisted) }

    /// Does it.
    public func perform() { action() }
}
