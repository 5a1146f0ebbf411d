import ModelCore
import TerminalUI

/// The commands for the whole program, its settings and its sheets.
package enum ProgramCommands {
    private static func program(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "program.\(name)", title, keys: keys, group: "Program", place: "everywhere", needs: need, traits)
    }

    package static let undo = program("undo", "Undo", ["u"], needs: "something to undo")
    package static let help = program("help", "Show keys", ["?", "f1"], .needsNoContent)
    package static let palette = program("palette", "Find command", [":"])
    package static let menu = program("menu", "Actions", ["."])
    package static let quit = program("quit", "Quit", ["q"], .needsNoContent)
    package static let quitNow = program("quitNow", "Quit immediately", ["Q"], .needsNoContent)
    /// Cancels what is presented, and quits like ``quit`` where nothing is.
    package static let interrupt = program("interrupt", "Cancel or quit", ["ctrl-c"], .needsNoContent)
    package static let releaseMemory = program("releaseMemory", "Release memory", ["ctrl-x m"], .unlisted)
    package static let redraw = program("redraw", "Redraw screen", ["ctrl-l"], .needsNoContent)
    package static let suspend = program("suspend", "Suspend", ["ctrl-z"], .needsNoContent)
    package static let closePopover = CommandDefinition(
        "popover.close", "Close", keys: ["p", "q", "esc", "h", "backspace", "enter"], group: "Program",
        place: "popovers", .needsNoContent)

    private static func picture(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition(
            "picture.\(name)", title, keys: keys, group: "Picture", place: "article pictures", needs: need)
    }

    static let nextPicture = picture("next", "Next picture", ["]"], needs: "another picture")
    static let previousPicture = picture("previous", "Previous picture", ["["], needs: "another picture")
    static let reloadPicture = picture("retry", "Reload picture", ["r"], needs: "a picture that failed to load")
    static let pictureBrowser = picture("browser", "Open in browser", ["o"])

    private static func settings(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(name, title, keys: keys, group: "Settings", place: "settings", needs: need, traits)
    }

    package static let resetSetting = settings("setting.reset", "Reset to default", ["x"], needs: "a setting")
    package static let manageSubscriptions = settings("subscriptions.manage", "Manage subscriptions", ["M"])
    package static let importSubscriptions = settings(
        "subscriptions.import", "Import subscriptions", ["I"], .isUndoable)
    package static let exportSubscriptions = settings("subscriptions.export", "Export as OPML", ["E"])
    package static let addRace = settings("race.add", "Add race", ["T"], .isUndoable)

    package static let showStorage = settings("storage.show", "Show storage", ["ctrl-x s"])
    package static let showKeys = settings("keys.show", "Show all keys", ["ctrl-x k"])
    package static let showAbout = settings("about.show", "About tappa", ["ctrl-x a"])

    private static func storage(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition("storage.\(name)", title, keys: keys, group: "Settings", place: "storage")
    }

    package static let checkLibrary = storage("check", "Check library", ["c"])
    package static let compactLibrary = storage("compact", "Compact library", ["v"])
    package static let clearPictures = storage("clearPictures", "Clear picture cache", ["p"])
    package static let copyFacts = CommandDefinition(
        "page.copy", "Copy page", keys: ["y"], group: "Settings", place: "storage")

    /// All of them, in the order of help and documents.
    package static let all = [
        showStorage, showKeys, showAbout, checkLibrary, compactLibrary, clearPictures, copyFacts,
        undo, help, palette, menu, quit, quitNow, interrupt, releaseMemory, redraw, suspend, closePopover, nextPicture,
        previousPicture, reloadPicture, pictureBrowser, resetSetting, manageSubscriptions, importSubscriptions,
        exportSubscriptions, addRace,
    ]
}
