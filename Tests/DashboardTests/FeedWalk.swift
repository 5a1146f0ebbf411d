import FeedParsing
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import TerminalUI
import Testing

@testable import Accounts
@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment

/// Two feeds of known entries: Alpha, whose second and third entry have the same date, and Beta in the folder News.
@MainActor
enum FeedWalk {
    nonisolated static let orders = ["newest first", "oldest first"]
    nonisolated static let day: Int64 = 86_400

    /// An Atom feed with entries of the given ages in seconds.
    nonisolated static func atom(_ title: String, _ items: [(title: String, age: Int64)]) -> String {
        let entries = items.map { item in
            let instant = DashboardScreen.now - item.age
            let date = Date(timeIntervalSince1970: TimeInterval(instant.seconds)).ISO8601Format()
            return """
                <entry><id>\(title)-\(item.title)</id><title>\(item.title)</title><published>\(date)</published>
                <link href="https://\(title.lowercased()).example/\(item.title)"/>
                <content type="html">Words of \(item.title).</content></entry>
                """
        }
        return "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>\(title)</title>\(entries.joined())</feed>"
    }

    nonisolated static let alpha: [(title: String, age: Int64)] = [
        ("A1", 3600), ("A2", day), ("A3", day), ("A4", 8 * day), ("A5", 40 * day),
    ]
    nonisolated static let beta: [(title: String, age: Int64)] = [("B1", 7200), ("B2", 2 * day), ("B3", 50 * day)]
    nonisolated static let feeds = [
        ("https://alpha.example/feed", atom("Alpha", alpha)), ("https://beta.example/feed", atom("Beta", beta)),
    ]

    /// The dashboard with the list of Alpha's entries open and its first row selected; opening marks nothing, and the
    /// detail doesn't follow.
    static func dashboard(
        order: String = "newest first", opens: Bool = true, _ width: Int = 120, _ height: Int = 34,
        path: String? = nil, adjust: ((inout DashboardEnvironment) -> Void)? = nil
    ) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(
            width, height, feeds: feeds, path: path,
            adjust: { environment in
                environment.settings.use(order, for: SettingKey.entryOrder.name)
                environment.settings.use("off", for: SettingKey.followList.name)
                environment.settings.use("off", for: SettingKey.markReadOnOpen.name)
                adjust?(&environment)
            })
        let beta = try #require(try dashboard.library.feeds.feed(url: "https://beta.example/feed")).id
        try await dashboard.library.changes.perform(.move(beta, folder: "News"))
        try await dashboard.library.indexAll()
        #expect(await dashboard.screen.wait(for: "▾ News"))
        if opens { dashboard.screen.press("enter") }
        return dashboard
    }

    /// Returns the query for the list of a scope with a value of the setting for the order.
    nonisolated static func query(_ scope: EntryScope, _ order: String) -> EntryQuery {
        EntryQuery(scope, order: order == "oldest first" ? .oldest : .newest)
    }

    /// The titles of Alpha's entries in list order.
    nonisolated static func titles(_ order: String) -> [String] {
        // Of two entries with the same date, the first in the feed is the newer one.
        let newestFirst = ["A1", "A2", "A3", "A4", "A5"]
        return order == "newest first" ? newestFirst : newestFirst.reversed()
    }
}

extension DashboardScreen {
    /// All entries by title.
    func rows() throws -> [String: EntryRow] {
        Dictionary(
            uniqueKeysWithValues: try library.entries.rows(in: EntryQuery(.all), limit: 999).map { ($0.title, $0) })
    }

    /// The titles of the entries with a mark.
    func titles(with mark: EntryMark) throws -> Set<String> { Set(try rows().values.filter { $0[mark] }.map(\.title)) }

    /// The open list of entries.
    var entryList: EntryListViewController? { split?.supplementaryViewController as? EntryListViewController }

    /// The list of feeds.
    var feedList: FeedListViewController? { (split as? FeedsViewController)?.list }

    /// Selects a row of the list of feeds.
    func select(_ identifier: AnyHashable) throws {
        let list = try #require(feedList)
        let path: RowPath = try #require(list.model.path { $0.identifier == identifier }, "no row \(identifier)")
        list.table.select(path)
        screen.application.render()
    }

    /// The title of the selected entry.
    var selectedTitle: String? {
        guard let id = entryList?.selectedEntryID else { return nil }
        return (try? library.entries.row(id))?.title
    }

    /// The title of the entry in the detail.
    var shownTitle: String? { (split?.detailViewController as? EntryViewController)?.title.string }

    /// The lines of the screen on one side of a column.
    func column(_ range: Range<Int>) -> [String] {
        screen.lines.map { String($0.dropFirst(range.lowerBound).prefix(range.count)) }
    }
}

extension DashboardScreen {
    /// Stores a feed document as a reload does.
    func store(_ text: String, in id: FeedID) async throws {
        let reading = try FeedParser.parse(Array(text.utf8), base: nil)
        try await library.store(reading.feed, in: id, record: FetchRecord(date: DashboardScreen.now))
    }
}

extension Library {
    /// The numbers of unread entries, of starred ones, and of those to read later.
    func marks() throws -> [Int] {
        try [feeds.unreadCount()] + [.starred, .later].map { try entries.count(in: EntryQuery($0)) }
    }

    /// Follows a feed that was fetched two hours ago.
    func follow(_ url: String, with document: String) async throws {
        let id = try await follow(url)
        let reading = try FeedParser.parse(Array(document.utf8), base: url)
        try await store(reading.feed, in: id, record: FetchRecord(date: DashboardScreen.now - 7200))
    }

    /// Adds an account on a test server.
    func addAccount(_ name: String = "home", on server: ReaderServer) async throws {
        let secret = try secrets.keep(Secret(user: "alice", password: .kept("secret")))
        try await changes.perform(
            .addAccount(
                NewAccount(name: name, kind: .freshrss, address: server.address, user: "alice", secret: secret)))
    }
}

extension LoopbackServer {
    /// A server of the known feed, which fails under "/bad" and waits for a gate.
    @MainActor static func feed(behind gate: AnswerGate? = nil) throws -> LoopbackServer {
        let feed = DashboardScreen.feed
        return try LoopbackServer { request in
            gate?.wait()
            return request.path == "/bad" ? .init(404) : .init(feed)
        }
    }
}
