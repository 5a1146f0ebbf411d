import TerminalUI

/// The commands for feeds, implemented by ``FeedActions`` and the list of feeds.
enum FeedCommands {
    private static func feed(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = "a feed",
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition("feed.\(name)", title, keys: keys, group: "Feeds", place: "feeds", needs: need, traits)
    }

    static let reloadFeed = feed("reload", "Reload feed", ["r"])
    static let addFeed = feed("add", "Add feed", ["a"], needs: nil)
    static let openFeed = feed("open", "Open", ["l", "right"], .unlisted)
    static let feedBrowser = feed("browser", "Open home page in browser", ["o"])
    static let feedHealth = feed("health", "Show feed status", ["i"])
    static let renameFeed = feed("rename", "Rename", ["e"], .isUndoable)
    static let moveFeed = feed("folder", "Move to folder", ["f"], .isUndoable)
    static let tagFeed = feed("tags", "Edit tags", ["t"], .isUndoable)
    static let feedOptions = feed("options", "Feed options", [","], .isUndoable)
    static let unsubscribe = feed("unsubscribe", "Unsubscribe", ["d"], .isUndoable)
    static let markFeedRead = feed("markAllRead", "Mark all as read", ["A"], .isUndoable)
    static let collapseGroup = feed("collapse", "Expand or collapse", ["-"], needs: "a folder or a tag")
    static let moveUp = feed("moveUp", "Move up", ["K"], needs: "a row that can be moved", .isUndoable)
    static let moveDown = feed("moveDown", "Move down", ["J"], needs: "a row that can be moved", .isUndoable)
    static let sortSearch = CommandDefinition(
        "search.sort", "Sort search", keys: [","], group: "Feeds", place: "feeds", needs: "a saved search",
        [.isUndoable, .givesWay])
    static let deleteSearch = CommandDefinition(
        "search.delete", "Delete search", keys: ["d"], group: "Feeds", place: "feeds", needs: "a saved search",
        [.isUndoable, .givesWay])

    /// Defines a command that is available everywhere.
    private static func feeds(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(name, title, keys: keys, group: "Feeds", place: "everywhere", needs: need, traits)
    }

    static let search = feeds("feed.search", "Search all entries", ["S"], .needsNoContent)
    static let showRecentlyRead = feeds("feeds.recentlyRead", "Show recently read", ["ctrl-x h"])
    static let reloadAll = feeds("feeds.reloadAll", "Reload all feeds", ["R"])
    static let watchReload = feeds("feeds.showReload", "Show reload status", ["L"])
    static let stopReload = feeds("feeds.stopReload", "Stop reload", ["X"], needs: "a running reload")

    private static func reload(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition("reload.\(name)", title, keys: keys, group: "Feeds", place: "the reload status", needs: need)
    }

    static let stopOne = reload("stopOne", "Stop reloading feed", ["x"], needs: "a feed being reloaded")
    static let retryOne = reload("retry", "Retry feed", ["r"], needs: "a feed, and no running reload")
    static let closeReload = reload("close", "Close", ["q", "esc", "h", "backspace", "L"])
    static let closeHealth = CommandDefinition(
        "health.close", "Close", keys: ["q", "esc", "i", "h", "backspace", "enter"], group: "Feeds",
        place: "the feed status")

    /// All of them, in the order of help and documents.
    static let all = [
        reloadFeed, addFeed, openFeed, feedBrowser, feedHealth, renameFeed, moveFeed, tagFeed, feedOptions, unsubscribe,
        markFeedRead, collapseGroup, moveUp, moveDown, sortSearch, deleteSearch, search, showRecentlyRead,
        reloadAll, watchReload,
        stopReload,
        stopOne, retryOne, closeReload, closeHealth,
    ]
}
