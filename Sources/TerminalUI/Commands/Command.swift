/// A command that is available at the focus: a definition with an action.
@MainActor
public struct Command {
    /// The definition.
    public let definition: CommandDefinition
    /// The title in this context.
    public let title: DisplayText
    private let condition: Condition
    private let action: @MainActor () -> Void

    /// Offers a command.
    ///
    /// - Parameters:
    ///   - definition: The definition.
    ///   - title: A more precise title for this context.
    ///   - isEnabled: Whether it can be performed. The definition says what it needs.
    public init(
        _ definition: CommandDefinition, title: DisplayText? = nil, isEnabled: Bool = true,
        action: @escaping @MainActor () -> Void
    ) {
        self.definition = definition
        self.title = title ?? definition.title
        condition = .known(isEnabled)
        self.action = action
    }

    /// Offers a command that is enabled if a closure says so, which is called only when somebody asks.
    public init(
        _ definition: CommandDefinition, isEnabledIf condition: @escaping @MainActor () -> Bool,
        action: @escaping @MainActor () -> Void
    ) {
        self.definition = definition
        title = definition.title
        self.condition = .found(condition)
        self.action = action
    }

    private enum Condition {
        case known(Bool)
        case found(@MainActor () -> Bool)
    }

    /// Defines a command where it is offered, for programs without a command table.
    public init(
        _ name: String, _ title: DisplayText, keys: [KeySequence], isEnabled: Bool = true,
        _ traits: CommandDefinition.Traits = [], action: @escaping @MainActor () -> Void
    ) {
        self.init(CommandDefinition(name, title, keys: keys, traits), isEnabled: isEnabled, action: action)
    }

    /// The identifier to which keys can be bound.
    public var name: String { definition.name }

    /// Whether it can be performed.
    public var isEnabled: Bool {
        switch condition {
        case .known(let isEnabled): isEnabled
        case .found(let isEnabled): isEnabled()
        }
    }

    /// The reason why it is disabled, or `nil` if it is enabled.
    public var obstacle: DisplayText? {
        isEnabled ? nil : definition.need.map { "this needs " + $0 } ?? "nothing to do now"
    }

    /// Whether help and palette list it.
    public var isListed: Bool { !definition.traits.contains(.unlisted) }

    /// Performs the command.
    public func perform() { action() }
}
