import TerminalUI

extension ToolkitCommands {
    /// All commands of the extras. The command table of a program with extras starts with them, before
    /// ``TerminalUI/ToolkitCommands/all``.
    public static let extras: [CommandDefinition] =
        OutlineCommands.all + ControlCommands.all + ScrollViewCommands.all
}

enum OutlineCommands {
    static let expand = CommandDefinition(
        "outline.expand", "Expand", keys: ["l", "right"], group: "Move", place: "trees", needs: "a collapsed row",
        .givesWay)
    static let collapse = CommandDefinition(
        "outline.collapse", "Collapse", keys: ["h", "left"], group: "Move", place: "trees", needs: "an expanded row",
        .givesWay)

    static let all = [expand, collapse]
}

enum ControlCommands {
    private static func control(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition(
            name, title, keys: keys, group: "Controls", place: "forms", needs: need, [.givesWay, .isGeneral])
    }

    static let press = control("control.press", "Press", ["enter", "space"])
    static let nextChoice = control("picker.next", "Next", ["right", "l"], needs: "another choice")
    static let previousChoice = control("picker.previous", "Previous", ["left", "h"], needs: "another choice")
    static let nextOption = control("radio.next", "Next", ["down", "j"], needs: "another choice")
    static let previousOption = control("radio.previous", "Previous", ["up", "k"], needs: "another choice")
    static let more = control("slider.more", "More", ["right", "l", "+"], needs: "room for more")
    static let less = control("slider.less", "Less", ["left", "h", "-"], needs: "room for less")

    static let all = [press, nextChoice, previousChoice, nextOption, previousOption, more, less]
}

enum ScrollViewCommands {
    private static func shift(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("scroll.\(name)", title, keys: keys, group: "Move", place: "forms", .unlisted)
    }

    static let down = shift("down", "Scroll down", ["j", "down"])
    static let up = shift("up", "Scroll up", ["k", "up"])
    static let right = shift("right", "Scroll right", ["L", "shift-right"])
    static let left = shift("left", "Scroll left", ["H", "shift-left"])
    static let pageDown = shift("pageDown", "Page down", ["space", "pagedown"])
    static let pageUp = shift("pageUp", "Page up", ["b", "pageup"])

    static let all = [down, up, right, left, pageDown, pageUp]
}
