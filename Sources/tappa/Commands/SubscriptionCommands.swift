import ArgumentParser
import Dashboard
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import ModelCore

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following a feed; its entries are deleted.")

    @Argument(help: ArgumentHelp("The feed's address, as printed by 'list'.", valueName: "url"), completion: .ownFeeds)
    var url: String

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        guard let found = try library.feeds.feed(url: url) else {
            throw fail("you don't follow \(url)", ExitStatus.noInput)
        }
        try library.carryOut(.unsubscribe(found.id))
        printLine("removed \(url)")
    }
}

/// A value that is `null` in JSON if it is missing.
@propertyWrapper
private struct OrNull: Encodable {
    var wrappedValue: String?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the subscriptions.")

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var options: LibraryOptions

    private struct Item: Encodable {
        var id: FeedID
        /// The place for `tappa open`.
        var place: String
        var url: String
        var title: String
        @OrNull var folder: String?
        var tags: [String]
        /// The name of the account whose server follows the feed.
        @OrNull var account: String?
        var hidden: Bool
        var unread: Int
        var total: Int
        @OrNull var error: String?
        @OrNull var lastFetched: String?

        enum CodingKeys: String, CodingKey {
            case id, place, url, title, folder, tags, account, hidden, unread, total, error
            case lastFetched = "last_fetched"
        }

        init(_ row: SubscriptionRow, tags: [String], account: String?) {
            (id, url, title, folder, hidden) = (row.id, row.url, row.title, row.folder, row.isHidden)
            (self.tags, self.account) = (tags, account)
            place = Place.list(.feed(row.url)).text
            (unread, total, error) = (row.unread, row.total, row.error)
            lastFetched = row.lastFetched.map { Timestamp.rfc3339($0) }
        }
    }

    func run() throws {
        let library = try options.openLibrary()
        let rows = try library.feeds.all()
        if json { return try printJSON(try ListCommand.items(rows, library)) }
        for row in rows {
            let error = row.error.map { ["! \($0)"] } ?? []
            printFields(["\(row.unread)/\(row.total)", row.title, row.url] + error)
        }
    }

    private static func items(_ rows: [SubscriptionRow], _ library: Library) throws -> [Item] {
        var tags: [FeedID: [String]] = [:]
        for (tag, feeds) in try library.feeds.tagRows().feeds.sorted(by: { $0.key < $1.key }) {
            for feed in feeds { tags[feed, default: []].append(tag) }
        }
        let names = try library.accountNames()
        return rows.map { row in Item(row, tags: tags[row.id] ?? [], account: row.account.flatMap { names[$0] }) }
    }
}

extension Library {
    func accountNames() throws(LibraryError) -> [AccountID: String] {
        Dictionary(try accounts.all(now: .now).map { ($0.id, $0.name) }) { first, _ in first }
    }
}

/// Prints a value as JSON, without characters that a terminal would interpret.
func printJSON(_ value: some Encodable) throws { try JSONWriter.write(value) { StandardOutput.write($0) } }
