import Feeds
import Foundation

/// The order of the list of feeds.
package enum FeedSorting: String, CaseIterable, Sendable {
    /// The user's own order.
    case own
    /// The feeds with the most unread entries come first.
    case unread = "unread first"
    case title

    /// Returns feeds in the order. Equal ones stay in the user's own, because sorting is stable.
    package func sorted(_ feeds: [SubscriptionRow]) -> [SubscriptionRow] {
        switch self {
        case .own: feeds
        case .unread: feeds.sorted { $0.unread > $1.unread }
        case .title: feeds.sorted { $0.title.localizedCaseInsensitiveCompare($1.title) == .orderedAscending }
        }
    }
}
