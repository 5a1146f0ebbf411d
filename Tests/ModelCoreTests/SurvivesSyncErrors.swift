import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Interrupted syncs: rejections, lost locks, cancellations, and marks set in the meantime.
@Suite(.timeLimit(.minutes(5))) struct SurvivesSyncErrors {
    /// The results of another program stay; the one that lost its lock changes nothing more.
    @Test func stopsWhenAnotherProgramSynced() async throws {
        let (server, client) = try await connected()
        let library = client.library
        server.setFault { path in
            guard path.hasSuffix("subscription/list") else { return nil }
            try? library.execute("UPDATE account SET lock_owner = 'other', locked_until = 1795289100")
            return nil
        }
        #expect(try await client.sync() == .failed("another program has taken over the sync"))
        #expect(try client.rows().isEmpty)
        let account = try #require(try library.accounts.account(client.id, now: 1_795_289_000))
        #expect(account.isSyncing && account.error == nil && account.lastSync == nil)
        server.setFault { _ in nil }
        #expect(try await client.sync() == .heldBack("another program is syncing it"))
        // A program that died holds its sync permit for a limited time.
        let later = SyncService(library: library, clock: { 1_795_289_101 })
        #expect(await later.sync(account, .whole) == .done(added: 3, sent: 0))
    }

    /// A cancelled sync is no failure: the earlier error stays, and the next sync starts at once.
    @Test func pausesAfterACancellation() async throws {
        let (server, client) = try await connected()
        server.setFault { $0.hasSuffix("subscription/list") ? .unavailable : nil }
        try await client.sync()
        let error = try client.account.error
        #expect(error == "server away: busy or in maintenance (503)")
        let (isAsked, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        server.setFault { path in
            guard path.hasSuffix("subscription/list") else { return nil }
            isAsked.signal()
            _ = mayGoOn.wait(timeout: .now() + 20)
            return nil
        }
        let task = Task { try await client.sync() }
        let wasAsked = await Task.detached { isAsked.wait(timeout: .now() + 20) == .success }.value
        #expect(wasAsked)
        task.cancel()
        #expect(try await task.value == .heldBack("stopped"))
        mayGoOn.signal()
        #expect(try client.account.error == error && client.account.failures == 2)
        #expect(try !client.account.isSyncing && client.rows().isEmpty)
        server.setFault { _ in nil }
        #expect(try await client.sync() == .done(added: 3, sent: 0))
    }

    /// If a server rejects one mark after another, more requests don't help.
    @Test func givesUpAfterTwentyRejections() async throws {
        let (server, client) = try await synced(entries: 25, kind: .miniflux)
        server.with { $0.refusesMarks = Set($0.entries.keys) }
        try await client.library.setMark(.read, true, entries: client.rows().values.map(\.id), now: 1)
        server.requests = []
        #expect(try await client.sync() == .failed("rejected by the server: invalid entry status"))
        #expect(server.requests == Array(repeating: "/v1/entries", count: 21))
        #expect(try client.account.refused == 20 && client.account.pending == 5)
        #expect(try client.library.outbox.items().filter(\.isRefused).count == 20)
    }

    /// The server's state of an entry with a pending mark is requested again until the mark is sent or dropped.
    @Test func requestsEntriesHiddenByPendingMarks() async throws {
        let (server, client) = try await synced(kind: .miniflux)
        let first = try #require(try client.account.changedSince)
        // The mark is rejected, and the entry changes on the server.
        server.with { state in
            state.refusesMarks = Set(state.entries.values.filter { $0.title == "Entry 1" }.map(\.id))
            state.now += 900
            for (id, entry) in state.entries where entry.title == "Entry 1" {
                state.entries[id]?.isStarred = true
                state.entries[id]?.changedAt = state.now
            }
        }
        try await client.mark(.read, true, "Entry 1")
        try await client.sync()
        #expect(try client.account.changedSince == first && client.rows()["Entry 1"]?.isStarred == true)
        #expect(try client.rows()["Entry 1"]?.isRead == true)
        let waiting = try client.library.outbox.items().map(\.id)
        try await client.library.changes.perform(.dropFromOutbox(waiting))
        try await client.sync()
        let later = try #require(try client.account.changedSince)
        #expect(try later > first && client.rows()["Entry 1"]?.isRead == false)
    }

    /// A server without entries reports no time, so a day more is requested.
    @Test(arguments: [0, 2]) func remembersTheLastSync(entries: Int) async throws {
        let (server, client) = try await synced(entries: entries, kind: .miniflux)
        let account = try client.account
        let expected: Instant = entries == 0 ? 1_795_289_000 - 86_400 : 1_795_289_000
        #expect(account.changedSince == expected)
        #expect(account.lastFullSync == 1_795_289_000)
        server.requests = []
        try await client.sync()
        #expect(server.requests == ["/v1/feeds", "/v1/entries"])
    }

    /// An account's password may change: the next sync uses the new one.
    @Test(arguments: [ServerKind.freshrss, .miniflux]) func usesTheNewPasswordOfAnAccount(kind: ServerKind) async throws
    {
        let (server, client) = try await connected(kind: kind)
        server.with { $0.password = "new" }
        guard case .failed(let sentence) = try await client.sync() else {
            Issue.record("the old password was taken")
            return
        }
        #expect(sentence.hasPrefix("password rejected"))
        let secret = try client.library.secrets.keep(Secret(user: "alice", password: .kept("new")))
        try await client.library.changes.perform(
            .addAccount(NewAccount(name: "home", kind: kind, address: server.address, user: "alice", secret: secret)))
        #expect(try client.account.id == client.id && client.account.nextTry == nil)
        #expect(try await client.sync() == .done(added: 3, sent: 0))
    }

    /// Rules apply to entries that arrive with a sync, but not to those of the first.
    @Test(arguments: [ServerKind.freshrss, .miniflux]) func runsRulesOnNewEntries(kind: ServerKind) async throws {
        let (server, client) = try await connected(kind: kind)
        client.library.rules = [
            Rule(name: "r", when: try SearchQuery("title:entry"), then: [.mark(.starred), .notify])
        ]
        func tasks() async throws -> [String] {
            let tasks = try await client.library.changes.perform(TakeRuleTasks()).tasks
            return try tasks.compactMap { try client.library.entries.detail(of: $0.entry)?.title }
        }
        try await client.sync()
        #expect(try client.rows().values.allSatisfy(\.isStarred))
        #expect(try await tasks().isEmpty)
        server.with { $0.now += 900 }
        server.addEntry("Entry 4", feed: 1)
        server.addEntry("Other", feed: 1)
        try await client.sync()
        #expect(try client.rows()["Entry 4"]?.isStarred == true && client.rows()["Other"]?.isStarred == false)
        #expect(try await tasks() == ["Entry 4"])
        #expect(try client.library.outbox.items().isEmpty == false, "the server hears of what rules have marked")
    }

    /// A mark set while its entry is being fetched is neither lost nor reverted.
    @Test func keepsAMarkMadeDuringASync() async throws {
        let (server, client) = try await synced()
        let library = client.library
        let id = try #require(try client.rows()["Entry 2"]?.id)
        try await client.mark(.read, true, "Entry 2")
        // The first mark is sent; before the answer arrives the user changes it again.
        server.setFault { path in
            guard path.hasSuffix("edit-tag") else { return nil }
            let isDone = DispatchSemaphore(value: 0)
            library.changes.submit(.mark(.read, false, entries: [id], wholeStories: false, now: 2)) { _ in
                isDone.signal()
            }
            isDone.wait()
            return nil
        }
        try await client.sync(.send)
        server.setFault { _ in nil }
        #expect(try client.rows()["Entry 2"]?.isRead == false)
        try await client.sync()
        #expect(try client.rows()["Entry 2"]?.isRead == false && client.account.pending == 0)
        #expect(server.with { $0.entries.values.allSatisfy { !$0.isRead } })
    }
}
