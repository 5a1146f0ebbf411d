import FeedParsing
import Foundation
import GRDB
import LibraryTesting

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A library with feeds and entries of every kind, and its rows as plain values from which the expected lists are
/// computed without SQL.
struct ManyKinds {
    /// An entry with the values from its feed.
    struct Item: Hashable {
        var id: EntryID
        var feed: FeedID
        var title: String
        var date: Instant
        var marks: Set<EntryMark>
        var readAt: Instant?
        var isFolded: Bool
        var story: Int64?
        var tags: Set<String>
        var folder: String?
        var account: AccountID?
        var feedTags: Set<String>
        var isQuiet: Bool
        var isHidden: Bool
        var feedName: String
        var rhythm: Int64?
    }

    static let now: Instant = 1_790_000_000
    static let day: Int64 = 86_400
    let library: Library
    /// The feeds by letter.
    private(set) var feeds: [String: FeedID] = [:]

    /// Letter, title, folder, tags, account, and whether it is quiet or hidden.
    private static let descriptions: [(String, String?, String?, [String], AccountID?, Bool, Bool)] = [
        ("a", "beta", "News", ["x"], nil, false, false), ("b", "Alpha", "News", [], nil, true, false),
        ("c", "gamma", nil, ["x", "y"], nil, false, true), ("d", "Delta", "Tech", [], nil, false, false),
        ("e", "alpha 2", "News", [], 1, false, false), ("f", nil, nil, ["y"], 1, false, false),
        ("g", "Empty", "News", ["x"], nil, false, false),
    ]

    init(path: String? = nil) async throws {
        library = try Library(path: path)
        try library.store.onWriter { db in
            try db.execute(
                sql: """
                    INSERT INTO account (id, name, kind, address, user, secret, position)
                    VALUES (1, 'Server', 'miniflux', 'https://server.example/', 'u', 's', 1)
                    """)
        }
        for (place, item) in ManyKinds.descriptions.enumerated() {
            var new = NewSubscription(url: "https://\(item.0).example/", folder: item.2, tags: item.3)
            new.account = item.4
            new.options = SubscriptionOptions()
            new.options?.isQuiet = item.5
            new.options?.isHidden = item.6
            let id = try await library.changes.perform(.subscribe([new], now: 1)).subscriptions[0].id
            feeds[item.0] = id
            if item.0 != "g" { try await fill(item.0, id, place, title: item.1) }
        }
        try await library.changes.perform(.rename(feeds["d"] ?? 0, title: "omega of mine"))
        try await library.indexAll()
    }

    /// Eight entries, two for each date, the last one without a date. The first ones are about one page in all feeds,
    /// the second ones in some, the third and fourth of a feed about another one.
    private func fill(_ letter: String, _ id: FeedID, _ place: Int, title: String?) async throws {
        var feed = ParsedFeed(format: .rss)
        feed.title = title
        for index in 0..<8 {
            var entry = ParsedEntry()
            entry.id = "\(letter)\(index)"
            entry.title = "\(letter)\(index) title"
            entry.contentHTML = "<p>words of \(letter)</p>"
            let date = ManyKinds.now - Int64(index / 2 * (place / 2 + 1)) * ManyKinds.day
            entry.published = index == 7 ? nil : ParsedDate(instant: date, text: "d")
            switch index {
            case 0: entry.link = "https://story.example/all"
            case 1 where "ace".contains(letter): entry.link = "https://story.example/some"
            case 2, 3: entry.link = "https://\(letter).example/own"
            default: break
            }
            feed.entries.append(entry)
        }
        try await library.store(feed, in: id, record: FetchRecord(date: ManyKinds.now - ManyKinds.day))
        let entries = try library.entries.rows(in: EntryQuery(.subscription(id)), limit: 99)
        func identity(_ index: Int) -> EntryID { entries.first { $0.title.hasPrefix("\(letter)\(index)") }?.id ?? 0 }
        for index in 0..<8 {
            if index % 3 == 1 {
                try await library.setMark(.read, true, entries: [identity(index)], now: Instant(100 * (index + place)))
            }
            if (index + place) % 4 == 0 {
                try await library.setMark(.starred, true, entries: [identity(index)], now: 1)
            }
            if (index + place) % 5 == 0 { try await library.setMark(.later, true, entries: [identity(index)], now: 1) }
        }
        try library.store.onWriter { db in
            try db.inTransaction {
                func apply(_ change: Change) throws {
                    _ = try LibraryTransaction(db, LibraryFeatures.changeKinds).apply(change)
                }
                if "ac".contains(letter) { try apply(.archive(entries: [identity(6)])) }
                if letter == "b" { try apply(.archive(entries: [identity(5), identity(1)])) }
                if "bd".contains(letter) { try apply(.tagEntries([identity(4)], adding: ["x"], removing: [])) }
                if letter == "a" { try apply(.tagEntries([identity(4), identity(0)], adding: ["z"], removing: [])) }
                return .commit
            }
        }
    }

    /// The current entries by identifier.
    func items() throws -> [Item] {
        try library.read { db in
            func tags(_ sql: String, _ id: Int64) throws -> Set<String> {
                Set(try String.fetchAll(db, sql: sql, arguments: [id]))
            }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT e.*, s.folder, s.account_id, s.is_quiet, s.options, s.rhythm, s.title AS own, s.custom_title, s.url
                    FROM entry e JOIN subscription s ON s.id = e.subscription_id ORDER BY e.id
                    """
            ).map { row in
                let marks = EntryMark.allCases.filter { row[$0.rawValue] == 1 }
                let (custom, own, url): (String?, String?, String) = (row["custom_title"], row["own"], row["url"])
                return Item(
                    id: row["id"], feed: row["subscription_id"], title: row["title"], date: row["sort_date"],
                    marks: Set(marks), readAt: row["read_at"], isFolded: row["is_folded"], story: row["story"],
                    tags: try tags("SELECT tag FROM entry_tag WHERE entry_id = ?", row["id"]), folder: row["folder"],
                    account: row["account_id"],
                    feedTags: try tags(
                        "SELECT tag FROM subscription_tag WHERE subscription_id = ?", row["subscription_id"]),
                    isQuiet: row["is_quiet"], isHidden: SubscriptionOptions(stored: row["options"]).isHidden,
                    feedName: custom ?? own ?? url, rhythm: row["rhythm"])
            }
        }
    }

    /// Every kind of list, including empty ones.
    func scopes() throws -> [EntryScope] {
        var scopes: [EntryScope] = [
            .all, .starred, .later, .folded, .hidden, .folder("News"), .folder("Tech"), .folder("None"),
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
            !item.isFolded && !item.isQuiet
                && (!item.marks.contains(.read)
                    || item.readAt.map { $0 >= since && $0 <= since + 366 * ManyKinds.day } == true)
        case .starred: item.marks.contains(.starred)
        case .later: item.marks.contains(.later)
        case .folded: item.isFolded
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
            list = list.filter { item in item.story.map { seen.insert($0).inserted } ?? true }
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
