import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The root view controller of a segment for one list of entries: the list and an article, as in the Feeds segment.
@MainActor
package final class EntriesViewController: SplitViewController, SegmentRootController {
    private let place: Place.List
    private let services: FeedServices
    private var observation: Observation?
    /// The list, or `nil` while the library doesn't have its feed.
    private var list: EntryListViewController?

    /// - Parameter place: The list.
    package init(_ place: Place.List, services: FeedServices) {
        self.place = place
        self.services = services
        let list = services.makeList(place)
        self.list = list
        super.init(
            primary: list ?? EntriesViewController.missing, placeholder: MessageViewController("No entry selected."))
        showTitle()
        observation = services.access.library.observe(.subscriptions) { [weak self] in self?.feedsDidChange() }
    }

    private static var missing: ViewController { MessageViewController("This feed is not in the library.") }

    private func showTitle() {
        title = DisplayText(services.access.read(place.text) { try PlaceNames($0).title(of: place) }).truncated(to: 24)
    }

    /// Follows the name of the list, and whether its feed is in the library.
    private func feedsDidChange() {
        showTitle()
        let isKnown =
            services.access.read(nil) { try PlaceNames($0).scope(of: place, now: services.access.clock()) } != nil
        if isKnown != (list != nil) { replaceList() }
    }

    private func replaceList() {
        list = services.makeList(place)
        show(list ?? EntriesViewController.missing, in: .primary, takesFocus: false)
        clearDetail()
    }

    /// A list of unread entries that appears again has lost those that were read, unless one of them is being read.
    package override func viewWillAppear() {
        super.viewWillAppear()
        guard let list, case .unread = list.scope, list.viewIfLoaded != nil, focusedColumn == .primary,
            let state
        else { return }
        replaceList()
        self.list?.restore(state)
    }

    // MARK: State

    package var state: DashboardState.FeedState? {
        guard let list, list.viewIfLoaded != nil else { return nil }
        return DashboardState.FeedState(list, in: self)
    }

    package func show(_ state: DashboardState.FeedState) { list?.restore(state) }

    package func go(to place: Place) {
        if case .entry(let id, _) = place { list?.openEntry(id) } else { focus(.primary) }
    }

    package func reloadLists() { list?.refresh() }
}

extension DashboardState.FeedState {
    /// Creates the state of a list of entries and the entry in the detail beside it.
    @MainActor
    init(_ entries: EntryListViewController, in split: SplitViewController) {
        let detail = split.detailViewController as? EntryViewController
        detail?.keepPlace()
        let place = detail?.place ?? .start
        let scope = entries.scope
        let list = entries.services.access.read(nil) { try PlaceNames($0).list(of: scope) }
        self.init(
            list: list?.text ?? "", selectedEntry: entries.selectedEntryID, openEntry: detail?.entryID,
            paragraph: place.paragraph, offset: place.offset, isDetailFocused: split.focusedColumn == .secondary,
            isFeedListFocused: split.focusedColumn == .primary)
    }
}

extension FeedServices {
    /// Creates the list at a place, or returns `nil` if it is a feed that the library doesn't have.
    func makeList(_ place: Place.List) -> EntryListViewController? {
        let access = access
        let now = access.clock()
        guard let scope = access.read(nil, { try PlaceNames($0).scope(of: place, now: now) }) else { return nil }
        let title = access.read(place.text) { try PlaceNames($0).title(of: place) }
        return EntryListViewController(scope: scope, title: DisplayText(title), services: self)
    }
}

extension LibraryAccess {
    /// Returns the list in which to show an entry: the wanted one if it contains the entry, otherwise that of its feed.
    func list(of entry: EntryID, preferring wanted: Place.List?) -> Place.List? {
        let now = clock()
        return read(nil) { library in
            if let wanted, let scope = try PlaceNames(library).scope(of: wanted, now: now),
                try library.entries.members([entry], of: settings.query(scope)).contains(entry)
            {
                return wanted
            }
            guard let row = try library.entries.row(entry) else { return nil }
            return try PlaceNames(library).list(of: .subscription(row.subscriptionID))
        }
    }
}
