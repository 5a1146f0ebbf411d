import Feeds
import TerminalUI

/// The queue of downloads, with their progress and errors. Downloads can be retried, played and removed.
@MainActor
package final class DownloadsViewController: SheetListViewController<Download> {
    private let access: LibraryAccess
    /// The number of changes before the sheet, which it doesn't undo.
    private let changesBefore: Int
    private let enclosures: EnclosureServices

    package init(access: LibraryAccess, enclosures: EnclosureServices) {
        self.access = access
        changesBefore = access.changes.stepCount
        self.enclosures = enclosures
        let key = access.status.key(DownloadCommands.downloadMedia)
        super.init(
            title: "Downloads",
            emptyText: DisplayText("No downloads. \(key) on an entry downloads its audio or video."),
            width: 72)
    }

    package override func viewWillAppear() {
        observation = access.library.observe(.downloads) { [weak self] in self?.load() }
        // Updates the progress of the current download.
        loadEverySecond { [weak self] in self?.items.contains { !$0.isDone && $0.error == nil } ?? false }
    }

    package override func readItems() -> [Download] { access.read([]) { try $0.downloads.all() } }

    package override func identifier(of download: Download) -> AnyHashable? { download.id }

    package override func cell(for download: Download) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = DisplayText(download.title)
        if download.error != nil { cell.titleRole = .failure }
        cell.value = DisplayText(download.state).truncated(to: 36)
        return cell
    }

    package override func activate(_ download: Download) {
        if download.isDone { enclosures.play(download.url) } else { enclosures.download(download.url, download.title) }
    }

    package override var commands: [Command] {
        let download = selected
        return [
            Command(DownloadCommands.playDownload, isEnabled: download?.isDone == true) { [weak self] in
                if let download { self?.enclosures.play(download.url) }
            },
            Command(DownloadCommands.retryDownload, isEnabled: download?.error != nil) { [weak self] in
                if let download { self?.activate(download) }
            },
            Command(DownloadCommands.removeDownload, isEnabled: download != nil) { [weak self] in
                if let download { self?.access.changes.submit(.removeDownload(download.id)) }
            },
            access.changes.undoCommand(since: changesBefore),
            Command(DownloadCommands.closeDownloads) { [weak self] in self?.dismiss() },
        ]
    }
}
