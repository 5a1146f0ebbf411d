import TerminalUI

/// Commands for places: segments made of them, and panes that show them.
package enum PlaceCommands {
    private static func place(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText
    ) -> CommandDefinition {
        CommandDefinition(name, title, keys: keys, group: "Segments", place: "everywhere", needs: need)
    }

    package static let addSegment = place(
        "segments.add", "Add or remove segment", ["ctrl-x t"], needs: "a list or a race"
    ).found(by: "tab pin bookmark")

    package static let openPane = place(
        "place.openPane", "Open in a new pane", ["ctrl-x p"], needs: "tmux and a place")
    package static let openWindow = place(
        "place.openWindow", "Open in a new window", ["ctrl-x w"], needs: "tmux and a place")

    package static let inspect = CommandDefinition(
        "inspector.toggle", "Show or hide inspector", keys: ["ctrl-x i"], group: "Columns", place: "everywhere")

    package static let openAccessory = place(
        "accessory.open", "Go to current event", ["ctrl-x g"], needs: "a line about something current")
    package static let dismissAccessory = place(
        "accessory.dismiss", "Hide current event", ["ctrl-x x"], needs: "a line about something current")

    private static func list(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = "a segment"
    ) -> CommandDefinition {
        CommandDefinition(
            "segments.\(name)", title, keys: keys, group: "Segments", place: "the list of segments", needs: need)
    }

    package static let addPlace = list("addPlace", "Add segment", ["a"], needs: nil)
    package static let hideSegment = list("hide", "Hide segment", ["x", "d"])
    package static let moveUp = list("moveUp", "Move segment left", ["K"])
    package static let moveDown = list("moveDown", "Move segment right", ["J"])
    package static let standardSegments = list("standard", "Restore standard segments", ["D"], needs: nil)

    /// All of them, in the order of help and documents.
    package static let all = [
        addSegment, openPane, openWindow, inspect, openAccessory, dismissAccessory, addPlace, hideSegment, moveUp,
        moveDown, standardSegments,
    ]
}
