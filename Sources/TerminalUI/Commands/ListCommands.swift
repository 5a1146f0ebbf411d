/// Commands of lists.
public enum ListCommands {
    static let mark = CommandDefinition(
        "list.mark", "Mark row", keys: ["v"], group: "Mark rows", place: "lists", needs: "a selected row")
    static let markRange = CommandDefinition(
        "list.markRange", "Mark range", keys: ["V"], group: "Mark rows", place: "lists", needs: "a selected row")
    static let clearMarks = CommandDefinition(
        "list.clearMarks", "Clear marks", keys: ["esc"], group: "Mark rows", place: "lists", needs: "marked rows",
        .givesWay)
    /// Selects the next row.
    public static let down = CommandDefinition(
        "list.down", "Next row", keys: ["j", "down"], group: "Move", place: "lists")
    /// Selects the previous row.
    package static let up = CommandDefinition(
        "list.up", "Previous row", keys: ["k", "up"], group: "Move", place: "lists")
    static let pageDown = CommandDefinition(
        "list.pageDown", "Page down", keys: ["pagedown", "ctrl-f", "ctrl-d"], group: "Move", place: "lists", .unlisted)
    static let pageUp = CommandDefinition(
        "list.pageUp", "Page up", keys: ["pageup", "ctrl-b", "ctrl-u"], group: "Move", place: "lists", .unlisted)
    static let first = CommandDefinition(
        "list.first", "First row", keys: ["g g", "home"], group: "Move", place: "lists", .unlisted)
    static let last = CommandDefinition(
        "list.last", "Last row", keys: ["G", "end"], group: "Move", place: "lists", .unlisted)
    /// Opens the selected row.
    public static let open = CommandDefinition(
        "list.open", "Open", keys: ["enter"], group: "Move", place: "lists", needs: "a selected row")
    static let preview = CommandDefinition(
        "list.preview", "Preview", keys: ["space"], group: "Move", place: "lists", needs: "a row with a preview")

    static let all = [mark, markRange, clearMarks, down, up, pageDown, pageUp, first, last, open, preview]
}

/// Commands of a preview over a list.
enum PreviewCommands {
    private static func peek(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition("preview.\(name)", title, keys: keys, group: "Move", place: "previews", traits)
    }

    static let next = peek("next", "Next row", ["J", "ctrl-n"])
    static let previous = peek("previous", "Previous row", ["K", "ctrl-p"])
    static let open = peek("open", "Open", ["enter"])
    static let close = peek("close", "Close", ["space", "esc", "q", "h", "backspace"], .needsNoContent)

    static let all = [next, previous, open, close]
}
