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

    /// Returns the verb phrase for a change that a kind of server can't make, or `nil` if it can or the change is of use
    /// on this machine alone.
    func words(unsupportedBy kind: ServerKind) -> String? {
        switch self {
        case .subscribe: kind.addsFeeds ? nil : "add feeds"
        case .unsubscribe: kind.addsFeeds ? nil : "remove feeds"
        case .move: kind.organisesFeeds ? nil : "move feeds to folders"
        case .rename: nil
        }
    }
}
