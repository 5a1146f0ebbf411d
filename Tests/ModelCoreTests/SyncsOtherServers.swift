import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What each kind of server syncs, and what stays on this machine.
@Suite(.timeLimit(.minutes(5))) struct SyncsOtherServers {
    private static let kinds = [ServerKind.fever, .nextcloud, .ttrss, .feedbin]

    private func scene(_ kind: ServerKind) async throws -> (server: ReaderServer, client: SyncedLibrary, feed: Int) {
        let server = try ReaderServer()
        server.with { state in
            state.api = kind.api
            state.folders = ["Papers"]
        }
        let feed = server.addFeed("News", url: "https://example.org/feed", folder: "Papers")
        for number in 1...3 { server.addEntry("Entry \(number)", feed: feed) }
        let client = try await SyncedLibrary(server, kind: kind)
        #expect(try await client.sync() == .done(added: 3, sent: 0))
        return (server, client, feed)
    }

    private func feed(_ client: SyncedLibrary, _ url: String = "https://example.org/feed") throws -> SubscriptionRow? {
        try client.library.feeds.all().first { $0.url == url }
    }

    private func new(_ url: String, _ client: SyncedLibrary) -> NewSubscription {
        var subscription = NewSubscription(url: url)
        subscription.account = client.id
        return subscription
    }

    @Test(arguments: kinds) func syncsMarksBothWays(kind: ServerKind) async throws {
        let (server, client, _) = try await scene(kind)
        let news = try #require(try feed(client))
        #expect(news.title == "News" && news.folder == "Papers")
        let rows = try client.rows()
        #expect(rows.values.allSatisfy { !$0.isRead && !$0.isStarred })
        try await client.mark(.read, true, "Entry 1")
        try await client.mark(.starred, true, "Entry 2")
        #expect(try await client.sync() == .done(added: 0, sent: 2))
        #expect(server.with { $0.entries.values.filter(\.isRead).map(\.title) } == ["Entry 1"])
        #expect(server.with { $0.entries.values.filter(\.isStarred).map(\.title) } == ["Entry 2"])
        server.with { state in
            state.now += 120
            for (id, entry) in state.entries {
                state.entries[id]?.isRead = entry.title != "Entry 1"
                state.entries[id]?.isStarred = entry.title == "Entry 3"
                state.entries[id]?.changedAt = state.now
            }
        }
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        let after = try client.rows()
        #expect(after.values.filter(\.isRead).map(\.title).sorted() == ["Entry 2", "Entry 3"])
        #expect(after.values.filter(\.isStarred).map(\.title) == ["Entry 3"])
        #expect(try client.library.outbox.items().isEmpty && client.account.error == nil)
    }

    /// Without news a sync costs few requests.
    @Test(arguments: [(ServerKind.fever, 4), (.nextcloud, 3), (.ttrss, 5), (.feedbin, 4)])
    func asksLittleWithoutNews(kind: ServerKind, count: Int) async throws {
        let (server, client, _) = try await scene(kind)
        server.requests = []
        try await client.sync()
        #expect(server.requests.count == count, "\(server.requests)")
    }

    @Test(arguments: [ServerKind.nextcloud, .feedbin, .ttrss]) func syncsSubscriptions(kind: ServerKind) async throws {
        let (server, client, _) = try await scene(kind)
        let news = try #require(try feed(client)?.id)
        let changes = client.library.changes
        try await changes.perform(
            .subscribe([new("https://other.example/feed", client)], now: 1))
        if kind.organisesFeeds {
            try await changes.perform(.rename(news, title: "Mine"))
            try await changes.perform(.move(news, folder: "Other"))
        }
        try await client.sync()
        let feeds = server.with { $0.feeds }
        #expect(Set(feeds.map(\.url)) == ["https://example.org/feed", "https://other.example/feed"])
        if kind.organisesFeeds {
            #expect(feeds.contains { $0.title == "Mine" && ([$0.folder] + $0.labels).contains("Other") })
            #expect(!feeds.contains { ([$0.folder] + $0.labels).contains("Papers") })
            #expect(try feed(client)?.title == "Mine" && feed(client)?.folder == "Other")
            try await changes.perform(.move(news, folder: nil))
            try await client.sync()
            #expect(try feed(client)?.folder == nil)
        }
        let other = try #require(try feed(client, "https://other.example/feed")?.id)
        try await changes.perform(.unsubscribe(other))
        try await client.sync()
        #expect(server.with { $0.feeds.map(\.url) } == ["https://example.org/feed"])
        #expect(try client.library.outbox.items().isEmpty)
        // A feed that the server doesn't accept is reported.
        server.with { $0.refusesFeeds = true }
        try await changes.perform(
            .subscribe([new("https://third.example/", client)], now: 1))
        try await client.sync()
        #expect(try client.library.outbox.items().first?.reason?.hasPrefix("rejected by the server: ") == true)
    }

    /// A change that the server can't make is rejected where the user makes it; a name stays here.
    @Test func rejectsChangesThatAServerCannotMake() async throws {
        let (server, client, _) = try await scene(.fever)
        let (news, changes) = (try #require(try feed(client)?.id), client.library.changes)
        let other = new("https://other.example/", client)
        for (change, words) in [
            (Change.subscribe([other], now: 1), "home (Fever API) can't add feeds; do it on the server"),
            (.unsubscribe(news), "home (Fever API) can't remove feeds; do it on the server"),
            (.convertToLocal([news]), "home (Fever API) can't remove feeds; do it on the server"),
            (.move(news, folder: "Other"), "home (Fever API) can't move feeds to folders; do it on the server"),
        ] {
            let failure = await #expect(throws: ChangeFailure.self) { try await changes.perform(change) }
            #expect(failure?.description == words)
        }
        try await changes.perform(.rename(news, title: "Mine"))
        try await client.sync()
        #expect(try feed(client)?.title == "Mine" && feed(client)?.folder == "Papers")
        #expect(try client.library.outbox.items().isEmpty && client.library.feeds.all().filter(\.isFeed).count == 1)
        // A feed that vanishes from the server is removed here without a question.
        server.addFeed("Next", url: "https://next.example/")
        server.with { $0.feeds = Array($0.feeds.dropFirst()) }
        try await client.sync()
        #expect(try client.library.feeds.all().filter(\.isFeed).map(\.url) == ["https://next.example/"])
    }

    @Test func keepsTheOwnFolderOfSeveral() async throws {
        let (server, client, _) = try await scene(.feedbin)
        server.with { state in
            state.feeds[0].folder = "Alpha"
            state.feeds[0].labels = ["Papers", "Omega"]
        }
        try await client.sync()
        let news = try #require(try feed(client))
        #expect(news.folder == "Papers")
        #expect(try client.library.feeds.health(of: news.id)?.tags.sorted() == ["Alpha", "Omega"])
    }

    // MARK: Tags

    private func tag(_ client: SyncedLibrary, _ tag: String, _ title: String, adding: Bool = true) async throws {
        let entry = try #require(try client.rows()[title]?.id)
        try await client.library.changes.perform(
            .tagEntries([entry], adding: adding ? [tag] : [], removing: adding ? [] : [tag]))
    }

    private func tags(_ client: SyncedLibrary, _ title: String) throws -> [String] {
        try client.rows()[title].map { try client.library.entries.tags(of: $0.id) } ?? []
    }

    /// A tag waits here until the server has a label of that name, and is never lost in the meantime.
    @Test func sendsTagsOnceTheirLabelExists() async throws {
        let (server, client, _) = try await scene(.ttrss)
        server.with { $0.labels = ["known"] }
        try await tag(client, "known", "Entry 1")
        try await tag(client, "wind", "Entry 2")
        for _ in 0..<4 {
            guard case .done = try await client.sync() else { return #expect(Bool(false)) }
            #expect(try client.account.note == "'wind' stays on this machine until the server has such a label")
            #expect(try client.account.refused == 0 && client.account.pending == 0)
        }
        #expect(server.with { state in state.entries.values.flatMap(\.labels) } == ["known"])
        server.with { $0.labels = ["known", "wind"] }
        for _ in 0..<3 { try await client.sync() }
        #expect(server.with { $0.entries.values.first { $0.title == "Entry 2" }?.labels } == ["wind"])
        #expect(try tags(client, "Entry 2") == ["wind"] && client.account.note == nil)
        #expect(try client.library.outbox.items().isEmpty)
        server.with { state in for id in state.entries.keys { state.entries[id]?.labels = [] } }
        try await client.sync()
        #expect(try tags(client, "Entry 1").isEmpty && tags(client, "Entry 2").isEmpty)
        // A tag that was removed again needs no label.
        try await tag(client, "gust", "Entry 3")
        try await client.sync()
        try await tag(client, "gust", "Entry 3", adding: false)
        for _ in 0..<2 { try await client.sync() }
        #expect(try client.account.note == nil)
    }

    @Test func describesWaitingTags() {
        #expect(SyncService.note(waitingLabels: []) == nil)
        #expect(
            SyncService.note(waitingLabels: ["a", "b", "c"])
                == "'a' and 2 other tags stay on this machine until the server has such labels")
    }

    @Test(
        arguments: [(ServerKind.fever, "home (Fever API)"), (.nextcloud, "home (Nextcloud News)"), (.ttrss, nil)]
            as [(ServerKind, String?)])
    func knowsWhereTagsStayLocal(kind: ServerKind, words: String?) async throws {
        let (_, client, _) = try await scene(kind)
        let entries = try client.rows().values.map(\.id)
        let account = try client.library.accounts.withoutTags(of: entries, now: 0)
        #expect(account?.tagWarning == words.map { "They stay on this machine: \($0) has no tags" })
        #expect(try client.library.accounts.withoutTags(of: [], now: 0) == nil)
        try await tag(client, "wind", "Entry 1")
        #expect(try await client.sync() == .done(added: 0, sent: words == nil ? 1 : 0))
        #expect(try tags(client, "Entry 1") == ["wind"] && client.account.pending == 0)
    }

    // MARK: Limits

    /// Changes that are too large together are requested as pages of unread and starred entries.
    @Test func readsTooManyChangesInPages() async throws {
        let (server, client, feed) = try await scene(.nextcloud)
        server.add(18, to: [feed], html: String(repeating: "<p>long text</p>", count: 65_536))
        server.requests = []
        #expect(try await client.sync() == .done(added: 18, sent: 0))
        #expect(server.requests.filter { $0.hasSuffix("/items/updated") }.count == 1)
        #expect(server.requests.filter { $0.hasSuffix("/items") }.count >= 3)
    }

    private func unread(_ client: SyncedLibrary) throws -> Int {
        try client.library.entries.rows(in: EntryQuery(.all), limit: 1000).filter { !$0.isRead }.count
    }

    /// Marks of another client during a sync leave no gap in the pages of a list.
    @Test func readsALongListWhileItShrinks() async throws {
        let (server, client, feed) = try await scene(.ttrss)
        server.add(500, to: [feed], html: "<p>text</p>")
        try await client.sync()
        #expect(try unread(client) == 503)
        // Between two pages of the list another client reads some entries of the first page.
        for (count, isSafe) in [(15, true), (150, false)] {
            let before = try unread(client)
            // The requests of a sync: feeds, categories, two pages.
            let requests = Mutex(0)
            server.setFault { [weak server] _ in
                let number = requests.increment()
                if number == 4 {
                    server?.with { state in
                        for id in state.entries.values.filter({ !$0.isRead }).map(\.id).sorted().suffix(count) {
                            state.entries[id]?.isRead = true
                        }
                    }
                }
                return nil
            }
            let outcome = try await client.sync()
            server.setFault { _ in nil }
            let after = try unread(client)
            if isSafe {
                #expect(outcome == .done(added: 0, sent: 0) && after >= before - count)
            } else {
                #expect(outcome == .failed("server away: the list changed while it was read") && after == before)
            }
            try await client.sync()
            #expect(try unread(client) == before - count)
        }
    }
}
