import Foundation
import LibraryTesting
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The outbox: what is queued, the order of sending, and the handling of rejections.
@Suite(.timeLimit(.minutes(5))) struct SendsOutbox {
    private func steps(_ ids: [String] = ["1", "2", "3", "4"], kind: ServerKind = .freshrss) async throws -> SyncSteps {
        let steps = try await SyncSteps(kind: kind)
        try await steps.lists(unread: ids)
        try await steps.store(ids.map { SyncSteps.entry($0) })
        return steps
    }

    private func claim(_ steps: SyncSteps, maximum: Int = 100) async throws -> String? {
        try await steps.step(.claimMarks(maximum: { _ in maximum })).sync.marks.map {
            "\($0.mark.name) \($0.value) \($0.ids.joined(separator: ","))"
        }
    }

    /// Only the last mark of an entry is sent; reverting one that was never sent removes it.
    @Test func ACC_02_queuesTheLastMarkOfAnEntry() async throws {
        let steps = try await steps()
        for (mark, words) in [(EntryMark.read, "read"), (.starred, "starred"), (.later, "later")] {
            try await steps.mark(mark, true, "Entry 1")
            #expect(try steps.waiting() == ["\(words) 1 Entry 1"])
            try await steps.mark(mark, true, "Entry 1")
            #expect(try steps.waiting() == ["\(words) 1 Entry 1"])
            try await steps.mark(mark, false, "Entry 1")
            #expect(try steps.waiting().isEmpty)
            // Once it was about to be sent, the opposite is sent too, and so are later changes.
            try await steps.mark(mark, true, "Entry 1")
            #expect(try await claim(steps) == "\(words) true 1")
            try await steps.mark(mark, false, "Entry 1")
            #expect(try steps.waiting() == ["\(words) 0 Entry 1"])
            try await steps.mark(mark, true, "Entry 1")
            #expect(try steps.waiting() == ["\(words) 1 Entry 1"])
            try await steps.mark(mark, false, "Entry 1")
            #expect(try steps.waiting() == ["\(words) 0 Entry 1"])
            try steps.sql("DELETE FROM pending_mark")
        }
        // Marks of one entry and of several don't interfere.
        try await steps.mark(.read, true, "Entry 1", "Entry 2")
        try await steps.mark(.starred, true, "Entry 1")
        try await steps.mark(.read, false, "Entry 2")
        #expect(try steps.waiting() == ["read 1 Entry 1", "starred 1 Entry 1"])
    }

    /// On servers without labels, reading later and tags stay local; entries of no server never wait.
    @Test(arguments: [ServerKind.freshrss, .reader, .miniflux, .minifluxToken])
    func queuesOnlyWhatTheServerStores(kind: ServerKind) async throws {
        let steps = try await steps(kind: kind)
        let own = try await steps.library.follow("https://own.example/")
        try steps.sql(
            """
            INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, fingerprint) VALUES (?, 'g', 'Own', 1, 1, 1)
            """, [own])
        for title in ["Entry 1", "Own"] {
            for mark in EntryMark.allCases { try await steps.mark(mark, true, title) }
            let entry = try #require(try steps.entry(title)?.id)
            try await steps.library.changes.perform(.tagEntries([entry], adding: ["t"], removing: []))
        }
        let labels = ["later 1 Entry 1", "label/t 1 Entry 1"]
        #expect(try steps.waiting() == ["read 1 Entry 1", "starred 1 Entry 1"] + (kind == .freshrss ? labels : []))
    }

    @Test func sendsTheOldestKindFirstInGroups() async throws {
        let steps = try await steps()
        try await steps.mark(.starred, true, "Entry 1")
        try await steps.mark(.read, true, "Entry 2", "Entry 3")
        try await steps.mark(.starred, true, "Entry 4")
        try await steps.mark(.read, true, "Entry 1")
        #expect(try await claim(steps) == "starred true 1,4")
        #expect(try await claim(steps) == "starred true 1,4", "until it is noted as sent")
        try await steps.step(.markSent([1, 4], now: 9))
        #expect(try await claim(steps, maximum: 2) == "read true 2,3")
        try await steps.step(.markSent([2, 3], now: 9))
        #expect(try await claim(steps, maximum: 2) == "read true 1")
        try await steps.step(.markSent([5], now: 9))
        #expect(try await claim(steps) == nil)
        #expect(try steps.rows("SELECT sent, tries FROM pending_mark") == Array(repeating: "9 1", count: 5))
        // Each value is sent by itself.
        try steps.sql("UPDATE pending_mark SET sent = NULL, tries = 0, value = seq % 2 WHERE mark = 'read'")
        #expect(try await claim(steps) == "read false 2")
        // A mark made meanwhile has another number: the sent one isn't recorded for it.
        let number = try steps.rows("SELECT seq FROM pending_mark WHERE mark = 'starred' ORDER BY seq LIMIT 1")
        try await steps.mark(.starred, false, "Entry 1")
        #expect(try await steps.step(.markSent([PendingMarkID(number[0]) ?? 0], now: 9)).count == 0)
        #expect(try await steps.step(.markConfirmed([PendingMarkID(number[0]) ?? 0])).count == 1)
        #expect(try steps.waiting().contains("starred 0 Entry 1"))
    }

    @Test func sendsRejectedChangesOneByOne() async throws {
        let steps = try await steps()
        try await steps.mark(.read, true, "Entry 1", "Entry 2", "Entry 3")
        try steps.sql("UPDATE pending_mark SET tries = 1 WHERE seq <> 2")
        #expect(try await claim(steps) == "read true 1")
        try await steps.step(.markSent([1], now: 9))
        #expect(try await claim(steps) == "read true 2")
        try await steps.step(.markSent([2], now: 9))
        #expect(try await claim(steps) == "read true 3")
    }

    /// Several rejected marks are sent one by one the next time; a single one waits for the user.
    @Test func leavesRejectedChangesToTheUser() async throws {
        let steps = try await steps()
        try await steps.mark(.read, true, "Entry 1", "Entry 2")
        try await steps.step(.markRefused([1, 2]))
        #expect(try steps.rows("SELECT tries, is_refused FROM pending_mark") == ["1 0", "1 0"])
        #expect(try await claim(steps) == "read true 1")
        try await steps.step(.markRefused([1]))
        #expect(try steps.rows("SELECT tries, is_refused FROM pending_mark") == ["1 1", "1 0"])
        #expect(try await claim(steps) == "read true 2")
        try await steps.step(.markConfirmed([2]))
        #expect(try await claim(steps) == nil)
        let account = try #require(try steps.library.accounts.account(steps.id, now: 0))
        #expect(account.pending == 0 && account.refused == 1)
        let item = try #require(try steps.library.outbox.items().first)
        #expect(item.isRefused && item.reason == "the server rejected it")
        try await steps.library.changes.perform(.retryOutbox([item.id]))
        #expect(try steps.rows("SELECT sent, tries, is_refused FROM pending_mark") == ["- 0 0"])
        #expect(try await claim(steps) == "read true 1")
    }

    /// Marks of entries that the server has deleted are dropped; of two identifiers the newer one is used.
    @Test func namesEntriesByServerIdentifier() async throws {
        let steps = try await steps()
        try await steps.mark(.read, true, "Entry 1", "Entry 2", "Entry 3")
        try steps.sql("DELETE FROM remote_entry WHERE remote_id = '1'")
        for (new, old) in [("20", "2"), ("10", "3")] {
            try steps.sql(
                "INSERT INTO remote_entry SELECT ?, ?, entry_id FROM remote_entry WHERE remote_id = ?",
                [steps.id, new, old])
        }
        #expect(try await claim(steps) == "read true 20,10")
        #expect(try steps.waiting() == ["read 1 Entry 2", "read 1 Entry 3"])
    }

    // MARK: Subscriptions

    private func operation(_ steps: SyncSteps) async throws -> RemoteOperation? {
        try await steps.step(.claimOperation).sync.operation?.1
    }

    @Test func queuesTheLastChangeOfAFeed() async throws {
        let steps = try await steps()
        let feed = try #require(try steps.library.feeds.all().first?.id)
        func perform(_ change: Change) async throws { try await steps.library.changes.perform(change) }
        try await perform(.rename(feed, title: "A"))
        try await perform(.move(feed, folder: "F"))
        try await perform(.rename(feed, title: "B"))
        try await perform(.move(feed, folder: "G"))
        #expect(try steps.operations() == ["rename B -", "move G F"])
        #expect(try steps.library.outbox.items().map(\.title) == ["Rename to B", "Move B to G"])
        #expect(try await operation(steps) == .rename(id: "feed/1", title: "B"))
        // A change that was about to be sent may have arrived: the next one is sent after it.
        try await perform(.rename(feed, title: "C"))
        #expect(try steps.operations() == ["rename B -", "move G F", "rename C -"])
        try await perform(.unsubscribe(feed))
        #expect(try steps.operations() == ["rename B -", "unsubscribe C -"])
        #expect(try steps.library.outbox.items().map(\.title) == ["Rename to B", "Unfollow C"])
    }

    @Test func dropsChangesOfUnknownFeeds() async throws {
        let steps = try await steps()
        var new = NewSubscription(url: "https://b.example/", folder: "F")
        new.account = steps.id
        let feed = try await steps.library.changes.perform(.subscribe([new], now: 1)).subscriptions[0].id
        #expect(try steps.operations() == ["subscribe https://b.example/ -", "move F -"])
        try await steps.library.changes.perform(.unsubscribe(feed))
        #expect(try steps.operations().isEmpty)
    }

    /// Oldest first. A rejected change waits for the user, and one that needs a new feed's identifier waits for that.
    @Test func sendsChangesOfFeedsInTheirOrder() async throws {
        let steps = try await steps()
        var new = NewSubscription(url: "https://b.example/", folder: "F")
        new.account = steps.id
        let feed = try await steps.library.changes.perform(.subscribe([new], now: 1)).subscriptions[0].id
        let first = try #require(try steps.library.feeds.all().first { $0.id != feed }?.id)
        try await steps.library.changes.perform(.move(first, folder: "G"))
        func claimed() async throws -> (PendingOperationID, RemoteOperation)? {
            try await steps.step(.claimOperation).sync.operation.map { ($0.number, $0.1) }
        }
        let subscribe = try #require(try await claimed())
        #expect(subscribe.1 == .subscribe(url: "https://b.example/"))
        try await steps.step(.noteOperation(subscribe.0, remote: nil, error: "rejected by the server: no"))
        // The folder of an unknown feed can't be sent.
        let move = try #require(try await claimed())
        #expect(move.1 == .move(id: "feed/1", folder: "G", from: nil))
        try await steps.step(.noteOperation(move.0, remote: nil, error: nil))
        #expect(try await claimed() == nil)
        let refused = try #require(try steps.library.outbox.items().first)
        #expect(refused.isRefused && refused.reason == "rejected by the server: no")
        #expect(refused.title == "Follow https://b.example/")
        try await steps.library.changes.perform(.retryOutbox([refused.id]))
        let again = try #require(try await claimed())
        #expect(again.1 == .subscribe(url: "https://b.example/"))
        try await steps.step(.noteOperation(again.0, remote: "feed/7", error: nil))
        #expect(try await claimed()?.1 == .move(id: "feed/7", folder: "F", from: nil))
        #expect(try steps.library.feeds.all().count == 2)
    }

    /// Discarded changes are not sent, and the server's state is fetched completely.
    @Test func dropsChangesTheUserDiscards() async throws {
        let steps = try await steps()
        try steps.sql("UPDATE account SET last_whole = 5")
        try await steps.mark(.read, true, "Entry 1", "Entry 2")
        let feed = try #require(try steps.library.feeds.all().first?.id)
        try await steps.library.changes.perform(.rename(feed, title: "A"))
        #expect(try steps.library.outbox.count() == 3)
        let items = try steps.library.outbox.items()
        #expect(items.map(\.title) == ["Rename to A", "Read: Entry 1", "Read: Entry 2"])
        let receipt = try await steps.library.changes.perform(.dropFromOutbox([items[0].id, items[2].id]))
        #expect(receipt.count == 2)
        #expect(try steps.library.outbox.items().map(\.title) == ["Read: Entry 1"])
        #expect(try steps.library.outbox.count() == 1 && steps.operations().isEmpty)
        #expect(try steps.rows("SELECT last_whole FROM account") == ["-"])
    }

    @Test func describesPendingChanges() async throws {
        let steps = try await steps(["1"])
        let words: [(EntryMark, Bool, String)] = [
            (.read, true, "Read"), (.read, false, "Unread"), (.starred, true, "Star"), (.starred, false, "Remove star"),
            (.later, true, "Read later"), (.later, false, "Remove from read later"),
        ]
        for (mark, value, verb) in words {
            try steps.sql("DELETE FROM pending_mark")
            try steps.sql(
                "INSERT INTO pending_mark (account_id, entry_id, mark, value, created) SELECT ?, id, ?, ?, 7 FROM entry",
                [steps.id, mark.remote.name, value])
            let item = try #require(try steps.library.outbox.items().first)
            #expect(
                item.title == "\(verb): Entry 1" && item.created == 7 && item.account == "home" && item.reason == nil)
        }
        try steps.sql("UPDATE pending_mark SET mark = 'label/wind', value = 0")
        #expect(try steps.library.outbox.items().map(\.title) == ["Remove tag wind: Entry 1"])
        try steps.sql("UPDATE account SET error = 'server away: x'")
        #expect(try steps.library.outbox.items().map(\.reason) == ["server away: x"])
        try steps.sql("DELETE FROM entry")
        #expect(try steps.library.outbox.items().map(\.title) == ["Remove tag wind: a deleted entry"])
        for (name, value, text) in [
            ("subscribe", "u", "Follow u"), ("subscribe", nil, "Follow F"), ("unsubscribe", "N", "Unfollow N"),
            ("rename", "N", "Rename to N"), ("move", "D", "Move F to D"), ("move", nil, "Move F out of its folder"),
        ] as [(String, String?, String)] { #expect(PendingOperation.words(name, "F", value) == text) }
    }
}
