import Feeds
import ModelCore
import TerminalUI

/// The card of the selected row, in the detail beside the list (row FEE-05).
extension FeedListViewController {
    /// Whether the library has feeds.
    package var hasFeeds: Bool { !model.contents.subscriptions.isEmpty }

    /// Passes the selected row to the card.
    ///
    /// - Parameter afterRest: Whether the row was just selected. Its card then replaces an open article after a delay.
    func showCard(afterRest: Bool) {
        card?.show(cardSubject, afterRest: afterRest)
        guard afterRest, access.settings[.followList], cardIsBeside else { return follower.stop() }
        follower.start(EntryFollower.delay) { [weak self] in
            guard let self, self.cardIsBeside, let card = self.card else { return }
            self.splitViewController?.show(card, in: .secondary, takesFocus: false)
        }
    }

    /// Whether the detail is beside this list, and this list has the focus.
    private var cardIsBeside: Bool {
        guard let split = splitViewController, !split.isCollapsed, split.displayMode == .allVisible else {
            return false
        }
        return split.traits.horizontal < .wide && split.focusedColumn == .primary && split.hasDetail
    }

    private var cardSubject: FeedCard.Subject? {
        guard hasFeeds, let row = selectedRow else { return nil }
        return FeedCard.Subject(
            row, in: model, mergesDuplicates: access.settings[.mergeDuplicates], now: access.clock())
    }

    func openEntry(_ id: EntryID) {
        openSelection()
        (splitViewController?.supplementaryViewController as? EntryListViewController)?.openEntry(id)
    }
}
