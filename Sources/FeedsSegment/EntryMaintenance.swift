import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// Handles new entries after a reload: performs the tasks of rules, deletes old entries and indexes new ones.
@MainActor
package final class EntryMaintenance {
    private let access: LibraryAccess
    private let arrivals: ArrivalController
    private let index: IndexController
    private weak var router: (any DashboardRouter)?
    /// Whether the user has requested the reload, and can be asked at its end.
    package var isOfUser = false
    /// The entries of which the last message said that they wait.
    private var reported = HeldEntries()

    package init(
        access: LibraryAccess, arrivals: ArrivalController, index: IndexController,
        router: (any DashboardRouter)? = nil
    ) {
        self.access = access
        self.arrivals = arrivals
        self.index = index
        self.router = router
    }

    package func begin() {
        arrivals.begin()
        let asks = isOfUser
        isOfUser = false
        Task {
            await markOldEntries()
            await deleteOldEntries(asks: asks)
            access.library.changes.checkpoint()
            index.start()
        }
    }

    /// Marks the entries as read that are older than the options of their feeds allow.
    private func markOldEntries() async {
        let (change, changes) = (Change(MarkOldRead(now: access.clock())), access.library.changes)
        guard let receipt = await access.status.attempt({ try await changes.perform(change) }), receipt.count > 0
        else { return }
        access.changes.offerUndo(of: change, receipt)
        let marked = receipt.count.counted("old entry", "old entries")
        access.status.show(
            DisplayText("Marked \(marked) as read. \(access.status.key(ProgramCommands.undo)) undoes it."))
    }

    /// Deletes the entries above the limits of the settings.
    ///
    /// - Parameter asks: Whether to ask about the entries that wait, unless the user has confirmed.
    private func deleteOldEntries(isConfirmed: Bool = false, asks: Bool = false) async {
        let (days, entries) = (access.settings[.keepDays], access.settings[.keepEntries])
        guard days > 0 || entries > 0 else { return }
        let change = Change(RetainEntries(days: days, entries: entries, isConfirmed: isConfirmed, now: access.clock()))
        let changes = access.library.changes
        guard let receipt = await access.status.attempt({ try await changes.perform(change) }) else { return }
        if receipt.count > 0 {
            access.changes.offerUndo(of: change, receipt)
            let deleted = receipt.count.counted("old entry", "old entries")
            let key = access.status.key(ProgramCommands.undo)
            access.status.show(DisplayText("Deleted \(deleted), according to the settings. \(key) undoes it."))
        }
        report(receipt.heldEntries, asks: asks)
    }

    /// Says which entries wait, or asks whether to delete them.
    private func report(_ waiting: HeldEntries, asks: Bool) {
        defer { reported = waiting }
        guard let sentence = waiting.sentence else { return }
        guard asks, let router else {
            guard waiting != reported else { return }
            return access.status.show(DisplayText("\(sentence) \(access.status.key(FeedCommands.reloadAll)) asks."))
        }
        let reason = "They are above the limits of the settings. A wrong clock does that, too."
        router.present(
            AlertController(
                title: "Delete old entries?", message: DisplayText("\(sentence) \(reason)"), cancel: "Keep",
                confirm: "Delete"
            ) { [weak self] in Task { await self?.deleteOldEntries(isConfirmed: true) } })
    }
}
