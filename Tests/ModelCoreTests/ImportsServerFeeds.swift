import Foundation
import LibraryTesting
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The feeds of an account: what is imported from the server's list, and how feeds move there and back.
@Suite(.timeLimit(.minutes(5))) struct ImportsServerFeeds {
    private func store(_ steps: SyncSteps, _ feeds: RemoteSubscription..., now: Instant = 9) async throws -> Int {
        try await steps.step(.storeSubscriptions(feeds, now: now)).sync.vanished
    }

    private func feeds(_ steps: SyncSteps) throws -> [String] {
        try steps.rows(
            """
            SELECT coalesce(remote_id, '?'), url, coalesce(custom_title || '*', title), folder FROM subscription
            WHERE account_id IS NOT NULL ORDER BY position
            """)
    }

    @Test func importsNamesFoldersAndAddresses() async throws {
        let steps = try await SyncSteps()
        let home = RemoteSubscription(
            id: "feed/2", title: "B", url: "https://a.example/2", homePage: "https://b.example/", folder: "F",
            labels: ["t", "u"])
        #expect(try await store(steps, SyncSteps.feed(1), home) == 0)
        #expect(
            try feeds(steps) == ["feed/1 https://a.example/1 Feed 1 -", "feed/2 https://a.example/2 B F"])
        #expect(
            try steps.rows("SELECT home_page, last_fetched, last_success FROM subscription WHERE remote_id = 'feed/2'")
                == ["https://b.example/ 9 9"])
        #expect(try steps.rows("SELECT tag FROM subscription_tag ORDER BY tag") == ["t", "u"])
        // The user's own tags stay, and so does a home page that isn't sent again; an earlier error is cleared.
        let second = try #require(try steps.library.feeds.feed(url: "https://a.example/2")?.id)
        try await steps.library.changes.perform(.tag(second, ["own"]))
        try steps.sql("UPDATE subscription SET error = 'x'")
        let moved = SyncSteps.feed(2, title: "C", url: "https://c.example/", labels: ["t"])
        #expect(try await store(steps, SyncSteps.feed(1, folder: "G"), moved, now: 10) == 0)
        #expect(try feeds(steps) == ["feed/1 https://a.example/1 Feed 1 G", "feed/2 https://c.example/ C -"])
        #expect(
            try steps.rows(
                "SELECT former_url, home_page, last_fetched, error FROM subscription WHERE remote_id = 'feed/2'")
                == ["https://a.example/2 https://b.example/ 10 -"])
        #expect(try steps.library.feeds.health(of: second)?.tags == ["own", "t"])
        // A local feed with the same address is a separate feed.
        let own = try await steps.library.follow("https://own.example/")
        #expect(try await store(steps, SyncSteps.feed(1), moved, SyncSteps.feed(3, url: "https://own.example/")) == 0)
        #expect(try steps.library.feeds.all().count == 4 && steps.library.feeds.feed(own)?.account == nil)
        // The user follows none that an account has.
        #expect(try await steps.library.follow("https://a.example/1") != own)
        #expect(try steps.library.feeds.all().count == 4)
    }

    /// Local changes that were not sent yet stay.
    @Test func keepsPendingChanges() async throws {
        for (isRenamed, isMoved) in [(false, false), (true, false), (false, true), (true, true)] {
            let steps = try await SyncSteps()
            let feed = try #require(try steps.library.feeds.all().first?.id)
            if isRenamed { try await steps.library.changes.perform(.rename(feed, title: "Mine")) }
            if isMoved { try await steps.library.changes.perform(.move(feed, folder: "Here")) }
            #expect(try await store(steps, SyncSteps.feed(1, title: "Theirs", folder: "There")) == 0)
            let title = isRenamed ? "Mine*" : "Theirs"
            #expect(try feeds(steps) == ["feed/1 https://a.example/1 \(title) \(isMoved ? "Here" : "There")"])
        }
        // A custom name that was sent gives way to the server's.
        let steps = try await SyncSteps()
        try steps.sql("UPDATE subscription SET custom_title = 'Old'")
        #expect(try await store(steps, SyncSteps.feed(1, title: "Theirs")) == 0)
        #expect(try feeds(steps) == ["feed/1 https://a.example/1 Theirs -"])
    }

    /// A new feed is matched with the server's once the server knows it; one being removed there doesn't return.
    @Test func mergesPendingChangesWithServerState() async throws {
        let steps = try await SyncSteps()
        var new = NewSubscription(url: "https://a.example/2")
        new.account = steps.id
        try await steps.library.changes.perform(.subscribe([new], now: 1))
        #expect(try await store(steps, SyncSteps.feed(1), SyncSteps.feed(2), SyncSteps.feed(3)) == 0)
        #expect(
            try feeds(steps).map { $0.split(separator: " ")[0] } == ["feed/1", "feed/2", "feed/3"])
        let third = try #require(try steps.library.feeds.feed(url: "https://a.example/3")?.id)
        try await steps.library.changes.perform(.unsubscribe(third))
        #expect(try await store(steps, SyncSteps.feed(1), SyncSteps.feed(2), SyncSteps.feed(3)) == 0)
        #expect(try feeds(steps).count == 2)
        // Unless the server rejects its removal.
        try steps.sql("UPDATE pending_operation SET error = 'no' WHERE operation = 'unsubscribe'")
        #expect(try await store(steps, SyncSteps.feed(1), SyncSteps.feed(2), SyncSteps.feed(3)) == 0)
        #expect(try feeds(steps).count == 3)
    }

    /// Feeds missing on the server are removed here, unless so many are missing that it may be another server.
    @Test(arguments: [
        (1, 0, false), (3, 0, false), (8, 0, false), (4, 1, true), (5, 1, false), (8, 4, true), (9, 4, false),
        (2, 1, true), (2, 2, true), (9, 8, true),
    ])
    func limitsRemovalsOfAServer(before: Int, after: Int, isBelieved: Bool) async throws {
        let steps = try await SyncSteps()
        try await steps.step(.storeSubscriptions((1...before).map { SyncSteps.feed($0) }, now: 1))
        try await steps.step(.beginLists)
        try await steps.store([SyncSteps.entry("7", feed: before)], asked: ["7"])
        let vanished = try await steps.step(
            .storeSubscriptions((1..<1 + after).map { SyncSteps.feed($0) }, now: 2)
        ).sync.vanished
        #expect(vanished == (isBelieved ? 0 : before - after))
        let left = isBelieved ? after : before
        #expect(try feeds(steps).map { $0.split(separator: " ")[0] } == (1...left).map { "feed/\($0)" })
        guard isBelieved, after < before else { return }
        // The feed is in the trash with its entries, and the server isn't notified again.
        #expect(try steps.operations().isEmpty)
        #expect(try steps.rows("SELECT count(*) FROM trash_subscription") == ["\(before - after)"])
        #expect(try steps.rows("SELECT title FROM trash_entry") == ["Entry 7"])
    }

    // MARK: There and back

    @Test func movesFeedsToAServerAndBack() async throws {
        let steps = try await SyncSteps()
        let own = try await steps.library.follow("https://own.example/")
        let program = try #require(
            try await {
                var new = NewSubscription(url: "exec:/bin/echo")
                new.runsProgram = true
                return try await steps.library.changes.perform(.subscribe([new], now: 1)).subscriptions.first?.id
            }())
        try steps.sql(
            "UPDATE subscription SET etag = 'e', last_modified = 'm', error = 'x', problems = 'p' WHERE id = ?", [own])
        let there = try #require(try steps.library.feeds.feed(url: "https://a.example/1")?.id)
        let given = try await steps.library.changes.perform(.moveToAccount([own, program, there, 99], steps.id))
        #expect(given.count == 1, "programs, and what is there already, stay where they are")
        #expect(try steps.operations() == ["subscribe https://own.example/ -"])
        #expect(
            try steps.rows(
                "SELECT account_id, remote_id, etag, last_modified, error, problems FROM subscription WHERE id = ?",
                [own])
                == ["\(steps.id) - - - - -"])
        #expect(try steps.library.feeds.feed(program)?.account == nil)
        try await steps.step(.noteOperation(1, remote: "feed/7", error: nil))
        try await steps.lists(unread: ["1"], starred: ["1"])
        try await steps.store([SyncSteps.entry("1", feed: 7)])
        try await steps.mark(.read, true, "Entry 1")
        #expect(
            try steps.library.accounts.feedCounts(of: steps.id).description == "2 feeds, 1 entry, 0 unread, 1 starred")
        #expect(try await steps.library.changes.perform(.convertToLocal([own, program])).count == 1)
        #expect(try steps.operations() == ["unsubscribe https://own.example/ -"])
        #expect(try steps.waiting().isEmpty)
        #expect(try steps.rows("SELECT count(*) FROM remote_entry WHERE entry_id IS NOT NULL") == ["0"])
        #expect(
            try steps.library.accounts.feedCounts(of: steps.id).description == "1 feed, 0 entries, 0 unread, 0 starred")
        #expect(try steps.library.accounts.feedCounts(of: nil).description == "2 feeds, 1 entry, 0 unread, 1 starred")
        let entry = try #require(try steps.entry("Entry 1"))
        #expect(entry.isRead && entry.isStarred)
    }

    @Test(arguments: [true, false]) func endsAnAccountWithItsFeedsOrWithoutThem(keepsFeeds: Bool) async throws {
        let steps = try await SyncSteps()
        try await steps.lists(unread: ["1"])
        try await steps.store([SyncSteps.entry("1")])
        try await steps.mark(.starred, true, "Entry 1")
        let own = try await steps.library.follow("https://own.example/")
        try steps.sql(
            "INSERT INTO subscription (url, title, position, account_id, remote_id) VALUES ('file:///etc/passwd', 'F', 9, ?, 'x')",
            [steps.id])
        let receipt = try await steps.library.changes.perform(
            Change(RemoveAccount(account: steps.id, keepsFeeds: keepsFeeds)))
        #expect(receipt.count == 2)
        #expect(try steps.library.accounts.all(now: 0).isEmpty && steps.waiting().isEmpty)
        let left = try steps.library.feeds.all()
        #expect(left.allSatisfy { $0.account == nil })
        #expect(
            Set(left.map(\.url))
                == Set(["https://own.example/"] + (keepsFeeds ? ["https://a.example/1", "file:///etc/passwd"] : [])))
        #expect(try steps.entry("Entry 1")?.isStarred == (keepsFeeds ? true : nil))
        #expect(try !steps.library.feeds.options(of: own).isFromOutside)
        guard keepsFeeds else { return }
        // A server may not refer to local files.
        let file = try #require(left.first { $0.url.hasPrefix("file") }?.id)
        let web = try #require(left.first { $0.url == "https://a.example/1" }?.id)
        #expect(
            try steps.library.feeds.options(of: file).isFromOutside
                && !steps.library.feeds.options(of: web).isFromOutside)
    }

    @Test func rejectsDuplicateAccountNames() async throws {
        let steps = try await SyncSteps()
        try steps.sql("UPDATE account SET error = 'x', failures = 3, next_try = 7, last_sync = 5")
        try await steps.library.changes.perform(
            .addAccount(NewAccount(name: "work", kind: .miniflux, address: "https://m.example", user: "v", secret: "t"))
        )
        try await steps.library.changes.perform(
            .addAccount(NewAccount(name: "home", kind: .reader, address: "https://n.example", user: "w", secret: "r")))
        let accounts = try steps.library.accounts.all(now: 0)
        #expect(accounts.map(\.name) == ["home", "work"] && accounts.map(\.kind) == [.reader, .miniflux])
        #expect(accounts[0].id == steps.id && accounts[0].address == "https://n.example" && accounts[0].user == "w")
        #expect(accounts[0].secret == "r" && accounts[0].error == nil && accounts[0].failures == 0)
        #expect(accounts[0].nextTry == nil && accounts[0].lastSync == 5 && accounts[0].feeds == 1)
        #expect(try steps.library.accounts.hasAny())
        #expect(try !Library(path: nil).accounts.hasAny())
    }
}
