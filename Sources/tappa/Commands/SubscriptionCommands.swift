import FeedParsing
import ArgumentParser
import Dashboard
import Foundation
import ModelCore

/// Stops following a feed.
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following a feed; its entries are deleted.")

    @Argument(help: ArgumentHelp("The feed's address, as printed by 'list'.", valueName: "url"))
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
        var url: String
        var title: String
        var folder: String?
        var unread: Int
        var total: Int
        var error: String?
        var lastFetched: Instant?

        enum CodingKeys: String, CodingKey {
            case url, title, folder, unread, total, error
            case lastFetched = "last_fetched"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(url, forKey: .url)
            try container.encode(title, forKey: .title)
            try container.encode(folder, forKey: .folder)
            try container.encode(unread, forKey: .unread)
            try container.encode(total, forKey: .total)
            try container.encode(error, forKey: .error)
            let date = lastFetched.map { Timestamp.rfc3339($0) }
            try container.encode(date, forKey: .lastFetched)
        }
    }

    func run() throws {
        let library = try options.openLibrary()
        let rows: [SubscriptionRow]
        do { rows = try library.feeds.all() } catch { throw fail("\(error)", error.exitCode) }
        if json {
            try printJSON(
                rows.map {
                    Item(
                        url: $0.url, title: $0.title, folder: $0.folder, unread: $0.unread, total: $0.total,
                        error: $0.error, lastFetched: $0.lastFetched)
                })
            return
        }
        for row in rows {
            let error = row.error.map { ["! \($0)"] } ?? []
            printFields(["\(row.unread)/\(row.total)", row.title, row.url] + error)
        }
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
