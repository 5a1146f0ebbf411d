import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Rules: each action, on new and existing entries of new and existing feeds, and its undo.
@Suite struct AppliesRules {
    private static let now: Instant = 1_790_000_000
    private let library: Library
    private let feed: FeedID

    init() async throws {
        library = try Library(path: nil)
        feed = try await library.follow("https://a.example/feed")
    }

    @discardableResult
    private func arrive(_ titles: [String], _ rules: [Rule], at date: Instant = now, enclosures: [ParsedEnclosure] = [])
        async throws -> Receipt
    {
        let parsed = ParsedFeed(
            titles.map { title in
                var entry = ParsedEntry(id: title, title: title, html: "<p>text of \(title)</p>")
                (entry.link, entry.enclosures) = ("https://a.example/\(title)", enclosures)
                return entry
            })
        let prepared = PreparedFeed(parsed, record: FetchRecord(date: date))
        return try await library.changes.perform(StoreFeed(prepared, in: feed, rules: rules))
    }

    private func rule(_ name: String, _ when: String, _ then: Rule.Action...) throws -> Rule {
        Rule(name: name, when: try SearchQuery(when), then: then)
    }

    private func row(_ title: String) throws -> EntryRow? {
        try library.entries.rows(in: EntryQuery(.all), limit: 100).first { $0.title == title }
    }

    private func tasks() async throws -> [String] {
        try await library.changes.perform(TakeRuleTasks()).tasks.map { task in
            "\(task.rule) \(task.action.text) \(try library.entries.row(task.entry)?.title ?? "gone")"
        }
    }

    /// Every action for new entries of a feed, for a new feed, and for existing entries.
    @Test(arguments: ["news", "new feed", "here"]) func runsEachAction(kind: String) async throws {
        let media = [
            ParsedEnclosure(url: "https://a.example/x.pdf", mediaType: "application/pdf"),
            ParsedEnclosure(url: "https://a.example/x.mp4", mediaType: "video/mp4"),
            ParsedEnclosure(url: "https://a.example/x.mp3", mediaType: "audio/mpeg"),
        ]
        let rules = try [
            rule("read", "title:a", .mark(.read)), rule("star", "title:b", .mark(.starred), .tag("t"), .tag("u")),
            rule("later", "title:c", .mark(.later)), rule("delete", "title:d", .delete), rule("fold", "title:e", .fold),
            rule("tell", "title:f", .notify, .fullText, .run("cmd")), rule("load", "title:g", .download),
            rule("none", "title:z", .delete),
        ]
        let titles = ["a", "b", "c", "d", "e", "f", "g"]
        if kind == "news" { try await arrive(["first"], []) }
        let arrived = try await arrive(titles, kind == "here" ? [] : rules, enclosures: media)
        #expect(arrived.stored.added == 7)
        if kind == "here" {
            try await library.indexAll()
            for rule in rules {
                let receipt = try await library.changes.perform(
                    .applyRule(rule, upTo: try library.entries.lastID(), now: AppliesRules.now))
                #expect(receipt.count == (rule.name == "none" ? 0 : 1))
                #expect((receipt.undo == nil) == ["tell", "load", "none"].contains(rule.name), "\(rule.name)")
            }
        }
        #expect(try row("a")?.isRead == true && row("b")?.isStarred == true && row("c")?.isLater == true)
        #expect(try library.entries.tags(of: try #require(try row("b")).id) == ["t", "u"] && row("d") == nil)
        #expect(try library.entries.rows(in: EntryQuery(.archived), limit: 9).map(\.title) == ["e"])
        #expect(
            try library.entries.rows(in: EntryQuery(.all), limit: 9).count { $0.isRead || $0.isStarred || $0.isLater }
                == 3)
        #expect(try library.downloads.all().map(\.url) == (kind == "news" ? ["https://a.example/x.mp4"] : []))
        #expect(try library.downloads.all().map(\.title) == (kind == "news" ? ["g"] : []))
        #expect(try library.hasRuleTasks() == (kind == "news"))
        #expect(try await tasks() == (kind == "news" ? ["tell notify f", "tell full text f", "tell run cmd f"] : []))
        #expect(try await tasks() == [] && !library.hasRuleTasks())
        let tallies = try library.ruleTallies()
        #expect(
            tallies.count == 7
                && tallies.values.allSatisfy { $0.matches == 1 && $0.last == AppliesRules.now && $0.error == nil })
        #expect(tallies["star"]?.undoable == 3 && tallies["tell"]?.undoable == 0 && tallies["fold"]?.undoable == 1)
        #expect(try LibraryCheck.run(library) == [])
        // Entries deleted by a rule stay away; its counts continue.
        #expect(try await arrive(titles + ["a 2"], [rules[0]], at: AppliesRules.now + 9).stored.added == 1)
        #expect(
            try library.ruleTallies()["read"]
                == RuleTally(matches: 2, last: AppliesRules.now + 9, error: nil, undoable: 2))
    }

    /// A rule's download reaches the feed's own host like a command's, and no other.
    @Test func downloadsFromTheFeedsOwnHost() async throws {
        try await arrive(["first"], [])
        let load = try rule("load", "has:audio", .download)
        for host in ["a.example", "b.example"] {
            let file = ParsedEnclosure(url: "https://\(host)/x.mp3", mediaType: "audio/mpeg")
            try await arrive([host], [load], enclosures: [file])
        }
        let allowed = try library.downloads.all().map { "\($0.title) \($0.allowsPrivateHost)" }.sorted()
        #expect(allowed == ["a.example true", "b.example false"])
    }

    /// A later rule matches the results of an earlier one.
    @Test func runsRulesInOrder() async throws {
        try await arrive(["first"], [])
        let mark = try rule("mark", "title:a*", .mark(.starred))
        try await arrive(["a1"], [mark, rule("next", "is:starred title:/a/", .tag("seen"))])
        try await arrive(["a2"], [rule("next", "is:starred title:/a/", .tag("seen")), mark])
        #expect(try library.entries.rows(in: EntryQuery(.tag("seen")), limit: 9).map(\.title) == ["a1"])
        // Later rules skip entries that an earlier one marked or deleted.
        try await arrive(
            ["a3"],
            [
                mark, rule("again", "title:a*", .mark(.starred)), rule("gone", "title:a*", .delete),
                rule("late", "title:/a/", .tag("late")),
            ])
        #expect(try row("a3") == nil && library.entries.count(in: EntryQuery(.tag("late"))) == 0)
        #expect(try library.ruleTallies()["again"]?.undoable == 0 && library.ruleTallies()["again"]?.matches == 1)
    }

    /// Existing entries are not new, including the one that arrived last.
    @Test(arguments: ["title:/a/", "title:a*", "is:unread"]) func leavesExistingEntriesUnchanged(query: String)
        async throws
    {
        try await arrive(["a1", "a2"], [])
        try await library.indexAll()
        try await arrive(["a3"], [rule("r", query, .mark(.starred))])
        #expect(try library.entries.rows(in: EntryQuery(.starred), limit: 9).map(\.title) == ["a3"])
        #expect(try library.ruleTallies()["r"]?.matches == 1)
    }

    /// Everything that a rule did is undone, last first, including the star of an entry that it deleted.
    @Test(arguments: 0..<4) func undoesEverythingARuleDid(round: Int) async throws {
        let actions: [[Rule.Action]] = [
            [.mark(.starred), .delete], [.tag("x"), .mark(.read), .delete], [.fold, .mark(.later), .tag("y"), .delete],
            [.mark(.read), .fold],
        ]
        try await arrive(["first"], [])
        for index in 0..<3 {
            try await arrive(["a\(index)"], [Rule(name: "r", when: try SearchQuery("title:/a/"), then: actions[round])])
        }
        try await library.setMark(.starred, true, entries: [try #require(try row("first")).id], now: 1)
        let receipt = try await library.changes.perform(.undoRule("r"))
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 9).filter { $0.title != "first" }
        #expect(rows.map(\.title).sorted() == ["a0", "a1", "a2"])
        #expect(rows.allSatisfy { !$0.isStarred && !$0.isRead && !$0.isLater })
        #expect(
            try rows.allSatisfy { try library.entries.tags(of: $0.id).isEmpty }
                && library.entries.count(in: EntryQuery(.archived)) == 0)
        #expect(receipt.sentence == "Undid \(3 * actions[round].count) changes of the rule r")
        #expect(try row("first")?.isStarred == true && library.ruleTallies()["r"]?.undoable == 0)
        #expect(
            try await library.changes.perform(.undoRule("r")).sentence
                == "The rule r has done nothing that can be undone")
        #expect(try LibraryCheck.run(library) == [])
    }

    @Test func appliesARuleUpToAnEntry() async throws {
        try await arrive(["b", "a"], [])
        let first = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id).min() ?? 0
        let rule = try rule("r", "title:/./", .mark(.read))
        #expect(
            try await library.changes.perform(.applyRule(rule, upTo: EntryID(rawValue: first.rawValue - 1), now: 1))
                .count == 0)
        #expect(try library.ruleTallies().isEmpty)
        #expect(try await library.changes.perform(.applyRule(rule, upTo: first, now: 1)).count == 1)
        #expect(try row("a")?.isRead == true && row("b")?.isRead == false)
        // Entries in the target state match, but aren't undone.
        let again = try await library.changes.perform(.applyRule(rule, upTo: first, now: 2))
        #expect(try again.count == 1 && again.undo == nil && row("a")?.isRead == true)
    }

    /// A rule that fails gives the reason, without affecting other rules or the feed.
    @Test func recordsTheFailureOfARule() async throws {
        try await arrive(["first"], [])
        let broken = Rule(name: "broken", when: SearchQuery.failing, then: [.delete])
        let receipt = try await arrive(["a"], [broken, rule("read", "title:/a/", .mark(.read))])
        #expect(try receipt.stored.added == 1 && row("a")?.isRead == true)
        let tally = try #require(try library.ruleTallies()["broken"])
        #expect(tally.error?.contains("regular expression") == true && tally.matches == 0 && tally.last == nil)
        try await arrive(["b"], [Rule(name: "broken", when: try SearchQuery("title:/b/"), then: [.mark(.read)])])
        #expect(
            try library.ruleTallies()["broken"]
                == RuleTally(matches: 1, last: AppliesRules.now, error: nil, undoable: 1))
    }

    // MARK: Tasks

    @Test func notifiesOnceOfUnreadEntries() async throws {
        try await arrive(["first"], [])
        let both = try [rule("one", "title:/./", .notify), rule("two", "title:/a|b/", .notify)]
        try await arrive(["d", "c", "b", "a"], both)
        try await library.setMark(.read, true, entries: [try #require(try row("b")).id], now: 1)
        try await library.changes.perform(.delete(entries: [try #require(try row("c")).id], now: 1))
        let news = await RuleTaskService(library: library).work()
        #expect(news.told.map(\.title) == ["a", "d"] && news.commands.isEmpty)
        #expect(await RuleTaskService(library: library).work().notification == nil)
    }

    /// Full texts requested by rules are fetched once, and not for entries without a link.
    @Test func fetchesWantedFullTexts() async throws {
        let sentence = "The peloton crossed the mountain in the rain, and nobody was seen to complain about it at all. "
        let article = String(repeating: "<p>\(sentence)</p>", count: 6)
        let server = try LoopbackServer { _ in
            .init("<html><body><article>\(article)</article></body></html>", type: "text/html")
        }
        let (library, feed) = try await Library.following(server.url("/feed"))
        let rule = Rule(name: "r", when: try SearchQuery("title:/./"), then: [.fullText])
        for titles in [["first"], ["linked", "bare"]] {
            let parsed = ParsedFeed(
                titles.map { title in
                    ParsedEntry(id: title, title: title, link: title == "bare" ? nil : server.url("/\(title)"))
                })
            let prepared = PreparedFeed(parsed, record: FetchRecord(date: AppliesRules.now))
            try await library.changes.perform(StoreFeed(prepared, in: feed, rules: [rule]))
        }
        for _ in 0..<2 { _ = await RuleTaskService(library: library).work() }
        #expect(server.requests.map(\.path) == ["/linked"])
        for row in try library.entries.rows(in: EntryQuery(.all), limit: 9) {
            let full = try library.entries.detail(of: row.id)?.fullHTML
            #expect((full?.contains("peloton") == true) == (row.title == "linked"), "\(row.title)")
        }
    }

    @Test(
        arguments: [
            (0, nil, ""), (1, "1 new entry", "t1"), (2, "2 new entries", "t1 · t2"),
            (3, "3 new entries", "t1 · t2 · t3"),
            (4, "4 new entries", "t1 · t2 · t3 …"),
        ] as [(Int, String?, String)]) func reportsNewEntries(count: Int, title: String?, body: String)
    {
        var news = RuleNews()
        news.told = (0..<count).map { index in
            EntryRow(
                id: EntryID(rawValue: Int64(index)), subscriptionID: 1, title: "t\(index + 1)", isRead: false,
                isStarred: false,
                sortDate: 0,
                hasDate: true, isLater: false, sources: 1)
        }
        #expect(news.notification?.title == title && news.notification?.body ?? "" == body)
    }

    // MARK: Actions

    @Test(
        arguments: [
            ("mark read", Rule.Action.mark(.read)), ("READ", .mark(.read)), ("star", .mark(.starred)),
            ("later", .mark(.later)),
            ("Read  later", .mark(.later)), ("delete", .delete), ("fold", .fold), ("archive", .fold),
            ("notify", .notify),
            ("full text", .fullText),
            ("fulltext", .fullText), ("download", .download), ("tag A  b", .tag("A b")),
            ("Run my Command", .run("my Command")),
            ("mark starred", nil), ("tag ", nil), ("stars", nil), ("later on", nil), (" ", nil),
        ] as [(String, Rule.Action?)]) func readsActions(text: String, action: Rule.Action?)
    {
        #expect(Rule.Action(text) == action)
        if let action { #expect(Rule.Action(action.text) == action) }
        let reachesBeyond = [.notify, .fullText, .download, .run("my Command")].contains(action)
        #expect(action.map { $0.isOfLibrary == !reachesBeyond } ?? true)
    }

    /// Messages list each action once, as in the configuration, those that do more than change the library last.
    @Test func listsActionsForMessages() {
        let actions = Rule.Action.known.split(separator: " or ").flatMap { $0.split(separator: ", ") }
        #expect(actions.map(String.init) == Rule.Action.examples.map(\.text) && Set(actions).count == actions.count)
        #expect(Rule.Action.known.hasSuffix(", download or run COMMAND"))
        let order = Rule.Action.examples.map(\.isOfLibrary)
        #expect(order.firstIndex(of: false) == order.lastIndex(of: true).map { $0 + 1 })
    }

    @Test func proposesQueriesForAnEntry() {
        func proposals(_ title: String, author: String? = nil, feed: String = "Feed", link: String? = nil)
            -> [RuleProposal]
        {
            var entry = EntryDetail(
                id: 1, subscriptionID: 1, feedTitle: feed, title: title, isRead: false, isStarred: false,
                dates: EntryDates(firstSeen: 0), extras: EntryExtras(), options: SubscriptionOptions())
            (entry.author, entry.link) = (author, link)
            return RuleProposal.all(for: entry)
        }
        #expect(proposals("Tour of four Tours tours").map(\.query) == ["title:tours", "feed:\"Feed\""])
        #expect(proposals("First Second Third Fourth Fifth Sixth").count == 5)
        #expect(
            proposals("", author: "A \"B\"", feed: "F \"G\"").map(\.query) == ["author:\"A  B \"", "feed:\"F  G \""])
        #expect(
            proposals("", author: "", link: "https://a.example/x").map(\.query) == [
                "feed:\"Feed\"", "link:\"a.example\"",
            ])
        #expect(
            proposals("", link: "https://a.example/x/y/z").map(\.query) == [
                "feed:\"Feed\"", "link:\"a.example/x\"", "link:\"a.example\"",
            ])
        #expect(
            proposals("The Title", author: "Ann", link: "https://a.example/x/y").map(\.title) == [
                "“title” in the title", "By Ann", "From Feed", "Pages under a.example/x", "Pages on a.example",
            ])
    }
}

extension SearchQuery {
    /// A rule stored by a version that supported its regular expression.
    fileprivate static var failing: SearchQuery {
        let text = #"{"text":"title:/(/","root":{"pattern":{"_0":"title","_1":"("}},"words":[]}"#
        do { return try JSONDecoder().decode(SearchQuery.self, from: Data(text.utf8)) } catch {
            preconditionFailure("\(error)")
        }
    }
}
