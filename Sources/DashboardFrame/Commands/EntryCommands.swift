import TerminalUI

/// The commands for entries, implemented by ``EntryActions``.
package enum EntryCommands {
    private static func entry(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], in group: DisplayText, needs need: DisplayText,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition("entry.\(name)", title, keys: keys, group: group, place: "entries", needs: need, traits)
    }

    private static let reading: DisplayText = "Reading"
    private static let marks: DisplayText = "Marks"
    private static let links: DisplayText = "Links and files"
    /// The group of commands for enclosures.
    static let media: DisplayText = "Audio and video"

    package static let nextUnread = entry("nextUnread", "Next unread", ["n"], in: reading, needs: "a list of entries")
    package static let previousUnread = entry(
        "previousUnread", "Previous unread", ["N"], in: reading, needs: "a list of entries")
    static let previousEntry = entry("previous", "Previous entry", ["["], in: reading, needs: "a previous entry")
    static let nextEntry = entry("next", "Next entry", ["]"], in: reading, needs: "a next entry")
    static let nextFeed = entry("nextFeed", "Next feed", ["J"], in: reading, needs: "the entries of a feed", .givesWay)
    static let previousFeed = entry(
        "previousFeed", "Previous feed", ["K"], in: reading, needs: "the entries of a feed", .givesWay)
    static let toggleRead = entry(
        "toggleRead", "Mark as read or unread", ["m"], in: marks, needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    package static let toggleStar = entry(
        "toggleStar", "Star", ["s"], in: marks, needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    package static let toggleLater = entry(
        "toggleLater", "Read later", ["w"], in: marks, needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    static let deleteEntry = entry(
        "delete", "Delete", ["d"], in: marks, needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    package static let markAllRead = entry(
        "markAllRead", "Mark all as read", ["A"], in: marks, needs: "a list of entries", .isUndoable)
    static let markMore = entry(
        "markMore", "Mark above, below or older", ["M"], in: marks, needs: "a list of entries",
        [.isUndoable, .worksFromList])
    static let tagEntry = entry(
        "tags", "Edit tags", ["t"], in: marks, needs: "an entry", [.isUndoable, .actsOnMarkedRows])
    package static let publishDate = entry("publishDate", "Show date", ["p"], in: reading, needs: "an entry")
    package static let openInBrowser = entry("browser", "Open in browser", ["o"], in: links, needs: "a link")
    static let copyLink = entry("copyLink", "Copy link", ["y"], in: links, needs: "a link")
    static let copyMarkdown = entry("copyMarkdown", "Copy link as Markdown", ["Y"], in: links, needs: "a link")
    package static let fullText = entry(
        "fullText", "Load full text", ["F"], in: reading, needs: "a link", .worksFromList)
    static let playMedia = entry("play", "Play audio or video", ["x"], in: media, needs: "audio or video")
    static let pipeEntry = entry("pipe", "Pipe to program", ["|"], in: links, needs: "an entry", .actsOnMarkedRows)
    static let saveArticle = entry(
        "save", "Save to file", ["ctrl-s"], in: links, needs: "an article", .worksFromList)
    static let showChanges = entry(
        "changes", "Show changes", ["D"], in: reading, needs: "a changed entry", .worksFromList)
    static let entryStage = entry(
        "stage", "Go to stage", ["E"], in: reading, needs: "an entry about a stage", .worksFromList)
    static let followLink = entry(
        "follow", "Follow link by letter", ["f"], in: reading, needs: "links", .worksFromList)
    package static let openLink = entry(
        "link", "Follow link by number", ["#"], in: reading, needs: "links", .worksFromList)
    static let showPictures = entry("pictures", "View pictures", ["P"], in: reading, needs: "pictures", .worksFromList)
    static let retryPage = CommandDefinition(
        "article.retry", "Retry", keys: ["r"], group: reading, place: "full texts", needs: "a page that failed to load")
    package static let saveSearch = CommandDefinition(
        "search.save", "Save search", keys: ["K"], group: "Feeds", place: "search results", .isUndoable)

    static let revealEntry = entry("reveal", "Reveal spoiler", ["i"], in: marks, needs: "a hidden entry")

    /// All of them, in the order of help and documents.
    package static let all = [
        nextUnread, previousUnread, previousEntry, nextEntry, nextFeed, previousFeed, toggleRead, toggleStar,
        toggleLater, deleteEntry, markAllRead, markMore, tagEntry, publishDate, openInBrowser, copyLink, copyMarkdown,
        fullText, playMedia, saveArticle, pipeEntry, showChanges, entryStage, revealEntry, followLink, openLink,
        showPictures, retryPage, saveSearch,
    ]
}
