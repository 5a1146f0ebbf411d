import Foundation
import LibraryTesting
import Platform

@testable import Feeds
@testable import ModelCore

extension ManyKinds {
    /// Every kind of list, including empty ones.
    func scopes() throws -> [EntryScope] {
        var scopes: [EntryScope] = [
            .all, .starred, .later, .archived, .hidden, .folder("News"), .folder("Tech"), .folder("None"),
            .accountFolder("News", 1), .accountFolder("News", 2), .accountFolder("Tech", 1), .tag("x"), .tag("y"),
            .tag("z"),
            .tag("none"), .search(try SearchQuery("is:starred")), .search(try SearchQuery("words")),
        ]
        scopes += feeds.values.sorted().map { .subscription($0) }
        scopes += [0, 100, 101, 400, 401, 5000].map { .unread(keepingReadSince: $0) }
        let query = try SearchQuery("is:unread")
        scopes += EntryOrder.allCases.map { .sorted(query, $0) }
        return scopes
    }

    /// Whether a list contains an entry, ignoring duplicates.
    func isIn(_ scope: EntryScope, _ item: Item) -> Bool {
        switch scope {
        case .subscription(let id): item.feed == id
        case .all: true
        case .unread(let since):
            !item.isArchived && !item.isUncounted
                && (!item.marks.contains(.read)
                    || item.readAt.map { $0 >= since && $0 <= since + 366 * ManyKinds.day } == true)
        case .starred: item.marks.contains(.starred)
        case .later: item.marks.contains(.later)
        case .archived: item.isArchived
        case .recentlyRead: item.readAt != nil
        case .folder(let name): item.folder == name && item.account == nil
        case .accountFolder(let name, let account): item.folder == name && item.account == account
        case .tag(let name): item.tags.contains(name) || item.feedTags.contains(name)
        case .hidden: item.isHidden
        case .search(let query): query.text == "words" || item.marks.contains(.starred)
        case .sorted: !item.marks.contains(.read)
        }
    }

    /// The contents of a list, in order.
    func expected(_ scope: EntryScope, _ items: [Item], folds: Bool, oldestFirst: Bool) -> [Item] {
        var list = items.filter { isIn(scope, $0) }
        if folds, !scope.isOfOneFeed {
            var seen: Set<Int64> = []
            list = list.filter { item in item.duplicateKey.map { seen.insert($0).inserted } ?? true }
        }
        var order: EntryOrder = oldestFirst ? .oldest : .newest
        if case .sorted(_, let own) = scope { order = own }
        func newer(_ one: Item, _ other: Item) -> Bool { (one.date, one.id) > (other.date, other.id) }
        return list.sorted { one, other in
            switch order {
            case .newest: return newer(one, other)
            case .oldest: return newer(other, one)
            case .feed:
                let names = [one, other].map { Array("\($0.feedName.lowercased())\u{1F}\($0.feed)".utf8) }
                if names[0] != names[1] { return names[0].lexicographicallyPrecedes(names[1]) }
                return newer(one, other)
            case .rhythm:
                let pauses = [one, other].map { $0.rhythm ?? .max }
                return pauses[0] != pauses[1] ? pauses[0] > pauses[1] : newer(one, other)
            }
        }
    }
}

extension EntryScope {
    /// Whether it is the list of one feed.
    var isOfOneFeed: Bool { if case .subscription = self { true } else { false } }
}
