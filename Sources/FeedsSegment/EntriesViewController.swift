import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The root view controller of a segment for one list of entries: the list and an article, as in the Feeds segment.
@MainActor
final class EntriesViewController: SplitViewController, SegmentRootController {
    private let place: Place.List
    private let services: FeedServices
    private var observation: Observation?
    /// The list, or `nil` while the library doesn't have its feed.
    private var list: EntryListViewController?

    init(_ place: Place.List, services: FeedServices) {
        self.place = place
        self.services = services
        let list = EntryListViewController(place, services: services)
        self.list = list
        super.init(
            primary: list ?? EntriesViewController.missing, placeholder: MessageViewController("No entry selected."))
        showTitle()
        observation = services.access.library.observe(.subscriptions) { [weak self] in self?.feedsDidChange() }
    }

    private static var missing: ViewController { MessageViewController("This feed is not in the library.") }

    private func showTitle() {
        title = DisplayText(services.access.read(place.text) { try $0.title(of: place) }).truncated(to: 24)
    }

    /// Follows the name of the list, and whether its feed is in the library.
    private func feedsDidChange() {
        showTitle()
        let isKnown = services.access.read(nil) { try $0.scope(of: place, now: services.access.clock()) } != nil
        if isKnown != (list != nil) { replaceList() }
    }

    private func replaceList() {
        list = EntryListViewController(place, services: services)
        show(list ?? EntriesViewController.missing, in: .primary, takesFocus: false)
        clearDetail()
    }

    /// A list of unread entries that appears again has lost those that were read, unless one of them is being read.
    override func viewWillAppear() {
        super.viewWillAppear()
        guard let list, case .unread = list.scope, list.viewIfLoaded != nil, focusedColumn == .primary,
            let state
        else { return }
        replaceList()
        self.list?.restore(state)
    }

    // MARK: State

    var state: DashboardState.FeedState? {
        guard let list, list.viewIfLoaded != nil else { return nil }
        return state(of: list)
    }

    func show(_ state: DashboardState.FeedState) { list?.restore(state) }

    func go(to place: Place) {
        if case .entry(let id, _) = place { list?.openEntry(id) } else { focus(.primary) }
    }

    func reloadLists() { list?.libraryDidChange() }
}

extension SplitViewController {
    /// Returns the state of a list of entries and the entry in the detail, for the next start.
    func state(of entries: EntryListViewController) -> DashboardState.FeedState {
        let detail = detailViewController as? EntryViewController
        detail?.keepPlace()
        let place = detail?.place ?? .start
        return DashboardState.FeedState(
            list: entries.place?.text ?? "", selectedEntry: entries.selectedEntryID,
            openEntry: detail?.entryID, paragraph: place.paragraph, offset: place.offset,
            isDetailFocused: focusedColumn == .secondary, isFeedListFocused: focusedColumn == .primary)
    }
}

extension EntryListViewController {
    /// Creates the list at a place, or returns `nil` if it is a feed that the library doesn't have.
    convenience init?(_ place: Place.List, services: FeedServices) {
        let access = services.access
        guard let scope = access.read(nil, { try $0.scope(of: place, now: access.clock()) }) else { return nil }
        let title = access.read(place.text) { try $0.title(of: place) }
        self.init(scope: scope, title: DisplayText(title), services: services)
    }

    /// The place of the list, or `nil` if its feed no longer exists.
    var place: Place.List? { services.access.read(nil) { try $0.list(of: scope) } }
}

extension LibraryAccess {
    /// Returns the list in which to show an entry: the wanted one if it contains the entry, otherwise that of its feed.
    func list(of entry: EntryID, preferring wanted: Place.List?) -> Place.List? {
        let now = clock()
        return read(nil) { library in
            if let wanted, let scope = try library.scope(of: wanted, now: now),
                try library.entries.members([entry], of: settings.query(scope)).contains(entry)
            {
                return wanted
            }
            guard let row = try library.entries.row(entry) else { return nil }
            return try library.list(of: .subscription(row.subscriptionID))
        }
    }
}
