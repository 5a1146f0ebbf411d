import CommonTesting
import FeedParsing
import Foundation
import LibraryKernel
import LibraryTesting
import Testing

@testable import Feeds
@testable import ModelCore

/// Which entries of a document are one entry, and which of them the library has already.
@Suite struct IdentifiesEntries {
    private static let day: Int64 = 86_400

    private static func facts(
        _ id: String, _ page: String? = "https://a.example/1", _ title: String? = "One", _ date: Instant? = 1,
        _ text: String? = "text"
    ) -> EntryFacts {
        var facts = EntryFacts(
            guid: id, link: page, home: "a.example/home", title: title ?? "text", date: date, text: text)
        facts.hasTitle = title != nil
        return facts
    }

    // MARK: The table of cases

    /// How a part of an entry compares with the stored one.
    private enum Part: CaseIterable { case same, other, missing }

    private static func value(_ part: Part, _ same: String, _ other: String) -> String? {
        switch part {
        case .same: same
        case .other: other
        case .missing: nil
        }
    }

    /// An identifier that the feed uses for one entry identifies it, whatever else changes.
    @Test func identifierAloneIdentifies() {
        let stored = [IdentifiesEntries.facts("id")]
        for link in Part.allCases {
            for title in Part.allCases {
                for date in Part.allCases {
                    for text in Part.allCases {
                        let entry = IdentifiesEntries.facts(
                            "id", Self.value(link, "https://a.example/1", "https://a.example/2"),
                            Self.value(title, "One", "Two"), date == .same ? 1 : date == .other ? 2 : nil,
                            Self.value(text, "text", "other"))
                        #expect(EntryIdentity.decide([entry], stored: stored) == [.stored(0)], "\(entry)")
                    }
                }
            }
        }
    }

    /// With another identifier, link and title identify an entry, or title and date if the link names the same page on
    /// another host or is missing, or title, date and text. A title, date or link alone identifies nothing.
    @Test(
        arguments: [
            // link, title, date, text
            ("https://a.example/1", "One", 1, "text", true), ("https://a.example/1", "One", 2, "other", true),
            ("http://www.a.example/1/", "One", nil, "other", true), ("https://a.example/1", "Two", 1, "other", true),
            ("https://a.example/1", "Two", 2, "text", false), ("https://a.example/1", "Two", 2, "other", false),
            ("https://b.example/1", "One", 1, "other", true), ("https://b.example/1", "One", 2, "text", false),
            ("https://a.example/2", "One", 1, "text", true), ("https://a.example/2", "One", 1, "other", false),
            ("https://a.example/2", "One", nil, "text", false), ("https://a.example/2", "Two", 1, "text", false),
            (nil, "One", 1, "other", true), (nil, "One", 2, "text", false), (nil, "Two", 1, "text", false),
            (nil, nil, 1, nil, false),
        ] as [(String?, String?, Instant?, String?, Bool)])
    func otherPartsIdentify(link: String?, title: String?, date: Instant?, text: String?, isSame: Bool) {
        let entry = IdentifiesEntries.facts("new", link, title, date, text)
        let expected: EntryIdentity.Decision = isSame ? .stored(0) : .new
        #expect(EntryIdentity.decide([entry], stored: [IdentifiesEntries.facts("old")]) == [expected])
    }

    /// An identifier that is another spelling of the same address needs only one other part.
    @Test(arguments: [
        ("http://a.example/p", "https://a.example/p"), ("https://a.example/p", "https://a.example/p/"),
        ("https://A.Example/p", "https://a.example/p"), ("https://a.example/p", "https://www.a.example/p"),
        ("tag:A.Example,2026:1", "tag:a.example,2026:1"),
    ])
    func spellingsOfAnIdentifierAreSimilar(stored: String, new: String) {
        for entry in [
            IdentifiesEntries.facts(new, "https://a.example/2", "One", 2, "other"),
            IdentifiesEntries.facts(new, "https://a.example/2", "Two", 1, "other"),
        ] {
            #expect(EntryIdentity.decide([entry], stored: [IdentifiesEntries.facts(stored)]) == [.stored(0)])
        }
        let other = IdentifiesEntries.facts(new, "https://a.example/2", "Two", 2, "other")
        #expect(EntryIdentity.decide([other], stored: [IdentifiesEntries.facts(stored)]) == [.new])
    }

    /// A pair of link and title that several entries of the document have identifies none of them, and neither does the
    /// site's front page or the feed's home page.
    @Test func commonPagesIdentifyNothing() {
        let stored = [IdentifiesEntries.facts("monday", "https://a.example/forecast", "Forecast", 1, "rain")]
        let tuesday = IdentifiesEntries.facts("tuesday", "https://a.example/forecast", "Forecast", 2, "sun")
        #expect(EntryIdentity.decide([tuesday] + stored, stored: stored) == [.new, .stored(0)])
        for page in ["https://a.example/", "https://a.example/home"] {
            let stored = [IdentifiesEntries.facts("monday", page, "Forecast", 1, "rain")]
            let tuesday = IdentifiesEntries.facts("tuesday", page, "Forecast", 2, "sun")
            #expect(EntryIdentity.decide([tuesday], stored: stored) == [.new], "\(page)")
        }
    }

    /// Identifiers that are the places in the document belong to another entry each time.
    @Test func identifiersThatMoveIdentifyNothing() {
        let pages = (0...3).map {
            IdentifiesEntries.facts("", "https://a.example/\($0)", "T\($0)", Instant(Int64($0)), "x\($0)")
        }
        func document(_ entries: [EntryFacts]) -> [EntryFacts] {
            entries.enumerated().map { index, entry in
                var entry = entry
                entry.id = "\(index)"
                return entry
            }
        }
        let stored = document([pages[2], pages[1], pages[0]])
        let next = EntryIdentity.decide(document([pages[3], pages[2], pages[1]]), stored: stored)
        let expected: [EntryIdentity.Decision] = [.new, .stored(0), .stored(1)]
        #expect(next == expected)
    }

    /// Entries of a document with one identifier are as many as they have links and titles, titles and dates, or texts.
    @Test(
        arguments: [
            // The differing parts of the second entry.
            ("https://a.example/2", "Two", 2, "other", false), ("https://a.example/2", "One", 2, "other", false),
            ("https://a.example/1", "Two", 2, "other", false), ("https://a.example/1", "Two", nil, nil, false),
            ("https://a.example/1", "One", 2, "text", true), ("https://a.example/1", "One", 2, "other", true),
            ("https://a.example/1", "Two", 1, "text", true), ("https://a.example/2", "One", 1, "text", true),
        ] as [(String, String, Instant?, String?, Bool)])
    func oneIdentifierMayBeSeveralEntries(
        link: String, title: String, date: Instant?, text: String?, isOne: Bool
    ) {
        let first = IdentifiesEntries.facts("id")
        let second = IdentifiesEntries.facts("id", link, title, date, text)
        let isNewer = (date ?? 0) > 1
        let expected: [EntryIdentity.Decision] =
            !isOne ? [.new, .new] : isNewer ? [.repeats(1), .new] : [.new, .repeats(0)]
        #expect(EntryIdentity.decide([first, second], stored: []) == expected)
    }

    /// Without a link, title and date distinguish entries with one identifier, and without those the text.
    @Test func textsDistinguishEntriesWithoutTitles() {
        for (first, second, isOne) in [
            (IdentifiesEntries.facts("", nil, "A", 1, "x"), IdentifiesEntries.facts("", nil, "A", 1, "y"), true),
            (IdentifiesEntries.facts("", nil, "A", 1, "x"), IdentifiesEntries.facts("", nil, "A", 2, "x"), false),
            (IdentifiesEntries.facts("", nil, nil, nil, "x"), IdentifiesEntries.facts("", nil, nil, nil, "y"), false),
            (IdentifiesEntries.facts("", nil, nil, nil, "x"), IdentifiesEntries.facts("", nil, nil, nil, "x"), true),
            (
                IdentifiesEntries.facts("", "https://a.example/1", nil, nil, "x"),
                IdentifiesEntries.facts("", "https://a.example/1", nil, nil, "y"), false
            ),
        ] {
            let decisions = EntryIdentity.decide([first, second], stored: [])
            #expect(decisions == (isOne ? [.new, .repeats(0)] : [.new, .new]), "\(first) \(second)")
        }
    }

    /// Once a feed has used an identifier for several entries, it identifies none, also alone in a document.
    @Test func sharedIdentifiersNeverIdentify() {
        var stored = (1...2).map {
            IdentifiesEntries.facts("id", "https://a.example/\($0)", "T\($0)", Instant(Int64($0)), "x\($0)")
        }
        for index in stored.indices { stored[index].sharesID = true }
        let third = IdentifiesEntries.facts("id", "https://a.example/3", "T3", 3, "x3")
        let second = IdentifiesEntries.facts("id", "https://a.example/2", "T2", 3, "edited")
        let renamed = IdentifiesEntries.facts("id", "https://a.example/1", "edited", 1, "edited")
        #expect(EntryIdentity.decide([third], stored: stored) == [.new])
        #expect(EntryIdentity.decide([second], stored: stored) == [.stored(1)])
        #expect(EntryIdentity.decide([renamed], stored: stored) == [.stored(0)])
    }

    // MARK: In a library

    private let library: Library
    private let id: FeedID

    init() async throws {
        library = try Library(path: nil)
        id = try await library.follow("https://a.example/feed")
    }

    private func entry(
        _ id: String?, _ link: String? = nil, _ title: String = "One", _ date: Instant? = nil, _ text: String = "text"
    ) -> ParsedEntry {
        var entry = ParsedEntry(id: id, title: title, link: link, text: text)
        entry.published = date.map { ParsedDate(instant: $0, text: "\($0)") }
        return entry
    }

    @discardableResult
    private func store(_ entries: [ParsedEntry], at now: Instant = 1_790_000_000) async throws -> StoredChanges {
        return try await library.store(entries, in: id, at: now)
    }

    private var rows: [EntryRow] { get throws { try library.entries.rows(in: EntryQuery(.all), limit: 100_000) } }

    private func markAllRead() async throws {
        try await library.setMark(.read, true, entries: try rows.map(\.id), now: 1)
    }

    /// An entry continues under another identifier with everything that belongs to it.
    @Test func continuesEntriesUnderOtherIdentifiers() async throws {
        try await store([entry("http://a.example/?p=1", "http://a.example/1", "One", 5, "text")])
        let first = try #require(rows.first)
        try await library.setMark(.starred, true, entries: [first.id], now: 1)
        try await markAllRead()
        let changes = try await store([entry("https://a.example/?p=1", "https://a.example/1", "One", 5, "text")])
        #expect(changes == StoredChanges(added: 0, updated: 0))
        #expect(try rows.map(\.id) == [first.id] && rows.allSatisfy { $0.isRead && $0.isStarred })
        // The new identifier is the one that counts from now on.
        try await store([entry("https://a.example/?p=1", "https://a.example/new", "New", 6, "new")])
        #expect(try rows.map(\.id) == [first.id])
        try await store([entry("http://a.example/?p=1", nil, "Another", 9, "another")])
        #expect(try rows.count == 2)
    }

    /// Entries that an earlier version stored under an identifier that several have stay as they are.
    @Test func keepsEntriesStoredUnderASharedIdentifier() async throws {
        let polls = (1...4).map {
            entry(nil, "https://a.example/poll", "Poll \($0)", Instant(Int64($0)), "Question \($0)")
        }
        try await store([polls[0]])
        let first = try #require(rows.first)
        try await markAllRead()
        for _ in 1...2 { try await store(polls[..<3].reversed()) }
        #expect(try rows.count == 3 && rows.count { $0.isRead } == 1 && rows.contains { $0.id == first.id })
        try await markAllRead()
        try await store(polls.reversed())
        #expect(try rows.count == 4 && rows.filter { !$0.isRead }.map(\.title) == ["Poll 4"])
        // Each alone is known as well.
        try await markAllRead()
        for poll in polls { try await store([poll]) }
        #expect(try rows.count == 4 && rows.allSatisfy(\.isRead))
    }

    /// A deleted entry doesn't come back under another spelling of its identifier, or when others share it.
    @Test func deletedEntriesStayDeleted() async throws {
        try await store([entry("http://a.example/1", "http://a.example/1"), entry("http://a.example/2", nil, "Two")])
        try await library.changes.perform(.delete(entries: try rows.map(\.id), now: 1_790_000_000))
        for number in 0..<3 {
            let now = Instant(1_790_000_000 + Int64(number) * 20 * Self.day)
            try await store(
                [entry("https://a.example/1/", "https://a.example/1"), entry("https://a.example/2", nil, "Two")],
                at: now)
            #expect(try rows.isEmpty)
        }
        let new = entry("https://a.example/2", "https://a.example/3", "Three", 9, "three")
        try await store([new, entry("https://a.example/2", nil, "Two")], at: 1_795_000_000)
        #expect(try rows.map(\.title) == ["Three"])
    }

    /// A deleted entry doesn't come back when the feed changes all identifiers; another with its title or page does.
    @Test func deletedEntriesStayDeletedUnderNewIdentifiers() async throws {
        try await store([entry("1", "https://a.example/1", "One"), entry("2", "https://a.example/2", "Two")])
        try await library.changes.perform(.delete(entries: try rows.map(\.id), now: 1_790_000_000))
        for round in ["a", "b"] {
            try await store([
                entry("\(round)1", "https://a.example/1", "One", 7, "edited"),
                entry("\(round)2", "http://www.a.example/2/", "Two"),
            ])
            #expect(try rows.isEmpty)
        }
        try await store([
            entry("c1", "https://a.example/1", "Other"), entry("c2", "https://a.example/3", "Two"),
        ])
        #expect(try Set(rows.map(\.title)) == ["Other", "Two"])
        // What several entries have in common identifies none of them.
        try await store([entry("x", "https://a.example/3", "Two"), entry("y", "https://a.example/3", "Two", 9, "y")])
        #expect(try rows.count >= 3)
    }

    /// The feed's status reports identifiers that identify nothing, and nothing about the same entry listed twice.
    @Test func reportsSharedIdentifiers() async throws {
        let twelve = (1...12).map { entry("id", "https://a.example/\($0)", "T\($0)") }
        let links = (1...4).map { entry(nil, "https://a.example/poll\($0 % 2)", "P\($0)") }
        for (entries, problems) in [
            (twelve, ["12 entries share one id"]), (links, ["4 entries without an id share 2 links"]),
            (twelve + links, ["12 entries share one id", "4 entries without an id share 2 links"]),
            ([twelve[0], twelve[0]], []),
        ] {
            try await store(entries)
            #expect(try library.feeds.health(of: id)?.problems == problems)
        }
        #expect(try rows.count == 16)
    }

    /// A server's or another program's entries are those that it says.
    @Test func keepsIdentifiersOfServers() throws {
        let feed = ParsedFeed([
            entry("greader:1", "https://a.example/1"), entry("greader:1", "https://a.example/2", "Two"),
        ])
        let prepared = PreparedFeed(feed, record: FetchRecord(date: 1), hasFixedIDs: true)
        #expect(prepared.entries.map(\.guid) == ["greader:1", "greader:1"] && prepared.problems.isEmpty)
    }

    // MARK: A month

    /// What is wrong with a feed.
    private enum Fault: CaseIterable { case identifiersChange, oneIdentifier, onePage, noIdentifiers, hashes, places }

    /// A post as its author sees it.
    private struct Post {
        var number: Int
        var edits = 0
        var titleEdits = 0

        func entry(_ fault: Fault, _ spelling: Int, at place: Int) -> ParsedEntry {
            var entry = ParsedEntry()
            let site = (spelling & 1 == 0 ? "http" : "https") + "://" + (spelling & 2 == 0 ? "www." : "") + "a.example"
            let slash = spelling & 4 == 0 ? "" : "/"
            entry.title = "Post \(number)" + (titleEdits > 0 ? " (\(titleEdits))" : "")
            entry.link = "\(site)/posts/\(number)\(slash)"
            entry.contentText = "Text \(number), edit \(edits)"
            // Two posts have each date.
            entry.published = ParsedDate(
                instant: Instant(1_780_000_000 + Int64(number / 2) * 3600), text: "\(number / 2)")
            switch fault {
            case .identifiersChange: entry.id = "\(site)/?p=\(number)\(slash)"
            case .oneIdentifier: entry.id = "the feed"
            case .onePage: entry.link = "\(site)/log\(slash)"
            case .noIdentifiers: break
            case .hashes: entry.id = "hash of \(number), \(titleEdits), \(edits)"
            case .places: entry.id = "\(place)"
            }
            if fault == .onePage { entry.published?.instant = Instant(1_780_000_000 + Int64(number) * 60) }
            return entry
        }
    }

    /// A feed of thirty days whose identifiers change, repeat or are missing: no entry appears twice, none is lost, and
    /// none is unread again.
    @Test(arguments: 1...8) func followsFaultyFeedsForAMonth(seed: UInt64) async throws {
        for fault in Fault.allCases {
            let (library, feed) = try await Library.following("https://a.example/feed")
            var random = SeededGenerator(seed: seed)
            var posts = (0..<Int.random(in: 2...12, using: &random)).map { Post(number: $0) }
            for day in 0..<30 {
                let new = day == 0 ? posts.count : Int.random(in: 0...3, using: &random)
                if day > 0 { posts += (0..<new).map { Post(number: posts.count + $0) } }
                for index in posts.indices.suffix(8).dropLast(new) where Int.random(in: 0..<6, using: &random) == 0 {
                    posts[index].edits += 1
                    // The title identifies posts on one page.
                    if fault != .onePage, Int.random(in: 0..<3, using: &random) == 0 { posts[index].titleEdits += 1 }
                }
                let size = max(new, 2, Int.random(in: 5...12, using: &random))
                let spelling = Int.random(in: 0..<8, using: &random)
                var document = ParsedFeed(
                    posts.suffix(size).reversed().enumerated().map {
                        $1.entry(fault, spelling, at: $0)
                    })
                if Int.random(in: 0..<4, using: &random) == 0 { document.entries.append(document.entries[0]) }
                let record = FetchRecord(date: Instant(1_790_000_000 + Int64(day) * Self.day))
                let changes = try await library.store(document, in: feed, record: record)
                let rows = try library.entries.rows(in: EntryQuery(.all), limit: 1000)
                let unread = rows.filter { !$0.isRead }
                #expect(
                    changes.added == new && unread.count == new && rows.count == posts.count,
                    "\(fault), seed \(seed), day \(day)")
                #expect(Set(rows.map(\.title)).count == posts.count, "\(fault), seed \(seed), day \(day)")
                try await library.setMark(.read, true, entries: unread.map(\.id), now: record.date)
            }
        }
    }
}

extension EntryIdentity {
    /// What an entry of a document is.
    enum Decision: Hashable {
        case new
        /// The stored entry at an index.
        case stored(Int)
        /// The same entry as the one at an index of the document.
        case repeats(Int)
    }

    static func decide(_ document: [EntryFacts], stored: [EntryFacts]) -> [Decision] {
        var decisions = [Decision](repeating: .new, count: document.count)
        var document = document
        for (index, place) in places(in: document).enumerated() {
            document[index].sharesID = place.sharesID
            if place.index != index { decisions[index] = .repeats(place.index) }
        }
        let distinct = document.indices.filter { decisions[$0] == .new }
        for (index, found) in zip(distinct, counterparts(of: distinct.map { document[$0] }, in: stored)) {
            if let found { decisions[index] = .stored(found) }
        }
        return decisions
    }
}
