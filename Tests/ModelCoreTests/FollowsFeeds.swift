import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Followed feeds, their names and order, and what other programs receive.
@Suite struct FollowsFeeds {
    private let library: Library

    init() throws { library = try Library(path: nil) }

    private func subscribe(_ feeds: [NewSubscription]) async throws -> Receipt {
        try await library.changes.perform(.subscribe(feeds, now: 7))
    }

    private func stored(_ columns: String, _ url: String) throws -> [String?] {
        try library.read { db in
            let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM subscription WHERE url = ?", arguments: [url])
            return row?.map { String.fromDatabaseValue($0.1) ?? Int64.fromDatabaseValue($0.1).map { "\($0)" } } ?? []
        }
    }

    @Test func followsFeedsWithAllTheirFacts() async throws {
        var options = SubscriptionOptions()
        options.isHidden = true
        options.isUncounted = true
        var first = NewSubscription(
            url: "https://a.example/", title: "Title", folder: "F", homePage: "https://h.example/",
            tags: ["b", "a", "", "a"],
            headers: ["A: 1", "B: 2"])
        first.options = options
        let receipt = try await subscribe([
            first, NewSubscription(url: "https://b.example/", title: "T", customTitle: "Own"),
            NewSubscription(url: "https://a.example/", folder: "Other"),
        ])
        #expect(receipt.subscriptions.map(\.isNew) == [true, true, false] && receipt.count == 2)
        #expect(receipt.subscriptions[0].id == receipt.subscriptions[2].id)
        let rows = try library.feeds.all()
        #expect(rows.map(\.title) == ["Title", "Own"] && rows.map(\.folder) == ["F", nil])
        #expect(rows.map(\.homePage) == ["https://h.example/", nil] && rows.map(\.isHidden) == [true, false])
        #expect(rows.allSatisfy { $0.isFeed && $0.isReadHere && $0.unread == 0 && $0.total == 0 })
        #expect(try library.feeds.health(of: rows[0].id)?.tags == ["a", "b"])
        #expect(try stored("headers, added, is_uncounted", "https://a.example/") == ["A: 1\nB: 2", "7", "1"])
        #expect(try stored("headers, is_uncounted", "https://b.example/") == [nil, "0"])
        // New ones come last, whatever was moved.
        try await library.changes.perform(.orderFeeds([rows[1].id, rows[0].id]))
        _ = try await subscribe([NewSubscription(url: "https://c.example/")])
        _ = try await subscribe([NewSubscription(url: "https://d.example/")])
        #expect(try library.feeds.all().map(\.url) == ["b", "a", "c", "d"].map { "https://\($0).example/" })
        #expect(try library.feeds.feed(url: "https://c.example/")?.title == "https://c.example/")
        #expect(try library.feeds.feed(url: "https://none.example/") == nil && library.feeds.feed(-1) == nil)
    }

    /// A program feed must be typed by the user and is always local.
    @Test(
        arguments: [
            ("exec:/bin/true", nil, nil, nil), ("exec:/bin/true", false, nil, nil), ("exec:/bin/true", true, nil, "1"),
            ("exec:/bin/true", true, 1, nil), ("filter:/bin/cat:https://a.example/", nil, nil, nil),
            ("filter:/bin/cat:https://a.example/", true, nil, "1"), ("https://a.example/", nil, nil, "0"),
            ("https://a.example/", true, nil, "1"),
        ] as [(String, Bool?, AccountID?, String?)])
    func followsProgramsOnlyFromTheUser(url: String, allows: Bool?, account: AccountID?, runs: String?) async throws {
        try library.execute(
            """
            INSERT INTO account (id, name, kind, address, user, secret, position)
            VALUES (1, 'S', 'miniflux', 'https://s.example/', 'u', 's', 1)
            """)
        var feed = NewSubscription(url: url)
        (feed.runsProgram, feed.account) = (allows, account)
        let receipt = try await subscribe([feed])
        #expect(try stored("runs_program", url) == (runs.map { [$0] } ?? []))
        #expect(receipt.count == (runs == nil ? 0 : 1) && receipt.subscriptions.count == receipt.count)
        #expect(
            try library.feeds.requests(for: receipt.subscriptions.map(\.id)).values.allSatisfy {
                $0.runsProgram == (runs == "1")
            })
    }

    /// An address from outside stays marked until the user types it; no options and no undo change that.
    @Test func remembersTheOriginOfAddresses() async throws {
        var options = SubscriptionOptions()
        options.isFromOutside = true
        var feed = NewSubscription(url: "https://a.example/")
        feed.options = options
        let id = try await subscribe([feed]).subscriptions[0].id
        #expect(try library.feeds.options(of: id).isFromOutside && library.feeds.trustedHost(of: id) == nil)
        var other = SubscriptionOptions()
        other.fullText = true
        let change = try await library.changes.perform(.setOptions(id, other))
        #expect(try library.feeds.options(of: id).isFromOutside && library.feeds.options(of: id).fullText)
        try await library.undo(change)
        #expect(try library.feeds.options(of: id) == options)
        _ = try await subscribe([feed])
        #expect(try library.feeds.options(of: id).isFromOutside)
        _ = try await subscribe([NewSubscription(url: "https://a.example/")])
        #expect(
            try !library.feeds.options(of: id).isFromOutside
                && library.feeds.trustedHost(of: id) == TrustedHost.of("https://a.example/"))
    }

    /// The same address with and without a name and password is one feed, fetched with them.
    @Test func fetchesAFeedWithItsPassword() async throws {
        for urls in [
            ["https://a.example/", "https://u:p@a.example/"], ["https://u:p@a.example/", "https://a.example/"],
        ] {
            let library = try Library(path: nil)
            let receipt = try await library.changes.perform(.subscribe(urls.map { NewSubscription(url: $0) }, now: 1))
            #expect(receipt.count == 1 && receipt.subscriptions.map(\.isNew) == [true, false])
            let id = receipt.subscriptions[0].id
            #expect(try library.feeds.all().map(\.url) == ["https://a.example/"])
            #expect(try library.feeds.requests(for: [id])[id]?.headers.count == 1, "\(urls)")
        }
    }

    @Test func ordersNamedFeedsAndLeavesTheRest() async throws {
        var ids: [FeedID] = []
        for letter in ["a", "b", "c", "d", "e"] { ids.append(try await library.follow("https://\(letter).example/")) }
        func order(_ places: [Int]) async throws -> [Int] {
            try await library.changes.perform(.orderFeeds(places.map { ids[$0] } + [-1]))
            return try library.feeds.all().map { ids.firstIndex(of: $0.id) ?? -1 }
        }
        #expect(try await order([3, 1]) == [0, 3, 2, 1, 4])
        #expect(try await order([4, 0]) == [4, 3, 2, 1, 0])
        #expect(try await order([0, 1, 2, 3, 4]) == [0, 1, 2, 3, 4])
        #expect(try await library.changes.perform(.orderFeeds(ids)).count == 0)
        // Feeds at the same position get distinct positions.
        try library.execute("UPDATE subscription SET position = 3")
        #expect(try await order([2, 0, 4, 1, 3]) == [2, 0, 4, 1, 3])
    }

    @Test func keepsFoldersOfAccountsApart() async throws {
        let fixture = try await ManyKinds()
        let library = fixture.library
        func folders(_ letters: String) throws -> [String?] {
            try letters.map { try library.feeds.feed(fixture.feeds[String($0)] ?? 0)?.folder }
        }
        try await library.changes.perform(.renameGroup(.folder("News", account: nil), to: "World"))
        #expect(try folders("abge") == ["World", "World", "World", "News"])
        try await library.changes.perform(.renameGroup(.folder("News", account: 1), to: "There"))
        #expect(try folders("abge") == ["World", "World", "World", "There"])
        #expect(try library.feeds.foldersAndTags().folders == ["Tech", "There", "World"])
        #expect(try library.feeds.foldersAndTags().tags == ["x", "y"])
        let keys = [FeedGroup.folder("N", account: nil), .folder("N", account: 2), .tag("N"), .hidden].map(\.key)
        #expect(keys == ["folder:N", "folder@2:N", "tag:N", "hidden"])
        #expect([FeedGroup.folder("N", account: 2), .tag("M"), .hidden].map(\.name) == ["N", "M", "Hidden"])
    }

    /// A group's position and collapsed state move with its name, unless the target has its own.
    @Test(arguments: [FeedGroup.folder("News", account: nil), .tag("x")])
    func keepsOrderWhenRenaming(group: FeedGroup) async throws {
        let library = try await ManyKinds().library
        let (new, other): (FeedGroup, FeedGroup)
        switch group {
        case .folder: (new, other) = (.folder("World", account: nil), .folder("Tech", account: nil))
        case .tag, .hidden: (new, other) = (.tag("w"), .tag("y"))
        }
        func place(_ group: FeedGroup) throws -> FeedGroupPlace? { try library.feeds.groupPlaces()(group) }
        #expect(try place(group) == nil)
        try await library.changes.perform(.orderGroups([other, group]))
        #expect(try place(group) == FeedGroupPlace(position: 1, isClosed: group.isClosedAtFirst))
        try await library.changes.perform(.collapseGroup(group, true))
        let renamed = try await library.changes.perform(.renameGroup(group, to: new.name))
        #expect(try place(new) == FeedGroupPlace(position: 1, isClosed: true) && place(group) == nil)
        try await library.undo(renamed)
        #expect(try place(group) == FeedGroupPlace(position: 1, isClosed: true) && place(new) == nil)
        try await library.changes.perform(.collapseGroup(group, false))
        try await library.changes.perform(.renameGroup(group, to: other.name))
        #expect(try place(other) == FeedGroupPlace(position: 0, isClosed: other.isClosedAtFirst))
    }

    @Test func countsTagsOfFeedsAndOfUnreadEntries() async throws {
        let fixture = try await ManyKinds()
        let items = try fixture.items()
        let rows = try fixture.library.feeds.tagRows()
        func ids(_ letters: String) -> [FeedID] { letters.compactMap { fixture.feeds[String($0)] }.sorted() }
        #expect(rows.feeds == ["x": ids("acg"), "y": ids("cf")])
        let unread = items.filter { !$0.marks.contains(.read) }
        #expect(rows.entries["x"] == unread.count { $0.tags.contains("x") })
        #expect(rows.entries["z"] == unread.count { $0.tags.contains("z") } && rows.entries.count == 2)
        let tagged = try #require(items.first { $0.tags.contains("z") })
        #expect(try fixture.library.entries.tags(of: tagged.id) == ["z"])
        try await fixture.library.changes.perform(.tagEntries([tagged.id], adding: ["b", "", "a"], removing: ["none"]))
        #expect(try fixture.library.entries.tags(of: tagged.id) == ["a", "b", "z"])
    }

    /// Other programs get sanitized texts and no passwords; saved pages are no feed.
    @Test func listsFeedsForOtherPrograms() async throws {
        _ = try await subscribe([
            NewSubscription(
                url: "https://b.example/", title: "T", customTitle: "Ti\u{1B}[31mtle", folder: "Fo\u{7}lder",
                homePage: "https://h.example/\u{1B}]0;x", tags: ["z\u{202E}", "a"]),
            NewSubscription(url: "https://a.example/", title: "Second"),
        ])
        try library.execute("UPDATE subscription SET url = 'https://u:p@a.example/' WHERE url = 'https://a.example/'")
        let page = SavedPage(url: "https://p.example/", title: "P", author: nil, html: nil, date: nil)
        try await library.changes.perform(.savePage(page, now: 1))
        let list = try library.feeds.list()
        #expect(list.map(\.url) == ["https://b.example/", "https://a.example/"])
        #expect(list.map(\.title).last == "Second" && list.map(\.folder).last == .some(nil))
        let texts = [list[0].title, list[0].folder, list[0].homePage].compactMap { $0 } + list[0].tags
        #expect(texts.count == 5 && list[0].tags.first == "a" && list[0].title?.hasPrefix("Ti") == true)
        #expect(texts.allSatisfy { !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E } })
        #expect(
            try library.entries.id(ofSavedPage: "https://p.example/")
                == library.entries.rows(in: EntryQuery(.later), limit: 1).first?.id)
        #expect(try library.entries.id(ofSavedPage: "https://a.example/") == nil)
    }

    /// Unread counts exclude feeds left out of counts and archived entries.
    @Test func countsUnreadEntries() async throws {
        let fixture = try await ManyKinds()
        let (library, items) = (fixture.library, try fixture.items())
        func expected(_ feed: FeedID) -> Int {
            items.count { $0.feed == feed && !$0.marks.contains(.read) && !$0.isArchived && !$0.isUncounted }
        }
        let rows = try library.feeds.all()
        for row in rows {
            #expect(row.unread == expected(row.id) && row.total == items.count { $0.feed == row.id }, "\(row.title)")
            #expect(try library.feeds.feed(row.id) == row)
        }
        #expect(rows.contains { $0.unread > 0 && $0.isHidden } && rows.contains { $0.total > 0 && $0.unread == 0 })
        #expect(try library.feeds.unreadCount() == rows.reduce(0) { $0 + $1.unread })
        #expect(try library.entries.archivedUnreadCount() == items.count { $0.isArchived && !$0.marks.contains(.read) })
        #expect(rows.first { $0.id == fixture.feeds["e"] }?.account == 1)
        #expect(rows.first { $0.id == fixture.feeds["e"] }?.isReadHere == false)
    }

    @Test func readsTypedTags() {
        #expect(TagText.tags(in: " b a  b \"c d\" ") == ["b", "a", "c d"] && TagText.tags(in: "  \"\" ") == [])
        for tags in [[], ["a"], ["a b", "c"], ["say \"x\"", "y"]] {
            #expect(TagText.tags(in: TagText.line(tags)) == tags, "\(tags)")
        }
    }
}
