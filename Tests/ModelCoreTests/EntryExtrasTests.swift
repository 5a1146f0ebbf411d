import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What a feed supplies with an entry besides its text is stored.
@Suite struct EntryExtrasTests {
    private let temporary = TemporaryFolder()

    private static func feed(_ change: (inout ParsedEntry) -> Void) -> ParsedFeed {
        var entry = ParsedEntry(id: "1", title: "Episode", link: "https://example.org/1")
        change(&entry)
        return ParsedFeed([entry])
    }

    private static let full = EntryExtras(
        image: "https://example.org/1.jpg",
        enclosures: [Enclosure(url: "https://example.org/1.mp3", mediaType: "audio/mpeg", size: 5000, duration: 61)],
        comments: "https://example.org/1#comments", external: "https://elsewhere.example/", tags: ["one", "zwei"])

    private static func fill(_ entry: inout ParsedEntry) {
        entry.image = full.image
        entry.enclosures = [
            ParsedEnclosure(url: "https://example.org/1.mp3", mediaType: "audio/mpeg", size: 5000, duration: 61)
        ]
        entry.commentsLink = full.comments
        entry.externalLink = full.external
        entry.tags = full.tags ?? []
    }

    @Test func storesAndUpdatesExtras() async throws {
        let (library, id) = try await Library.following("https://example.org/feed")
        func extras() throws -> EntryExtras? {
            try library.entries.rows(in: EntryQuery(.all), limit: 1).first.flatMap {
                try library.entries.detail(of: $0.id)
            }?.extras
        }
        _ = try await library.store(Self.feed { _ in }, in: id, record: FetchRecord(date: 1))
        #expect(try extras() == EntryExtras())
        let changes = try await library.store(Self.feed(Self.fill), in: id, record: FetchRecord(date: 2))
        #expect(changes == StoredChanges(added: 0, updated: 1))
        #expect(try extras() == Self.full)
        let again = try await library.store(Self.feed(Self.fill), in: id, record: FetchRecord(date: 3))
        #expect(again == StoredChanges())
    }

    @Test func leavesOutTooLongAddresses() async throws {
        let (library, id) = try await Library.following("https://example.org/feed")
        let long = "https://example.org/" + String(repeating: "a", count: 10_000)
        let feed = Self.feed {
            $0.image = long
            $0.enclosures = [ParsedEnclosure(url: long), ParsedEnclosure(url: "https://example.org/short")]
            $0.tags = [long, "short"]
        }
        _ = try await library.store(feed, in: id, record: FetchRecord(date: 1))
        let row = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        #expect(
            try library.entries.detail(of: row.id)?.extras
                == EntryExtras(enclosures: [Enclosure(url: "https://example.org/short")], tags: ["short"]))
    }

    @Test func fillsAnUpgradedLibraryFromItsFeeds() async throws {
        let path = temporary.path("l.sqlite")
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.current.migrate(old)
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO subscription (id, url, title, position, total_count)
                        VALUES (7, 'https://example.org/feed', 'A', 1, 1);
                    UPDATE counter SET value = 1 WHERE name = 'starred';
                    INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint, is_read,
                        is_starred) VALUES (1, 7, '1', 'Episode', 1000, 1, 5, 1, 1);
                    INSERT INTO entry_content (entry_id, html, first_seen) VALUES (1, '<p>gravel</p>', 1);
                    """)
        }
        try old.close()
        let library = try Library(path: path)
        #expect(try library.entries.detail(of: 1)?.extras == EntryExtras())
        _ = try await library.store(Self.feed(Self.fill), in: 7, record: FetchRecord(date: 2))
        let entry = try #require(try library.entries.detail(of: 1))
        #expect(entry.extras == Self.full && entry.isRead && entry.isStarred)
    }
}
