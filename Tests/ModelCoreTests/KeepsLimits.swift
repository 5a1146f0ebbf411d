import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Retention of entries, undo steps, and identities of deleted entries.
@Suite struct KeepsLimits {
    private static let now: Instant = 1_790_000_000
    private static let day: Int64 = 86_400

    /// Two feeds of eight entries, a day apart, some of them marked.
    private func library() async throws -> (Library, feeds: [FeedID]) {
        let library = try Library(path: nil)
        var feeds: [FeedID] = []
        for (letter, count) in [("a", 8), ("b", 4)] {
            let id = try await library.follow("https://\(letter).example/")
            feeds.append(id)
            let entries = (0..<count).map { index in
                ParsedEntry(
                    id: "\(letter)\(index)", title: "\(letter)\(index)",
                    date: KeepsLimits.now - Int64(index) * KeepsLimits.day)
            }
            try await library.store(entries, in: id, at: KeepsLimits.now)
        }
        for (title, mark) in [
            ("a1", EntryMark.read), ("a2", .starred), ("a5", .later), ("a7", .starred), ("b3", .read),
        ] {
            let row = try library.entries.rows(in: EntryQuery(.all), limit: 99).first { $0.title == title }
            try await library.setMark(mark, true, entries: [try #require(row).id], now: KeepsLimits.now)
        }
        return (library, feeds)
    }

    /// Marks protect an entry, but it counts towards the limit.
    @Test(arguments: [
        (0, 0, ""), (0, 8, ""), (0, 7, ""), (0, 6, "a6"), (0, 5, "a6"), (0, 4, "a6 a4"), (0, 3, "a6 a4 a3 b3"),
        (0, 1, "a6 a4 a3 a1 b3 b2 b1"), (7, 0, ""), (6, 0, ""), (5, 0, "a6"), (3, 0, "a6 a4"),
        (2, 0, "a6 a4 a3 b3"), (3, 3, "a6 a4 a3 b3"), (1, 6, "a6 a4 a3 b3 b2"), (-1, -1, ""),
    ]) func keepsStarredAndQueuedEntries(days: Int, entries: Int, gone: String) async throws {
        let (library, _) = try await library()
        let before = Set(try library.entries.rows(in: EntryQuery(.all), limit: 99).map(\.title))
        let count = try await library.retain(days: days, entries: entries, now: KeepsLimits.now)
        let left = Set(try library.entries.rows(in: EntryQuery(.all), limit: 99).map(\.title))
        #expect(before.subtracting(left) == Set(gone.split(separator: " ").map(String.init)))
        #expect(count == before.count - left.count && left.isSubset(of: before))
        #expect(try LibraryCheck.run(library) == [])
        #expect(try await library.retain(days: days, entries: entries, now: KeepsLimits.now) == 0)
    }

    /// An entry's age in days counts to the second.
    @Test func keepsEntriesForWholeDays() async throws {
        let (library, _) = try await library()
        #expect(try await library.retain(days: 6, entries: 0, now: KeepsLimits.now) == 0)
        #expect(try await library.retain(days: 6, entries: 0, now: KeepsLimits.now + 1) == 1)
    }

    /// Undo steps are deleted after their time, as are steps from the future; those of rules stay for a week.
    @Test func forgetsStepsAfterTheirTime() async throws {
        let (library, _) = try await library()
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 99).map(\.id)
        var steps: [String: Receipt] = [:]
        for (name, age) in [("new", 0), ("young", 3500), ("old", 3700), ("ahead", -80_000), ("far", -90_000)] {
            let receipt = try await library.changes.perform(.delete(entries: [ids[steps.count]], now: 1))
            steps[name] = receipt
            try library.execute(
                "UPDATE undo_step SET created = unixepoch() - ? WHERE change = ?", [age, receipt.id.uuidString])
        }
        // The steps of the marks above are recent, too.
        #expect(try await library.changes.perform(EmptyTrash(age: 3600)).count == 2)
        let left = try library.read { Set(try String.fetchAll($0, sql: "SELECT change FROM undo_step")) }
        #expect(
            steps.filter { left.contains($0.value.id.uuidString) }.map(\.key).sorted() == ["ahead", "new", "young"])
        let trash = try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM trash_entry") }
        #expect(trash == 3)
        try await library.changes.perform(EmptyTrash(age: 0))
        #expect(try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM undo_step") } == 1)
    }

    @Test(arguments: [(0, true), (6, true), (8, false), (-2, false)]) func keepsStepsOfRulesForAWeek(
        days: Int, isKept: Bool
    ) async throws {
        let (library, feeds) = try await library()
        let feed = ParsedFeed([ParsedEntry(id: "new", title: "new")])
        let rule = Rule(name: "r", when: try SearchQuery("title:/new/"), then: [.mark(.read)])
        try await library.changes.perform(
            StoreFeed(PreparedFeed(feed, record: FetchRecord(date: KeepsLimits.now)), in: feeds[0], rules: [rule]))
        #expect(try library.ruleTallies()["r"]?.undoable == 1)
        try library.store.onWriter {
            try $0.execute(sql: "UPDATE undo_step SET created = unixepoch() - 86400 * ?", arguments: [days])
            try $0.execute(sql: "UPDATE rule_step SET created = unixepoch() - 86400 * ?", arguments: [days])
        }
        try await library.changes.perform(EmptyTrash(age: 0))
        #expect(try library.ruleTallies()["r"]?.undoable == (isKept ? 1 : 0))
        #expect(try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rule_step") } == (isKept ? 1 : 0))
        #expect(try library.ruleTallies()["r"]?.matches == 1)
    }

    /// A wrong clock doesn't extend how long deleted entries are remembered.
    @Test(arguments: [(-30, true), (-31, false), (0, true), (1, true), (2, false)]) func remembersDeletedEntries(
        days: Int64, isRemembered: Bool
    ) async throws {
        let (library, feeds) = try await library()
        let row = try #require(try library.entries.rows(in: EntryQuery(.subscription(feeds[1])), limit: 1).first)
        let date = KeepsLimits.now + days * KeepsLimits.day
        try await library.changes.perform(.delete(entries: [row.id], now: date))
        func store(_ ids: [String]) async throws -> Int {
            let feed = ParsedFeed(ids.map { id in ParsedEntry(id: id, title: id) })
            return try await library.store(feed, in: feeds[1], record: FetchRecord(date: KeepsLimits.now)).added
        }
        #expect(try await store([row.title, "b1"]) == 0)
        #expect(try await store(["b1"]) == 0)
        #expect(try await store([row.title]) == (isRemembered ? 0 : 1))
    }
}
