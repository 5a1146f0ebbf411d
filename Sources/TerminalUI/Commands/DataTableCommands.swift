/// Commands of data tables.
package enum DataTableCommands {
    private static func move(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("table.\(name)", title, keys: keys, group: "Move", place: "tables", .unlisted)
    }

    /// Selects the next row.
    package static let down = move("down", "Next row", ["j", "down"])
    /// Selects the previous row.
    package static let up = move("up", "Previous row", ["k", "up"])
    static let pageDown = move("pageDown", "Page down", ["pagedown", "ctrl-f", "ctrl-d"])
    static let pageUp = move("pageUp", "Page up", ["pageup", "ctrl-b", "ctrl-u"])
    static let first = move("first", "First row", ["g g", "home"])
    static let last = move("last", "Last row", ["G", "end"])
    static let open = CommandDefinition(
        "table.open", "Open", keys: ["enter"], group: "Move", place: "tables", needs: "a row")
    static let sorts = (1...9).map { number in
        CommandDefinition(
            "table.sort\(number)", DisplayText("Sort by column \(number)"),
            keys: [KeySequence([KeyPress(.character(Character(String(number))), .alt)])], group: "Sort", place: "tables"
        )
    }

    static let all = [down, up, pageDown, pageUp, first, last, open] + sorts
}
