/// Commands of lists.
public enum ListCommands {
    private static func list(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], group: DisplayText = "Move",
        needs need: DisplayText? = nil, _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition("list.\(name)", title, keys: keys, group: group, place: "lists", needs: need, traits)
    }

    static let mark = list("mark", "Mark row", ["v"], group: "Mark rows", needs: "a selected row")
    static let markRange = list("markRange", "Mark range", ["V"], group: "Mark rows", needs: "a selected row")
    static let clearMarks = list(
        "clearMarks", "Clear marks", ["esc"], group: "Mark rows", needs: "marked rows", .givesWay)
    /// Selects the next row.
    public static let down = list("down", "Next row", ["j", "down"])
    /// Selects the previous row.
    package static let up = list("up", "Previous row", ["k", "up"])
    static let pageDown = list("pageDown", "Page down", ["pagedown", "ctrl-f", "ctrl-d"], .unlisted)
    static let pageUp = list("pageUp", "Page up", ["pageup", "ctrl-b", "ctrl-u"], .unlisted)
    static let first = list("first", "First row", ["g g", "home"], .unlisted)
    static let last = list("last", "Last row", ["G", "end"], .unlisted)
    /// Opens the selected row.
    public static let open = list("open", "Open", ["enter"], needs: "a selected row")
    static let preview = list("preview", "Preview", ["space"], needs: "a row with a preview")

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
