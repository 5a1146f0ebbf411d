import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Every list in every order, compared with rows that are filtered and sorted without SQL.
@Suite struct ListsEntries {
    private static let settings = [(false, false), (false, true), (true, false), (true, true)]

    /// The first, a few in the middle, and the last of a list.
    private func some<Element>(_ list: [Element]) -> [Element] {
        list.indices.filter { $0 == 0 || $0 % 6 == 3 || $0 == list.count - 1 }.map { list[$0] }
    }

    @Test(arguments: settings) func listsEachScopeInItsOrder(folds: Bool, oldestFirst: Bool) async throws {
        let fixture = try await ManyKinds()
        let (library, items) = (fixture.library, try fixture.items())
        let order = oldestFirst ? EntryOrder.oldest : .newest
        for scope in try fixture.scopes() {
            let list = EntryQuery(scope, order: order, mergesDuplicates: folds)
            let wanted = fixture.expected(scope, items, folds: folds, oldestFirst: oldestFirst)
            let ids = wanted.map(\.id)
            let rows = try library.entries.rows(in: list, limit: 1000)
            #expect(rows.map(\.id) == ids, "\(scope)")
            #expect(try library.entries.count(in: list) == ids.count, "\(scope)")
            for (row, item) in zip(rows, wanted) {
                #expect(row.title == item.title && row.sortDate == item.date && row.subscriptionID == item.feed)
                #expect(EntryMark.allCases.allSatisfy { row[$0] == item.marks.contains($0) })
                let feeds = Set(
                    items.filter { $0.duplicateKey != nil && $0.duplicateKey == item.duplicateKey }.map(\.feed))
                #expect(row.sources == max(1, feeds.count) && row.hasDate == !item.title.contains("7"))
            }
            guard rows.map(\.id) == ids else { continue }
            // The whole list, its parts on the way there, and the rows of any of them.
            var parts: [[EntryID]] = []
            #expect(try library.entries.list(list) { parts.append($0) } == ids, "\(scope)")
            #expect(parts.allSatisfy { ids.starts(with: $0) } && parts.first.map(\.count) ?? 1 == 1, "\(scope)")
            let mixed = some(rows).reversed()
            #expect(try library.entries.rows(mixed.map(\.id)) == Array(mixed), "\(scope)")
        }
    }

    /// A long list is passed on in parts that grow, each the beginning of the whole.
    @Test func readsLongListsInParts() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        try await library.store((0..<1100).map { number in ParsedEntry(id: "\(number)", title: "\(number)") }, in: id)
        var parts: [[EntryID]] = []
        let ids = try library.entries.list(EntryQuery(.all)) { parts.append($0) }
        #expect(ids.count == 1100 && Set([1, 128, 1024]).isSubset(of: parts.map(\.count)))
        #expect(parts.allSatisfy { ids.starts(with: $0) })
        // Deleted entries have no rows.
        try await library.changes.perform(.delete(entries: [ids[1]], now: 1))
        #expect(try library.entries.rows(ids[...2]).map(\.id) == [ids[0], ids[2]])
    }

    /// The numbers of entries on the last days, in each scope; older and later entries don't count.
    @Test func countsTheEntriesOfEachDay() async throws {
        let fixture = try await ManyKinds()
        let items = try fixture.items()
        let dates = items.map(\.date)
        for scope in try fixture.scopes() {
            let wanted = fixture.expected(scope, items, folds: false, oldestFirst: false).map(\.date)
            for end in some(dates) {
                for days in [1, 3, 30] {
                    let counts = try fixture.library.entries.activity(in: scope, until: end, days: days)
                    let expected = (0..<days).map { day in
                        let start = end - Int64(days - day) * 86_400
                        return wanted.count { $0 >= start && $0 < start + 86_400 }
                    }
                    #expect(counts == expected, "\(scope)")
                }
            }
        }
        #expect(try fixture.library.entries.activity(in: .all, until: .distantPast, days: 2) == [0, 0])
        #expect(try fixture.library.entries.activity(in: .all, until: .distantFuture, days: 2) == [0, 0])
    }

    @Test(arguments: settings) func findsNeighbours(folds: Bool, oldestFirst: Bool) async throws {
        let fixture = try await ManyKinds()
        let library = fixture.library
        let order = oldestFirst ? EntryOrder.oldest : .newest
        for scope in try fixture.scopes() {
            let list = EntryQuery(scope, order: order, mergesDuplicates: folds)
            let rows = try library.entries.rows(in: list, limit: 1000)
            func next(_ place: Int?, _ isMatch: (EntryRow) -> Bool) -> EntryRow? {
                rows.dropFirst(place.map { $0 + 1 } ?? 0).first(where: isMatch) ?? rows.first(where: isMatch)
            }
            #expect(try library.entries.nextUnread(after: nil, in: list) == next(nil) { !$0.isRead }, "\(scope)")
            let last = rows.last { !$0.isRead }
            #expect(try library.entries.nextUnread(after: nil, isForward: false, in: list) == last, "\(scope)")
            for (place, row) in some(Array(rows.enumerated())) {
                #expect(try library.entries.nextUnread(after: row, in: list) == next(place) { !$0.isRead }, "\(scope)")
                let previous = try library.entries.nextUnread(after: row, isForward: false, in: list)
                #expect(previous == rows[..<place].last { !$0.isRead } ?? last, "\(scope)")
                for text in ["A", "3 t", "none"] {
                    func isMatch(_ row: EntryRow) -> Bool { row.title.lowercased().contains(text.lowercased()) }
                    let found = try library.entries.row(titled: text, from: row, isForward: true, in: list)
                    #expect(found == next(place, isMatch), "\(scope), \(text)")
                    let back = try library.entries.row(titled: text, from: row, isForward: false, in: list)
                    #expect(
                        back == rows[..<place].last(where: isMatch) ?? rows.last(where: isMatch), "\(scope), \(text)")
                }
            }
        }
    }

    /// With merged duplicates a list has one row for each story, even if the first entry about it is in another list.
    @Test func showsEachStoryInEveryListThatHasIt() async throws {
        let fixture = try await ManyKinds()
        let (library, items) = (fixture.library, try fixture.items())
        for scope in [EntryScope.folder("Tech"), .accountFolder("News", 1), .tag("y")] {
            let listed = Set(
                try library.entries.rows(in: EntryQuery(scope, mergesDuplicates: true), limit: 100).map(\.id))
            let duplicateKeys = Set(items.filter { listed.contains($0.id) }.compactMap(\.duplicateKey))
            let all = Set(items.filter { fixture.isIn(scope, $0) }.compactMap(\.duplicateKey))
            #expect(duplicateKeys == all && !all.isEmpty, "\(scope)")
        }
    }

    // MARK: Single rows

    @Test func readsEntriesCompletely() async throws {
        let (library, feed) = try await Library.following("https://a.example/feed")
        var parsed = ParsedFeed(format: .atom)
        parsed.title = "Feed"
        var entry = ParsedEntry(
            id: "g", title: "Title", link: "https://a.example/1", html: "<p>html</p>", text: "plain")
        entry.authors = [
            ParsedAuthor(name: "Ann"), ParsedAuthor(email: "bob@a.example"), ParsedAuthor(url: "https://c.example"),
        ]
        entry.published = ParsedDate(instant: 1000, text: "pub")
        entry.updated = ParsedDate(instant: 2000, text: "upd")
        parsed.entries = [entry]
        try await library.store(parsed, in: feed, record: FetchRecord(date: 5000))
        let id = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
        try await library.changes.perform(.storeReadingPosition(id, "7:8"))
        try await library.changes.perform(StoreFullText(FullText(html: "<p>full</p>", date: "page"), of: id))
        let detail = try #require(try library.entries.detail(of: id))
        #expect(detail.subscriptionID == feed && detail.feedTitle == "Feed" && detail.title == "Title")
        #expect(detail.link == "https://a.example/1" && detail.address == detail.link)
        #expect(detail.author == "Ann, bob@a.example, https://c.example")
        #expect(detail.html == "<p>html</p>" && detail.text == "plain" && detail.fullHTML == "<p>full</p>")
        #expect(detail.place == "7:8" && !detail.isRead && !detail.isStarred && detail.played.isEmpty)
        #expect(
            detail.dates
                == EntryDates(
                    published: 1000, publishedText: "pub", updated: 2000, updatedText: "upd", firstSeen: 5000,
                    pageText: "page"))
        let missing = EntryID(rawValue: id.rawValue + 1)
        #expect(try library.entries.detail(of: missing) == nil && library.entries.row(missing) == nil)
        #expect(try library.entries.row(id)?.sortDate == 1000)
        // A later full text without a date keeps the page's date.
        try await library.changes.perform(StoreFullText(FullText(html: "", date: nil), of: id))
        let later = try #require(try library.entries.detail(of: id))
        #expect(later.fullHTML == "" && later.dates.pageText == "page")
    }

    /// The page's full text is used if the feed's user wants it and it was found.
    @Test(
        arguments: [
            (false, "full", "feed"), (true, "full", "full"), (true, "", "feed"), (true, nil, "feed"),
            (false, nil, "feed"),
        ] as [(Bool, String?, String)]) func prefersFullTextsWhereWanted(wants: Bool, full: String?, read: String)
        async throws
    {
        let (library, feed) = try await Library.following("https://a.example/feed")
        var options = SubscriptionOptions()
        options.fullText = wants
        if wants { try await library.changes.perform(.setOptions(feed, options)) }
        try await library.store([ParsedEntry(id: "1", title: "T", html: "feed")], in: feed)
        let id = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
        if let full { try await library.changes.perform(StoreFullText(FullText(html: full, date: nil), of: id)) }
        #expect(try library.entries.detail(of: id)?.ownHTML == read)
    }

    @Test(
        arguments: [
            ("https://a.example/1", nil, nil, nil, "https://a.example/1"), (nil, "e", "m", "c", "e"),
            (nil, nil, "m", "c", "m"), (nil, nil, nil, "c", "c"), (nil, nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?, String?)])
    func opensThePageOrItsSubstitute(
        link: String?, external: String?, media: String?, comments: String?, opened: String?
    ) throws {
        var detail = EntryDetail(
            id: 1, subscriptionID: 1, feedTitle: "", title: "", isRead: false, isStarred: false,
            dates: EntryDates(firstSeen: 0), extras: EntryExtras(), options: SubscriptionOptions())
        detail.link = link
        detail.extras.external = external
        detail.extras.enclosures = media.map { [Enclosure(url: $0), Enclosure(url: "second")] }
        detail.extras.comments = comments
        #expect(detail.address == opened)
    }

    @Test func namesTheSourcesOfAStory() async throws {
        let fixture = try await ManyKinds()
        let (library, items) = (fixture.library, try fixture.items())
        func sources(_ title: String) throws -> [String] {
            let id = try #require(items.first { $0.title.hasPrefix(title) }?.id)
            return try library.entries.sources(of: id)
        }
        for title in ["a0", "d0", "f0"] {
            #expect(
                try sources(title) == ["beta", "Alpha", "gamma", "omega of mine", "alpha 2", "https://f.example/"])
        }
        #expect(try sources("c1") == ["beta", "gamma", "alpha 2"])
        #expect(try sources("c2") == ["gamma"] && sources("c5") == ["gamma"])
        #expect(try library.entries.sources(of: -1) == [])
        #expect(try library.entries.lastID() == items.last?.id && Library(path: nil).entries.lastID() == 0)
        // The first of several entries about a page is found by its address, in any spelling.
        let first = items.first { $0.title.hasPrefix("a0") }?.id
        for address in ["https://story.example/all", "http://www.story.example/all/?utm_medium=x#y"] {
            #expect(try library.entries.id(ofPageAt: address) == first)
        }
        #expect(try library.entries.id(ofPageAt: "https://story.example/") == nil)
        #expect(try library.entries.id(ofPageAt: "urn:story") == nil)
    }
}
