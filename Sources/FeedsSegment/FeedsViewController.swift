import DashboardFrame
import ModelCore
import TerminalUI

/// The root view controller of the Feeds segment: subscriptions, entries and an article.
@MainActor
package final class FeedsViewController: SplitViewController, SegmentRootController {
    package let list: FeedListViewController

    package init(services: FeedServices) {
        list = FeedListViewController(services: services)
        let card = FeedCardViewController(services: services)
        super.init(style: .triple, primary: list, placeholder: card)
        list.card = card
        card.list = list
        title = "Feeds"
    }

    /// The badge of the segment: the number of unread entries.
    package static func badge(_ access: LibraryAccess) -> DisplayText? {
        let unread = access.read(0) { try $0.feeds.unreadCount() }
        return switch access.settings.countStyle {
        case .number: unread > 0 ? DisplayText(String(unread)) : nil
        case .dot: unread > 0 ? "•" : nil
        case .none: nil
        }
    }

    /// A pane that becomes wide shows the entries of the selected row.
    package override func traitsDidChange(previous: Traits?) {
        super.traitsDidChange(previous: previous)
        if viewIfLoaded != nil { list.showEntriesOfSelection() }
    }

    // MARK: State

    /// The open list and entry, or the selected row, for the next start.
    package var state: DashboardState.FeedState? {
        guard list.viewIfLoaded != nil else { return nil }
        guard let entries = entryList,
            focusedColumn != .primary || list.selectedRow?.identifier == list.rowOfEntries
        else {
            return list.selectedRow?.stateName.map {
                DashboardState.FeedState(list: $0, paragraph: 0, offset: 0, isDetailFocused: false, isListOpen: false)
            }
        }
        return DashboardState.FeedState(entries, in: self)
    }

    private var entryList: EntryListViewController? { supplementaryViewController as? EntryListViewController }

    /// Opens the list and entry of an earlier run if they still exist.
    package func show(_ state: DashboardState.FeedState) {
        _ = list.view
        guard !list.model.sections.isEmpty else { return list.rows.load { [weak self] in self?.show(state) } }
        if Place.List(state.list) == .named(.recent) {
            list.showRecentlyRead()
            entryList?.restore(state)
            return
        }
        guard let path = list.model.path(where: { $0.isMeant(by: state.list) }) else { return }
        list.select(path)
        guard state.isListOpen != false else {
            list.showEntriesOfSelection()
            return list.showCard(afterRest: false)
        }
        list.openSelection()
        entryList?.restore(state)
        guard state.isFeedListFocused == true else { return }
        focus(.primary)
        list.showCard(afterRest: false)
    }

    /// Shows the first article of the bundled guide beside its list.
    package func showGuide() {
        let access = list.access
        guard
            let guide = access.read([], { try $0.feeds.all() }).first(where: \.isGuide),
            let first = access.read(
                [], { try $0.entries.rows(in: access.settings.query(.subscription(guide.id)), limit: 1) }
            ).first
        else { return }
        var state = DashboardState.FeedState(list: guide.url, paragraph: 0, offset: 0, isDetailFocused: false)
        (state.selectedEntry, state.openEntry) = (first.id, first.id)
        show(state)
    }

    package func reloadLists() { list.reloadEntryLists() }

    package func go(to place: Place) {
        switch place {
        case .list(let list): open(list, then: { _ in })
        case .entry(let id, let wanted):
            guard let place = list.access.list(of: id, preferring: wanted) else { return }
            open(place) { $0.openEntry(id) }
        default: focus(.primary)
        }
    }

    /// Opens a list of entries and does something there.
    private func open(_ place: Place.List, then: @escaping (EntryListViewController) -> Void) {
        _ = list.view
        guard !list.model.sections.isEmpty else {
            return list.rows.load { [weak self] in self?.open(place, then: then) }
        }
        if let path = list.model.path(where: { $0.place == place }) {
            list.select(path)
            list.openSelection()
        } else {
            // A list without a row, such as a search that isn't saved.
            list.open(place)
        }
        if let entryList { then(entryList) }
    }
}
