import Accounts
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Labels of servers: the one for reading later, and the user's, which are tags of entries.
@Suite(.timeLimit(.minutes(10))) struct SyncLabelTests {
    @Test func syncsReadLaterAsALabel() async throws {
        let server = try ReaderServer.filled()
        let now = Mutex<Instant>(1_795_289_000)
        let one = try await SyncedLibrary(server)
        let two = try await SyncedLibrary(server) { now.withLock { $0 } }
        try await one.sync()
        try await two.sync()
        try await one.mark(.later, true, "Entry 2")
        #expect(try one.library.outbox.items().map(\.title) == ["Read later: Entry 2"])
        try await one.sync()
        #expect(try one.library.outbox.items().isEmpty && one.account.pending == 0)
        #expect(server.with { $0.entries.values.filter { $0.labels == ["later"] }.map(\.title) } == ["Entry 2"])
        // Another machine checks for the label once a day, and every time from then on.
        now.withLock { $0 += 86_400 }
        try await two.sync()
        #expect(try two.rows().values.filter(\.isLater).map(\.title) == ["Entry 2"])
        try await two.mark(.later, false, "Entry 2")
        try await two.mark(.later, true, "Entry 3")
        try await two.sync()
        try await one.sync()
        #expect(try one.rows().values.filter(\.isLater).map(\.title) == ["Entry 3"])
        // A missing label lists everything, which means nothing.
        server.with { state in
            state.labels = []
            for id in state.entries.keys { state.entries[id]?.labels = [] }
        }
        try await one.sync()
        #expect(try one.rows().values.filter(\.isLater).map(\.title) == ["Entry 3"])
    }

    private func tags(_ client: SyncedLibrary) throws -> [String: [String]] {
        try client.rows().values.reduce(into: [:]) { tags, row in
            let own = try client.library.entries.tags(of: row.id)
            if !own.isEmpty { tags[row.title] = own }
        }
    }

    private func tag(
        _ client: SyncedLibrary, _ title: String, adding: [String] = [], removing: [String] = []
    ) async throws -> Receipt {
        let entry = try #require(try client.rows()[title])
        return try await client.library.changes.perform(.tagEntries([entry.id], adding: adding, removing: removing))
    }

    /// Labels of entries are tags in both directions; tags that wait to be sent take precedence.
    @Test func importsLabelsAsTags() async throws {
        let server = try ReaderServer.filled()
        let one = try await SyncedLibrary(server)
        let two = try await SyncedLibrary(server)
        try await one.sync()
        let receipt = try await tag(one, "Entry 2", adding: ["wind tunnel", "römer/ü", "later"])
        #expect(
            try one.library.outbox.items().map(\.title) == ["Tag wind tunnel: Entry 2", "Tag römer/ü: Entry 2"],
            "the label of that name is the mark for later")
        try await one.sync()
        #expect(try one.library.outbox.items().isEmpty && one.account.pending == 0)
        #expect(
            server.with { $0.entries.values.first { $0.title == "Entry 2" }?.labels } == ["wind tunnel", "römer/ü"])
        // Another machine receives them with its first sync, including those of entries read long ago.
        server.with { state in
            for id in state.entries.keys where state.entries[id]?.title == "Entry 2" {
                state.entries[id]?.isRead = true
            }
        }
        try await two.sync()
        #expect(try tags(two) == ["Entry 2": ["römer/ü", "wind tunnel"]])
        #expect(try two.rows()["Entry 2"]?.isRead == true)
        // Both continue: a removal on one side reaches the other, and pending changes stay.
        _ = try await tag(two, "Entry 2", removing: ["wind tunnel"])
        _ = try await tag(two, "Entry 3", adding: ["own"])
        try await two.sync()
        _ = try await tag(one, "Entry 1", adding: ["mine"])
        server.setFault { $0.hasSuffix("edit-tag") ? .unavailable : nil }
        try await one.sync()
        #expect(try tags(one)["Entry 1"] == ["mine"] && one.account.pending == 1)
        server.setFault { _ in nil }
        try await one.sync()
        try await two.sync()
        let alike = ["Entry 1": ["mine"], "Entry 2": ["römer/ü"], "Entry 3": ["own"]]
        #expect(try tags(two) == alike)
        #expect(try tags(one) == alike.merging(["Entry 2": ["later", "römer/ü"]]) { $1 })
        // Undone after it was sent: the opposite is sent.
        _ = try await one.library.changes.perform(.undo(receipt.id))
        try await one.sync()
        try await two.sync()
        #expect(try tags(two) == ["Entry 1": ["mine"], "Entry 3": ["own"]])
        #expect(try tags(one) == (try tags(two)))
    }

    /// Tags are typed as words. Those with spaces are quoted, and survive a round trip.
    @Test(arguments: [
        ["wind tunnel", "a"], ["it's", "\"quoted\"", "back\\slash", "römer/ü"], [], ["-minus", "tab\there"],
    ])
    func keepsTagsAsTyped(tags: [String]) {
        #expect(TagText.tags(in: TagText.line(tags)) == tags)
        #expect(TagText.tags(in: "a  b a \"\"") == ["a", "b"])
    }

    /// A tag undone before it was sent is never sent.
    @Test func doesNotSendAnUndoneTag() async throws {
        let client = try await synced().client
        _ = try await tag(client, "Entry 2", adding: ["a"])
        _ = try await tag(client, "Entry 2", removing: ["a"])
        #expect(try client.library.outbox.items().isEmpty)
    }

    /// A label with a folder's name can't be listed, since its list is the folder's. Sent tags stay here without
    /// notice. A deleted label removes no tags and confirms nothing.
    @Test func leavesUnlistedLabels() async throws {
        let server = try ReaderServer.filled()
        let folder = server.with { state in state.feeds[0].folder }
        let client = try await SyncedLibrary(server)
        try await client.sync()
        _ = try await tag(client, "Entry 2", adding: [folder, "gone"])
        try await client.sync()
        #expect(try client.account.pending == 0 && client.library.outbox.items().isEmpty)
        #expect(try tags(client) == ["Entry 2": ["gone", folder].sorted()])
        server.with { $0.labels = [] }
        try await client.sync()
        #expect(try tags(client) == ["Entry 2": ["gone", folder].sorted()])
    }

    /// If a server answers OK to a label without storing it, it is sent once more, then the user is notified.
    @Test func reportsALabelTheServerDropped() async throws {
        let (server, client) = try await synced()
        server.with { $0.traps = [.forgetsMarks] }
        _ = try await tag(client, "Entry 2", adding: ["a"])
        for _ in 0..<3 { try await client.sync() }
        #expect(try client.library.outbox.items().map(\.isRefused) == [true])
        #expect(try tags(client) == ["Entry 2": ["a"]])
    }
}
