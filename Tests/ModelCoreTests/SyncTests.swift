import CommonTesting
import FeedParsing
import Fetching
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

extension ServerKind {
    /// The API of the test server.
    var api: ReaderServer.API {
        switch self {
        case .freshrss, .reader: .reader
        case .miniflux, .minifluxToken: .miniflux
        case .nextcloud: .nextcloud
        case .ttrss: .ttrss
        case .feedbin: .feedbin
        case .fever: .fever
        }
    }
}

/// A library with an account on a test server.
struct SyncedLibrary: Sendable {
    let library: Library
    let service: SyncService
    let id: AccountID
    /// The server, which stops when it is released.
    let server: ReaderServer

    init(
        _ server: ReaderServer, kind: ServerKind = .freshrss, password: Secret.Password = .kept("secret"),
        clock: @escaping @Sendable () -> Instant = { 1_795_289_000 }
    ) async throws {
        self.server = server
        library = try Library(path: nil)
        let secret = try library.secrets.keep(Secret(user: "alice", password: password))
        let address = server.address + server.with { $0.api.path }
        try await library.changes.perform(
            .addAccount(NewAccount(name: "home", kind: kind, address: address, user: "alice", secret: secret)))
        id = try library.accounts.all(now: 0)[0].id
        service = SyncService(library: library, clock: clock)
    }

    var account: Account {
        get throws { try #require(try library.accounts.account(id, now: 0)) }
    }

    @discardableResult
    func sync(_ extent: SyncService.Extent = .whole) async throws -> SyncOutcome {
        await service.sync(try account, extent)
    }

    /// The entries by title.
    func rows() throws -> [String: EntryRow] {
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 100_000)
        return Dictionary(rows.map { ($0.title, $0) }) { first, _ in first }
    }

    func mark(_ mark: EntryMark, _ value: Bool, _ titles: String...) async throws {
        let rows = try rows()
        try await library.changes.perform(
            .mark(mark, value, entries: titles.compactMap { rows[$0]?.id }, wholeStories: false, now: 1))
    }
}

extension ReaderServer {
    /// Returns a server with a feed of entries.
    static func filled(entries: Int = 3, kind: ServerKind = .freshrss) throws -> ReaderServer {
        let server = try ReaderServer()
        server.with { $0.api = kind.api }
        let feed = server.addFeed("News & more", url: "https://example.org/feed", folder: "Papers")
        for number in 1...max(1, entries) where entries > 0 { server.addEntry("Entry \(number)", feed: feed) }
        return server
    }
}

/// Returns a server with a feed of entries, and a library with an account on it.
func connected(
    entries: Int = 3, kind: ServerKind = .freshrss
) async throws -> (server: ReaderServer, client: SyncedLibrary) {
    let server = try ReaderServer.filled(entries: entries, kind: kind)
    return (server, try await SyncedLibrary(server, kind: kind))
}

/// The same after the first sync.
func synced(
    entries: Int = 3, kind: ServerKind = .freshrss
) async throws -> (server: ReaderServer, client: SyncedLibrary) {
    let (server, client) = try await connected(entries: entries, kind: kind)
    try await client.sync()
    return (server, client)
}

@Suite(.timeLimit(.minutes(10))) struct SyncTests {
    @Test func theFirstSyncImportsFeedsAndEntries() async throws {
        let (server, client) = try await connected()
        server.with { $0.entries[$0.entries.keys.max() ?? 0]?.isStarred = true }
        #expect(try await client.sync() == .done(added: 3, sent: 0))
        let feed = try #require(try client.library.feeds.all().last)
        #expect(feed.title == "News & more" && feed.folder == "Papers" && feed.unread == 3 && feed.account == client.id)
        #expect(try client.rows()["Entry 3"]?.isStarred == true)
        let row = try #require(client.rows()["Entry 1"])
        let entry = try #require(try client.library.entries.detail(of: row.id))
        #expect(entry.link?.hasPrefix("https://example.org/") == true && entry.html == "<p>text</p>")
        #expect(try client.account.state(now: 1_795_289_120) == "synced 2 min ago")
    }

    @Test func anEmptySyncCostsFewRequests() async throws {
        let (server, client) = try await synced()
        server.requests = []
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(
            server.requests
                == ["subscription/list", "stream/items/ids", "stream/items/ids", "tag/list"].map {
                    "/reader/api/0/" + $0
                })
        // A short-lived program needs no login either.
        server.requests = []
        let other = SyncService(library: client.library, clock: { 1_795_289_000 })
        #expect(await other.sync(try client.account, .whole) == .done(added: 0, sent: 0))
        #expect(server.requests.count == 4)
    }

    @Test func requestsEntriesByHundredsNewestFirst() async throws {
        let client = try await connected(entries: 1100).client
        let progress = Mutex<[SyncProgress]>([])
        let newest = Mutex<Int?>(nil)
        let library = client.library
        await client.service.sync(try client.account, .whole) { state in
            progress.withLock { $0.append(state) }
            if state.fetched == 250 {
                newest.withLock { $0 = try? library.entries.rows(in: EntryQuery(.all), limit: 2000).count }
            }
        }
        #expect(progress.withLock { $0.map(\.fetched) } == [250, 500, 750, 1000, 1100])
        #expect(progress.withLock { $0.first?.total } == 1100)
        #expect(newest.withLock { $0 } == 250)
        #expect(try client.rows().count == 1100)
    }

    @Test func syncsMarksBothWays() async throws {
        let server = try ReaderServer.filled()
        let (one, two) = (try await SyncedLibrary(server), try await SyncedLibrary(server))
        try await one.sync()
        try await two.sync()
        try await one.mark(.read, true, "Entry 1", "Entry 2")
        try await one.mark(.starred, true, "Entry 3")
        #expect(try one.account.pending == 3 && one.account.state(now: 1_795_289_000) == "synced just now · 3 to send")
        #expect(try one.library.outbox.items().map(\.title) == ["Read: Entry 1", "Read: Entry 2", "Star: Entry 3"])
        #expect(try await one.sync() == .done(added: 0, sent: 3))
        #expect(try one.library.outbox.items().isEmpty && one.account.pending == 0)
        try await two.sync()
        let rows = try two.rows()
        #expect(
            rows["Entry 1"]?.isRead == true && rows["Entry 3"]?.isStarred == true && rows["Entry 3"]?.isRead == false)
        try await two.mark(.read, false, "Entry 1")
        try await two.sync()
        try await one.sync()
        #expect(try one.rows()["Entry 1"]?.isRead == false)
    }

    @Test func ACC_02_undoWithdrawsOrReversesSentChanges() async throws {
        let (server, client) = try await synced()
        let id = try #require(try client.rows()["Entry 1"]).id
        let receipt = try await client.library.setMark(.starred, true, entries: [id], now: 1)
        try await client.library.undo(receipt)
        #expect(try client.library.outbox.items().isEmpty)
        let second = try await client.library.setMark(.starred, true, entries: [id], now: 1)
        try await client.sync()
        try await client.library.undo(second)
        #expect(try client.library.outbox.items().map(\.title) == ["Remove star: Entry 1"])
        try await client.sync()
        #expect(server.with { $0.entries.values.allSatisfy { !$0.isStarred } })
    }

    @Test func resendsUncertainMarksAfterTheirOpposite() async throws {
        // The answer to the mark is lost: neither side knows the other's state.
        let (server, client) = try await synced()
        try await client.mark(.read, true, "Entry 1")
        server.setFault { $0.hasSuffix("edit-tag") ? .lostAnswer : nil }
        guard case .failed = try await client.sync() else { throw CancellationError() }
        server.setFault { _ in nil }
        try await client.mark(.read, false, "Entry 1")
        try await client.mark(.read, true, "Entry 1")
        try await client.mark(.read, false, "Entry 1")
        try await client.sync()
        #expect(try client.rows()["Entry 1"]?.isRead == false)
        #expect(server.with { $0.entries.values.allSatisfy { !$0.isRead } })
    }

    @Test func splitsMarksByTheServersVariableLimit() async throws {
        let (server, client) = try await connected(entries: 1300)
        server.with { $0.traps = [.variables] }
        try await client.sync()
        let ids = try client.rows().values.map(\.id)
        try await client.library.setMark(.read, true, entries: ids, now: 1)
        try await client.library.setMark(.starred, true, entries: ids, now: 1)
        server.requests = []
        #expect(try await client.sync() == .done(added: 0, sent: 2600))
        #expect(server.requests.filter { $0.hasSuffix("edit-tag") }.count == 13 + 3)
        #expect(server.with { $0.entries.values.allSatisfy { $0.isRead && $0.isStarred } })
    }

    @Test func resendsForgottenMarksOnceThenReports() async throws {
        let (server, client) = try await synced()
        server.with { $0.traps = [.forgetsMarks] }
        try await client.mark(.starred, true, "Entry 2")
        for _ in 0..<3 { try await client.sync() }
        #expect(try client.rows()["Entry 2"]?.isStarred == true)
        #expect(try client.account.refused == 1 && client.account.pending == 0)
        #expect(try client.library.outbox.count() == 1)
        let item = try #require(try client.library.outbox.items().first)
        #expect(item.isRefused && item.reason == "the server accepted it twice but did not keep it")
        server.requests = []
        try await client.sync()
        #expect(!server.requests.contains { $0.hasSuffix("edit-tag") })
        server.with { $0.traps = [] }
        try await client.library.changes.perform(.retryOutbox([item.id]))
        try await client.sync()
        #expect(try client.account.refused == 0 && client.rows()["Entry 2"]?.isStarred == true)
        // A dropped change takes the server's state.
        server.with { $0.traps = [.forgetsMarks] }
        try await client.mark(.starred, true, "Entry 1")
        let waiting = try client.library.outbox.items().map(\.id)
        try await client.library.changes.perform(.dropFromOutbox(waiting))
        try await client.sync()
        #expect(try client.rows()["Entry 1"]?.isStarred == false)
    }

    /// Marks of entries that the server no longer has are dropped with a sentence, after they were sent once.
    @Test func dropsMarksOfDeletedEntries() async throws {
        let (server, client) = try await synced()
        let gone = try #require(server.with { $0.entries.first { $0.value.title == "Entry 2" }?.key })
        server.with { $0.entries[gone] = nil }
        try await client.mark(.starred, true, "Entry 1", "Entry 2")
        #expect(try await client.sync() == .done(added: 0, sent: 2))
        #expect(try client.library.outbox.count() == 0)
        #expect(
            try client.account.details(now: 1_795_289_000)
                == ["1 mark was dropped: the server no longer has its entry"])
        #expect(server.with { $0.entries.values.filter(\.isStarred).map(\.title) } == ["Entry 1"])
        #expect(try await client.sync() == .done(added: 0, sent: 0))
    }

    /// A server that worked before and has no API now is in maintenance: the next try is minutes away.
    @Test(arguments: [ReaderServer.Fault.page, .unavailable]) func expectsAKnownServerToReturn(
        fault: ReaderServer.Fault
    ) async throws {
        let (server, client) = try await synced()
        server.setFault { _ in fault }
        _ = try await client.sync()
        #expect(try client.account.wasAway && client.account.nextTry == 1_795_289_000 + 60)
        // A start, a change and the end are occasions to try again; the timer is not.
        server.setFault { _ in nil }
        try await client.mark(.starred, true, "Entry 1")
        #expect(await client.service.sync(try client.account, .send) == .heldBack("its next attempt is later"))
        #expect(await client.service.sync(try client.account, .send, isOccasion: true) == .done(added: 0, sent: 1))
        #expect(try client.account.error == nil)
    }

    /// Labels of other programs come with each sync that the user asks for.
    @Test func asksForLabelsOnRequest() async throws {
        let (server, client) = try await synced()
        for (extent, isAsked) in [(SyncService.Extent.whole, true), (.send, false)] {
            server.requests = []
            try await client.sync(extent)
            #expect(server.requests.contains { $0.hasSuffix("tag/list") } == isAsked, "\(server.requests)")
        }
    }

    @Test(arguments: [
        (ReaderServer.Fault.page, "server away: busy or in maintenance: received a web page, not data"),
        (.emptyArray, "unusable answer: unexpected data"),
        (.unauthorized, "the password is no longer accepted; Enter asks for the new one"),
        (.unavailable, "server away: busy or in maintenance (503)"),
    ])
    func reportsErrorsAndLosesNothing(fault: ReaderServer.Fault, sentence: String) async throws {
        let (server, client) = try await synced()
        try await client.mark(.read, true, "Entry 1")
        server.with { state in for id in state.entries.keys { state.entries[id]?.isStarred = true } }
        // The second list fails: the first alone means nothing.
        let count = Mutex(0)
        server.setFault { path in
            guard path.hasSuffix("items/ids") || path.hasSuffix("ClientLogin") else { return nil }
            return count.increment() >= 2 ? fault : nil
        }
        #expect(try await client.sync() == .failed(sentence))
        #expect(try client.account.error == sentence)
        #expect(try client.rows().values.allSatisfy { !$0.isStarred })
        #expect(try client.rows().values.filter(\.isRead).map(\.title) == ["Entry 1"])
        server.setFault { _ in nil }
        try await client.sync()
        #expect(try client.rows().values.allSatisfy(\.isStarred))
        #expect(server.with { $0.entries.values.filter(\.isRead).map(\.title) } == ["Entry 1"])
    }

    @Test func distinguishesADisabledAPIFromAnOutage() async throws {
        let (server, client) = try await connected()
        server.with { $0.isSwitchedOff = true }
        #expect(
            try await client.sync() == .failed("the server's API is turned off; turn it on in the server's settings"))
    }

    @Test func syncsSubscriptionsBothWays() async throws {
        let server = try ReaderServer.filled()
        let (one, two) = (try await SyncedLibrary(server), try await SyncedLibrary(server))
        try await one.sync()
        var new = NewSubscription(url: "https://example.org/second", folder: "Blogs")
        new.account = one.id
        try await one.library.changes.perform(.subscribe([new], now: 1))
        let feeds = try one.library.feeds.all().filter { $0.account != nil }
        try await one.library.changes.perform(.rename(feeds[0].id, title: "Mine"))
        try await one.library.changes.perform(.move(feeds[0].id, folder: nil))
        #expect(
            try one.library.outbox.items().map(\.title) == [
                "Follow https://example.org/second", "Move https://example.org/second to Blogs", "Rename to Mine",
                "Move Mine out of its folder",
            ])
        #expect(try await one.sync() == .done(added: 0, sent: 0))
        #expect(try one.library.outbox.items().isEmpty)
        #expect(server.with { $0.feeds.map(\.title) } == ["Mine", "https://example.org/second"])
        #expect(server.with { $0.feeds.map(\.folder) } == ["Uncategorized", "Blogs"])
        try await two.sync()
        #expect(try two.library.feeds.all().filter { $0.account != nil }.map(\.title).contains("Mine"))
        // A feed unfollowed there disappears here, and nothing else does.
        let second = try #require(try two.library.feeds.feed(url: "https://example.org/second"))
        try await two.library.changes.perform(.unsubscribe(second.id))
        try await two.sync()
        try await one.sync()
        #expect(try one.library.feeds.all().filter { $0.account != nil }.map(\.title) == ["Mine"])
        #expect(try one.rows().count == 3)
    }

    @Test func resubscribesOnTheServerAfterUndo() async throws {
        let (server, client) = try await synced()
        let feed = try #require(try client.library.feeds.feed(url: "https://example.org/feed"))
        let receipt = try await client.library.changes.perform(.unsubscribe(feed.id))
        try await client.library.undo(receipt)
        #expect(try client.library.outbox.items().isEmpty)
        #expect(try client.rows().count == 3)
        try await client.library.changes.perform(.rename(feed.id, title: "Mine"))
        try await client.library.changes.perform(.move(feed.id, folder: "Blogs"))
        let again = try await client.library.changes.perform(.unsubscribe(feed.id))
        try await client.sync()
        #expect(server.with { $0.feeds.isEmpty })
        try await client.library.undo(again)
        try await client.sync()
        #expect(server.with { $0.feeds.map(\.url) } == ["https://example.org/feed"])
        #expect(server.with { $0.feeds.map { [$0.folder, $0.title] } } == [["Blogs", "Mine"]])
        #expect(try client.library.feeds.feed(url: "https://example.org/feed")?.total == 3)
    }

    @Test func reportsARejectedFeedAndContinues() async throws {
        let (server, client) = try await synced()
        server.with { $0.refusesFeeds = true }
        var new = NewSubscription(url: "https://example.org/none")
        new.account = client.id
        try await client.library.changes.perform(.subscribe([new], now: 1))
        try await client.mark(.read, true, "Entry 1")
        #expect(try await client.sync() == .done(added: 0, sent: 1))
        #expect(try client.library.outbox.items().map(\.reason) == ["rejected by the server: Feed cannot be added"])
        #expect(try client.library.feeds.feed(url: "https://example.org/none") != nil)
    }

    @Test func aServerLackingMostFeedsRemovesNone() async throws {
        let server = try ReaderServer()
        for number in 1...8 {
            let feed = server.addFeed("Feed \(number)", url: "https://example.org/\(number)")
            server.addEntry("Entry \(number)", feed: feed)
        }
        let client = try await SyncedLibrary(server)
        try await client.sync()
        server.with { $0.feeds.removeLast(7) }
        try await client.sync()
        #expect(try client.library.feeds.all().filter { $0.account != nil }.count == 8)
        #expect(
            try client.account.state(now: 1_795_289_000).hasSuffix(
                "the server lacks 7 feeds; they were kept on this machine"))
    }

    @Test func locallyDeletedEntriesStayDeleted() async throws {
        let (server, client) = try await synced()
        let id = try #require(try client.rows()["Entry 1"]).id
        let receipt = try await client.library.changes.perform(.delete(entries: [id], now: 1))
        server.requests = []
        try await client.sync()
        #expect(try client.rows().count == 2 && server.requests.count == 4)
        try await client.library.undo(receipt)
        try await client.mark(.read, true, "Entry 1")
        try await client.sync()
        #expect(server.with { $0.entries.values.filter(\.isRead).count } == 1)
    }

    @Test func recognizesEntriesOfARestoredServer() async throws {
        let (server, client) = try await synced()
        try await client.mark(.starred, true, "Entry 3")
        try await client.sync()
        server.with { state in
            let all = state.entries.values
            state.entries = [:]
            for entry in all {
                var new = entry
                new.id += 500_000_000
                state.entries[new.id] = new
            }
        }
        try await client.sync()
        try await client.sync()
        #expect(try client.rows().count == 3)
        #expect(try client.library.entries.rows(in: EntryQuery(.all), limit: 100).count == 3)
        try await client.mark(.read, true, "Entry 1")
        try await client.sync()
        #expect(server.with { $0.entries.values.filter(\.isRead).map(\.title) } == ["Entry 1"])
    }

    @Test func twoProgramsSyncOnce() async throws {
        let (server, client) = try await connected()
        let services = (0..<3).map { _ in SyncService(library: client.library, clock: { 1_795_289_000 }) }
        let account = try client.account
        let outcomes = await withTaskGroup(of: SyncOutcome.self) { group in
            for service in services { group.addTask { await service.sync(account, .timer) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { if case .done = $0 { true } else { false } }.count == 1)
        #expect(server.requests.filter { $0.hasSuffix("subscription/list") }.count == 1)
    }

    @Test func movesLocalFeedsWithMarksAndBack() async throws {
        let server = try ReaderServer()
        let client = try await SyncedLibrary(server)
        let feed = try await client.library.follow("https://example.org/feed")
        try await client.library.changes.perform(.move(feed, folder: "Blogs"))
        try await client.library.changes.perform(.rename(feed, title: "Mine"))
        for number in 1...3 {
            let entry = ParsedEntry(title: "Entry \(number)", link: "https://example.org/\(number)")
            try await client.library.store([entry], in: feed)
        }
        try await client.mark(.starred, true, "Entry 1")
        try await client.mark(.read, true, "Entry 2")
        let tagged = try #require(try client.rows()["Entry 3"]?.id)
        try await client.library.changes.perform(.tagEntries([tagged], adding: ["own", "later"], removing: []))
        #expect(try await client.library.changes.perform(.moveToAccount([feed], client.id)).count == 1)
        try await client.sync()
        #expect(server.with { $0.feeds.map { [$0.folder, $0.title] } } == [["Blogs", "Mine"]])
        let number = try #require(server.with { $0.feeds.first?.number })
        for entry in 1...3 { server.addEntry("Entry \(entry)", feed: number, link: "https://example.org/\(entry)") }
        try await client.sync()
        try await client.sync()
        #expect(try client.rows().count == 3)
        #expect(server.with { $0.entries.values.filter(\.isStarred).map(\.title) } == ["Entry 1"])
        #expect(server.with { $0.entries.values.filter(\.isRead).map(\.title) } == ["Entry 2"])
        // A tag with the name of the read-later label is no such mark.
        #expect(server.with { $0.entries.values.flatMap(\.labels) } == ["own"])
        #expect(try await client.library.changes.perform(.convertToLocal([feed])).count == 1)
        try await client.sync()
        #expect(server.with { $0.feeds.isEmpty })
        let rows = try client.rows()
        #expect(rows.count == 3 && rows["Entry 1"]?.isStarred == true && rows["Entry 2"]?.isRead == true)
        #expect(try client.library.feeds.feed(feed)?.account == nil)
    }

    @Test func keepsFeedsOfADeletedAccountWhereWanted() async throws {
        let client = try await connected().client
        try await client.library.follow("https://example.org/feed")
        try await client.sync()
        try await client.mark(.starred, true, "Entry 2")
        try await client.library.changes.perform(Change(RemoveAccount(account: client.id, keepsFeeds: true)))
        let feeds = try client.library.feeds.all().filter { $0.url == "https://example.org/feed" }
        #expect(feeds.count == 1 && feeds[0].account == nil && feeds[0].total == 3 && feeds[0].unread == 3)
        #expect(try client.rows()["Entry 2"]?.isStarred == true)
        #expect(try LibraryCheck.run(client.library).isEmpty)
    }

    @Test func miniflux_usesTheTokenAndShiftsPages() async throws {
        let (server, client) = try await connected(entries: 40)
        server.with { $0.traps = [.tokenAlone, .offsets, .smallPages] }
        #expect(try await client.sync() == .done(added: 40, sent: 0))
        try await client.mark(.read, true, "Entry 7")
        #expect(try await client.sync() == .done(added: 0, sent: 1))
        #expect(server.with { $0.entries.values.filter(\.isRead).map(\.title) } == ["Entry 7"])
    }

    @Test(arguments: [
        ("tag:google.com,2005:reader/item/000660ce4394a23f", "1795288873607743"),
        ("1795288873607743", "1795288873607743"), ("5ae0d5e3e4b0f2c1a2b3c4d5", "5ae0d5e3e4b0f2c1a2b3c4d5"),
        ("tag:google.com,2005:reader/item/5ae0d5e3e4b0f2c1a2b3c4d5", "5ae0d5e3e4b0f2c1a2b3c4d5"),
        ("tag:google.com,2005:reader/item/ffffffffffffffff", "-1"),
    ])
    func normalizesServerIdentifiers(text: String, id: String) { #expect(GoogleReaderServer.identity(text) == id) }

    @Test func readsChangesFromMiniflux() async throws {
        let (server, client) = try await connected(entries: 600, kind: .miniflux)
        #expect(try await client.sync() == .done(added: 600, sent: 0))
        // The feeds, three pages of unread entries and one of starred ones.
        #expect(server.requests.count == 5)
        // Changes of the last second are returned again until it is well past.
        server.with { $0.now += 900 }
        try await client.sync()
        server.requests = []
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(server.requests == ["/v1/feeds", "/v1/entries"])
        try await client.mark(.read, true, "Entry 3", "Entry 4")
        try await client.mark(.starred, true, "Entry 5")
        #expect(try await client.sync() == .done(added: 0, sent: 3))
        #expect(try client.library.outbox.items().isEmpty)
        #expect(server.with { $0.entries.values.filter(\.isStarred).map(\.title) } == ["Entry 5"])
        server.with { state in
            for (id, entry) in state.entries where entry.title == "Entry 9" || entry.title == "Entry 3" {
                state.entries[id]?.isRead.toggle()
                state.entries[id]?.html = "<p>Another text of it.</p>"
                state.entries[id]?.changedAt = state.now
            }
        }
        server.addEntry("New", feed: 1)
        #expect(try await client.sync() == .done(added: 1, sent: 0))
        let rows = try client.rows()
        #expect(rows["Entry 9"]?.isRead == true && rows["Entry 3"]?.isRead == false && rows["Entry 4"]?.isRead == true)
        let changed = try #require(rows["Entry 9"])
        #expect(try client.library.entries.detail(of: changed.id)?.dates.previous != nil)
    }

    @Test func readsAllPagesOfMinifluxChanges() async throws {
        let (server, client) = try await synced(entries: 600, kind: .miniflux)
        server.with { state in
            state.now += 900
            for id in state.entries.keys {
                state.entries[id]?.isRead = true
                state.entries[id]?.changedAt = state.now
            }
        }
        server.requests = []
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(server.requests == ["/v1/feeds", "/v1/entries", "/v1/entries", "/v1/entries"])
        #expect(try client.library.feeds.unreadCount() == 0)
    }

    /// Seen with Miniflux 2.2.6.
    @Test func checksStarsBeforeTogglingInMiniflux() async throws {
        let (server, client) = try await connected(entries: 60, kind: .miniflux)
        server.with { $0.traps = [.togglesStars] }
        try await client.sync()
        let titles = try client.rows().keys.filter { $0 != "Entry 60" }
        // One is already starred there, and one no longer exists there.
        server.with { state in
            for (id, entry) in state.entries where entry.title == "Entry 7" { state.entries[id]?.isStarred = true }
            state.entries = state.entries.filter { $0.value.title != "Entry 8" }
        }
        // The answer to one of the toggles is lost.
        let toggles = Mutex(0)
        server.setFault { $0.hasSuffix("bookmark") && toggles.increment() == 5 ? .lostAnswer : nil }
        let rows = try client.rows()
        try await client.library.setMark(.starred, true, entries: titles.compactMap { rows[$0]?.id }, now: 1)
        for _ in 0..<2 { try await client.sync() }
        #expect(try client.library.outbox.items().isEmpty)
        #expect(server.with { $0.entries.values.filter { !$0.isStarred }.map(\.title) } == ["Entry 60"])
        try await client.mark(.starred, false, "Entry 7", "Entry 9")
        try await client.sync()
        #expect(
            server.with { Set($0.entries.values.filter { !$0.isStarred }.map(\.title)) }
                == ["Entry 60", "Entry 7", "Entry 9"])
    }

    @Test func aRejectedMarkBlocksNoOther() async throws {
        let (server, client) = try await synced(entries: 10, kind: .miniflux)
        server.with { state in
            state.refusesMarks = Set(state.entries.values.filter { $0.title == "Entry 4" }.map(\.id))
        }
        try await client.mark(.read, true, "Entry 3", "Entry 4", "Entry 5")
        try await client.mark(.starred, true, "Entry 6")
        server.addEntry("New", feed: 1)
        #expect(try await client.sync() == .done(added: 1, sent: 3))
        let item = try #require(try client.library.outbox.items().first)
        #expect(item.isRefused && item.reason == "the server rejected it" && item.title == "Read: Entry 4")
        #expect(try client.account.refused == 1)
        server.requests = []
        try await client.sync()
        #expect(server.requests == ["/v1/feeds", "/v1/entries"])
        server.with { $0.refusesMarks = [] }
        try await client.library.changes.perform(.retryOutbox([item.id]))
        #expect(try await client.sync() == .done(added: 0, sent: 1))
    }

    @Test func requestsEverythingFromMinifluxDaily() async throws {
        let server = try ReaderServer.filled(entries: 4, kind: .miniflux)
        let now = Mutex<Instant>(1_795_289_000)
        let client = try await SyncedLibrary(server, kind: .minifluxToken) { now.withLock { $0 } }
        try await client.sync()
        // A change that its server didn't report: a clock that was set back.
        server.with { state in
            for id in state.entries.keys {
                state.entries[id]?.isRead = true
                state.entries[id]?.changedAt = 0
            }
        }
        try await client.sync()
        #expect(try client.rows().values.allSatisfy { !$0.isRead })
        now.withLock { $0 += 86_400 }
        try await client.sync()
        #expect(try client.rows().values.allSatisfy(\.isRead))
    }

    @Test func detectsMiniflux() async throws {
        let server = try ReaderServer.filled(kind: .miniflux)
        let found = try await ServerDiscovery.find(
            server.address, user: "alice", password: "secret", fetcher: Fetcher())
        #expect(found == DiscoveredServer(kind: .miniflux, base: server.address))
        let token = try await ServerDiscovery.find(
            server.address + "/v1/", user: "somebody", password: "secret", fetcher: Fetcher())
        #expect(token.kind == .minifluxToken)
    }

    @Test func reportsWhyMinifluxRejectsAFeed() async throws {
        let (server, client) = try await synced(kind: .miniflux)
        var new = NewSubscription(url: "https://example.org/second", folder: "Blogs")
        new.account = client.id
        try await client.library.changes.perform(.subscribe([new], now: 1))
        try await client.sync()
        #expect(server.with { $0.feeds.map(\.folder) } == ["Papers", "Blogs"])
        server.with { $0.refusesFeeds = true }
        new.url = "https://example.org/third"
        try await client.library.changes.perform(.subscribe([new], now: 1))
        try await client.sync()
        #expect(try client.library.outbox.items().first?.reason == "rejected by the server: This feed cannot be added")
    }

    @Test func feedOptionsApplyToServerFeeds() async throws {
        let page = try LoopbackServer { _ in
            let text = String(
                repeating: "The riders went up the long road to the pass in the rain, slowly. ", count: 30)
            return .init("<html><body><article><p>\(text)</p><p>\(text)</p></article></body></html>", type: "text/html")
        }
        let server = try ReaderServer()
        let feed = server.addFeed("News", url: page.url("/feed"))
        for number in 1...4 { server.addEntry("Entry \(number)", feed: feed, link: page.url("/\(number)")) }
        let client = try await SyncedLibrary(server)
        // The feed first, then its options.
        server.setFault { $0.hasSuffix("items/ids") ? .unavailable : nil }
        try await client.sync()
        server.setFault { _ in nil }
        let own = try #require(try client.library.feeds.feed(url: page.url("/feed")))
        var options = SubscriptionOptions()
        (options.fullText, options.dailyLimit) = (true, 3)
        try await client.library.changes.perform(.setOptions(own.id, options))
        #expect(try await client.sync() == .done(added: 4, sent: 0))
        let rows = try client.rows()
        // Entries beyond a day's limit are archived here; the server isn't notified.
        #expect(try client.library.entries.count(in: EntryQuery(.archived)) == 1 && client.account.pending == 0)
        let entry = try #require(rows["Entry 2"])
        #expect(try client.library.entries.detail(of: entry.id)?.fullHTML?.contains("The riders") == true)
        #expect(rows.values.filter(\.isRead).isEmpty)
    }

    @Test(arguments: [ServerKind.freshrss, .miniflux]) func requestsLargeEntriesInSmallerBatches(kind: ServerKind)
        async throws
    {
        let server = try ReaderServer()
        server.with { $0.isMiniflux = kind == .miniflux }
        let feed = server.addFeed("News", url: "https://example.org/feed")
        // Twenty megabytes in all, one entry larger than the limit of an answer.
        server.add(20, to: [feed], html: String(repeating: "x", count: 1 << 20))
        if kind == .freshrss { server.addEntry("Huge", feed: feed, html: String(repeating: "y", count: 17 << 20)) }
        let client = try await SyncedLibrary(server, kind: kind)
        #expect(try await client.sync() == .done(added: 20, sent: 0))
        server.requests = []
        try await client.sync()
        #expect(!server.requests.contains { $0.hasSuffix("contents") })
    }

    @Test func mergesAccountFeedsWithLocalOnes() async throws {
        let (server, client) = try await connected()
        let own = try await client.library.follow("https://example.org/feed")
        try await client.sync()
        let link = try #require(server.with { $0.entries.values.first { $0.title == "Entry 2" }?.link })
        var parsed = ParsedFeed(format: .rss)
        for (title, link) in [("Entry 2", link), ("Own", "https://example.org/own")] {
            parsed.entries.append(ParsedEntry(title: title, link: link))
        }
        try await client.library.store(parsed, in: own, record: FetchRecord(date: 1))
        let rows = try client.library.entries.rows(in: EntryQuery(.all), limit: 100).filter { $0.title == "Entry 2" }
        let (here, there) = (rows.first { $0.subscriptionID == own }, rows.first { $0.subscriptionID != own })
        try await client.library.setMark(.read, true, entries: [try #require(here).id], now: 1)
        try await client.library.setMark(.starred, true, entries: [try #require(there).id], now: 1)
        try await client.library.changes.perform(Change(RemoveAccount(account: client.id, keepsFeeds: true)))
        let left = try client.library.entries.rows(in: EntryQuery(.subscription(own)), limit: 100)
        #expect(left.map(\.title).sorted() == ["Entry 1", "Entry 2", "Entry 3", "Own"])
        let joined = try #require(left.first { $0.title == "Entry 2" })
        #expect(joined.isRead && joined.isStarred)
        #expect(try client.library.feeds.feed(own)?.unread == 3 && client.library.feeds.all().count == 1)
        #expect(try LibraryCheck.run(client.library).isEmpty)
    }

    @Test func mapsSeveralLabelsToFolderAndTags() async throws {
        let (server, client) = try await connected()
        server.with { $0.feeds[0].labels = ["race", "Italy"] }
        try await client.sync()
        try await client.sync()
        let feed = try #require(try client.library.feeds.feed(url: "https://example.org/feed"))
        #expect(feed.folder == "Papers")
        #expect(try client.library.feeds.health(of: feed.id)?.tags == ["Italy", "race"])
    }

    @Test func recognizesAFeedMovedOnItsServer() async throws {
        let (server, client) = try await synced()
        server.with { $0.feeds[0].url = "https://example.org/moved" }
        try await client.sync()
        #expect(try client.library.feeds.feed(url: "https://example.org/moved")?.total == 3)
    }
}
