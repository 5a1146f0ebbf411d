/// Commands of lists and texts with lines wider than the pane.
enum SidewaysCommands {
    private static func sideways(_ name: String, _ title: DisplayText, _ key: KeySequence) -> CommandDefinition {
        CommandDefinition(
            "sideways.\(name)", title, keys: [key], group: "Move", place: "lists and texts",
            needs: "lines wider than the pane",
            [.unlisted, .givesWay])
    }

    static let right = sideways("right", "Scroll right in long lines", "shift-right")
    static let left = sideways("left", "Back to line beginnings", "shift-left")

    static let all = [right, left]
}

/// Commands that find text in lists and texts.
enum FindCommands {
    private static func find(
        _ name: String, _ title: DisplayText, _ key: KeySequence, needs need: DisplayText = "a search first"
    ) -> CommandDefinition {
        CommandDefinition(
            "list.\(name)", title, keys: [key], group: "Find", place: "lists and texts", needs: need, .givesWay)
    }

    static let find = find("find", "Find", "/", needs: "something to search")
    static let next = find("findNext", "Next match", "n")
    static let previous = find("findPrevious", "Previous match", "N")
    static let end = find("endFind", "Stop finding", "esc")

    static let all = [find, next, previous, end]
}

/// Commands of texts.
public enum TextCommands {
    private static func scroll(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: CommandDefinition.Traits = .unlisted
    ) -> CommandDefinition {
        CommandDefinition("text.\(name)", title, keys: keys, group: "Move", place: "texts", traits)
    }

    static let clearSelection = CommandDefinition(
        "text.clearSelection", "Clear selection", keys: ["esc"], group: "Find", place: "lists and texts",
        needs: "selected text", [.unlisted, .givesWay])
    /// Scrolls down by a line.
    package static let down = scroll("down", "Line down", ["j", "down"])
    /// Scrolls up by a line.
    package static let up = scroll("up", "Line up", ["k", "up"])
    /// Scrolls down by a page.
    public static let pageDown = scroll("pageDown", "Page down", ["space", "pagedown", "ctrl-f"], [])
    static let pageUp = scroll("pageUp", "Page up", ["b", "pageup", "ctrl-b"], [])
    static let halfDown = scroll("halfDown", "Half page down", ["ctrl-d"])
    static let halfUp = scroll("halfUp", "Half page up", ["ctrl-u"])
    static let top = scroll("top", "Go to beginning", ["g g", "home"])
    static let bottom = scroll("bottom", "Go to end", ["G", "end"])
    /// Returns to the place where a link inside the text was followed.
    public static let back = CommandDefinition(
        "text.back", "Jump back", keys: ["ctrl-o"], group: "Move", place: "texts",
        needs: "a jump to go back from")

    static let all = [clearSelection, down, up, pageDown, pageUp, halfDown, halfUp, top, bottom, back]
}
