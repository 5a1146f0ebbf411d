import FeedParsing
import LibraryTesting
import TerminalUI
import Testing

@testable import Accounts
@testable import Dashboard
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// The rows of the list of feeds, and where they can move and be dragged, as values.
@MainActor
@Suite struct KnowsItsFeeds {
    private let library: Library
    /// The feeds by name.
    private let ids: [String: FeedID]
    private let account: AccountID

    /// Feeds: a; b, c in News; d in Art; e in Art of an account; f hidden; g broken. Tags: x on a and d, y on b. Each
    /// feed has as many unread entries as its position in the alphabet.
    init() async throws {
        library = try Library(path: nil)
        let new = NewAccount(
            name: "Server", kind: .reader, address: "https://s.example/", user: "u", secret: "env:NONE")
        try await library.changes.perform(.addAccount(new))
        account = try #require(try library.accounts.all(now: 1).first).id
        let places: [(name: String, folder: String?, tags: [String])] = [
            ("a", nil, ["x"]), ("b", "News", ["y"]), ("c", "News", []), ("d", "Art", ["x"]), ("e", "Art", []),
            ("f", nil, []), ("g", nil, []),
        ]
        var ids: [String: FeedID] = [:]
        for (index, place) in places.enumerated() {
            var new = NewSubscription(
                url: "https://\(place.name).example/feed", title: place.name, folder: place.folder, tags: place.tags)
            if place.name == "e" { new.account = account }
            let id = try await library.changes.perform(.subscribe([new], now: 1)).subscriptions[0].id
            ids[place.name] = id
            var feed = ParsedFeed(format: .rss)
            feed.title = place.name
            feed.entries = (0...index).map { number in
                var entry = ParsedEntry()
                (entry.id, entry.title) = ("\(number)", "\(place.name)\(number)")
                entry.published = ParsedDate(instant: 1_700_000_000 + Int64(number), text: "")
                return entry
            }
            try await library.store(feed, in: id, record: FetchRecord(date: 1_700_000_000))
        }
        var options = SubscriptionOptions()
        options.isHidden = true
        try await library.changes.perform(.setOptions(try #require(ids["f"]), options))
        try await library.changes.perform(
            NoteFailure(try #require(ids["g"]), "no answer", notBefore: nil, isGone: false, date: 1_700_000_000))
        self.ids = ids
    }

    private func id(_ name: String) -> FeedID { ids[name] ?? 0 }

    private func model(now: Instant = 1_700_000_100, hidesRead: Bool = false) throws -> FeedListModel {
        try FeedListModel(library, now: now, hidesRead: hidesRead)
    }

    /// The rows as text, section by section.
    private func words(_ model: FeedListModel) -> [[String]] {
        model.sections.map { section in
            (section.title.map { ["[\($0.string)]"] } ?? [])
                + section.rows.map { row in
                    switch row {
                    case .list(let list): list.title.string
                    case .search(let search): "search \(search.name)"
                    case .subscription(let feed, let group): (group == nil ? "" : "  ") + feed.title
                    case .group(let group):
                        "\(group.isClosed ? ">" : "v") \(group.group.name) \(group.unread)"
                    case .account(let account): "@\(account.name)"
                    }
                }
        }
    }

    @Test func showsEachFeedInItsGroup() throws {
        let model = try model()
        #expect(
            words(model) == [
                ["Unread", "All", "Starred", "Broken feeds"],
                ["[Subscriptions]", "a", "g", "v News 5", "  b", "  c", "v Art 4", "  d"],
                ["[Server]", "@Server", "v Art 5", "  e"],
                ["[Tags]", "> x 5", "> y 2"],
                ["> Hidden 6"],
            ])
        #expect(model.broken.map(\.title) == ["g"] && model.inactive.isEmpty)
        #expect(model.contents.unread == 28 && model.contents.later == 0 && model.contents.archived == 0)
        #expect(model.contents.accounts.map(\.name) == ["Server"] && model.contents.subscriptions.count == 7)
    }

    /// Feeds beside each other are ordered by unread entries or by title. Folders without a place of their own follow.
    @Test(arguments: [
        (FeedSorting.unread, ["g", "a", "  d", "  c", "  b"]), (.title, ["a", "g", "  b", "  c", "  d"]),
    ]) func ordersFeedsInTheirFolders(order: FeedSorting, feeds: [String]) throws {
        let model = try FeedListModel(library, now: 1_700_000_100, order: order)
        #expect(words(model)[1].filter { !$0.hasPrefix("v") && !$0.hasPrefix("[") } == feeds)
    }

    /// Built-in lists without entries are omitted; others keep their order.
    @Test func showsBuiltInListsWithEntries() async throws {
        try await library.changes.perform(.saveSearch(name: "first", query: "a"))
        try await library.changes.perform(.saveSearch(name: "second", query: "b"))
        let entry = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first).id
        try await library.setMark(.later, true, entries: [entry], now: 1)
        // Half a year later, none has published anything.
        let model = try model(now: 1_716_000_000)
        #expect(
            words(model)[0]
                == [
                    "Unread", "All", "Starred", "Read later", "search first", "search second", "Broken feeds",
                    "Inactive feeds",
                ])
        // A broken feed counts as broken, not as quiet.
        #expect(model.inactive.map(\.title) == ["a", "b", "c", "d", "e", "f"])
        #expect(model.contents.later == 1 && model.contents.searches.map(\.name) == ["first", "second"])
        // A month of silence isn't enough.
        #expect(try self.model(now: 1_700_000_000 + 2_592_000).inactive.isEmpty)
    }

    /// Read feeds are hidden, except those with errors and groups with unread entries.
    @Test func hidesReadEntries() async throws {
        for name in ["a", "b", "e", "g", "f"] {
            try await library.setMark(.read, true, in: .subscription(id(name)), now: 1)
        }
        #expect(
            words(try model(hidesRead: true)) == [
                ["Unread", "All", "Starred", "Broken feeds"],
                ["[Subscriptions]", "g", "v News 3", "  c", "v Art 4", "  d"],
                ["[Server]", "@Server"],
                ["[Tags]", "> x 4"],
                ["> Hidden 0"],
            ])
        #expect(words(try model())[1] == ["[Subscriptions]", "a", "g", "v News 3", "  b", "  c", "v Art 4", "  d"])
        // A tagged entry keeps its tag in the list.
        let entry = try #require(try library.entries.rows(in: EntryQuery(.subscription(id("c"))), limit: 1).first).id
        try await library.changes.perform(.tagEntries([entry], adding: ["y"], removing: []))
        #expect(words(try model(hidesRead: true))[3] == ["[Tags]", "> x 4", "> y 1"])
    }

    @Test func showsGroupsOpenOrClosedInTheirOrder() async throws {
        try await library.changes.perform(.collapseGroup(.folder("News", account: nil), true))
        try await library.changes.perform(.collapseGroup(.tag("x"), false))
        try await library.changes.perform(.collapseGroup(.hidden, false))
        try await library.changes.perform(.orderGroups([.folder("Art", account: nil), .folder("News", account: nil)]))
        try await library.changes.perform(.orderGroups([.tag("y"), .tag("x")]))
        let found = Array(words(try model()).dropFirst())
        #expect(
            found == [
                ["[Subscriptions]", "a", "g", "v Art 4", "  d", "> News 5"],
                ["[Server]", "@Server", "v Art 5", "  e"],
                ["[Tags]", "> y 2", "v x 5", "  a", "  d"],
                ["v Hidden 6", "  f"],
            ])
    }

    @Test func opensTheEntriesOfEachGroup() {
        func scope(_ group: FeedGroup) -> EntryScope {
            FeedListModel.Group(group: group, unread: 0, isClosed: false).scope
        }
        #expect(scope(.folder("News", account: nil)) == .folder("News"))
        #expect(scope(.folder("News", account: 3)) == .accountFolder("News", 3))
        #expect(scope(.tag("x")) == .tag("x"))
        #expect(scope(.hidden) == .hidden)
    }

    /// A row keeps its identity when its content changes, and no two rows share one.
    @Test func identifiesEachRow() async throws {
        for name in ["first", "second"] { try await library.changes.perform(.saveSearch(name: name, query: "a")) }
        for group in [FeedGroup.tag("x"), .tag("y"), .hidden] {
            try await library.changes.perform(.collapseGroup(group, false))
        }
        let before = try model()
        let identifiers = before.paths.compactMap { before.row(at: $0)?.identifier }
        #expect(Set(identifiers).count == identifiers.count && identifiers.count == before.paths.count)
        try await library.setMark(.read, true, in: .all, now: 1)
        let after = try model()
        #expect(after.paths.compactMap { after.row(at: $0)?.identifier } == identifiers)
        for path in before.paths {
            let identifier = before.row(at: path)?.identifier
            #expect(before.path { $0.identifier == identifier } == path)
        }
        #expect(
            before.row(at: RowPath(section: 99, row: 0)) == nil && before.row(at: RowPath(section: 0, row: 99)) == nil)
        #expect(before.path { _ in false } == nil)
    }

    // MARK: Moving

    private func path(_ word: String, _ model: FeedListModel, last: Bool = false) throws -> RowPath {
        let paths = zip(words(model), model.sections.indices).flatMap { rows, section in
            let rows = model.sections[section].title == nil ? rows : Array(rows.dropFirst())
            return rows.enumerated().filter {
                $0.element.drop { " >v".contains($0) }.prefix { $0 != " " } == word || $0.element == word
            }.map { RowPath(section: section, row: $0.offset) }
        }
        return try #require(last ? paths.last : paths.first, "\(word)")
    }

    /// Each row moves by one position among its siblings, and stops at the ends.
    @Test func movesRowsAmongTheirSiblings() async throws {
        try await library.changes.perform(.saveSearch(name: "first", query: "a"))
        try await library.changes.perform(.saveSearch(name: "second", query: "b"))
        try await library.changes.perform(.collapseGroup(.tag("x"), false))
        let model = try model()
        let order = FeedListOrder(model)
        let searches = model.contents.searches.map(\.id)
        let (news, art) = (FeedGroup.folder("News", account: nil), FeedGroup.folder("Art", account: nil))
        let table: [(row: String, up: Change?, down: Change?)] = [
            ("Unread", nil, nil), ("Broken feeds", nil, nil), ("@Server", nil, nil),
            ("a", nil, .orderFeeds([id("g"), id("a")])), ("g", .orderFeeds([id("g"), id("a")]), nil),
            ("b", nil, .orderFeeds([id("c"), id("b")])), ("c", .orderFeeds([id("c"), id("b")]), nil),
            ("d", nil, nil), ("e", nil, nil),
            ("News", nil, .orderGroups([art, news])), ("Art", .orderGroups([art, news]), nil),
            ("x", nil, .orderGroups([.tag("y"), .tag("x")])), ("y", .orderGroups([.tag("y"), .tag("x")]), nil),
            ("search first", nil, .orderSearches([searches[1], searches[0]])),
            ("search second", .orderSearches([searches[1], searches[0]]), nil), ("Hidden", nil, nil),
        ]
        for (row, up, down) in table {
            let path = try path(row, model)
            #expect(order.moving(path, -1) == up, "\(row) up")
            #expect(order.moving(path, 1) == down, "\(row) down")
        }
        // A feed appears again under its tag; there it isn't moved.
        let again = try #require(model.path { $0.identifier == AnyHashable("feed \(ids["a"] ?? 0) x") })
        #expect(order.moving(again, 1) == nil && order.moving(again, -1) == nil)
        #expect(order.moving(nil, 1) == nil && order.moving(RowPath(section: 9, row: 9), 1) == nil)
    }

    @Test func dragsFeedsSearchesAndGroups() async throws {
        try await library.changes.perform(.saveSearch(name: "first", query: "a"))
        let model = try model()
        let order = FeedListOrder(model)
        for (row, canDrag) in [
            ("Unread", false), ("Broken feeds", false), ("@Server", false), ("a", true), ("b", true), ("News", true),
            ("x", true), ("Hidden", false), ("search first", true),
        ] {
            #expect(order.canDrag(try path(row, model)) == canDrag, "\(row)")
        }
        #expect(!order.canDrag(RowPath(section: 9, row: 9)))
    }

    @Test func acceptsDropsOnlyWhereMeaningful() async throws {
        try await library.changes.perform(.saveSearch(name: "first", query: "a"))
        try await library.changes.perform(.saveSearch(name: "second", query: "b"))
        try await library.changes.perform(.saveSearch(name: "third", query: "c"))
        let model = try model()
        let order = FeedListOrder(model)
        let searches = model.contents.searches.map(\.id)
        let (news, art) = (FeedGroup.folder("News", account: nil), FeedGroup.folder("Art", account: nil))
        let table: [(row: String, target: String, change: Change?)] = [
            // Into a folder or onto a tag; a server's folders and hidden feeds accept none.
            ("a", "News", .move(id("a"), folder: "News")), ("b", "Art", .move(id("b"), folder: "Art")),
            ("a", "x", .tag(id("a"), ["old", "x"])), ("b", "x", .tag(id("b"), ["old", "x"])), ("a", "Hidden", nil),
            ("a", "Unread", nil), ("a", "@Server", nil), ("a", "search first", nil),
            // Onto a feed: its position or its folder.
            ("a", "g", .orderFeeds([id("f"), id("g"), id("a")])), ("g", "a", .orderFeeds([id("g"), id("a"), id("f")])),
            ("a", "b", .move(id("a"), folder: "News")), ("b", "a", .move(id("b"), folder: nil)),
            ("b", "d", .move(id("b"), folder: "Art")), ("b", "c", .orderFeeds([id("c"), id("b")])), ("a", "e", nil),
            ("e", "a", nil), ("e", "d", nil),
            ("search first", "search third", .orderSearches([searches[1], searches[2], searches[0]])),
            ("search third", "search first", .orderSearches([searches[2], searches[0], searches[1]])),
            ("search first", "a", nil), ("News", "Art", .orderGroups([art, news])),
            ("Art", "News", .orderGroups([art, news])), ("x", "y", .orderGroups([.tag("y"), .tag("x")])),
            ("News", "x", nil), ("x", "News", nil), ("News", "a", nil), ("Unread", "All", nil),
        ]
        for (row, target, change) in table {
            let found = order.dropping(try path(row, model), on: try path(target, model)) { _ in ["old"] }
            #expect(found == change, "\(row) on \(target): \(String(describing: found))")
        }
        // Another account's folder of the same name doesn't accept this feed.
        let other = try path("Art", model, last: true)
        #expect(order.dropping(try path("a", model), on: other) { _ in [] } == nil)
        #expect(order.dropping(try path("e", model), on: other) { _ in [] } == .move(id("e"), folder: "Art"))
        #expect(order.dropping(try path("e", model), on: try path("Art", model)) { _ in [] } == nil)
        #expect(order.dropping(RowPath(section: 9, row: 9), on: other) { _ in [] } == nil)
    }
}

extension FeedListModel {
    /// Reads the list of a library.
    init(_ library: Library, now: Instant, hidesRead: Bool = false, order: FeedSorting = .own) throws {
        let contents = try FeedListContents(library, now: now, mergesDuplicates: false)
        self.init(contents, hidesRead: hidesRead, order: order)
    }
}
