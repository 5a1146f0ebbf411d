import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

/// Shows the selected entry in the detail beside its list once the selection rests, and marks it as read if it stays
/// there (row FEE-06).
@MainActor
final class EntryFollower {
    private weak var list: EntryListViewController?
    private let access: LibraryAccess
    private let rest = IdleTimer()
    private let dwell: IdleTimer

    /// Delay before the selected entry appears in the detail, so that scrolling through the list doesn't load every
    /// entry.
    static let delay = Duration.milliseconds(150)

    init(_ list: EntryListViewController, services: EntryServices) {
        self.list = list
        access = services.access
        dwell = IdleTimer(whileLookedAt: services.paneFocus)
    }

    /// Starts again with the selected entry.
    func follow() {
        dwell.stop()
        let row = list?.actionEntry
        let next = EntryListRules.entryToFollow(
            isWanted: access.settings[.followList], isBeside: hasDetailBeside, selected: row?.id,
            shown: list?.shownEntry)
        guard let row, next != nil else { return rest.stop() }
        rest.start(EntryFollower.delay) { [weak self] in self?.show(row) }
    }

    func stop() {
        rest.stop()
        dwell.stop()
    }

    /// Whether a detail is beside the list, and not over or under it.
    private var hasDetailBeside: Bool {
        guard let list, let split = list.splitViewController, !split.isCollapsed else { return false }
        return split.displayMode == .allVisible && split.listViewController === list
    }

    private func show(_ row: EntryRow) {
        guard let list, hasDetailBeside, list.selectedEntryID == row.id else { return }
        // The detail only follows while the focus is on a list, so that an open article stays.
        guard let split = list.splitViewController, split.focusedColumn != .secondary,
            let detail = list.details.detail(of: row.id)
        else { return }
        split.show(detail, in: .secondary, takesFocus: false)
        list.table.setNeedsLayout()
        startReadDelay(on: row)
    }

    private func startReadDelay(on row: EntryRow) {
        guard let seconds = EntryListRules.dwell(seconds: access.settings[.readAfter], isRead: row.isRead) else {
            return
        }
        dwell.start(.seconds(seconds)) { [weak self] in
            guard let self, self.list?.shownEntry == row.id else { return }
            self.access.setMark(.read, true, [row.id], isOwnStep: false)
        }
    }
}
