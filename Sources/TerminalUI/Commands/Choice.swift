/// A row of a palette or a menu.
@MainActor
public struct Choice {
    /// The words.
    public let title: DisplayText
    /// What stands at the right: a key, or why it cannot be chosen.
    public let note: DisplayText
    /// Other words by which it is found.
    public let words: String
    /// Whether it can be chosen; others are shown dim.
    public let isEnabled: Bool
    let action: @MainActor () -> Void

    /// Makes a row.
    public init(
        _ title: DisplayText, note: DisplayText = .empty, words: String = "", isEnabled: Bool = true,
        action: @escaping @MainActor () -> Void
    ) {
        self.title = title
        self.note = note
        self.words = words
        self.isEnabled = isEnabled
        self.action = action
    }

    /// Makes a row of a command, with the key that does the same or with why it cannot be done.
    ///
    /// - Parameter action: What is done when it is chosen; `nil`: the command.
    public init(_ command: Command, keyMap: KeyMap = KeyMap(), action: (@MainActor () -> Void)? = nil) {
        let key = keyMap.label(for: command.definition) ?? .empty
        let title = command.definition.title
        self.init(
            command.title, note: command.obstacle ?? key,
            words: title == command.title ? command.name : "\(title.string) \(command.name)",
            isEnabled: command.isEnabled, action: action ?? command.perform)
    }
}
