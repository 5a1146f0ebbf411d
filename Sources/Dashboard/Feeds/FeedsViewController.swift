import ModelCore
import TerminalUI

/// The root view controller of the Feeds segment: subscriptions, entries and an article.
@MainActor
final class FeedsViewController: SplitViewController, SegmentRootController {
    let list: FeedListViewController

    init(services: FeedServices) {
        list = FeedListViewController(services: services)
        let card = FeedCardViewController(services: services)
        super.init(style: .triple, primary: list, placeholder: card)
        list.card = card
        card.list = list
        title = "Feeds"
    }

    /// The badge of the segment: the number of unread entries.
    static func badge(_ access: LibraryAccess) -> DisplayText? {
        let unread = access.read(0) { try $0.feeds.unreadCount() }
        return unread > 0 ? DisplayText(String(unread)) : nil
    }

    /// A pane that becomes wide shows the entries of the selected row.
    override func traitsDidChange(previous: Traits?) {
        super.traitsDidChange(previous: previous)
        if viewIfLoaded != nil { list.showEntriesOfSelection() }
    }

    // MARK: State

    /// The open list and entry, or the selected row, for the next start.
    var state: DashboardState.FeedState? {
        guard list.viewIfLoaded != nil else { return nil }
        guard let entries = entryList,
            focusedColumn != .primary || list.selectedRow?.identifier == list.rowOfEntries
        else {
            return list.selectedRow?.stateName.map {
                DashboardState.FeedState(list: $0, paragraph: 0, offset: 0, isDetailFocused: false, isListOpen: false)
            }
        }
        let detail = detailViewController as? EntryViewController
        detail?.keepPlace()
        let place = detail?.place ?? .start
        return DashboardState.FeedState(
            list: list.model.stateName(of: entries.scope), selectedEntry: entries.selectedEntryID,
            openEntry: detail?.entryID, paragraph: place.paragraph, offset: place.offset,
            isDetailFocused: focusedColumn == .secondary, isFeedListFocused: focusedColumn == .primary)
    }

    private var entryList: EntryListViewController? { supplementaryViewController as? EntryListViewController }

    /// Opens the list and entry of an earlier run if they still exist.
    func show(_ state: DashboardState.FeedState) {
        _ = list.view
        guard !list.model.sections.isEmpty else { return list.rows.load { [weak self] in self?.show(state) } }
        if state.list == FeedListModel.recentlyRead {
            list.showRecentlyRead()
            entryList?.restore(state)
            return
        }
        guard let path = list.model.path(where: { $0.stateName == state.list }) else { return }
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
    func showGuide() {
        let access = list.access
        guard
            let guide = access.read([], { try $0.feeds.all() }).first(where: { $0.url.hasSuffix("/welcome.atom") }),
            let first = access.read(
                [], { try $0.entries.rows(in: access.settings.query(.subscription(guide.id)), limit: 1) }
            ).first
        else { return }
        var state = DashboardState.FeedState(list: guide.url, paragraph: 0, offset: 0, isDetailFocused: false)
        (state.selectedEntry, state.openEntry) = (first.id, first.id)
        show(state)
    }

    func reloadLists() { list.reloadEntryLists() }
}
