import ModelCore
import TerminalUI

/// The card of the selected row, in the detail beside the list (row FEE-05).
extension FeedListViewController {
    /// Whether the library has feeds.
    var hasFeeds: Bool { !model.subscriptions.isEmpty }

    /// Passes the selected row to the card.
    ///
    /// - Parameter afterRest: Whether the row was just selected. Its card then replaces an open article after a delay.
    func showCard(afterRest: Bool) {
        card?.show(cardSubject, afterRest: afterRest)
        guard afterRest, access.settings[.followList], cardIsBeside else { return follower.stop() }
        follower.start(EntryListViewController.rest) { [weak self] in
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
        // Without the entries that an open list of unread ones keeps, so that the card of a row stays the same.
        let query = row.scope(now: .distantFuture).map {
            EntryQuery($0.newestFirst, mergesDuplicates: access.settings[.mergeDuplicates])
        }
        var subject = FeedCard.Subject(
            name: row.title.string, feeds: model.feeds(of: row), query: query, isFeed: row.subscription != nil)
        switch row {
        case .search(let search): subject.notes = [search.query]
        case .account(let account): subject.notes = [account.state(now: access.clock())]
        default: break
        }
        return subject
    }

    /// Opens an entry of the selected row in its list.
    func openEntry(_ id: EntryID) {
        openSelection()
        (splitViewController?.supplementaryViewController as? EntryListViewController)?.openEntry(id)
    }
}

extension EntryScope {
    /// The same entries without a sort order of their own.
    fileprivate var newestFirst: EntryScope { searchQuery.map { .search($0) } ?? self }
}
