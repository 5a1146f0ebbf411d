import TerminalUI

/// The commands of the extras.
extension ToolkitCommands {
    /// All commands of the extras. The command table of a program with extras starts with them, before
    /// ``TerminalUI/ToolkitCommands/all``.
    public static let extras: [CommandDefinition] = outlines + controls + scrolling
}

/// Trees.
extension ToolkitCommands {
    static let unfold = CommandDefinition(
        "outline.expand", "Expand", keys: ["l", "right"], group: "Move", place: "trees", needs: "a collapsed row",
        .givesWay)
    static let fold = CommandDefinition(
        "outline.collapse", "Collapse", keys: ["h", "left"], group: "Move", place: "trees", needs: "an expanded row",
        .givesWay)

    static let outlines = [unfold, fold]
}

/// Controls.
extension ToolkitCommands {
    private static func control(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition(
            name, title, keys: keys, group: "Controls", place: "forms", needs: need, [.givesWay, .isGeneral])
    }

    static let press = control("control.press", "Press", ["enter", "space"])
    static let pickerNext = control("picker.next", "Next", ["right", "l"], needs: "another choice")
    static let pickerPrevious = control("picker.previous", "Previous", ["left", "h"], needs: "another choice")
    static let radioNext = control("radio.next", "Next", ["down", "j"], needs: "another choice")
    static let radioPrevious = control("radio.previous", "Previous", ["up", "k"], needs: "another choice")
    static let sliderMore = control("slider.more", "More", ["right", "l", "+"], needs: "room for more")
    static let sliderLess = control("slider.less", "Less", ["left", "h", "-"], needs: "room for less")

    static let controls = [press, pickerNext, pickerPrevious, radioNext, radioPrevious, sliderMore, sliderLess]
}

/// Scroll views.
extension ToolkitCommands {
    private static func shift(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("scroll.\(name)", title, keys: keys, group: "Move", place: "forms", .unlisted)
    }

    static let scrollDown = shift("down", "Scroll down", ["j", "down"])
    static let scrollUp = shift("up", "Scroll up", ["k", "up"])
    static let scrollRight = shift("right", "Scroll right", ["L", "shift-right"])
    static let scrollLeft = shift("left", "Scroll left", ["H", "shift-left"])
    static let scrollPageDown = shift("pageDown", "Page down", ["space", "pagedown"])
    static let scrollPageUp = shift("pageUp", "Page up", ["b", "pageup"])

    static let scrolling = [scrollDown, scrollUp, scrollRight, scrollLeft, scrollPageDown, scrollPageUp]
}
