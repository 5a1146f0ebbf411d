import TerminalUI

/// The commands for feeds, implemented by ``FeedActions`` and the list of feeds.
package enum FeedCommands {
    private static func feed(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = "a feed",
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition("feed.\(name)", title, keys: keys, group: "Feeds", place: "feeds", needs: need, traits)
    }

    package static let reloadFeed = feed("reload", "Reload feed", ["r"])
    package static let addFeed = feed("add", "Add feed", ["a"], needs: nil)
    package static let openFeed = feed("open", "Open", ["l", "right"], .unlisted)
    package static let feedBrowser = feed("browser", "Open home page in browser", ["o"])
    package static let feedHealth = feed("health", "Show feed status", ["i"])
    package static let renameFeed = feed("rename", "Rename", ["e"], .isUndoable)
    package static let moveFeed = feed("folder", "Move to folder", ["f"], .isUndoable)
    package static let tagFeed = feed("tags", "Edit tags", ["t"], .isUndoable)
    package static let feedOptions = feed("options", "Feed options", [","], .isUndoable)
    package static let unsubscribe = feed("unsubscribe", "Unsubscribe", ["d"], .isUndoable)
    package static let updateAddress = feed(
        "updateAddress", "Edit address", ["B"], needs: "a feed outside accounts", .isUndoable)
    package static let markFeedRead = feed("markAllRead", "Mark all as read", ["A"], .isUndoable)
    package static let collapseGroup = feed("collapse", "Expand or collapse", ["-"], needs: "a folder or a tag")
    package static let moveUp = feed("moveUp", "Move up", ["K"], needs: "a row that can be moved", .isUndoable)
    package static let moveDown = feed("moveDown", "Move down", ["J"], needs: "a row that can be moved", .isUndoable)
    package static let sortSearch = CommandDefinition(
        "search.sort", "Sort search", keys: [","], group: "Feeds", place: "feeds", needs: "a saved search",
        [.isUndoable, .givesWay])
    package static let deleteSearch = CommandDefinition(
        "search.delete", "Delete search", keys: ["d"], group: "Feeds", place: "feeds", needs: "a saved search",
        [.isUndoable, .givesWay])

    /// Defines a command that is available everywhere.
    private static func feeds(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(name, title, keys: keys, group: "Feeds", place: "everywhere", needs: need, traits)
    }

    package static let search = feeds("feed.search", "Search all entries", ["S"], .needsNoContent)
    package static let showRecentlyRead = feeds("feeds.recentlyRead", "Show recently read", ["ctrl-x h"])
    package static let reloadAll = feeds("feeds.reloadAll", "Reload all feeds", ["R"])
    package static let watchReload = feeds("feeds.showReload", "Show reload status", ["L"])
    package static let stopReload = feeds("feeds.stopReload", "Stop reload", ["X"], needs: "a running reload")

    private static func reload(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition("reload.\(name)", title, keys: keys, group: "Feeds", place: "the reload status", needs: need)
    }

    package static let stopOne = reload("stopOne", "Stop reloading feed", ["x"], needs: "a feed being reloaded")
    package static let retryOne = reload("retry", "Retry feed", ["r"], needs: "a feed, and no running reload")
    package static let closeReload = reload("close", "Close", ["q", "esc", "h", "backspace", "L"])
    package static let closeHealth = CommandDefinition(
        "health.close", "Close", keys: ["q", "esc", "i", "h", "backspace", "enter"], group: "Feeds",
        place: "the feed status")

    /// All of them, in the order of help and documents.
    package static let all = [
        reloadFeed, addFeed, openFeed, feedBrowser, feedHealth, renameFeed, moveFeed, tagFeed, feedOptions,
        updateAddress, unsubscribe, markFeedRead, collapseGroup, moveUp, moveDown, sortSearch, deleteSearch, search,
        showRecentlyRead, reloadAll, watchReload, stopReload, stopOne, retryOne, closeReload, closeHealth,
    ]
}
