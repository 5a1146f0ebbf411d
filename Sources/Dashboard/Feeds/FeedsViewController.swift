import ModelCore
import TerminalUI

extension DashboardSegment {
    /// Subscriptions, entries, one of them; with the number of unread ones.
    static let feeds = DashboardSegment(
        "feeds", "Feeds",
        badge: { context in
            let unread = context.read(0) { try $0.unreadCount() }
            return unread > 0 ? DisplayText(String(unread)) : nil
        }, make: FeedsViewController.init)
}

/// The room of the Feeds segment.
@MainActor
final class FeedsViewController: SplitViewController, SegmentRootController {
    let list: FeedListViewController

    init(context: DashboardContext) {
        list = FeedListViewController(context: context)
        super.init(style: .triple, primary: list, placeholder: MessageViewController("No entry selected."))
        title = "Feeds"
    }

    /// A pane that grows wide shows the entries of the chosen row.
    override func traitsDidChange(previous: Traits?) {
        super.traitsDidChange(previous: previous)
        if viewIfLoaded != nil { list.showEntriesOfSelection() }
    }

    var state: DashboardState.FeedState? { list.viewIfLoaded == nil ? nil : list.state }

    func show(_ state: DashboardState.FeedState) { list.restore(state) }

    func reloadLists() { list.reloadEntryLists() }
}
