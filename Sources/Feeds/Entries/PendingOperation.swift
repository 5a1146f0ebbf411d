import FeedServers
import LibraryKernel

/// A pending change of subscriptions.
package enum PendingOperation: String {
    case subscribe, unsubscribe, rename, move

    package static func words(_ name: String, _ feed: String, _ value: String?) -> String {
        switch PendingOperation(rawValue: name) {
        case .subscribe: "Follow \(value ?? feed)"
        case .unsubscribe: "Unfollow \(value ?? feed)"
        case .rename: "Rename to \(value ?? feed)"
        case .move: value.map { "Move \(feed) to \($0)" } ?? "Move \(feed) out of its folder"
        case nil: feed
        }
    }
}
