import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// Plays and downloads enclosures.
@MainActor
package final class EnclosureServices {
    package let downloads: DownloadController
    private let access: LibraryAccess
    private let playAction: ExternalPrograms.Play

    package init(access: LibraryAccess, play: @escaping ExternalPrograms.Play) {
        self.access = access
        playAction = play
        let settings = access.settings
        downloads = DownloadController(library: access.library, status: access.status) { settings[.mediaFolder] }
    }

    /// Queues the download of an enclosure.
    ///
    /// - Parameter subscription: The feed that contains it. An enclosure on the same host may be in a private network.
    package func download(_ address: String, _ title: String, of subscription: FeedID? = nil) {
        let isOwn = access.read(false) { try $0.feeds.mayBePrivate(media: address, of: subscription) }
        let feed = subscription.flatMap { id in access.read(nil) { try $0.feeds.all().first { $0.id == id }?.title } }
        let change = Change.queueDownload(
            url: address, title: title, feed: feed, allowsPrivateHost: isOwn, now: access.clock())
        access.changes.submit(change) { [access, downloads] receipt in
            let status = access.status
            let key = status.key(DownloadCommands.showDownloads)
            if receipt.count > 0 {
                status.show(DisplayText("Downloading \(title) · \(key) shows the progress"))
            } else {
                let isHere = access.read(nil) { try $0.downloads.file(of: address) } != nil
                status.show(DisplayText("Already \(isHere ? "downloaded" : "in the queue") · \(key) shows it"))
            }
            downloads.start()
        }
    }

    /// Plays an enclosure with the player in the settings, from its file if it was downloaded, and from the last
    /// position.
    ///
    /// - Parameter entry: The entry of the enclosure, which other dashboards show meanwhile.
    package func play(_ url: String, of entry: EntryID? = nil) {
        let address = access.read(nil) { try $0.downloads.file(of: url) } ?? url
        let start = access.read(nil) { try $0.downloads.playback(of: url) }?.start ?? 0
        let player = access.settings[.player]
        access.status.show(DisplayText("Playing with \(player) …"))
        // The player has the terminal meanwhile, so its reports are stored in the background.
        let keep: @Sendable (PlayedEnclosure) -> Void = {
            [queue = access.library.changes, clock = access.clock] played in
            queue.submit(.storePlaybackPosition(url, played, of: entry, now: clock())) { _ in }
        }
        Task { [playAction, status = access.status] in
            let problem = await playAction(address, player, start, keep)
            if let problem { status.show(failure: problem) } else { status.show("") }
        }
    }
}
