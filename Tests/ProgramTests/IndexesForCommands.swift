import CommonTesting
import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Testing

@testable import tappa

/// Commands that search: how long they index, what they report as left out, and how to get complete answers.
@Suite(.timeLimit(.minutes(10))) struct IndexesForCommands: ProgramSuite {
    let temporary = TemporaryFolder()
    private var path: String { temporary.path("library.sqlite") }
    var options: [String] { ["--database", path] }

    /// Creates a library with so many entries to index that no computer does it in 0.2 seconds.
    private func createLibrary(entries count: Int) throws {
        #expect(tappa("search", "--wait", "welcome").code == 0)
        let other = try OtherProgram.connect(to: path)
        try other.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                    INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
                        SELECT 1000 + i, (SELECT min(id) FROM subscription), 'guid ' || i,
                            CASE i WHEN 1 THEN 'the oldest' WHEN ?1 THEN 'the newest' ELSE 'between' END, i, 1, i
                        FROM n;
                    """, arguments: [count])
            try db.execute(
                sql: """
                    INSERT INTO entry_content (entry_id, first_seen, text) SELECT id, 1, title FROM entry WHERE id > 1000;
                    INSERT INTO unindexed SELECT id FROM entry WHERE id > 1000;
                    """)
        }
        try other.close()
    }

    private func unindexedCount() throws -> Int {
        let other = try OtherProgram.connect(to: path)
        defer { try? other.close() }
        return try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM unindexed") ?? 0 }
    }

    /// The number of entries that a note reports as left out, or `nil` if it is not such a note.
    private func left(in errors: String) -> Int? {
        guard errors.hasPrefix("tappa: "),
            errors.hasSuffix(" entries are not indexed yet and not searched; --wait indexes all entries first\n")
        else { return nil }
        return errors.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    @Test func answersFromTheNewestEntriesAndReportsTheOthers() throws {
        try createLibrary(entries: 60_000)
        // Marks and dates need no index.
        let marks = tappa("search", "is:unread", "--limit", "1")
        #expect(marks.code == 0 && marks.errors.isEmpty && marks.output.contains("\t"))
        #expect(try unindexedCount() == 60_000)
        let newest = tappa("search", "newest")
        #expect(newest.code == 0 && newest.output.contains("the newest"), "\(newest)")
        let count = try #require(left(in: newest.errors), "\(newest.errors)")
        #expect(try (1..<60_000).contains(count) && unindexedCount() == count)
        let oldest = tappa("search", "oldest")
        #expect(oldest.code == 0 && oldest.output.isEmpty && left(in: oldest.errors).map { $0 < count } == true)
        let incomplete = tappa("search", "--json", "--no-wait", "oldest")
        #expect(incomplete.code == 0 && incomplete.output == "[]\n" && left(in: incomplete.errors) != nil)
        let complete = tappa("search", "--wait", "oldest")
        #expect(complete.code == 0 && complete.output.contains("the oldest") && complete.errors.isEmpty)
        #expect(try unindexedCount() == 0)
        let again = tappa("search", "oldest")
        #expect(again.output == complete.output && again.errors.isEmpty)
    }

    @Test func completesTheIndexForJSONAndRules() throws {
        try createLibrary(entries: 60_000)
        let found = tappa("search", "--json", "oldest")
        #expect(found.code == 0 && found.errors.isEmpty && found.output.contains("the oldest"))
        #expect(try unindexedCount() == 0)
        try OtherProgram.execute("INSERT INTO unindexed SELECT id FROM entry WHERE id > 1000", at: path)
        func tryRule(_ query: String) throws -> Program.Outcome {
            let rule = "[[rules]]\nname = \"r\"\nwhen = \"\(query)\"\nthen = [\"star\"]\n"
            let configuration = try home.write(rule, to: "rules.toml")
            return tappa("rules", "try", "--days", "36500", "--config", configuration)
        }
        let byMark = try tryRule("is:starred")
        #expect(byMark.code == 0 && byMark.output.hasPrefix("r\t0 in "), "\(byMark)")
        #expect(try unindexedCount() == 60_000)
        let byWord = try tryRule("oldest")
        #expect(byWord.code == 0 && byWord.output.hasPrefix("r\t1 in "), "\(byWord)")
        #expect(try unindexedCount() == 0)
    }

    /// A search doesn't wait for another program that is writing.
    @Test func searchesALockedLibrary() throws {
        #expect(tappa("search", "--wait", "welcome").code == 0)
        let other = try OtherProgram.connect(to: path)
        try other.write { try $0.execute(sql: "INSERT INTO unindexed SELECT max(id) FROM entry") }
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let found = tappa("search", "welcome")
        #expect(found.code == 0 && found.output.contains("Welcome"), "\(found)")
        #expect(
            found.errors == "tappa: 1 entry is not indexed yet and not searched; --wait indexes all entries first\n")
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }

    // MARK: Batches

    private func makeLibrary(entries count: Int) async throws -> Library {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.store(
            (0..<count).map { number in ParsedEntry(id: "\(number)", title: "Entry \(number)") }, in: id,
            at: 1_800_000_000)
        #expect(try library.search.unindexedCount() == count)
        return library
    }

    @Test func indexesAtLeastOneBatchAndThenStopsInTime() async throws {
        let library = try await makeLibrary(entries: 700)
        try await IndexFilling(library).indexNewest(until: .now)
        #expect(try library.search.unindexedCount() == 400)
        try await IndexFilling(library).indexNewest(until: .now + .seconds(3600))
        #expect(try library.search.unindexedCount() == 0)
        try await IndexFilling(library).indexNewest(until: .now)
    }

    @Test func indexesInThePausesOfAReload() async throws {
        let library = try await makeLibrary(entries: 700)
        let busy = IdleIndexer(library: library, pause: .seconds(3600)).start()
        let idle = IdleIndexer(library: library, pause: .milliseconds(1)).start()
        #expect(try await eventually { try library.search.unindexedCount() == 0 })
        idle.cancel()
        await idle.value
        let other = try await library.follow("https://b.example/feed")
        try await library.store([ParsedEntry(id: "1", title: "One")], in: other, at: 1_800_000_000)
        try await Task.sleep(for: .milliseconds(50))
        #expect(try library.search.unindexedCount() == 1)
        busy.cancel()
        await busy.value
    }

    /// A reload indexes what arrived earlier while a slow server lets it wait.
    @Test func reloadIndexesWhileItWaits() throws {
        let server = try LoopbackServer { request in
            let items = (0..<40).map { "{\"id\": \"\($0)\", \"title\": \"Entry \($0)\"}" }
            let body =
                "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"\(request.path)\", \"items\": ["
                + items.joined(separator: ",") + "]}"
            return .init(
                200, headers: ["Content-Type": "application/feed+json"], body: Array(body.utf8),
                delay: request.path == "/slow" ? 2000 : 0)
        }
        #expect(tappa("add", "--as-is", server.url("/quick")).code == 0)
        #expect(tappa("add", "--as-is", server.url("/slow")).code == 0)
        #expect(try unindexedCount() >= 80)
        try OtherProgram.makeFeedsDue(at: path)
        #expect(tappa("reload").code == 0)
        #expect(try unindexedCount() == 0)
    }
}
