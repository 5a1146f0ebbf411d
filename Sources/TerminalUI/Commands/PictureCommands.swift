enum PictureCommands {
    private static func image(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = [.unlisted, .givesWay]
    ) -> CommandDefinition {
        CommandDefinition("image.\(name)", title, keys: keys, group: "Zoom", place: "pictures", needs: need, traits)
    }

    static let zoomIn = image("zoomIn", "Zoom in", ["+", "="], needs: "room for more", [.worksFromList, .givesWay])
    static let zoomOut = image("zoomOut", "Zoom out", ["-"], needs: "a zoomed view", [.worksFromList, .givesWay])
    static let fit = image("fit", "Show whole picture", ["0"], needs: "a zoomed view", .worksFromList)
    static let left = image("left", "Left", ["left", "h"])
    static let right = image("right", "Right", ["right", "l"])
    static let up = image("up", "Up", ["up", "k"])
    static let down = image("down", "Down", ["down", "j"])

    static let all = [zoomIn, zoomOut, fit, left, right, up, down]
}
