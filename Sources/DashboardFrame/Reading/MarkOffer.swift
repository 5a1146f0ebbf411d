import Feeds
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
    ///   - list: The list that shows the entry.
    ///   - now: The current time.
    ///   - feed: The feed of the entry.
    static func offers(
        for entry: EntryRow, in list: EntryQuery, now: Instant, feed: SubscriptionRow?
    ) -> [MarkOffer] {
        var offers: [MarkOffer] = []
        if let parts = list.parts(around: entry) {
            offers.append(MarkOffer(title: "All above", target: .part(parts.above)))
            offers.append(MarkOffer(title: "All below", target: .part(parts.below)))
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
