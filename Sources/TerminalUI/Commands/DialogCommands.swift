extension CommandDefinition {
    /// Defines a command of a presented controller.
    fileprivate static func inDialog(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ place: DisplayText
    ) -> CommandDefinition {
        CommandDefinition(name, title, keys: keys, group: "Choose", place: place)
    }
}

enum PromptCommands {
    static let close = CommandDefinition.inDialog("prompt.close", "Close", ["esc"], "prompts")
    static let earlier = CommandDefinition.inDialog("prompt.earlier", "Earlier text", ["up", "ctrl-p"], "prompts")
    static let later = CommandDefinition.inDialog("prompt.later", "Later text", ["down", "ctrl-n"], "prompts")
    static let search = CommandDefinition.inDialog(
        "prompt.search", "Find earlier text that contains this", ["ctrl-r"], "prompts")

    static let all = [close, earlier, later, search]
}

enum AlertCommands {
    static let next = CommandDefinition.inDialog(
        "alert.next", "Next choice", ["right", "tab", "l", "j", "down"], "questions")
    static let previous = CommandDefinition.inDialog(
        "alert.previous", "Previous choice", ["left", "backtab", "h", "k", "up"], "questions")
    static let choose = CommandDefinition.inDialog("alert.choose", "Choose", ["enter", "space"], "questions")
    static let confirm = CommandDefinition.inDialog("alert.confirm", "Confirm", ["y"], "questions")
    static let cancel = CommandDefinition.inDialog(
        "alert.cancel", "Cancel", ["esc", "n", "q", "backspace"], "questions")

    static let all = [next, previous, choose, confirm, cancel]
}

/// Commands of a palette or menu.
public enum PaletteCommands {
    /// Selects the next row while the user types in a palette.
    public static let down = CommandDefinition.inDialog("palette.down", "Next", ["down", "ctrl-n"], "the palette")
    /// Selects the previous row while the user types in a palette.
    public static let up = CommandDefinition.inDialog("palette.up", "Previous", ["up", "ctrl-p"], "the palette")
    /// Closes the palette while the user types.
    public static let close = CommandDefinition.inDialog("palette.close", "Close", ["esc"], "the palette")
    static let closeMenu = CommandDefinition.inDialog(
        "menu.close", "Close", ["esc", "q", "h", "backspace", "."], "menus")

    static let all = [down, up, close, closeMenu]
}

enum HelpCommands {
    static let close = CommandDefinition.inDialog("help.close", "Close", ["esc", "?", "f1"], "the help")
    static let down = CommandDefinition.inDialog("help.down", "Line down", ["down", "ctrl-n"], "the help")
    static let up = CommandDefinition.inDialog("help.up", "Line up", ["up", "ctrl-p"], "the help")
    static let pageDown = CommandDefinition.inDialog("help.pageDown", "Page down", ["pagedown", "ctrl-f"], "the help")
    static let pageUp = CommandDefinition.inDialog("help.pageUp", "Page up", ["pageup", "ctrl-b"], "the help")
    static let turnPage = CommandDefinition.inDialog("help.page", "Keys or signs", ["tab", "backtab"], "the help")

    static let all = [close, down, up, pageDown, pageUp, turnPage]
}
