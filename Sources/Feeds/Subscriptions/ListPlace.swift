import Foundation
import GRDB
import LibraryKernel

/// A group in the feed list: a folder, a tag or the hidden feeds.
package enum FeedGroup: Codable, Hashable, Sendable {
    case folder(String, account: AccountID?)
    case tag(String)
    /// The hidden feeds, which appear in a group of their own.
    case hidden

    /// The key for the group's stored position and for the saved state of panes.
    package var key: String {
        switch self {
        case .folder(let name, nil): "folder:" + name
        case .folder(let name, let account?): "folder@\(account):" + name
        case .tag(let name): "tag:" + name
        case .hidden: "hidden"
        }
    }

    /// Parses a key.
    package init?(key: String) {
        guard let colon = key.firstIndex(of: ":") else {
            guard key == FeedGroup.hidden.key else { return nil }
            self = .hidden
            return
        }
        let (kind, name) = (key[..<colon], String(key[key.index(after: colon)...]))
        if kind == "folder" {
            self = .folder(name, account: nil)
        } else if kind == "tag" {
            self = .tag(name)
        } else if kind.hasPrefix("folder@"), let account = Int64(kind.dropFirst("folder@".count)) {
            self = .folder(name, account: AccountID(rawValue: account))
        } else {
            return nil
        }
    }

    package var name: String {
        switch self {
        case .folder(let name, _), .tag(let name): name
        case .hidden: "Hidden"
        }
    }

    /// Whether the group starts collapsed, until the user expands it.
    package var isClosedAtFirst: Bool { if case .folder = self { false } else { true } }
}

/// The position of a group in the feed list, and whether the group is collapsed.
package struct FeedGroupPlace: Hashable, Sendable {
    package var position: Int?
    package var isClosed: Bool
}

extension FeedStore {
    /// Returns a function that looks up the stored position of a group.
    ///
    /// Groups without a stored position follow the others: folders in the order of their first feeds, tags by name.
    package func groupPlaces() throws(LibraryError) -> @Sendable (FeedGroup) -> FeedGroupPlace? {
        let places = try store.read { db in
            var places: [String: FeedGroupPlace] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT name, position, is_closed FROM folder_place") {
                places[try row.at(0)] = try FeedGroupPlace(position: row.at(1), isClosed: row.at(2))
            }
            return places
        }
        return { places[$0.key] }
    }

    /// Returns the feeds of each tag, and the number of unread entries that have the tag themselves.
    package func tagRows() throws(LibraryError) -> (feeds: [String: [FeedID]], entries: [String: Int]) {
        try store.read { db in
            var feeds: [String: [FeedID]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT tag, subscription_id FROM subscription_tag ORDER BY tag") {
                feeds[try row.at(0), default: []].append(try row.at(1))
            }
            return (feeds, try FeedStore.unreadOfTags(db))
        }
    }
}
