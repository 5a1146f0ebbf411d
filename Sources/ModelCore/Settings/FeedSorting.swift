import Feeds
import Foundation

/// The order of the list of feeds.
package enum FeedSorting: String, CaseIterable, Sendable {
    /// The user's own order.
    case own
    /// The feeds with the most unread entries come first.
    case unread = "unread first"
    case title

    /// Returns feeds in the order. Equal ones stay in the user's own.
    package func sorted(_ feeds: [SubscriptionRow]) -> [SubscriptionRow] {
        switch self {
        case .own: return feeds
        case .unread: return stable(feeds) { $0.unread > $1.unread }
        case .title:
            return stable(feeds) { $0.title.localizedCaseInsensitiveCompare($1.title) == .orderedAscending }
        }
    }

    private func stable(
        _ feeds: [SubscriptionRow], _ precedes: (SubscriptionRow, SubscriptionRow) -> Bool
    ) -> [SubscriptionRow] {
        feeds.enumerated().sorted { one, other in
            precedes(one.element, other.element)
                || !precedes(other.element, one.element) && one.offset < other.offset
        }.map(\.element)
    }
}
