import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What a reload stores of a feed and its entries, and what it leaves unchanged.
@Suite struct StoresFeeds {
    private static let now: Instant = 1_790_000_000
    private static let day: Int64 = 86_400
    private let library: Library
    private let id: FeedID

    init() async throws {
        library = try Library(path: nil)
        id = try await library.follow("https://a.example/feed")
    }

    private func entry(_ id: String, _ change: (inout ParsedEntry) -> Void = { _ in }) -> ParsedEntry {
        var entry = ParsedEntry(id: id, title: "T\(id)", html: "<p>text \(id)</p>")
        change(&entry)
        return entry
    }

    private func feed(_ entries: [ParsedEntry], _ change: (inout ParsedFeed) -> Void = { _ in }) -> ParsedFeed {
        var feed = ParsedFeed(entries)
        change(&feed)
        return feed
    }

    @discardableResult
    private func store(_ entries: [ParsedEntry], at date: Instant = now) async throws -> StoredChanges {
        try await library.store(feed(entries), in: id, record: FetchRecord(date: date))
    }

    private func rows() throws -> [EntryRow] { try library.entries.rows(in: EntryQuery(.all), limit: 1000) }
    private func detail(_ title: String) throws -> EntryDetail? {
        try rows().first { $0.title == title }.flatMap { try library.entries.detail(of: $0.id) }
    }

    // MARK: The feed

    private func customTitle() throws -> String? {
        try library.read {
            try String.fetchOne($0, sql: "SELECT custom_title FROM subscription WHERE id = ?", arguments: [id])
        }
    }

    @Test func keepsNamesThatADocumentLacks() async throws {
        for (title, home, name, page) in [
            (nil, nil, "https://a.example/feed", nil), ("One", "https://h.example/", "One", "https://h.example/"),
            (nil, nil, "One", "https://h.example/"), ("Two", nil, "Two", "https://h.example/"),
        ] as [(String?, String?, String, String?)] {
            let parsed = feed([]) { ($0.title, $0.homePage) = (title, home) }
            try await library.store(parsed, in: id, record: FetchRecord(date: 1))
            let row = try #require(try library.feeds.feed(id))
            #expect(row.title == name && row.homePage == page)
        }
        try await library.changes.perform(.rename(id, title: "Mine"))
        #expect(try library.feeds.feed(id)?.title == "Mine" && customTitle() == "Mine")
        // A feed's name is limited to a line or two of text.
        let long = feed([]) { $0.title = String(repeating: "x", count: 5000) }
        try await library.store(long, in: id, record: FetchRecord(date: 1))
        try await library.changes.perform(.rename(id, title: nil))
        #expect(try library.feeds.feed(id)?.title.count == 4096 && customTitle() == nil)
    }

    @Test func recordsValidatorsOfEachAnswer() async throws {
        let record = FetchRecord(etag: "e", lastModified: "m", nextFetch: 99, date: 5)
        try await library.changes.perform(.setHeaders(id, ["A: 1", "B: 2"]))
        try await library.store(feed([]), in: id, record: record)
        var request = try #require(try library.feeds.requests(for: [id])[id])
        #expect(request.etag == "e" && request.lastModified == "m" && request.timing.nextFetch == 99)
        #expect(
            request.url == "https://a.example/feed" && request.headers == ["A: 1", "B: 2"] && !request.timing.isGone)
        try await library.changes.perform(NoteUnchanged(id, nextFetch: 7, date: 6))
        request = try #require(try library.feeds.requests(for: [id])[id])
        #expect(request.etag == "e" && request.lastModified == "m" && request.timing.nextFetch == 7)
        try await library.changes.perform(NoteFailure(id, "away", notBefore: 88, isGone: true, date: 7))
        request = try #require(try library.feeds.requests(for: [id, -1])[id])
        #expect(request.etag == "e" && request.timing.notBefore == 88 && request.timing.isGone)
        try await library.store(feed([]), in: id, record: FetchRecord(date: 8))
        request = try #require(try library.feeds.requests(for: [id])[id])
        #expect(request.etag == nil && request.lastModified == nil && request.timing.nextFetch == nil)
        #expect(request.timing.notBefore == nil && !request.timing.isGone && !request.runsProgram)
        #expect(try library.feeds.requests(for: [-1]).isEmpty && library.feeds.requests(for: []).isEmpty)
    }

    /// Successful responses clear errors; failed ones leave the entries.
    @Test func recordsTheResultOfReading() async throws {
        try await store([entry("1")])
        for date in [10, 20] as [Instant] {
            try await library.changes.perform(NoteFailure(id, "away", notBefore: nil, isGone: false, date: date))
        }
        #expect(try library.feeds.feed(id)?.error == "away" && library.feeds.feed(id)?.lastFetched == 20)
        #expect(try library.feeds.health(of: id)?.failures == 2 && rows().count == 1)
        #expect(try library.feeds.health(of: id)?.nextFetch == FetchSchedule.retry(failures: 2, now: 20))
        try await store([entry("1")], at: 30)
        #expect(try library.feeds.feed(id)?.error == nil && library.feeds.health(of: id)?.failures == 0)
        #expect(try library.feeds.health(of: id)?.lastSuccess == 30)
        // A feed that was unfollowed isn't stored.
        try await library.changes.perform(.unsubscribe(id))
        #expect(try await store([entry("2")]) == StoredChanges())
        #expect(try rows().isEmpty && library.feeds.all().isEmpty)
    }

    @Test func keepsTheFirstProblemsOfADocument() async throws {
        var record = FetchRecord(date: 1)
        #expect(record.keptProblems == nil)
        record.problems = (1...25).map { "line \($0):\nnot closed" } + [String(repeating: "x", count: 400)]
        try await library.store(feed([]), in: id, record: record)
        let problems = try #require(try library.feeds.health(of: id)?.problems)
        #expect(problems == (1...20).map { "line \($0): not closed" })
        #expect(try library.feeds.feed(id)?.problem == "line 1: not closed")
        record.problems = [String(repeating: "x", count: 400)]
        try await library.store(feed([]), in: id, record: record)
        #expect(try library.feeds.health(of: id)?.problems.map(\.count) == [300])
        record.problems = []
        try await library.store(feed([]), in: id, record: record)
        #expect(try library.feeds.health(of: id)?.problems == [] && library.feeds.feed(id)?.problem == nil)
    }

    /// An entry that only a truncated document lacks stays deleted, whatever the clock says.
    @Test(arguments: [-40, 40]) func truncatedDocumentsRestoreNoDeletedEntries(days: Int64) async throws {
        let entries = [entry("a"), entry("b")]
        try await store(entries)
        let deleted = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 2).first)
        try await library.changes.perform(.delete(entries: [deleted.id], now: StoresFeeds.now))
        let later = StoresFeeds.now + days * StoresFeeds.day
        var record = FetchRecord(date: later)
        record.isCut = true
        try await library.store(feed([]), in: id, record: record)
        #expect(try await store(entries, at: later).added == 0)
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 2).count == 1)
    }

    /// A permanently moved feed gets its new address, unless another feed has it.
    @Test(
        arguments: [
            ("https://a.example/new", "https://a.example/new", "https://a.example/feed", false),
            ("http://a.example:81/new", "http://a.example:81/new", "https://a.example/feed", false),
            ("https://b.example/new", "https://b.example/new", "https://a.example/feed", true),
            ("https://other.example/", "https://a.example/feed", nil, false),
            ("https://a.example/feed", "https://a.example/feed", nil, false),
        ] as [(String, String, String?, Bool)])
    func movesAFeedForGood(to address: String, url: String, previous: String?, isFromOutside: Bool) async throws {
        try await library.follow("https://other.example/")
        try await library.store(feed([]), in: id, record: FetchRecord(permanentURL: address, date: 1))
        let health = try #require(try library.feeds.health(of: id))
        #expect(health.url == url && health.previousURL == previous)
        #expect(try library.feeds.options(of: id).isFromOutside == isFromOutside)
        let host = url.contains("b.example") ? nil : TrustedHost.of(url)
        #expect(try library.feeds.trustedHost(of: id) == host)
        #expect(try library.feeds.trustedHost(of: -1) == nil)
    }

    // MARK: Entries

    @Test func storesNewEntriesInTheFeedsOrder() async throws {
        #expect(
            try await store([entry("3"), entry("2"), entry("1"), entry("1")]) == StoredChanges(added: 3, updated: 0))
        #expect(try rows().map(\.title) == ["T3", "T2", "T1"])
        #expect(try rows().allSatisfy { !$0.isRead && !$0.isStarred && !$0.isLater && !$0.hasDate })
        #expect(
            try await store([entry("4"), entry("3")], at: StoresFeeds.now + 9) == StoredChanges(added: 1, updated: 0))
        #expect(try rows().map(\.title) == ["T4", "T3", "T2", "T1"])
        #expect(try rows().map(\.sortDate) == [9, 0, 0, 0].map { StoresFeeds.now + $0 })
        #expect(try library.feeds.feed(id)?.unread == 4 && library.feeds.feed(id)?.total == 4)
    }

    @Test func updatesChangedEntries() async throws {
        try await store([entry("1") { $0.published = ParsedDate(instant: 1000, text: "first") }])
        let first = try #require(try rows().first)
        try await library.setMark(.read, true, entries: [first.id], now: 5)
        let changed = entry("1") {
            $0.title = "Other"
            $0.contentHTML = "<p>more</p>"
            $0.authors = [ParsedAuthor(name: "Ann")]
            $0.published = ParsedDate(instant: 2000, text: "second")
            $0.updated = ParsedDate(instant: 3000, text: "third")
            $0.link = "https://a.example/1"
            $0.tags = ["t"]
        }
        #expect(try await store([changed]) == StoredChanges(added: 0, updated: 1))
        let detail = try #require(try library.entries.detail(of: first.id))
        #expect(detail.title == "Other" && detail.html == "<p>more</p>" && detail.author == "Ann")
        #expect(detail.link == "https://a.example/1" && detail.extras.tags == ["t"] && detail.isRead)
        #expect(detail.dates.published == 2000 && detail.dates.publishedText == "second")
        #expect(detail.dates.updated == 3000 && detail.dates.updatedText == "third")
        #expect(detail.dates.firstSeen == StoresFeeds.now && detail.dates.previous?.title == "T1")
        #expect(try rows().map(\.sortDate) == [2000])
        // Without a date it keeps its position.
        #expect(try await store([entry("1") { $0.title = "Third" }], at: 9999).updated == 1)
        #expect(try rows().map(\.sortDate) == [2000] && rows().map(\.title) == ["Third"] && rows()[0].hasDate)
        #expect(try rows()[0].isRead)
    }

    /// Missing values of an entry come from elsewhere.
    @Test func completesEntries() async throws {
        var parsed = feed([
            entry("1"), entry("2") { $0.authors = [ParsedAuthor(name: "Own")] },
            entry("3") { $0.authors = (1...7).map { ParsedAuthor(name: "\($0)") } },
            entry("4") { ($0.title, $0.contentHTML, $0.summary) = (nil, nil, "A &amp; summary") },
            entry("5") {
                let picture = "<img src=\"data:image/png;base64,\(String(repeating: "A", count: 3000))\">"
                ($0.title, $0.contentHTML) = (nil, picture + "<p>\(String(repeating: "word ", count: 40))</p>")
            },
            entry("6") { ($0.title, $0.contentHTML, $0.link) = (nil, nil, "https://a.example/6") },
            entry("7") { ($0.title, $0.contentHTML) = (nil, nil) },
            entry("8") { ($0.title, $0.summary) = ("T8", "not shown") },
            entry("9") {
                ($0.link, $0.commentsLink, $0.externalLink) = (
                    "https://a.example/9", "https://a.example/9", "https://a.example/9"
                )
            },
        ])
        parsed.authors = [ParsedAuthor(name: "Feed")]
        try await library.store(parsed, in: id, record: FetchRecord(date: 1))
        #expect(try detail("T1")?.author == "Feed" && detail("T2")?.author == "Own")
        #expect(try detail("T3")?.author == "1, 2, 3, 4, 5")
        #expect(try detail("A & summary")?.text == "A &amp; summary")
        let beginning = String(repeating: "word ", count: 15) + "word…"
        #expect(try rows().contains { $0.title == beginning } && beginning.count == 80)
        #expect(
            try rows().contains { $0.title == "https://a.example/6" } && rows().contains { $0.title == "(no title)" })
        #expect(try detail("T8")?.text == nil && detail("T9")?.extras == EntryExtras())
        // An entry truncated with its document is shown but not stored.
        #expect(try await store([entry("stump") { $0.isStump = true }]) == StoredChanges())
    }

    @Test(
        arguments: [
            (-1, false), (0, true), (1, true), (now, true), (now + day, true), (now + day + 1, false), (nil, false),
        ] as [(Instant?, Bool)]) func trustsDatesUpToTomorrow(instant: Instant?, isTrusted: Bool) async throws
    {
        try await store([entry("1") { $0.published = ParsedDate(instant: instant, text: "as written") }])
        let row = try #require(try rows().first)
        #expect(row.hasDate == isTrusted && row.sortDate == (isTrusted ? instant : StoresFeeds.now))
        #expect(try library.entries.detail(of: row.id)?.dates.publishedText == "as written")
        // Without a publish date, the date of the last change counts.
        try await store([entry("2") { $0.updated = ParsedDate(instant: instant, text: "u") }])
        let other = try #require(try rows().first { $0.title == "T2" })
        #expect(other.hasDate == isTrusted && other.sortDate == row.sortDate)
    }

    @Test func identifiesEntriesByTheirFacts() async throws {
        func items(_ words: String) -> [ParsedEntry] {
            [
                entry("id") { ($0.link, $0.title) = ("https://a.example/0", "a \(words)") },
                entry("") { ($0.id, $0.link, $0.title) = (nil, "https://a.example/1", "b \(words)") },
                entry("") { ($0.id, $0.title, $0.contentHTML) = (nil, "c", words) },
                entry("") { ($0.id, $0.title, $0.published) = (nil, "c", ParsedDate(instant: 5, text: "five")) },
                entry(String(repeating: "x", count: 2000)) { $0.title = "d \(words)" },
                entry(String(repeating: "x", count: 2001)) { $0.title = "e \(words)" },
            ]
        }
        #expect(try await store(items("one")) == StoredChanges(added: 6, updated: 0))
        #expect(try await store(items("two")) == StoredChanges(added: 0, updated: 5))
        #expect(try rows().count == 6)
    }

    @Test func limitsStoredEntries() throws {
        #expect(StoredEntry.limited("abc", to: 3) == "abc" && StoredEntry.limited("abcd", to: 3) == "abc")
        let long = entry("1") {
            $0.title = String(repeating: "t", count: 5000)
            $0.contentHTML = String(repeating: "h", count: StoredEntry.maximumHTML + 1)
            $0.language = String(repeating: "L", count: 40)
        }
        let stored = StoredEntry(long, of: feed([]), now: 1)
        #expect(try stored.title.count == 4096 && stored.html?.text().count == StoredEntry.maximumHTML)
        #expect(stored.language == String(repeating: "l", count: 35))
        let own = StoredEntry(entry("1") { $0.language = "EN" }, of: feed([]) { $0.language = "de" }, now: 1)
        let other = StoredEntry(entry("1"), of: feed([]) { $0.language = "de-AT" }, now: 1)
        #expect(own.language == "en" && other.language == "de-at")
    }

    @Test(
        arguments: [
            ("HTTPS://WWW.A.example/x", "A.example/x"), ("https://a.example/x//", "a.example/x"),
            ("https://a.example/x?ref=1&a=2&source=3&fbclid=4&utm_medium=5&b", "a.example/x?a=2&b"),
            ("https://a.example/x?reference=1", "a.example/x?reference=1"),
            ("https://a.example/x?UTM_x=1", "a.example/x"),
            ("https://a.example", nil), ("http:/a.example/x", nil), ("ftp://a.example/x", nil), ("", nil),
            ("https://", nil),
        ] as [(String, String?)]) func recognizesTheSamePage(link: String, address: String?)
    {
        #expect(StoredEntry.comparableAddress(link) == address)
    }

    /// Digests are stored. With others, every entry would look changed after an update of the program.
    @Test func computesTheSameDigestsInEveryVersion() {
        #expect(StoredEntry.duplicateKey(of: "https://www.example.org/a/") == 8_788_362_002_535_829_820)
        let long = "http://example.org/articles/2026/x?page=2&utm_source=feed"
        #expect(StoredEntry.duplicateKey(of: long) == 2_092_994_374_568_408_370)
    }

    @Test func keepsDeletedEntriesAway() async throws {
        try await store([entry("1"), entry("2")])
        let one = try #require(try rows().first { $0.title == "T1" })
        try await library.changes.perform(.delete(entries: [one.id], now: StoresFeeds.now))
        #expect(try await store([entry("1") { $0.title = "New" }, entry("2")]) == StoredChanges())
        #expect(try rows().map(\.title) == ["T2"])
        // The same identifier in another feed is another entry.
        let other = try await library.follow("https://b.example/feed")
        #expect(
            try await library.store(feed([entry("1")]), in: other, record: FetchRecord(date: 1)).added == 1)
    }

    /// Only changed words make an entry unread again, and only if the setting allows it.
    @Test(arguments: [
        (false, "<p>other</p>", true), (true, "<p>other</p>", false), (true, "<div>text <b>1</b></div>", true),
    ]) func marksChangedEntriesUnread(isWanted: Bool, html: String, staysRead: Bool) async throws {
        var options = SubscriptionOptions()
        options.marksChangedUnread = isWanted
        try await library.changes.perform(.setOptions(id, options))
        try await store([entry("1"), entry("2")])
        for row in try rows() { try await library.setMark(.read, true, entries: [row.id], now: 5) }
        try await store([entry("1") { $0.contentHTML = html }, entry("2")])
        #expect(try rows().map(\.isRead) == [staysRead, true])
        #expect(try library.feeds.unreadCount() == (staysRead ? 0 : 1) && LibraryCheck.run(library) == [])
        #expect(try library.entries.count(in: EntryQuery(.unread(keepingReadSince: 1))) == 2)
    }

    // MARK: The limit of a day

    @Test func keepsTheLimitOfEachDay() async throws {
        var options = SubscriptionOptions()
        options.dailyLimit = 2
        try await library.changes.perform(.setOptions(id, options))
        let start = CalendarDay(instant: StoresFeeds.now).midnight
        func items(_ dates: [(String, Int64)]) -> [ParsedEntry] {
            dates.map { item in entry(item.0) { $0.published = ParsedDate(instant: start + item.1, text: "") } }
        }
        func archived() throws -> [String] {
            try library.entries.rows(in: EntryQuery(.archived), limit: 99).map(\.title).sorted()
        }
        // The last second of a day and the first of the next.
        try await store(items([("a", 0), ("b", 5), ("c", -1), ("d", -9), ("e", -20)]))
        #expect(try archived() == ["Tc"] && library.feeds.feed(id)?.unread == 4 && library.feeds.feed(id)?.total == 5)
        #expect(try library.entries.archivedUnreadCount() == 1 && library.feeds.unreadCount() == 4)
        // Stored entries count; another feed has its own limit.
        try await store(items([("f", 7), ("a", 0)]))
        #expect(try archived() == ["Tc", "Tf"])
        let other = try await library.follow("https://b.example/feed")
        try await library.store(
            feed(items([("x", 1), ("y", 2), ("z", 3)])), in: other, record: FetchRecord(date: start))
        #expect(try archived() == ["Tc", "Tf"] && LibraryCheck.run(library) == [])
        // An entry in the first second of the next day belongs to that day.
        let third = try await library.follow("https://c.example/feed")
        try await library.changes.perform(.setOptions(third, options))
        for dates in [[("n", 0)], [("m", -1), ("l", -2)]] as [[(String, Int64)]] {
            try await library.store(feed(items(dates)), in: third, record: FetchRecord(date: start))
        }
        #expect(try archived() == ["Tc", "Tf"])
        options.dailyLimit = 0
        try await library.changes.perform(.setOptions(other, options))
        try await library.store(feed(items([("w", 9)])), in: other, record: FetchRecord(date: start))
        #expect(try archived() == ["Tc", "Tf", "Tw"])
    }

    // MARK: Rhythm

    @Test func recordsTheRhythmOfDatedEntries() async throws {
        #expect(try library.feeds.health(of: id)?.rhythm == nil)
        // Of twenty-two dated entries the last twenty-one count; undated ones don't.
        var dates = (0..<21).map { StoresFeeds.now - Int64($0) * 100 }
        dates.append(dates[20] - 5_000_000)
        try await store(
            dates.enumerated().map { index, date in
                entry("\(index)") { $0.published = ParsedDate(instant: date, text: "") }
            } + [entry("undated")], at: StoresFeeds.now + 50)
        #expect(try library.feeds.health(of: id)?.rhythm == 100)
        #expect(try library.feeds.health(of: id)?.lastEntry == StoresFeeds.now)
        for (silence, isQuiet) in [(2_592_000, false), (2_592_001, true)] as [(Int64, Bool)] {
            #expect(try library.feeds.inactive(now: StoresFeeds.now + silence) == (isQuiet ? [id] : []))
        }
        // A feed that publishes rarely is quiet after five times its interval; an unreadable one is never quiet.
        let other = try await library.follow("https://b.example/feed")
        let weeks = [0, 10, 20].map { week in
            entry("\(week)") {
                $0.published = ParsedDate(instant: StoresFeeds.now - Int64(week) * 7 * StoresFeeds.day, text: "")
            }
        }
        try await library.store(feed(weeks), in: other, record: FetchRecord(date: StoresFeeds.now))
        let limit = 5 * 70 * StoresFeeds.day
        #expect(try library.feeds.inactive(now: StoresFeeds.now + limit) == [id])
        #expect(try library.feeds.inactive(now: StoresFeeds.now + limit + 1) == [id, other])
        try await library.changes.perform(NoteFailure(other, "e", notBefore: nil, isGone: false, date: 1))
        #expect(try library.feeds.inactive(now: StoresFeeds.now + limit + 1) == [id])
    }
}
