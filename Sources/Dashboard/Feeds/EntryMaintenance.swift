import ModelCore
import TerminalUI

/// Handles new entries after a reload: performs the tasks of rules, deletes old entries and indexes new ones.
@MainActor
final class EntryMaintenance {
    private let access: LibraryAccess
    private let arrivals: ArrivalController
    private let index: IndexController

    init(access: LibraryAccess, arrivals: ArrivalController, index: IndexController) {
        self.access = access
        self.arrivals = arrivals
        self.index = index
    }

    func begin() {
        arrivals.begin()
        let library = access.library
        let retention = ApplyRetention(
            days: access.settings[.keepDays], entries: access.settings[.keepEntries], now: access.clock())
        Task { [index, status = access.status] in
            if let deleted = await status.attempt({ try await library.changes.perform(retention).count }), deleted > 0 {
                let entries = deleted.counted("old entry", "old entries")
                status.show(DisplayText("Deleted \(entries), according to the settings"))
            }
            library.changes.checkpoint()
            index.start()
        }
    }
}
