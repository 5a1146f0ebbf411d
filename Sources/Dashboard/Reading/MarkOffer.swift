import ModelCore
import TerminalUI

/// A choice in the menu "Mark above, below or older".
struct MarkOffer: Hashable {
    /// The entries to mark as read.
    enum Target: Hashable {
        /// A part of the list.
        case part(EntryPart)
        /// A whole list.
        case scope(EntryScope)
    }

    var title: DisplayText
    var target: Target

    /// Returns the choices for an entry in order.
    ///
    /// - Parameters:
    ///   - isOldestFirst: Whether the list shows its oldest entries first.
    ///   - now: The current time.
    ///   - feed: The feed of the entry.
    static func offers(
        for entry: EntryRow, in scope: EntryScope, isOldestFirst: Bool, now: Instant, feed: SubscriptionRow?
    ) -> [MarkOffer] {
        let (newer, older) = (EntryPart.newer(entry.sortDate, entry.id), EntryPart.older(entry.sortDate, entry.id))
        var offers: [MarkOffer] = []
        // In a custom order, "above" and "below" are not ranges of dates.
        if case .sorted = scope {
        } else {
            offers.append(MarkOffer(title: "All above", target: .part(isOldestFirst ? older : newer)))
            offers.append(MarkOffer(title: "All below", target: .part(isOldestFirst ? newer : older)))
        }
        for (title, days) in [("a day", 1), ("a week", 7), ("a month", 30)] as [(DisplayText, Int64)] {
            offers.append(MarkOffer(title: "All older than " + title, target: .part(.before(now - days * 86_400))))
        }
        guard let feed else { return offers }
        offers.append(MarkOffer(title: "All of " + DisplayText(feed.title), target: .scope(.subscription(feed.id))))
        if let folder = feed.folder {
            let scope = feed.account.map { EntryScope.accountFolder(folder, $0) } ?? .folder(folder)
            offers.append(MarkOffer(title: "All in folder " + DisplayText(folder), target: .scope(scope)))
        }
        return offers
    }
}
