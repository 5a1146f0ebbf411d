/// A row of a palette or menu.
@MainActor
public struct Choice {
    /// The text.
    public let title: DisplayText
    /// The note at the right: a key, or the reason why the row is disabled.
    public let note: DisplayText
    /// The group of the row, which a palette shows before the title and a menu separates by lines.
    public let group: DisplayText
    /// Other search terms that match the row.
    public let words: String
    /// Whether it can be chosen. Disabled rows are dim.
    public let isEnabled: Bool
    let action: @MainActor () -> Void

    /// Creates a row.
    public init(
        _ title: DisplayText, note: DisplayText = .empty, group: DisplayText = .empty, words: String = "",
        isEnabled: Bool = true, action: @escaping @MainActor () -> Void
    ) {
        self.title = title
        self.note = note
        self.group = group
        self.words = words
        self.isEnabled = isEnabled
        self.action = action
    }

    /// Creates a row for a command, with its key or the reason why it is disabled.
    ///
    /// - Parameters:
    ///   - keyMap: The user's keys.
    ///   - lost: The keys that everybody expects and the user's bindings took from the command.
    ///   - group: The group, or `nil` for the command's own.
    ///   - action: The action when it is chosen, or `nil` to perform the command.
    public init(
        _ command: Command, keyMap: KeyMap = KeyMap(), lost: [KeySequence] = [], group: DisplayText? = nil,
        action: (@MainActor () -> Void)? = nil
    ) {
        let own = keyMap.label(for: command.definition)
        let key = lost.isEmpty ? own ?? .empty : (own.map { $0 + ", " } ?? .empty) + "not " + keyMap.label(of: lost)
        let title = command.definition.title
        self.init(
            command.title, note: command.obstacle ?? key, group: group ?? command.definition.group,
            words: [title == command.title ? "" : title.string, command.name, command.definition.synonyms]
                .filter { !$0.isEmpty }.joined(separator: " "),
            isEnabled: command.isEnabled, action: action ?? command.perform)
    }
}
