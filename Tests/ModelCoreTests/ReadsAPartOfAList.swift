import CommonTesting
import Accounts
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Misleading lists of a server: temporarily empty, or without their labels.
@Suite(.timeLimit(.minutes(5))) struct ReadsAPartOfAList {
    private func client(entries: Int = 3) async throws -> (ReaderServer, SyncedLibrary) {
        let server = try ReaderServer()
        let feed = server.addFeed("News", url: "https://example.org/feed")
        for number in 1...entries { server.addEntry("Entry \(number)", feed: feed) }
        server.with { state in for id in state.entries.keys { state.entries[id]?.isStarred = true } }
        let client = try await SyncedLibrary(server)
        try await client.sync()
        return (server, client)
    }

    private func asked(_ server: ReaderServer) -> Int { server.requests.filter { $0.hasSuffix("items/ids") }.count }

    /// If such entries exist here, an empty list is requested twice; then it is accepted.
    @Test func acceptsAnEmptyListTheSecondTime() async throws {
        let (server, client) = try await client()
        server.requests = []
        try await client.sync()
        #expect(asked(server) == 2)
        server.with { state in for id in state.entries.keys { state.entries[id]?.isRead = true } }
        server.requests = []
        try await client.sync()
        #expect(asked(server) == 3)
        #expect(try client.rows().values.allSatisfy { $0.isRead && $0.isStarred })
        // Nothing is unread here, so an empty list is expected.
        server.requests = []
        try await client.sync()
        #expect(asked(server) == 2)
        server.with { state in for id in state.entries.keys { state.entries[id]?.isStarred = false } }
        server.requests = []
        try await client.sync()
        #expect(asked(server) == 3)
        #expect(try client.rows().values.allSatisfy { !$0.isStarred })
    }

    /// A list that is empty once and complete the second time changes no mark.
    @Test func acceptsTheSecondEmptyAnswer() async throws {
        let (one, client) = try await client()
        let count = Mutex(0)
        // The entries are missing from the first list only.
        let all = one.with { $0.entries }
        one.setFault { path in
            guard path.hasSuffix("items/ids") else { return nil }
            let number = count.increment()
            one.with { $0.entries = number == 1 ? [:] : all }
            return nil
        }
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(try client.rows().values.allSatisfy { !$0.isRead && $0.isStarred })
        #expect(count.withLock { $0 } == 3)
    }

    /// A server that doesn't list its labels leaves tags as they are, and isn't queried each time.
    @Test func keepsTagsWithoutLabels() async throws {
        let (server, client) = try await client()
        let entry = try #require(try client.rows()["Entry 1"]?.id)
        try await client.library.changes.perform(.tagEntries([entry], adding: ["x"], removing: []))
        try await client.sync()
        #expect(server.with { $0.labels } == ["x"])
        server.setFault { $0.hasSuffix("tag/list") ? .emptyArray : nil }
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(try client.library.entries.tags(of: entry) == ["x"])
        server.setFault { $0.hasSuffix("tag/list") ? .unavailable : nil }
        #expect(try await client.sync() == .failed("server away: busy or in maintenance (503)"))
        server.setFault { _ in nil }
        server.with { state in
            for id in state.entries.keys { state.entries[id]?.labels = [] }
        }
        try await client.sync()
        #expect(try client.library.entries.tags(of: entry).isEmpty)
    }
}
