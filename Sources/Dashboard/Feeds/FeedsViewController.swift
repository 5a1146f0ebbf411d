import ModelCore
import TerminalUI

extension DashboardSegment {
    /// The Feeds segment, with the number of unread entries as its badge.
    static let feeds = DashboardSegment(
        "feeds", "Feeds",
        badge: { access in
            let unread = access.read(0) { try $0.feeds.unreadCount() }
            return unread > 0 ? DisplayText(String(unread)) : nil
        }, badgeParts: [.subscriptions], make: { FeedsViewController(services: $0.feeds) })
}

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

    /// A pane that becomes wide shows the entries of the selected row.
    override func traitsDidChange(previous: Traits?) {
        super.traitsDidChange(previous: previous)
        if viewIfLoaded != nil { list.showEntriesOfSelection() }
    }

    var state: DashboardState.FeedState? { list.viewIfLoaded == nil ? nil : list.state }

    func show(_ state: DashboardState.FeedState) { list.restore(state) }

    func reloadLists() { list.reloadEntryLists() }
}
