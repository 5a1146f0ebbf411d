import FeedParsing
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// How SQLite finds the results of a search: which indexes it uses, and that the results don't depend on them.
@Suite struct PlansSearches {
    /// Returns the plans for the newest results and for a whole list.
    private func plans(_ text: String, in library: Library) throws -> [String] {
        let condition = try SearchQuery(text).condition()
        let rest = "WHERE \(condition.sql) ORDER BY sort_date DESC, id DESC"
        return try library.read { db in
            try ["\(EntryStore.columns) \(rest) LIMIT 64", "SELECT id FROM entry \(rest)"].map { sql in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: condition.arguments)
                    .map { try $0.at(3) as String }.joined(separator: "\n")
            }
        }
    }

    @Test(arguments: [
        ("is:starred or is:later", "MULTI-INDEX OR", "entry_by_date"),
        ("white or is:starred", "MULTI-INDEX OR", "entry_by_date"),
        ("tag:race or (road is:unread) or is:later", "MULTI-INDEX OR", "entry_by_date"),
        ("white or is:unread", "SCAN entry USING INDEX entry_by_date", "MULTI-INDEX OR"),
        ("feed:a or folder:b", "SEARCH entry USING INDEX entry_by_subscription", "MULTI-INDEX OR"),
        ("feed:/a/ or feed:b or folder:c", "SEARCH entry USING INDEX entry_by_subscription", "MULTI-INDEX OR"),
        ("feed:a is:unread", "SEARCH entry USING INDEX entry_by_subscription", "entry_unread"),
        ("is:starred -white", "SCAN entry USING INDEX entry_starred", "LIST SUBQUERY"),
        ("is:later -(white or link:road)", "SCAN entry USING INDEX entry_later", "LIST SUBQUERY"),
        ("is:unread -white", "LIST SUBQUERY", "entry_by_date"),
        ("white -road is:starred", "SEARCH entry USING INTEGER PRIMARY KEY", "entry_starred"),
        ("read:<7d", "SEARCH entry USING INDEX entry_read_at", "SCAN entry "),
        ("read:<7d is:starred", "SCAN entry USING INDEX entry_starred", "entry_read_at"),
        ("feed:a or is:starred", "MULTI-INDEX OR", "entry_by_date"),
        ("is:unread has:audio", "SCAN entry USING INDEX entry_unread", "entry_by_date"),
        ("lang:de length:>5", "SCAN entry USING INDEX entry_by_date", "TEMP B-TREE FOR ORDER BY"),
        ("date:2026-05-11", "SEARCH entry USING INDEX entry_by_date", "SCAN entry "),
    ]) func readsNoMoreThanNeeded(text: String, uses: String, avoids: String) throws {
        for plan in try plans(text, in: Library(path: nil)) {
            let plan = plan.replacing("COVERING ", with: "")
            #expect(plan.contains(uses) && !plan.contains(avoids), "\(plan)")
        }
    }

    /// The list of unread entries merges two indexes, in both orders.
    @Test(arguments: [EntryOrder.newest, .oldest]) func mergesUnreadAndRecentlyRead(order: EntryOrder) throws {
        let list = EntryQuery(.unread(keepingReadSince: 1), order: order).identifiers
        let plan = try Library(path: nil).read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + list.sql, arguments: list.arguments)
                .map { try $0.at(3) as String }.joined(separator: "\n")
        }
        #expect(plan.contains("MERGE (UNION ALL)") && plan.contains("SCAN entry USING INDEX entry_unread"), "\(plan)")
        #expect(plan.contains("SEARCH entry USING INDEX entry_read_at"), "\(plan)")
    }

    /// The columns with which an index alone decides whether an entry matches, and the order for the newest results.
    @Test(arguments: [
        ("entry_by_date", ["sort_date", "id", "parts", "characters", "language"]),
        ("entry_unread", ["sort_date", "id", "parts", "characters", "language"]),
        ("entry_read_at", ["read_at", "id", "sort_date"]),
    ]) func filtersByIndexesAlone(index: String, columns: [String]) throws {
        let library = try Library(path: nil)
        #expect(
            try library.read {
                try String.fetchAll($0, sql: "SELECT name FROM pragma_index_info(?)", arguments: [index])
            } == columns)
        let first = try library.read {
            try Bool.fetchOne($0, sql: "SELECT \"desc\" FROM pragma_index_xinfo(?) LIMIT 1", arguments: [index])
        }
        #expect(first == true, "the newest first")
    }

    /// Two feeds with sixty entries each, of which some have marks, tags and words.
    private func makeLibrary() async throws -> Library {
        let library = try Library(path: nil)
        for name in ["a", "b"] {
            let id = try await library.follow("https://\(name).example/feed", folder: name == "b" ? "news" : nil)
            let entries = (0..<60).map { number in
                var entry = ParsedEntry(id: "\(number)", title: number % 3 == 0 ? "white \(number)" : "road \(number)")
                entry.language = number % 7 == 0 ? "de-AT" : "en"
                return entry
            }
            try await library.store(entries, in: id, at: 1_790_000_000)
        }
        try await library.indexAll()
        let all = try library.entries.rows(in: EntryQuery(.all), limit: 200).map(\.id).sorted()
        func every(_ number: Int) -> [EntryID] {
            all.enumerated().filter { $0.offset % number == 0 }.map(\.element)
        }
        try await library.setMark(.starred, true, entries: every(5), now: 5)
        try await library.setMark(.later, true, entries: every(8), now: 5)
        try await library.setMark(.read, true, entries: every(4), now: 5)
        try await library.changes.perform(.tagEntries(every(11), adding: ["race"], removing: []))
        return library
    }

    @Test func findsTheSameByEachPlan() async throws {
        let library = try await makeLibrary()
        func found(_ text: String) throws -> Set<EntryID> {
            let rows = try library.entries.rows(in: EntryQuery(.search(try SearchQuery(text))), limit: 200).map(\.id)
            #expect(try library.entries.count(in: EntryQuery(.search(try SearchQuery(text)))) == rows.count)
            return Set(rows)
        }
        let all = Set(try library.entries.rows(in: EntryQuery(.all), limit: 200).map(\.id))
        let terms = [
            "white", "is:starred", "is:later", "is:read", "tag:race", "feed:a.example", "folder:news", "lang:de",
        ]
        for first in terms {
            for second in terms where first != second {
                let (one, two) = (try found(first), try found(second))
                #expect(!one.isEmpty && one.count < all.count, "\(first)")
                #expect(try found("\(first) or \(second)") == one.union(two), "\(first) or \(second)")
                #expect(try found("\(first) \(second)") == one.intersection(two), "\(first) \(second)")
                #expect(try found("\(first) -\(second)") == one.subtracting(two), "\(first) -\(second)")
                #expect(
                    try found("is:starred -(\(first) or \(second))")
                        == found("is:starred").subtracting(one.union(two)), "\(first) \(second)")
            }
        }
        #expect(try found("feed:a.example or folder:news") == all)
        #expect(try found("is:starred -white -road").isEmpty)
    }

    /// All matches of an excluded word count, also where each entry is looked up in the index.
    @Test func excludesOldMatchesOfMarkedEntries() async throws {
        let library = try await Library.following("https://a.example/").library
        try library.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5002)
            INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint, is_starred)
                SELECT i, 1, i, 'word', i, 1, 1, i < 3 FROM n;
            INSERT INTO entry_content (entry_id, first_seen) SELECT id, 1 FROM entry;
            INSERT INTO entry_search (rowid, title) SELECT id, title FROM entry WHERE id > 1;
            """)
        #expect(
            try library.entries.rows(in: EntryQuery(.search(SearchQuery("is:starred -word"))), limit: 9).map(\.id)
                == [1])
    }

    // MARK: Hits

    /// Arrivals are collected first if they are few, and looked up one by one if they are many.
    @Test func limitsHitsToManyArrivals() async throws {
        let library = try await Library.following("https://a.example/").library
        try library.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50010)
            INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
                SELECT i, 1, i, 'word', i * 86400, 1, 1 FROM n;
            INSERT INTO entry_content (entry_id, first_seen) SELECT id, id FROM entry;
            """)
        func oldest(_ text: String, since date: Instant) throws -> EntryID? {
            try library.search.hits(for: SearchQuery(text), since: date, byRelevance: false, limit: 99)
                .map(\.entry.id).last
        }
        #expect(try oldest("is:unread", since: 50_000) == 50_000)
        #expect(try oldest("before:1970-03-01", since: 11) == 11)
        #expect(try oldest("before:1970-03-01", since: 2) == 2)
        let count = try library.search.entries(matching: SearchQuery("is:unread"), since: 2, limit: 0).count
        #expect(count == 50_009)
    }

    /// The best of the newest 5,000 matches comes first. Older matches are no results.
    @Test func ranksTheNewestMatches() async throws {
        let library = try await Library.following("https://a.example/").library
        try library.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5002)
            INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
                SELECT i, 1, i, CASE i WHEN 1 THEN 'word word word' WHEN 9 THEN 'word word' ELSE 'word and other words' END,
                    i, 1, 1 FROM n;
            INSERT INTO entry_content (entry_id, first_seen) SELECT id, 1 FROM entry;
            INSERT INTO entry_search (rowid, title) SELECT id, title FROM entry;
            """)
        func ranked(_ text: String) throws -> [EntryID] {
            try library.search.hits(for: SearchQuery(text), byRelevance: true, limit: 5000).map(\.entry.id)
        }
        let all = try ranked("word")
        #expect(all.first == 9 && all.count == 5000 && !all.contains(1) && !all.contains(2))
        #expect(try ranked("nothing").isEmpty)
        #expect(try Set(ranked("word -other")) == [1, 9])
    }
}
