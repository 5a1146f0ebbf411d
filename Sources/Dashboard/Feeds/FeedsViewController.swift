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

    var state: DashboardState.FeedState? { list.viewIfLoaded == nil ? nil : list.state }

    func show(_ state: DashboardState.FeedState) { list.restore(state) }

    func reloadLists() { list.reloadEntryLists() }
}
