import Feeds
import ModelCore
import TerminalUI

/// Marking entries.
extension LibraryAccess {
    /// Sets or removes a mark of entries.
    package func setMark(_ mark: EntryMark, _ value: Bool, _ entries: [EntryID], isOwnStep: Bool = true) {
        changes.submit(
            .mark(mark, value, entries: entries, wholeStories: settings[.mergeDuplicates], now: clock()),
            isOwnStep: isOwnStep)
    }

    /// Toggles a mark of entries: gives all of them the opposite of what the selected one has after its pending changes.
    package func toggle(_ mark: EntryMark, of chosen: EntryRow, in entries: [EntryID]) {
        // Lists update a moment after a change is stored, so the stored value decides about a key pressed in between.
        let stored = read(nil) { try $0.entries.row(chosen.id) } ?? chosen
        setMark(mark, !changes.coming(mark, of: stored), entries)
    }

    /// Marks all current entries of a scope, or of a part of it, as read.
    ///
    /// - Parameter reportsNone: Whether to report that the scope has no unread entries.
    package func markAllRead(in scope: EntryScope, part: EntryPart? = nil, reportsNone: Bool = true) {
        let last = read(0) { try $0.entries.lastID() }
        changes.submit(
            .markAll(
                .read, true, scope, part: part, upTo: last, mergesDuplicates: settings[.mergeDuplicates], now: clock())
        ) { [status] receipt in
            if reportsNone, receipt.count == 0 { status.show("No unread entries.") }
        }
    }
}
