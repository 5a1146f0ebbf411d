import CommonTesting
import FeedParsing
import GRDB
import LibraryTesting
import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// Read marks change the counts of the list of feeds without reading the whole list.
@MainActor
@Suite struct RenewsCounts {
    /// Returns the statements that an in-memory library executes during some work.
    private func statements(of library: Library, _ work: () async throws -> Void) async throws -> [String] {
        let statements = Mutex<[String]>([])
        try library.read { db in
            db.trace { @Sendable event in statements.withLock { $0.append("\(event)") } }
        }
        try await work()
        try library.read { $0.trace(options: []) }
        return statements.withLock { $0 }
    }

    private func readsWholeList(_ statements: [String]) -> Bool {
        statements.contains { $0.contains("FROM subscription") && $0.contains("ORDER BY position") }
    }

    /// A mark reads the feed of its entry only. Other changes read the list.
    @Test func FEE_41_readsOnlyTheFeedsOfMarkedEntries() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let library = dashboard.library
        let rows = try dashboard.rows()
        var model: FeedListModel? { dashboard.feedList?.model }
        func unread(_ name: String) -> Int? { model?.contents.subscriptions.first { $0.title == name }?.unread }
        try await dashboard.settle()
        #expect(model?.contents.unread == 8)
        for (title, feed, left, all) in [("A2", "Alpha", 4, 7), ("B1", "Beta", 2, 6)] {
            let entry = try #require(rows[title]).id
            let executed = try await statements(of: library) {
                try await library.setMark(.read, true, entries: [entry], now: 1)
                #expect(await dashboard.screen.wait { unread(feed) == left && model?.contents.unread == all })
                try await dashboard.settle()
            }
            #expect(!executed.isEmpty && !readsWholeList(executed), "\(executed)")
        }
        let folder = try #require(model?.path { $0.name == "News" })
        #expect(
            model?.row(at: folder)
                == FeedListModel.Row.group(
                    FeedListModel.Group(group: .folder("News", account: nil), unread: 2, isClosed: false)))
        let feed = try #require(model?.contents.subscriptions.first { $0.title == "Alpha" }).id
        let executed = try await statements(of: library) {
            try await library.changes.perform(.rename(feed, title: "Gamma"))
            #expect(await dashboard.screen.wait { unread("Gamma") == 4 })
        }
        #expect(readsWholeList(executed))
    }

    /// Whatever is marked, also tagged and archived entries and those of quiet feeds, the counts are those of the whole
    /// list.
    @Test func FEE_41_agreesWithTheWholeList() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let library = dashboard.library
        let rows = try dashboard.rows()
        let entries = rows.values.map(\.id).sorted()
        try await library.changes.perform(
            .tagEntries([try #require(rows["A1"]).id, try #require(rows["B2"]).id], adding: ["t"], removing: []))
        try await library.changes.perform(.tagEntries([try #require(rows["A4"]).id], adding: ["u"], removing: []))
        try await library.changes.perform(.archive(entries: [try #require(rows["B3"]).id]))
        var options = SubscriptionOptions()
        options.isUncounted = true
        let beta = try #require(try library.feeds.feed(url: "https://beta.example/feed")).id
        try await library.changes.perform(.setOptions(beta, options))
        func whole() throws -> FeedListContents {
            try FeedListContents(library, now: DashboardScreen.now, mergesDuplicates: false)
        }
        var contents = try whole()
        var random = SeededGenerator(seed: 11)
        for round in 0..<60 {
            let marked = Set(entries.shuffled(using: &random).prefix(round % 3 + 1))
            try await library.setMark(.read, Bool.random(using: &random), entries: Array(marked), now: 1)
            contents = try contents.renewed(after: marked, in: library)
            let expected = try whole()
            #expect(contents.subscriptions == expected.subscriptions && contents.unread == expected.unread)
            #expect(contents.archived == expected.archived && contents.tags.entries == expected.tags.entries)
        }
    }

    /// A change of the list that follows marks, whose counts aren't read yet, is read with them.
    @Test func FEE_41_readsOtherChangesWithMarks() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let library = dashboard.library
        let rows = try dashboard.rows()
        let alpha = try #require(try library.feeds.feed(url: "https://alpha.example/feed")).id
        for (round, title) in ["A1", "A2", "A3", "A4"].enumerated() {
            try await library.setMark(.read, true, entries: [try #require(rows[title]).id], now: 1)
            try await library.changes.perform(.rename(alpha, title: "Alpha \(round)"))
        }
        #expect(
            await dashboard.screen.wait {
                dashboard.feedList?.model.contents.subscriptions.contains { $0.title == "Alpha 3" && $0.unread == 1 }
                    == true
            })
        #expect(dashboard.feedList?.model.contents.unread == 4)
    }

    /// Many marks, and unknown ones, are left to a read of the whole list.
    @Test func FEE_41_readsTheWholeListForManyMarks() throws {
        let library = try Library(path: nil)
        let contents = FeedListContents()
        func isWhole(_ changes: FeedListChanges) throws -> Bool {
            try changes.renew(contents, in: library, now: 1) == nil
        }
        var few = FeedListChanges()
        few.add(marked: Set((1...32).map { EntryID(rawValue: $0) }))
        #expect(try !isWhole(few))
        few.formUnion(few)
        #expect(try !isWhole(few))
        var many = few
        many.add(marked: Set((33...65).map { EntryID(rawValue: $0) }))
        #expect(try isWhole(many))
        var unknown = few
        unknown.add(marked: nil)
        #expect(try isWhole(unknown))
        few.formUnion(.all)
        #expect(try isWhole(few))
    }
}
