import DashboardFrame
import Feeds
import TerminalUI

/// The details of a list's entries. Those that were opened last reappear as they were.
@MainActor
final class EntryDetails {
    private let services: EntryServices
    private weak var list: (any EntrySequence)?
    private let hits: SearchHits
    private var opened = DetailCache<EntryID, EntryViewController>()

    /// - Parameter hits: Highlights the terms of the search whose results the list shows.
    init(of list: any EntrySequence, hits: SearchHits, services: EntryServices) {
        self.list = list
        self.hits = hits
        self.services = services
    }

    /// Returns the detail of an entry, or `nil` if it no longer exists.
    ///
    /// - Parameter prepared: The entry if it was read and rendered before.
    func detail(of id: EntryID, _ prepared: NextUnread.Entry? = nil) -> EntryViewController? {
        opened.detail(for: id) { make(id, prepared) }
    }

    /// Returns a detail of an entry that is shown only once.
    func preview(of id: EntryID) -> EntryViewController? { make(id, nil) }

    private func make(_ id: EntryID, _ prepared: NextUnread.Entry?) -> EntryViewController? {
        guard let entry = prepared?.detail ?? services.access.read(nil, { try $0.entries.detail(of: id) }) else {
            return nil
        }
        let detail = EntryViewController(entry: entry, article: prepared?.article, services: services)
        detail.sequence = list
        detail.hits = hits
        return detail
    }

    func releaseMemory() { opened.keep { _, detail in detail.window != nil } }
}
