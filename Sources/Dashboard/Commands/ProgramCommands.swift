import TerminalUI

/// What belongs to the whole program, its settings, and what lies over it.
extension CommandDefinition {
    private static func program(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "program.\(name)", title, keys: keys, group: "Program", place: "everywhere", needs: need, traits)
    }

    static let undo = program("undo", "Undo", ["u"], needs: "something to take back")
    static let help = program("help", "Keys that work here", ["?", "f1"])
    static let palette = program("palette", "Find a command", [":"])
    static let menu = program("menu", "What can be done here", ["."])
    static let quit = program("quit", "Quit", ["q"])
    static let quitNow = program("quitNow", "Quit at once", ["Q", "ctrl-c"])
    static let releaseMemory = program("releaseMemory", "Let go what can be made again", ["ctrl-x m"], .unlisted)
    static let redraw = program("redraw", "Draw the screen anew", ["ctrl-l"])
    static let suspend = program("suspend", "To the shell", ["ctrl-z"])
    static let closePopover = CommandDefinition(
        "popover.close", "Close", keys: ["p", "q", "esc", "h", "backspace", "enter"], group: "Program",
        place: "popovers")

    private static func picture(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition(
            "picture.\(name)", title, keys: keys, group: "Picture", place: "pictures of an article", needs: need)
    }

    static let nextPicture = picture("next", "Next picture", ["]"], needs: "another picture")
    static let previousPicture = picture("previous", "Picture before", ["["], needs: "another picture")
    static let reloadPicture = picture("retry", "Load the picture again", ["r"], needs: "a picture that failed")
    static let pictureBrowser = picture("browser", "Open in the browser", ["o"])

    private static func settings(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: Traits = []
    ) -> CommandDefinition {
        CommandDefinition(name, title, keys: keys, group: "Settings", place: "settings", needs: need, traits)
    }

    static let resetSetting = settings("setting.reset", "Back to default", ["x"], needs: "a setting")
    static let manageSubscriptions = settings("subscriptions.manage", "Manage subscriptions", ["M"])
    static let importSubscriptions = settings("subscriptions.import", "Import a list", ["I"], .isUndoable)
    static let exportSubscriptions = settings("subscriptions.export", "Export as OPML", ["E"])
    static let addRace = settings("race.add", "Add a race", ["T"], .isUndoable)

    static let showStorage = settings("storage.show", "Storage", ["ctrl-x s"])
    static let showKeys = settings("keys.show", "Keys", ["ctrl-x k"])
    static let showAbout = settings("about.show", "About tappa", ["ctrl-x a"])

    private static func storage(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("storage.\(name)", title, keys: keys, group: "Settings", place: "storage")
    }

    static let checkLibrary = storage("check", "Look through the library", ["c"])
    static let compactLibrary = storage("compact", "Write the library anew without what is free in it", ["v"])
    static let clearPictures = storage("clearPictures", "Let go of the pictures that were fetched", ["p"])
    static let copyFacts = CommandDefinition(
        "page.copy", "Copy this page", keys: ["y"], group: "Settings", place: "storage")

    static let programCommands = [
        showStorage, showKeys, showAbout, checkLibrary, compactLibrary, clearPictures, copyFacts,
        undo, help, palette, menu, quit, quitNow, releaseMemory, redraw, suspend, closePopover, nextPicture,
        previousPicture, reloadPicture, pictureBrowser, resetSetting, manageSubscriptions, importSubscriptions,
        exportSubscriptions, addRace,
    ]
}
