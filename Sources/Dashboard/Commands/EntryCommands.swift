import TerminalUI

/// The commands for entries, implemented by ``EntryActions``.
extension CommandDefinition {
    private static func entry(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText, _ traits: Traits = []
    ) -> CommandDefinition {
        CommandDefinition("entry.\(name)", title, keys: keys, group: "Entry", place: "entries", needs: need, traits)
    }

    static let nextUnread = entry("nextUnread", "Next unread", ["n"], needs: "a list of entries")
    static let previousEntry = entry("previous", "Previous entry", ["["], needs: "a previous entry")
    static let nextEntry = entry("next", "Next entry", ["]"], needs: "a next entry")
    static let toggleRead = entry(
        "toggleRead", "Mark as read or unread", ["m"], needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    static let toggleStar = entry("toggleStar", "Star", ["s"], needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    static let toggleLater = entry(
        "toggleLater", "Read later", ["w"], needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    static let deleteEntry = entry("delete", "Delete", ["d"], needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    static let markAllRead = entry(
        "markAllRead", "Mark all as read", ["A"], needs: "a list of entries", .isUndoable)
    static let markMore = entry(
        "markMore", "Mark above, below or older", ["M"], needs: "a list of entries",
        [.isUndoable, .worksFromList])
    static let tagEntry = entry("tags", "Edit tags", ["t"], needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    static let publishDate = entry("publishDate", "Publish Date", ["p"], needs: "an entry")
    static let openInBrowser = entry("browser", "Open in browser", ["o"], needs: "a link")
    static let copyLink = entry("copyLink", "Copy link", ["y"], needs: "a link")
    static let copyMarkdown = entry("copyMarkdown", "Copy link as Markdown", ["Y"], needs: "a link")
    static let fullText = entry("fullText", "Load full text", ["F"], needs: "a link", .worksFromList)
    static let playRecording = entry("play", "Play audio or video", ["x"], needs: "audio or video")
    static let saveArticle = entry(
        "save", "Save to file", ["ctrl-s"], needs: "an article", .worksFromList)
    static let showChanges = entry(
        "changes", "Show changes", ["D"], needs: "a changed entry", .worksFromList)
    static let entryStage = entry(
        "stage", "Go to stage", ["E"], needs: "an entry about a stage", .worksFromList)
    static let followLink = entry(
        "follow", "Follow link by letter", ["f"], needs: "links", .worksFromList)
    static let openLink = entry("link", "Follow link by number", ["#"], needs: "links", .worksFromList)
    static let showPictures = entry("pictures", "View pictures", ["P"], needs: "pictures", .worksFromList)
    static let retryPage = CommandDefinition(
        "article.retry", "Retry", keys: ["r"], group: "Entry", place: "full texts", needs: "a page that failed to load")
    static let saveSearch = CommandDefinition(
        "search.save", "Save search", keys: ["K"], group: "Feeds", place: "search results", .isUndoable)

    static let revealEntry = entry(
        "reveal", "Reveal spoiler", ["i"], needs: "a hidden entry")

    static let entryCommands = [
        nextUnread, previousEntry, nextEntry, toggleRead, toggleStar, toggleLater, deleteEntry,
        markAllRead, markMore,
        tagEntry,
        publishDate, openInBrowser, copyLink, copyMarkdown, fullText, playRecording, saveArticle, showChanges,
        entryStage, revealEntry, followLink, openLink, showPictures, retryPage,
        saveSearch,
    ]
}
