/// Commands of columns beside each other.
public enum ColumnCommands {
    private static func column(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "split.\(name)", title, keys: keys, group: "Columns", place: "wide panes", needs: need,
            traits.union(.givesWay))
    }

    /// Gives the column on the left the focus.
    package static let focusLeft = column(
        "focusLeft", "Focus left column", ["h", "left", "esc", "backspace", "q"], needs: "a column on the left",
        .needsNoContent)
    static let focusRight = column("focusRight", "Focus right column", ["l", "right"], needs: "a column on the right")
    static let hideList = column(
        "hideList", "Hide list", ["esc", "q", "h", "backspace"], needs: "a list over a detail",
        .needsNoContent)
    /// Shows or hides the list.
    public static let toggleList = column("toggleList", "Show or hide list", ["\\"], needs: "a detail")
    static let narrower = column("narrower", "Narrow list", ["<"], needs: "two columns")
    static let wider = column("wider", "Widen list", [">"], needs: "two columns")

    static let all = [focusLeft, focusRight, hideList, toggleList, narrower, wider]
}

/// Commands of navigation levels.
package enum NavigationCommands {
    /// Returns to the previous level.
    package static let back = CommandDefinition(
        "navigation.back", "Back", keys: ["h", "backspace", "left", "esc", "q"], group: "Move", place: "everywhere",
        needs: "a previous view", [.givesWay, .needsNoContent])
    static let toggleBars = CommandDefinition(
        "navigation.toggleBars", "Hide or show bars", keys: ["z"], group: "Columns", place: "everywhere", .givesWay)

    static let all = [back, toggleBars]
}

/// Commands of segments.
package enum SegmentCommands {
    /// Selects the next segment.
    package static let next = CommandDefinition(
        "segments.next", "Next segment", keys: ["tab"], group: "Segments", place: "everywhere", .needsNoContent)
    static let previous = CommandDefinition(
        "segments.previous", "Previous segment", keys: ["backtab"], group: "Segments", place: "everywhere",
        .needsNoContent)
    package static let picks = (1...9).map { number in
        CommandDefinition(
            "segments.select\(number)", DisplayText("Segment \(number)"),
            keys: [KeySequence([KeyPress(.character(Character(String(number))))])], group: "Segments",
            place: "everywhere", needs: "that segment", .needsNoContent)
    }

    static let all = [next, previous] + picks
}
