import TerminalUI

/// Commands for the queue of downloads.
package enum DownloadCommands {
    static let downloadMedia = CommandDefinition(
        "entry.download", "Download audio or video", keys: ["e"], group: EntryCommands.media, place: "entries",
        needs: "audio or video", .isUndoable)
    package static let showDownloads = CommandDefinition(
        "downloads.show", "Show downloads", keys: ["ctrl-x d"], group: "Program", place: "everywhere")

    private static func download(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "downloads.\(name)", title, keys: keys, group: "Downloads", place: "downloads", needs: need, traits)
    }

    static let playDownload = download("play", "Play", ["x"], needs: "a finished download")
    static let retryDownload = download("retry", "Retry", ["r"], needs: "a failed download")
    package static let removeDownload = download("remove", "Remove from queue", ["d"], needs: "a download", .isUndoable)
    static let closeDownloads = download("close", "Close", ["q", "esc", "h", "backspace"])

    /// All of them, in the order of help and documents.
    package static let all = [
        downloadMedia, showDownloads, playDownload, retryDownload, removeDownload, closeDownloads,
    ]
}
