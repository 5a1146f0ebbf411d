import TerminalUI

/// Commands for the queue of downloads.
extension CommandDefinition {
    static let downloadRecording = CommandDefinition(
        "entry.download", "Download audio or video", keys: ["e"], group: recordings, place: "entries",
        needs: "audio or video",
        .isUndoable)
    static let showDownloads = CommandDefinition(
        "downloads.show", "Show downloads", keys: ["ctrl-x d"], group: "Program", place: "everywhere")

    private static func download(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "downloads.\(name)", title, keys: keys, group: "Downloads", place: "downloads", needs: need, traits)
    }

    static let playDownload = download("play", "Play", ["x"], needs: "a finished download")
    static let retryDownload = download("retry", "Retry", ["r"], needs: "a failed download")
    static let removeDownload = download("remove", "Remove from queue", ["d"], needs: "a download", .isUndoable)
    static let closeDownloads = download("close", "Close", ["q", "esc", "h", "backspace"])

    static let downloadCommands = [
        downloadRecording, showDownloads, playDownload, retryDownload, removeDownload, closeDownloads,
    ]
}
