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
    /// Shows why the row is disabled, if the palette closes for that.
    let explain: (@MainActor () -> Void)?
    /// Whether the note is a sentence or place instead of a key, which gives way to the title in narrow panes.
    let hasLongNote: Bool

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - title: The text.
    ///   - note: The note at the right.
    ///   - hasLongNote: Whether the note gives way to the title in narrow panes.
    ///   - group: The group.
    ///   - words: Other search terms that match the row.
    ///   - isEnabled: Whether it can be chosen.
    ///   - explain: Shows why the row is disabled when it is chosen nevertheless.
    ///   - action: The action when it is chosen.
    public init(
        _ title: DisplayText, note: DisplayText = .empty, hasLongNote: Bool = false, group: DisplayText = .empty,
        words: String = "", isEnabled: Bool = true, explain: (@MainActor () -> Void)? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.title = title
        self.note = note
        self.group = group
        self.words = words
        self.isEnabled = isEnabled
        self.hasLongNote = hasLongNote
        self.explain = explain
        self.action = action
    }

    /// Creates a row for a command, with its key or the reason why it is disabled.
    ///
    /// - Parameters:
    ///   - keyMap: The user's keys.
    ///   - lost: The keys that everybody expects and the user's bindings took from the command.
    ///   - group: The group, or `nil` for the command's own.
    ///   - explain: Shows why the command is disabled when it is chosen nevertheless.
    ///   - action: The action when it is chosen, or `nil` to perform the command.
    public init(
        _ command: Command, keyMap: KeyMap = KeyMap(), lost: [KeySequence] = [], group: DisplayText? = nil,
        explain: (@MainActor (_ reason: DisplayText) -> Void)? = nil, action: (@MainActor () -> Void)? = nil
    ) {
        let own = keyMap.label(for: command.definition)
        let key = lost.isEmpty ? own ?? .empty : (own.map { $0 + ", " } ?? .empty) + "not " + keyMap.label(of: lost)
        let title = command.definition.title
        var showReason: (@MainActor () -> Void)?
        if let explain, let reason = command.obstacle { showReason = { explain(reason) } }
        self.init(
            command.title, note: command.obstacle ?? key, hasLongNote: !command.isEnabled,
            group: group ?? command.definition.group,
            words: [title == command.title ? "" : title.string, command.name, command.definition.synonyms]
                .filter { !$0.isEmpty }.joined(separator: " "),
            isEnabled: command.isEnabled,
            explain: showReason,
            action: action ?? command.perform)
    }
}
