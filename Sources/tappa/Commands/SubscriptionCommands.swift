import ArgumentParser
import Dashboard
import FeedParsing
import Foundation
import ModelCore

/// Stops following a feed.
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following a feed; its entries are deleted.")

    @Argument(help: ArgumentHelp("The feed's address, as printed by 'list'.", valueName: "url"), completion: .ownFeeds)
    var url: String

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        let found: SubscriptionRow?
        do { found = try library.feeds.feed(url: url) } catch { throw fail("\(error)", error.exitCode) }
        guard let found else { throw fail("you don't follow \(url)", ExitStatus.noInput) }
        try library.carryOut(.unsubscribe(found.id))
        printLine("removed \(url)")
    }
}

/// Lists the subscriptions.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the subscriptions.")

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var options: LibraryOptions

    private struct Item: Encodable {
        var id: FeedID
        var url: String
        var title: String
        var folder: String?
        var tags: [String]
        /// The name of the account whose server follows the feed.
        var account: String?
        var hidden: Bool
        var unread: Int
        var total: Int
        var error: String?
        var lastFetched: Instant?

        enum CodingKeys: String, CodingKey {
            case id, url, title, folder, tags, account, hidden, unread, total, error
            case lastFetched = "last_fetched"
        }

        init(_ row: SubscriptionRow, tags: [String], account: String?) {
            (id, url, title, folder, hidden) = (row.id, row.url, row.title, row.folder, row.isHidden)
            (self.tags, self.account) = (tags, account)
            (unread, total, error, lastFetched) = (row.unread, row.total, row.error, row.lastFetched)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(url, forKey: .url)
            try container.encode(title, forKey: .title)
            try container.encode(folder, forKey: .folder)
            try container.encode(tags, forKey: .tags)
            try container.encode(account, forKey: .account)
            try container.encode(hidden, forKey: .hidden)
            try container.encode(unread, forKey: .unread)
            try container.encode(total, forKey: .total)
            try container.encode(error, forKey: .error)
            try container.encode(lastFetched.map { Timestamp.rfc3339($0) }, forKey: .lastFetched)
        }
    }

    func run() throws {
        let library = try options.openLibrary()
        let rows: [SubscriptionRow]
        do {
            rows = try library.feeds.all()
            if json { return try printJSON(try ListCommand.items(rows, library)) }
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
        for row in rows {
            let error = row.error.map { ["! \($0)"] } ?? []
            printFields(["\(row.unread)/\(row.total)", row.title, row.url] + error)
        }
    }
}

extension ListCommand {
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
    /// Returns the names of the accounts.
    func accountNames() throws(LibraryError) -> [AccountID: String] {
        Dictionary(try accounts.all(now: .now).map { ($0.id, $0.name) }) { first, _ in first }
    }
}

/// Prints a value as JSON with sorted keys.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    printJSON(encoded: try encoder.encode(value) + Data("\n".utf8))
}

/// Prints JSON without characters that a terminal would interpret.
func printJSON(encoded data: Data) { StandardOutput.write(JSONText.safe(JSONText.compact(data))) }

/// The printed form of JSON.
enum JSONText {
    /// Returns JSON in jq's compact format: no space before colons, nothing inside empty values.
    static func compact(_ data: Data) -> Data {
        var result: [UInt8] = []
        result.reserveCapacity(data.count)
        var isInString = false
        var isEscaped = false
        for byte in data {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else {
                    isInString = byte != UInt8(ascii: "\"")
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: ":"), result.last == UInt8(ascii: " ") {
                result.removeLast()
            } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                let open = result.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
                let opening = byte == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "{")
                if let open, result[open] == opening { result.removeSubrange((open + 1)...) }
            }
            result.append(byte)
        }
        return Data(result)
    }

    /// Returns JSON with C1 controls escaped, which are legal in JSON but which a terminal would interpret.
    static func safe(_ data: Data) -> Data {
        var text = ""
        for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
            let isHarmful =
                (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value) || (0x200E...0x200F).contains(scalar.value)
                || scalar.value == 0x61C || scalar.value == 0x2028 || scalar.value == 0x2029
            if isHarmful {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return Data(text.utf8)
    }
}
