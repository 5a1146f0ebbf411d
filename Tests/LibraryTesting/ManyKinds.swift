import FeedParsing
import Foundation
import GRDB

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A library with feeds and entries of every kind, and its rows as plain values from which the expected lists are
/// computed without SQL.
package struct ManyKinds: Sendable {
    /// An entry with the values from its feed.
    package struct Item: Hashable {
        package var id: EntryID
        package var feed: FeedID
        package var title: String
        package var date: Instant
        package var marks: Set<EntryMark>
        package var readAt: Instant?
        package var isArchived: Bool
        package var duplicateKey: Int64?
        package var tags: Set<String>
        package var folder: String?
        package var account: AccountID?
        package var feedTags: Set<String>
        package var isUncounted: Bool
        package var isHidden: Bool
        package var feedName: String
        package var rhythm: Int64?
    }

    package static let now: Instant = 1_790_000_000
    package static let day: Int64 = 86_400
    package let library: Library
    /// The feeds by letter.
    package private(set) var feeds: [String: FeedID] = [:]

    /// Letter, title, folder, tags, account, and whether it is quiet or hidden.
    private static let descriptions: [(String, String?, String?, [String], AccountID?, Bool, Bool)] = [
        ("a", "beta", "News", ["x"], nil, false, false), ("b", "Alpha", "News", [], nil, true, false),
        ("c", "gamma", nil, ["x", "y"], nil, false, true), ("d", "Delta", "Tech", [], nil, false, false),
        ("e", "alpha 2", "News", [], 1, false, false), ("f", nil, nil, ["y"], 1, false, false),
        ("g", "Empty", "News", ["x"], nil, false, false),
    ]

    package init(path: String? = nil) async throws {
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
            new.options?.isUncounted = item.5
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
    package func items() throws -> [Item] {
        try library.read { db in
            func tags(_ sql: String, _ id: Int64) throws -> Set<String> {
                Set(try String.fetchAll(db, sql: sql, arguments: [id]))
            }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT e.*, s.folder, s.account_id, s.is_uncounted, s.options, s.rhythm, s.title AS own, s.custom_title, s.url
                    FROM entry e JOIN subscription s ON s.id = e.subscription_id ORDER BY e.id
                    """
            ).map { row in
                let marks = EntryMark.allCases.filter { row[$0.rawValue] == 1 }
                let (custom, own, url): (String?, String?, String) = (row["custom_title"], row["own"], row["url"])
                return Item(
                    id: row["id"], feed: row["subscription_id"], title: row["title"], date: row["sort_date"],
                    marks: Set(marks), readAt: row["read_at"], isArchived: row["is_archived"],
                    duplicateKey: row["duplicate_key"],
                    tags: try tags("SELECT tag FROM entry_tag WHERE entry_id = ?", row["id"]), folder: row["folder"],
                    account: row["account_id"],
                    feedTags: try tags(
                        "SELECT tag FROM subscription_tag WHERE subscription_id = ?", row["subscription_id"]),
                    isUncounted: row["is_uncounted"], isHidden: SubscriptionOptions(stored: row["options"]).isHidden,
                    feedName: custom ?? own ?? url, rhythm: row["rhythm"])
            }
        }
    }
}
