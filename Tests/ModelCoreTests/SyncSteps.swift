import Foundation
import GRDB
import LibraryTesting

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A library with an account that is synced step by step without a server.
struct SyncSteps {
    let library: Library
    let id: AccountID
    static let now: Instant = 1_795_289_000

    init(kind: ServerKind = .freshrss) async throws {
        library = try Library(path: nil)
        try await library.changes.perform(
            .addAccount(NewAccount(name: "home", kind: kind, address: "https://s.example", user: "u", secret: "s")))
        id = try library.accounts.all(now: 0)[0].id
        try await step(.storeSubscriptions([SyncSteps.feed(1)], now: 1))
    }

    static func feed(
        _ number: Int, title: String? = nil, url: String? = nil, folder: String? = nil, labels: [String] = []
    ) -> RemoteSubscription {
        RemoteSubscription(
            id: "feed/\(number)", title: title ?? "Feed \(number)", url: url ?? "https://a.example/\(number)",
            folder: folder, labels: labels)
    }

    static func entry(_ id: String, feed: Int = 1, title: String? = nil, link: String? = nil) -> RemoteEntry {
        var entry = RemoteEntry(id: id, subscription: "feed/\(feed)")
        entry.title = title ?? "Entry \(id)"
        entry.link = link ?? "https://a.example/entry/\(id)"
        entry.html = "<p>text of \(id)</p>"
        entry.published = 1_790_000_000
        return entry
    }

    @discardableResult
    func step(_ step: SyncStep) async throws -> Receipt {
        try await library.changes.perform(ApplySyncStep(step: step, account: id, rules: library.rules))
    }

    /// Stores requested entries.
    @discardableResult
    func store(_ entries: [RemoteEntry], asked: [String]? = nil) async throws -> Receipt {
        try await step(
            .storeEntries(
                SyncService.prepared(entries, now: SyncSteps.now), asked: asked ?? entries.map(\.id),
                now: SyncSteps.now))
    }

    /// The server's complete lists.
    func lists(unread: [String] = [], starred: [String] = [], later: [String] = []) async throws {
        try await step(.beginLists)
        try await step(.addToList(.unread, unread))
        try await step(.addToList(.starred, starred))
        try await step(.addToList(.later, later))
    }

    func sql(_ text: String, _ arguments: StatementArguments = []) throws {
        try library.execute(text, arguments)
    }

    /// The rows of a query, each as its values separated by spaces; `-` for null.
    func rows(_ text: String, _ arguments: StatementArguments = []) throws -> [String] {
        try library.read { db in
            try Row.fetchAll(db, sql: text, arguments: arguments).map { row in
                row.map { $0.1.isNull ? "-" : String.fromDatabaseValue($0.1) ?? "\($0.1)" }.joined(separator: " ")
            }
        }
    }

    func entry(_ title: String) throws -> EntryRow? {
        try library.entries.rows(in: EntryQuery(.all), limit: 1000).first { $0.title == title }
    }

    func mark(_ mark: EntryMark, _ value: Bool, _ titles: String...) async throws {
        for title in titles {
            guard let entry = try entry(title) else { throw CocoaError(.fileNoSuchFile) }
            try await library.changes.perform(.mark(mark, value, entries: [entry.id], wholeStories: false, now: 1))
        }
    }

    /// The pending marks with their values and entries.
    func waiting() throws -> [String] {
        try rows(
            "SELECT p.mark, p.value, e.title FROM pending_mark p LEFT JOIN entry e ON e.id = p.entry_id ORDER BY p.seq")
    }

    func operations() throws -> [String] {
        try rows("SELECT operation, value, former FROM pending_operation ORDER BY seq")
    }
}
