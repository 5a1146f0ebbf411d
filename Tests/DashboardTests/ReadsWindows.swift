import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import Synchronization
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// The pages of a list of entries contain the library's rows, in whatever order they are read.
@MainActor
@Suite struct ReadsWindows {
    private let library: Library
    private let access: LibraryAccess

    init() async throws {
        let library = try Library(path: nil)
        self.library = library
        let feed = try await library.follow("https://a.example/feed")
        var parsed = ParsedFeed(format: .rss)
        // Unordered dates, some of them equal.
        var random = SeededGenerator(seed: 7)
        parsed.entries = (0..<300).map { number in
            var entry = ParsedEntry()
            (entry.id, entry.title) = ("\(number)", "Entry \(number)")
            entry.published = ParsedDate(
                instant: 1_700_000_000 + Int64.random(in: 0..<100, using: &random) * 60, text: "")
            return entry
        }
        try await library.store(parsed, in: feed, record: FetchRecord(date: 1_700_000_000))
        access = LibraryAccess(
            library: library, settings: try Settings(library: library, file: [:]),
            status: StatusController(messageTime: .zero), clock: { 1_700_010_000 }, patience: .seconds(30))
    }

    /// From the first, the last and any row in the middle, in every order of access and both list orders.
    @Test(arguments: [false, true], [[0], [299], [150], [64, 63, 65], [200, 0, 299, 128], [298, 1]])
    func givesTheRowsOfTheLibrary(isOldestFirst: Bool, starts: [Int]) throws {
        access.settings.use(isOldestFirst ? "oldest first" : "newest first", for: SettingKey<String>.entryOrder.name)
        let all = try library.entries.rows(in: EntryQuery(.all, order: isOldestFirst ? .oldest : .newest), limit: 999)
        let window = EntryWindow(scope: .all, access: access)
        #expect(window.count == 0)
        window.reload()
        #expect(window.count == 300)
        for index in starts {
            #expect(window.row(at: index) == all[index], "\(index)")
            #expect(window.index(of: all[index].id) == index)
        }
        for index in 0..<300 { #expect(window.row(at: index) == all[index], "\(index)") }
        for index in [-1, 300, 301, 999] { #expect(window.row(at: index) == nil, "\(index)") }
        for index in [0, 63, 64, 150, 299] { #expect(window.index(of: all[index].id) == index) }
        #expect(window.index(of: 99_999) == nil)
    }

    /// Loaded pages stay until the list reloads.
    @Test func remembersReadRows() async throws {
        let window = EntryWindow(scope: .all, access: access)
        window.reload()
        let first = try #require(window.row(at: 0))
        let last = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 999).last)
        #expect(window.knownRow(of: first.id) == first && window.knownRow(of: last.id) == nil)
        // The index of a row is known before the row is loaded.
        #expect(window.index(of: last.id) == 299)
        try await library.setMark(.starred, true, entries: [first.id], now: 1)
        #expect(window.row(at: 0)?.isStarred == false)
        try await library.changes.perform(.delete(entries: [last.id], now: 1))
        #expect(window.count == 300)
        window.reload()
        #expect(window.row(at: 0)?.isStarred == true && window.count == 299)
        #expect(window.knownRow(of: last.id) == nil && window.row(at: 299) == nil)
    }

    /// Marks are shown without reading the list again, unless they decide which entries it contains.
    @Test func renewsMarkedRows() async throws {
        let lists = Mutex(0)
        func window(_ scope: EntryScope) -> EntryWindow {
            let window = EntryWindow(scope: scope, access: access) { library, query, part in
                lists.withLock { $0 += 1 }
                return try library.entries.list(query, part: part)
            }
            window.reload()
            _ = window.row(at: 0)
            return window
        }
        let ids = try library.entries.list(EntryQuery(.all))
        let all = window(.all)
        try await library.setMark(.starred, true, entries: [ids[0], ids[299]], now: 1)
        #expect(all.renew([ids[0], ids[299]]) && all.row(at: 0)?.isStarred == true && all.count == 300)
        let unread = window(.unread(keepingReadSince: 5))
        try await library.setMark(.read, true, entries: [ids[0]], now: 6)
        #expect(unread.renew([ids[0]]) && unread.row(at: 0)?.isRead == true && unread.count == 300)
        #expect(lists.withLock { $0 } == 2)
        // An entry that was read before the list was opened.
        try await library.setMark(.read, true, entries: [ids[1]], now: 4)
        #expect(!unread.renew([ids[1]]) && all.renew([ids[1]]) && all.row(at: 1)?.isRead == true)
        unread.reload()
        #expect(unread.count == 299)
        try await library.setMark(.read, false, entries: [ids[1]], now: 7)
        #expect(!unread.renew([ids[1]]))
        let starred = window(.starred)
        try await library.setMark(.starred, false, entries: [ids[0]], now: 8)
        #expect(!starred.renew([ids[0]]) && starred.renew([ids[5]]))
        let query = try SearchQuery("is:unread")
        #expect(!window(.search(query)).renew([ids[5]]))
    }

    /// Entries that are deleted while the list is shown leave it before it was read again.
    @Test func dropsDeletedEntries() async throws {
        let window = EntryWindow(scope: .all, access: access)
        window.reload()
        let ids = try library.entries.list(EntryQuery(.all))
        try await library.changes.perform(.delete(entries: [ids[0], ids[70]], now: 1))
        var isChanged = false
        window.changed = { isChanged = true }
        #expect(window.row(at: 0)?.id == ids[1] && window.count == 299)
        #expect(await eventually { isChanged })
        #expect(window.row(at: 69)?.id == ids[71] && window.count == 298 && window.index(of: ids[70]) == nil)
    }
}
