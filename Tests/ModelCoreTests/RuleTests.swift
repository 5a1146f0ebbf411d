import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The effects of rules on new and existing entries, and their undo.
@Suite struct RuleTests {
    private let library: Library
    private let feed: FeedID
    private static let now: Instant = 1_790_000_000

    init() async throws {
        library = try Library(path: nil)
        feed = try await library.follow("https://news.example/feed")
    }

    private func parsed(_ titles: [String], audio: Bool = false) -> ParsedFeed {
        var feed = ParsedFeed(format: .atom)
        feed.title = "News"
        feed.language = "en-GB"
        feed.entries = titles.enumerated().map { index, title in
            var entry = ParsedEntry(
                id: title, title: title,
                link: "https://news.example/\(title.hasPrefix("Short") ? "shorts" : "long")/\(index)",
                html: "<p>The words of \(title).</p>", date: RuleTests.now - Int64(index))
            if audio {
                entry.enclosures = [ParsedEnclosure(url: "https://news.example/a.mp3", mediaType: "audio/mpeg")]
            }
            return entry
        }
        return feed
    }

    private func rule(_ name: String, _ when: String, _ then: Rule.Action...) throws -> Rule {
        Rule(name: name, when: try SearchQuery(when), then: then)
    }

    @discardableResult
    private func arrive(_ titles: [String], _ rules: [Rule], audio: Bool = false) async throws -> Receipt {
        let prepared = PreparedFeed(parsed(titles, audio: audio), record: FetchRecord(date: RuleTests.now))
        return try await library.changes.perform(StoreFeed(prepared, in: feed, rules: rules))
    }

    private func row(_ title: String) throws -> EntryRow? {
        try library.entries.rows(in: EntryQuery(.all), limit: 100).first { $0.title == title }
    }

    @Test func runsEveryActionOnArrival() async throws {
        let rules = [
            try rule("read", "title:sponsored", .mark(.read)),
            try rule("star", "text:\"words of big\"", .mark(.starred)),
            try rule("later", "title:/^long \\d+$/", .mark(.later), .tag("long")),
            try rule("gone", "title:spam", .delete), try rule("fold", "link:news.example/shorts lang:en", .fold),
        ]
        try await arrive(["Sponsored", "Big", "Long 12", "Spam", "Short", "Plain"], rules)
        #expect(try row("Sponsored")?.isRead == true)
        #expect(try row("Big")?.isStarred == true)
        let long = try #require(try row("Long 12"))
        #expect(try long.isLater && library.entries.tags(of: long.id) == ["long"])
        #expect(try row("Spam") == nil)
        #expect(try library.entries.rows(in: EntryQuery(.archived), limit: 10).map(\.title) == ["Short"])
        let plain = try #require(try row("Plain"))
        #expect(!plain.isRead && !plain.isStarred && !plain.isLater)
        // An archived entry neither counts as unread nor appears in the list.
        #expect(try library.feeds.unreadCount() == 3)
        #expect(
            try !library.entries.rows(in: EntryQuery(.unread(keepingReadSince: 0)), limit: 10).contains {
                $0.title == "Short"
            })
        #expect(try LibraryCheck.run(library) == [])
        let tallies = try library.ruleTallies()
        #expect(tallies.mapValues(\.matches) == ["read": 1, "star": 1, "later": 1, "gone": 1, "fold": 1])
        #expect(tallies["gone"]?.last == RuleTests.now && tallies["gone"]?.undoable == 1)
    }

    @Test func arrivalsLeaveExistingEntries() async throws {
        try await arrive(["Sponsored 1"], [])
        try await arrive(["Sponsored 2", "Sponsored 1"], [rule("read", "title:sponsored", .mark(.read))])
        #expect(try row("Sponsored 1")?.isRead == false && row("Sponsored 2")?.isRead == true)
        // An entry deleted by a rule doesn't return with the next reload.
        try await arrive(["Sponsored 3"], [rule("gone", "title:sponsored", .delete)])
        #expect(try await arrive(["Sponsored 3"], []).stored.added == 0)
    }

    @Test func undoesARule() async throws {
        let rules = [
            try rule("gone", "title:spam", .delete), try rule("more", "title:ham", .mark(.read), .tag("ham"), .fold),
        ]
        try await arrive(["Spam 1", "Spam 2", "Ham"], rules)
        let receipt = try await library.changes.perform(.undoRule("gone"))
        #expect(receipt.sentence == "Undid 2 changes of the rule gone")
        #expect(try row("Spam 1") != nil && row("Spam 2") != nil)
        try await library.changes.perform(.undoRule("more"))
        let ham = try #require(try row("Ham"))
        #expect(try !ham.isRead && library.entries.tags(of: ham.id).isEmpty)
        #expect(try library.entries.count(in: EntryQuery(.archived)) == 0)
        #expect(try library.ruleTallies().values.allSatisfy { $0.undoable == 0 })
        #expect(try LibraryCheck.run(library) == [])
    }

    @Test func runsARuleOnExistingEntriesAsOneStep() async throws {
        try await arrive(["Ham 1", "Ham 2", "Plain"], [])
        try await library.indexAll()
        let rule = try rule("ham", "title:ham", .mark(.read), .tag("x"))
        let found = try library.search.entries(matching: rule.when, limit: 1)
        #expect(found.count == 2 && found.first.count == 1)
        let last = try library.entries.lastID()
        let receipt = try await library.changes.perform(.applyRule(rule, upTo: last, now: RuleTests.now))
        #expect(receipt.count == 2 && receipt.undo == "applying the rule ham")
        #expect(try library.feeds.unreadCount() == 1 && library.entries.count(in: EntryQuery(.tag("x"))) == 2)
        try await library.undo(receipt)
        #expect(try library.feeds.unreadCount() == 3 && library.entries.count(in: EntryQuery(.tag("x"))) == 0)
    }

    @Test func externalActionsRunOnlyForNewEntries() async throws {
        let rules = [
            try rule("tell", "title:ham", .notify, .run("note")), try rule("load", "has:audio", .download),
        ]
        // The first entries of a new feed are not news.
        try await arrive(["Ham 1"], rules, audio: true)
        #expect(try !library.hasRuleTasks() && library.downloads.all().isEmpty)
        try await arrive(["Ham 2", "Ham 3", "Ham 1"], rules, audio: true)
        #expect(try library.downloads.all().map(\.url) == ["https://news.example/a.mp3"])
        let news = await RuleTaskService(library: library).work()
        #expect(news.told.map(\.title) == ["Ham 3", "Ham 2"])
        #expect(news.notification?.title == "2 new entries" && news.notification?.body == "Ham 3 · Ham 2")
        #expect(news.commands.map { "\($0.name) \($0.entry.title)" } == ["note Ham 3", "note Ham 2"])
        // Each is handed out once.
        #expect(await RuleTaskService(library: library).work().told.isEmpty)
    }

    /// A rule that matches everything starts a limited number of programs after a reload.
    @Test func limitsCommandsPerReload() async throws {
        let rules = [try rule("all", "title:/a/", .run("note"))]
        try await arrive(["First a"], rules)
        try await arrive((1...105).map { "a \($0)" }, rules)
        #expect(await RuleTaskService(library: library).work().commands.count == 100)
        #expect(await RuleTaskService(library: library).work().commands.isEmpty)
    }

    @Test func notifiesByTheOptionOfAFeed() async throws {
        var options = SubscriptionOptions()
        options.notifies = true
        try await library.changes.perform(.setOptions(feed, options))
        try await arrive(["One"], [])
        try await arrive(["Two", "One"], [])
        #expect(await RuleTaskService(library: library).work().told.map(\.title) == ["Two"])
    }

    @Test func aSlowRuleBlocksNothing() async throws {
        // Catastrophic backtracking: each text is abandoned after a number of steps.
        let slow = try rule("slow", "title:/^(a+)+$/", .mark(.read))
        let titles = (1...5).map { String(repeating: "a", count: 40) + "!\($0)" }
        try await arrive(titles, [slow, rule("read", "title:/!1$/", .mark(.starred))])
        #expect(try library.entries.count(in: EntryQuery(.all)) == 5)
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 1)
    }

    @Test(arguments: [
        ("mark read", "mark read"), ("Star", "star"), ("read later", "later"), ("tag my tag", "tag my tag"),
        ("run note", "run note"), ("full text", "full text"),
    ])
    func readsAndWritesActions(text: String, written: String) {
        #expect(Rule.Action(text)?.text == written)
    }

    @Test(arguments: ["", "tag", "explode", "run"]) func rejectsUnknownActions(text: String) {
        #expect(Rule.Action(text) == nil)
    }

    @Test func proposedQueriesFindTheirEntry() async throws {
        try await arrive(["Sponsored journey through mountains"], [])
        try await library.indexAll()
        let found = try #require(try row("Sponsored journey through mountains"))
        let entry = try #require(try library.entries.detail(of: found.id))
        let proposals = RuleProposal.all(for: entry)
        #expect(proposals.map(\.query).contains("title:sponsored") && proposals.count >= 5)
        for proposal in proposals {
            let count = try library.search.entries(matching: SearchQuery(proposal.query), limit: 0).count
            #expect(count == 1, "\(proposal.query)")
        }
    }
}
