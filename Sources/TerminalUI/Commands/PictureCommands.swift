enum PictureCommands {
    private static func pan(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("image.\(name)", title, keys: keys, group: "Zoom", place: "pictures", [.unlisted, .givesWay])
    }

    static let zoomIn = CommandDefinition(
        "image.zoomIn", "Zoom in", keys: ["+", "="], group: "Zoom", place: "pictures", needs: "room for more",
        [.worksFromList, .givesWay])
    static let zoomOut = CommandDefinition(
        "image.zoomOut", "Zoom out", keys: ["-"], group: "Zoom", place: "pictures", needs: "a zoomed view",
        [.worksFromList, .givesWay])
    static let fit = CommandDefinition(
        "image.fit", "Show whole picture", keys: ["0"], group: "Zoom", place: "pictures",
        needs: "a zoomed view", .worksFromList)
    static let left = pan("left", "Left", ["left", "h"])
    static let right = pan("right", "Right", ["right", "l"])
    static let up = pan("up", "Up", ["up", "k"])
    static let down = pan("down", "Down", ["down", "j"])

    static let all = [zoomIn, zoomOut, fit, left, right, up, down]
}
