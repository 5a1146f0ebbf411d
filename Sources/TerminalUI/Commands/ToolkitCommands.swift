/// The commands of the toolkit's own views and controllers.
///
/// A program's command table starts with ``all``, after the commands of the extras that it uses. Keys can be bound to
/// each by its identifier.
public enum ToolkitCommands {
    /// All commands, innermost first.
    public static let all: [CommandDefinition] =
        lists + tables + texts + pictures + peeks + columns + segments + presented
}

/// Lists, and finding in them.
extension ToolkitCommands {
    static let find = CommandDefinition(
        "list.find", "Find", keys: ["/"], group: "Find", place: "lists and texts", needs: "something to search",
        .givesWay)
    static let findNext = CommandDefinition(
        "list.findNext", "Next match", keys: ["n"], group: "Find", place: "lists and texts", needs: "a search first",
        .givesWay
    )
    static let findPrevious = CommandDefinition(
        "list.findPrevious", "Previous match", keys: ["N"], group: "Find", place: "lists and texts",
        needs: "a search first",
        .givesWay)
    static let endFind = CommandDefinition(
        "list.endFind", "Stop finding", keys: ["esc"], group: "Find", place: "lists and texts", needs: "a search first",
        .givesWay)
    static let mark = CommandDefinition(
        "list.mark", "Mark row", keys: ["v"], group: "Mark rows", place: "lists", needs: "a selected row")
    static let markRange = CommandDefinition(
        "list.markRange", "Mark range", keys: ["V"], group: "Mark rows", place: "lists", needs: "a selected row")
    static let clearMarks = CommandDefinition(
        "list.clearMarks", "Clear marks", keys: ["esc"], group: "Mark rows", place: "lists", needs: "marked rows",
        .givesWay)
    /// Selects the next row.
    public static let listDown = CommandDefinition(
        "list.down", "Next row", keys: ["j", "down"], group: "Move", place: "lists")
    /// Selects the previous row.
    package static let listUp = CommandDefinition(
        "list.up", "Previous row", keys: ["k", "up"], group: "Move", place: "lists")
    static let listPageDown = CommandDefinition(
        "list.pageDown", "Page down", keys: ["pagedown", "ctrl-f", "ctrl-d"], group: "Move", place: "lists", .unlisted)
    static let listPageUp = CommandDefinition(
        "list.pageUp", "Page up", keys: ["pageup", "ctrl-b", "ctrl-u"], group: "Move", place: "lists", .unlisted)
    static let listFirst = CommandDefinition(
        "list.first", "First row", keys: ["g g", "home"], group: "Move", place: "lists", .unlisted)
    static let listLast = CommandDefinition(
        "list.last", "Last row", keys: ["G", "end"], group: "Move", place: "lists", .unlisted)
    /// Opens the selected row.
    public static let listOpen = CommandDefinition(
        "list.open", "Open", keys: ["enter"], group: "Move", place: "lists", needs: "a selected row")
    static let listPeek = CommandDefinition(
        "list.preview", "Preview", keys: ["space"], group: "Move", place: "lists", needs: "a row with a preview")

    private static func sideways(_ name: String, _ title: DisplayText, _ key: KeySequence) -> CommandDefinition {
        CommandDefinition(
            "sideways.\(name)", title, keys: [key], group: "Move", place: "lists and texts",
            needs: "lines wider than the pane",
            [.unlisted, .givesWay])
    }

    static let sidewaysRight = sideways("right", "Scroll right in long lines", "shift-right")
    static let sidewaysLeft = sideways("left", "Back to line beginnings", "shift-left")

    static let lists = [
        sidewaysRight, sidewaysLeft, find, findNext, findPrevious, endFind, mark, markRange, clearMarks, listDown,
        listUp, listPageDown, listPageUp,
        listFirst, listLast, listOpen, listPeek,
    ]
}

/// Data tables.
extension ToolkitCommands {
    private static func move(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("table.\(name)", title, keys: keys, group: "Move", place: "tables", .unlisted)
    }

    package static let tableDown = move("down", "Next row", ["j", "down"])
    package static let tableUp = move("up", "Previous row", ["k", "up"])
    static let tablePageDown = move("pageDown", "Page down", ["pagedown", "ctrl-f", "ctrl-d"])
    static let tablePageUp = move("pageUp", "Page up", ["pageup", "ctrl-b", "ctrl-u"])
    static let tableFirst = move("first", "First row", ["g g", "home"])
    static let tableLast = move("last", "Last row", ["G", "end"])
    static let tableOpen = CommandDefinition(
        "table.open", "Open", keys: ["enter"], group: "Move", place: "tables", needs: "a row")
    static let tableSorts = (1...9).map { number in
        CommandDefinition(
            "table.sort\(number)", DisplayText("Sort by column \(number)"),
            keys: [KeySequence([KeyPress(.character(Character(String(number))), .alt)])], group: "Sort", place: "tables"
        )
    }

    static let tables =
        [tableDown, tableUp, tablePageDown, tablePageUp, tableFirst, tableLast, tableOpen] + tableSorts
}

/// Texts.
extension ToolkitCommands {
    private static func scroll(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: CommandDefinition.Traits = .unlisted
    ) -> CommandDefinition {
        CommandDefinition("text.\(name)", title, keys: keys, group: "Move", place: "texts", traits)
    }

    package static let textDown = scroll("down", "Line down", ["j", "down"])
    package static let textUp = scroll("up", "Line up", ["k", "up"])
    /// Scrolls down by a page.
    public static let textPageDown = scroll("pageDown", "Page down", ["space", "pagedown", "ctrl-f"], [])
    static let textPageUp = scroll("pageUp", "Page up", ["b", "pageup", "ctrl-b"], [])
    static let textHalfDown = scroll("halfDown", "Half page down", ["ctrl-d"])
    static let textHalfUp = scroll("halfUp", "Half page up", ["ctrl-u"])
    static let textTop = scroll("top", "Go to beginning", ["g g", "home"])
    static let textBottom = scroll("bottom", "Go to end", ["G", "end"])
    /// Returns to the place where a link inside the text was followed.
    public static let textBack = CommandDefinition(
        "text.back", "Jump back", keys: ["ctrl-o"], group: "Move", place: "texts",
        needs: "a jump to go back from")
    static let clearSelection = CommandDefinition(
        "text.clearSelection", "Clear selection", keys: ["esc"], group: "Find", place: "lists and texts",
        needs: "selected text", [.unlisted, .givesWay])

    static let texts = [
        clearSelection, textDown, textUp, textPageDown, textPageUp, textHalfDown, textHalfUp, textTop, textBottom,
        textBack,
    ]
}

/// Pictures.
extension ToolkitCommands {
    private static func pan(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("image.\(name)", title, keys: keys, group: "Zoom", place: "pictures", [.unlisted, .givesWay])
    }

    static let zoomIn = CommandDefinition(
        "image.zoomIn", "Zoom in", keys: ["+", "="], group: "Zoom", place: "pictures", needs: "room for more",
        .worksFromList)
    static let zoomOut = CommandDefinition(
        "image.zoomOut", "Zoom out", keys: ["-"], group: "Zoom", place: "pictures", needs: "a zoomed view",
        .worksFromList)
    static let zoomFit = CommandDefinition(
        "image.fit", "Show whole picture", keys: ["0"], group: "Zoom", place: "pictures",
        needs: "a zoomed view", .worksFromList)
    static let panLeft = pan("left", "Left", ["left", "h"])
    static let panRight = pan("right", "Right", ["right", "l"])
    static let panUp = pan("up", "Up", ["up", "k"])
    static let panDown = pan("down", "Down", ["down", "j"])

    static let pictures = [zoomIn, zoomOut, zoomFit, panLeft, panRight, panUp, panDown]
}

/// Previews over a list.
extension ToolkitCommands {
    private static func peek(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("preview.\(name)", title, keys: keys, group: "Move", place: "previews")
    }

    static let peekNext = peek("next", "Next row", ["J", "ctrl-n"])
    static let peekPrevious = peek("previous", "Previous row", ["K", "ctrl-p"])
    static let peekOpen = peek("open", "Open", ["enter"])
    static let peekClose = peek("close", "Close", ["space", "esc", "q", "h", "backspace"])

    static let peeks = [peekNext, peekPrevious, peekOpen, peekClose]
}

/// Columns and navigation levels.
extension ToolkitCommands {
    private static func column(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText
    ) -> CommandDefinition {
        CommandDefinition(
            "split.\(name)", title, keys: keys, group: "Columns", place: "wide panes", needs: need,
            .givesWay)
    }

    package static let focusLeft = column(
        "focusLeft", "Focus left column", ["h", "left", "esc", "backspace", "q"], needs: "a column on the left")
    static let focusRight = column("focusRight", "Focus right column", ["l", "right"], needs: "a column on the right")
    static let hideList = column(
        "hideList", "Hide list", ["esc", "q", "h", "backspace"], needs: "a list over a detail")
    /// Shows or hides the list.
    public static let toggleList = column("toggleList", "Show or hide list", ["\\"], needs: "a detail")
    static let narrower = column("narrower", "Narrow list", ["<"], needs: "two columns")
    static let wider = column("wider", "Widen list", [">"], needs: "two columns")
    package static let back = CommandDefinition(
        "navigation.back", "Back", keys: ["h", "backspace", "left", "esc", "q"], group: "Move", place: "everywhere",
        needs: "a previous view", .givesWay)

    static let toggleBars = CommandDefinition(
        "navigation.toggleBars", "Hide or show bars", keys: ["z"], group: "Columns", place: "everywhere", .givesWay)

    static let columns = [focusLeft, focusRight, hideList, toggleList, narrower, wider, back, toggleBars]
}

/// Segments.
extension ToolkitCommands {
    package static let nextSegment = CommandDefinition(
        "segments.next", "Next segment", keys: ["tab"], group: "Segments", place: "everywhere")
    static let previousSegment = CommandDefinition(
        "segments.previous", "Previous segment", keys: ["backtab"], group: "Segments", place: "everywhere")
    static let selectSegments = (1...9).map { number in
        CommandDefinition(
            "segments.select\(number)", DisplayText("Segment \(number)"),
            keys: [KeySequence([KeyPress(.character(Character(String(number))))])], group: "Segments",
            place: "everywhere", needs: "that segment")
    }

    static let segments = [nextSegment, previousSegment] + selectSegments
}

/// Presented controllers: alerts, palettes, help.
extension ToolkitCommands {
    private static func over(_ name: String, _ title: DisplayText, _ keys: [KeySequence], _ place: DisplayText)
        -> CommandDefinition
    {
        CommandDefinition(name, title, keys: keys, group: "Choose", place: place)
    }

    static let alertNext = over("alert.next", "Next choice", ["right", "tab", "l", "j", "down"], "questions")
    static let alertPrevious = over(
        "alert.previous", "Previous choice", ["left", "backtab", "h", "k", "up"], "questions")
    static let alertChoose = over("alert.choose", "Choose", ["enter", "space"], "questions")
    static let alertConfirm = over("alert.confirm", "Confirm", ["y"], "questions")
    static let alertCancel = over("alert.cancel", "Cancel", ["esc", "n", "q", "backspace"], "questions")
    /// Selects the next row while the user types in a palette.
    public static let paletteDown = over("palette.down", "Next", ["down", "ctrl-n"], "the palette")
    /// Selects the previous row while the user types in a palette.
    public static let paletteUp = over("palette.up", "Previous", ["up", "ctrl-p"], "the palette")
    /// Closes the palette while the user types.
    public static let paletteClose = over("palette.close", "Close", ["esc"], "the palette")
    static let menuClose = over("menu.close", "Close", ["esc", "q", "h", "backspace", "."], "menus")
    static let helpClose = over("help.close", "Close", ["esc", "?", "f1"], "the help")
    static let helpDown = over("help.down", "Line down", ["down", "ctrl-n"], "the help")
    static let helpUp = over("help.up", "Line up", ["up", "ctrl-p"], "the help")
    static let helpPageDown = over("help.pageDown", "Page down", ["pagedown", "ctrl-f"], "the help")
    static let helpPageUp = over("help.pageUp", "Page up", ["pageup", "ctrl-b"], "the help")
    static let helpPage = over("help.page", "Keys or signs", ["tab", "backtab"], "the help")

    static let promptClose = over("prompt.close", "Close", ["esc"], "prompts")

    /// Ends the program. It exists in every program without global commands, so it isn't part of ``all``.
    public static let quit = CommandDefinition(
        "application.quit", "Quit", keys: ["q", "ctrl-c"], group: "Program", place: "everywhere", .givesWay)

    static let presented = [
        promptClose,
        alertNext, alertPrevious, alertChoose, alertConfirm, alertCancel, paletteDown, paletteUp, paletteClose,
        menuClose, helpClose,
        helpDown, helpUp, helpPageDown, helpPageUp, helpPage,
    ]
}
