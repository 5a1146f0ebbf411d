import FeedServers

/// A pending change of subscriptions.
enum PendingOperation: String {
    case subscribe, unsubscribe, rename, move

    static func words(_ name: String, _ feed: String, _ value: String?) -> String {
        switch PendingOperation(rawValue: name) {
        case .subscribe: "Follow \(value ?? feed)"
        case .unsubscribe: "Unfollow \(value ?? feed)"
        case .rename: "Rename to \(value ?? feed)"
        case .move: value.map { "Move \(feed) to \($0)" } ?? "Move \(feed) out of its folder"
        case nil: feed
        }
    }
}
