import FeedParsing
import Foundation
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Folders and tags: names, order and marks.
@Suite struct FeedGroupTests {
    private let library: Library
    private var feeds: [FeedID] = []

    init() async throws {
        library = try Library(path: nil)
        for (url, folder, tags) in [
            ("https://a.example/", "News", ["x"]), ("https://b.example/", "News", []),
            ("https://c.example/", "Tech", ["x", "y"]),
        ] {
            let id = try await library.follow(url, folder: folder, tags: tags)
            feeds.append(id)
            let letter = String(url.dropFirst(8).prefix(1))
            let entries = (1...4).map { number in
                ParsedEntry(
                    id: "\(number)", title: "\(letter) \(number)", date: 1_790_000_000 + Int64(number) * 86_400)
            }
            try await library.store(
                ParsedFeed(entries, title: letter), in: id, record: FetchRecord(date: 1_790_600_000))
        }
    }

    private func folders() throws -> [String?] { try library.feeds.all().map(\.folder) }

    @Test func renamesJoinsAndDissolvesAFolder() async throws {
        let renamed = try await library.changes.perform(
            .renameGroup(.folder("News", account: nil), to: "World"))
        #expect(try folders() == ["World", "World", "Tech"])
        let joined = try await library.changes.perform(.renameGroup(.folder("World", account: nil), to: "Tech"))
        #expect(try folders() == ["Tech", "Tech", "Tech"])
        try await library.undo(joined)
        #expect(try folders() == ["World", "World", "Tech"])
        try await library.undo(renamed)
        #expect(try folders() == ["News", "News", "Tech"])
        try await library.changes.perform(.renameGroup(.folder("News", account: nil), to: ""))
        #expect(try folders() == [nil, nil, "Tech"])
    }

    @Test func tagsFeedsAndEntries() async throws {
        let entry = try #require(try library.entries.rows(in: EntryQuery(.subscription(feeds[1])), limit: 1).first)
        try await library.changes.perform(.tagEntries([entry.id], adding: ["x"], removing: []))
        #expect(try library.entries.count(in: EntryQuery(.tag("x"))) == 9)
        #expect(try library.search.hits(for: SearchQuery("tag:X"), byRelevance: false, limit: 20).count == 9)
        let receipt = try await library.changes.perform(.renameGroup(.tag("x"), to: "y"))
        #expect(
            try library.entries.count(in: EntryQuery(.tag("x"))) == 0
                && library.entries.count(in: EntryQuery(.tag("y"))) == 9)
        try await library.undo(receipt)
        #expect(
            try library.entries.count(in: EntryQuery(.tag("x"))) == 9
                && library.entries.count(in: EntryQuery(.tag("y"))) == 4)
        let rows = try library.feeds.tagRows()
        #expect(rows.feeds == ["x": [feeds[0], feeds[2]], "y": [feeds[2]]] && rows.entries == ["x": 1])
    }

    @Test func ordersFeedsAndFolders() async throws {
        let receipt = try await library.changes.perform(.orderFeeds([feeds[1], feeds[0]]))
        #expect(try library.feeds.all().map(\.id) == [feeds[1], feeds[0], feeds[2]])
        try await library.undo(receipt)
        #expect(try library.feeds.all().map(\.id) == feeds)
        let groups = [FeedGroup.folder("Tech", account: nil), .folder("News", account: nil)]
        let ordered = try await library.changes.perform(.orderGroups(groups))
        #expect(try groups.map { try library.feeds.groupPlaces()($0)?.position } == [0, 1])
        try await library.undo(ordered)
        #expect(try groups.map { try library.feeds.groupPlaces()($0)?.position } == [nil, nil])
        try await library.changes.perform(.collapseGroup(groups[0], true))
        #expect(try library.feeds.groupPlaces()(groups[0])?.isClosed == true)
    }

    @Test func marksAPartOfAList() async throws {
        let rows = try library.entries.rows(in: EntryQuery(.subscription(feeds[0])), limit: 10)
        #expect(rows.map(\.title) == ["a 4", "a 3", "a 2", "a 1"])
        func mark(_ part: EntryPart) async throws -> [String] {
            let last = try library.entries.lastID()
            let receipt = try await library.changes.perform(
                .markAll(.read, true, .folder("News"), part: part, upTo: last, mergesDuplicates: false, now: 2))
            defer { Task { [library] in try await library.undo(receipt) } }
            let read = try library.entries.rows(in: EntryQuery(.folder("News")), limit: 10).filter(\.isRead).map(
                \.title
            ).sorted()
            try await library.undo(receipt)
            return read
        }
        #expect(try await mark(.newer(rows[1].sortDate, rows[1].id)) == ["a 4", "b 3", "b 4"])
        #expect(try await mark(.older(rows[1].sortDate, rows[1].id)) == ["a 1", "a 2", "b 1", "b 2"])
        #expect(try await mark(.before(rows[2].sortDate)) == ["a 1", "b 1"])
    }

    @Test func aSavedSearchHasItsOwnOrder() async throws {
        try await library.indexAll()
        let query = try SearchQuery("is:unread after:2001-01-01")
        func titles(_ order: EntryOrder) throws -> [String] {
            let scope = EntryScope.sorted(query, order)
            let all = try library.entries.rows(in: EntryQuery(scope), limit: 20)
            // From any row to the next.
            for (row, next) in zip(all, all.dropFirst()) {
                #expect(try library.entries.nextUnread(after: row, in: EntryQuery(scope)) == next)
                #expect(
                    try library.entries.row(titled: "", from: next, isForward: false, in: EntryQuery(scope)) == row)
            }
            return all.map(\.title)
        }
        #expect(try titles(.oldest).prefix(3) == ["a 1", "b 1", "c 1"])
        #expect(try titles(.feed).prefix(5) == ["a 4", "a 3", "a 2", "a 1", "b 4"])
        try await library.changes.perform(.saveSearch(name: "All", query: query.text))
        let search = try #require(try library.search.saved().first)
        let receipt = try await library.changes.perform(.sortSearch(search.id, .rhythm))
        #expect(try library.search.saved().first?.order == .rhythm)
        try await library.undo(receipt)
        #expect(try library.search.saved().first?.order == .newest)
    }

    @Test func leavesHiddenFeedsOutOfLists() async throws {
        var options = SubscriptionOptions()
        options.isHidden = true
        try await library.changes.perform(.setOptions(feeds[0], options))
        #expect(try library.feeds.all().filter(\.isHidden).map(\.id) == [feeds[0]])
        #expect(try library.entries.count(in: EntryQuery(.hidden)) == 4)
    }
}
