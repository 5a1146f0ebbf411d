import Accounts
import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Random walks with two clients, a difficult server, lost requests and responses, cancelled syncs, and marks set
/// during a sync. No mark is ever lost or visibly reverted, and in the end all three agree.
@Suite(.timeLimit(.minutes(30))) struct SyncWalkTests {
    private static let rounds = ProcessInfo.processInfo.environment["SYNC_ROUNDS"].flatMap { Int($0) } ?? 300

    private struct Mark: Hashable {
        var entry: String
        /// The mark, or `nil` for the tag.
        var mark: EntryMark?
    }

    fileprivate static let tag = "wind tunnel"

    /// The last marks of each client's user, and whether both ever marked the same.
    private struct Told {
        var values: [[Mark: Bool]] = [[:], [:]]
        var isShared: Set<Mark> = []
    }

    private final class Walk: Sendable {
        let server: ReaderServer
        let clients: [SyncedLibrary]
        let told = Mutex(Told())
        let random: Mutex<SeededGenerator>
        let hasLabels: Bool

        init(seed: UInt64, _ kind: ServerKind) async throws {
            hasLabels = kind.hasLabels
            // As long as the walk may take.
            server = try ReaderServer(seconds: 1800)
            // Miniflux with a password sets stars as values, with a token it toggles them.
            server.with { state in
                state.api = kind.api
                // Tiny Tiny RSS creates no labels for other programs.
                if kind == .ttrss { state.labels = [SyncWalkTests.tag] }
            }
            clients = [try await SyncedLibrary(server, kind: kind), try await SyncedLibrary(server, kind: kind)]
            random = Mutex(SeededGenerator(seed: seed))
        }

        func number(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

        /// A user marks an entry, also from the server's thread.
        func mark(_ client: Int) {
            let library = clients[client].library
            guard
                let rows = try? library.entries.rows(in: EntryQuery(.all), limit: 1000).filter({
                    $0.title.hasPrefix("Entry")
                }),
                !rows.isEmpty
            else { return }
            let row = rows[number(0..<rows.count)]
            let mark = [EntryMark.read, .starred, nil][number(0..<(hasLabels ? 3 : 2))]
            let value = number(0..<2) == 0
            let isDone = DispatchSemaphore(value: 0)
            let before = has(mark, row, client)
            let tags = [SyncWalkTests.tag]
            let change: Change =
                if let mark {
                    .mark(mark, value, entries: [row.id], wholeStories: false, now: 1)
                } else {
                    .tagEntries([row.id], adding: value ? tags : [], removing: value ? [] : tags)
                }
            library.changes.submit(change) { _ in isDone.signal() }
            isDone.wait()
            told.withLock { told in
                let key = Mark(entry: row.title, mark: mark)
                // Setting an existing mark changes nothing.
                guard before != value else { return }
                if told.values[1 - client][key] != nil { told.isShared.insert(key) }
                told.values[client][key] = value
            }
        }

        /// Whether an entry has a mark, or the tag.
        func has(_ mark: EntryMark?, _ row: EntryRow, _ client: Int) -> Bool {
            if let mark { return row[mark] }
            return (try? clients[client].library.entries.tags(of: row.id).contains(SyncWalkTests.tag)) == true
        }

        /// A mark that only one user changed has that value.
        func expectNoFlip(_ client: Int, _ round: Int) throws {
            let rows = try clients[client].rows()
            let told = told.withLock { $0 }
            for (key, value) in told.values[client] where !told.isShared.contains(key) {
                let now = rows[key.entry].map { has(key.mark, $0, client) }
                #expect(now == value, "round \(round), client \(client), \(key)")
            }
        }
    }

    @Test(arguments: [
        (UInt64(1), ServerKind.freshrss), (2, .freshrss), (3, .freshrss), (4, .miniflux), (5, .minifluxToken),
        (6, .fever), (7, .nextcloud), (8, .ttrss), (9, .feedbin),
    ])
    func ACC_03_losesNoMark(seed: UInt64, kind: ServerKind) async throws {
        let walk = try await Walk(seed: seed, kind)
        let server = walk.server
        let feed = server.addFeed("News", url: "https://example.org/feed")
        for number in 1...30 { server.addEntry("Entry \(number)", feed: feed) }
        server.with { $0.traps = [.variables, .smallPages] }
        for client in walk.clients { try await client.sync() }
        for round in 0..<SyncWalkTests.rounds / 3 {
            if walk.number(0..<5) == 0 { server.addEntry("Entry \(100 + round)", feed: feed) }
            let traps: [ReaderServer.Traps] = [.tokenAlone, .offsets, .smallPages, []]
            let trap = traps[walk.number(0..<traps.count)]
            server.with { $0.traps = [.variables, trap, kind == .minifluxToken ? .togglesStars : []] }
            for _ in 0..<walk.number(0..<4) { walk.mark(walk.number(0..<2)) }
            let client = walk.number(0..<2)
            let fate = walk.number(0..<14)
            let fault = walk.number(0..<8)
            let place = walk.number(1..<11)
            let count = Mutex(0)
            server.setFault { _ in
                guard count.increment() == place else { return nil }
                if fault >= ReaderServer.Fault.allCases.count { walk.mark(client) }
                return fate < 9 && fault < ReaderServer.Fault.allCases.count ? ReaderServer.Fault.allCases[fault] : nil
            }
            if fate == 13 {
                // Cancelled at any moment.
                let task = Task { try await walk.clients[client].sync() }
                try await Task.sleep(for: .microseconds(walk.number(0..<6000)))
                task.cancel()
                _ = try await task.value
            } else {
                try await walk.clients[client].sync(fate == 12 ? .send : .whole)
            }
            try walk.expectNoFlip(client, round)
        }
        server.setFault { _ in nil }
        server.with { $0.traps = [] }
        for _ in 0..<2 {
            for client in walk.clients {
                let outcome = try await client.sync()
                if case .done = outcome { continue }
                Issue.record("\(outcome)")
            }
        }
        for (index, client) in walk.clients.enumerated() {
            try walk.expectNoFlip(index, -1)
            #expect(try client.library.outbox.items().isEmpty)
            #expect(try LibraryCheck.run(client.library).isEmpty)
            let rows = try client.rows()
            for entry in server.with({ Array($0.entries.values) }) where !entry.isRead || entry.isStarred {
                #expect(rows[entry.title]?.isRead == entry.isRead && rows[entry.title]?.isStarred == entry.isStarred)
            }
            for row in rows.values
            where row.subscriptionID == (try client.library.feeds.feed(url: "https://example.org/feed"))?.id {
                let entry = server.with { $0.entries.values.first { $0.title == row.title } }
                #expect(entry?.isRead == row.isRead && entry?.isStarred == row.isStarred, "\(row.title)")
                if walk.hasLabels {
                    #expect(walk.has(nil, row, index) == entry?.labels.contains(SyncWalkTests.tag), "\(row.title)")
                }
            }
        }
    }
}
