import TerminalUI

/// What can be done with entries, wherever one meets them; done by ``EntryActions``.
extension CommandDefinition {
    private static func entry(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText, _ traits: Traits = []
    ) -> CommandDefinition {
        CommandDefinition("entry.\(name)", title, keys: keys, group: "Entry", place: "entries", needs: need, traits)
    }

    static let nextUnread = entry("nextUnread", "Next unread", ["n"], needs: "a list of entries")
    static let previousEntry = entry("previous", "Previous entry", ["["], needs: "an entry before it")
    static let nextEntry = entry("next", "Next entry", ["]"], needs: "an entry after it")
    static let toggleRead = entry(
        "toggleRead", "Read or unread", ["m"], needs: "an entry", [.isUndoable, .takesMarkedRows])
    static let toggleStar = entry("toggleStar", "Star", ["s"], needs: "an entry", [.isUndoable, .takesMarkedRows])
    static let toggleLater = entry(
        "toggleLater", "Read later", ["w"], needs: "an entry", [.isUndoable, .takesMarkedRows])
    static let deleteEntry = entry("delete", "Delete", ["d"], needs: "an entry", [.isUndoable, .takesMarkedRows])
    static let markAllRead = entry(
        "markAllRead", "Mark all of this list read", ["A"], needs: "a list of entries", .isUndoable)
    static let markMore = entry(
        "markMore", "Mark read: above, below, older …", ["M"], needs: "a list of entries",
        [.isUndoable, .worksFromList])
    static let tagEntry = entry("tags", "Tags", ["t"], needs: "an entry", [.isUndoable, .takesMarkedRows])
    static let publishDate = entry("publishDate", "Publish Date", ["p"], needs: "an entry")
    static let openInBrowser = entry("browser", "Open in the browser", ["o"], needs: "a link")
    static let copyLink = entry("copyLink", "Copy the link", ["y"], needs: "a link")
    static let copyMarkdown = entry("copyMarkdown", "Copy title and link as Markdown", ["Y"], needs: "a link")
    static let fullText = entry("fullText", "Full text of the page", ["F"], needs: "a link", .worksFromList)
    static let playRecording = entry("play", "Play the recording", ["x"], needs: "a recording")
    static let saveArticle = entry(
        "save", "Save as Markdown, HTML or text", ["ctrl-s"], needs: "an article", .worksFromList)
    static let showChanges = entry(
        "changes", "What its feed has changed", ["D"], needs: "an entry that was changed", .worksFromList)
    static let entryStage = entry(
        "stage", "Go to the stage it is about", ["E"], needs: "an entry about a stage", .worksFromList)
    static let followLink = entry(
        "follow", "Follow a link in sight (a capital letter: the other way)", ["f"], needs: "links", .worksFromList)
    static let openLink = entry("link", "Follow a link by its number", ["#"], needs: "links", .worksFromList)
    static let showPictures = entry("pictures", "Pictures of the article", ["P"], needs: "pictures", .worksFromList)
    static let retryPage = CommandDefinition(
        "article.retry", "Try again", keys: ["r"], group: "Entry", place: "full texts", needs: "a page that failed")
    static let keepSearch = CommandDefinition(
        "search.keep", "Keep this search", keys: ["K"], group: "Feeds", place: "found entries", .isUndoable)

    static let revealEntry = entry(
        "reveal", "Show it though it gives a result away", ["i"], needs: "an entry that is hidden")

    static let entryCommands = [
        nextUnread, previousEntry, nextEntry, toggleRead, toggleStar, toggleLater, deleteEntry,
        markAllRead, markMore,
        tagEntry,
        publishDate, openInBrowser, copyLink, copyMarkdown, fullText, playRecording, saveArticle, showChanges,
        entryStage, revealEntry, followLink, openLink, showPictures, retryPage,
        keepSearch,
    ]
}
