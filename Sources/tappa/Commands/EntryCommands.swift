import ArgumentParser
import Dashboard
import DashboardFrame
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import TerminalText

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print entries by their ids, as printed by 'tappa search --json'.",
        discussion: """
            json is an array of entries: version (1), id, title, url, feed, feed_id, feed_url, folder, account, author, date, \
            arrived, read, starred, later, tags, enclosures, content_html and content_text. Doesn't mark entries as read.

            Examples:
              tappa show 1234 --format md
              tappa search --json is:starred | jq '.[].id' | xargs tappa show
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case md, html, text, json

        /// The ending of a file with such an article, or `nil` for data.
        var fileEnding: String? {
            switch self {
            case .md: "md"
            case .html: "html"
            case .text: "txt"
            case .json: nil
            }
        }
    }

    @Argument(help: ArgumentHelp("The ids of entries.", valueName: "id"))
    var entries: [EntryID]

    @Option(help: "md, html, text or json.")
    var format = Format.text

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        let rows = try library.rows(entries)
        var damaged = DamagedEntries()
        guard let ending = format.fileEnding else {
            try printJSON(try ShowCommand.items(rows, library, &damaged))
            return try damaged.report()
        }
        for (index, row) in rows.enumerated() {
            guard let detail = try library.entries.detail(of: row.id) else { continue }
            damaged.note(detail)
            if index > 0 { printText("") }
            let text = ArticleFile.text(of: detail, as: ending)
            var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            while lines.last?.isEmpty == true { lines.removeLast() }
            // Documents keep their signs, whatever the locale can show.
            for line in lines {
                if format == .text { printLine(String(line)) } else { printText(Sanitizer.sanitize(String(line))) }
            }
        }
        try damaged.report()
    }

    private static func items(
        _ rows: [EntryRow], _ library: Library, _ damaged: inout DamagedEntries
    ) throws -> [EntryItem] {
        let accounts = try library.accountNames()
        return try library.entries.details(of: rows, id: \.id) { row, detail in
            damaged.note(detail)
            var item = EntryItem(row, detail, accounts: accounts)
            item.enclosures = (detail.extras.enclosures ?? []).map(\.url)
            item.contentHTML = detail.fullHTML?.isEmpty == false ? detail.fullHTML : detail.html
            item.contentText = ArticleFile.text(of: detail, as: "txt")
            return item
        }
    }
}

struct MarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark", abstract: "Mark entries: read, unread, starred, unstarred, later or not-later.",
        discussion:
            "The ids are those that 'tappa search --json' prints; - reads them from standard input."
    )

    enum Mark: String, CaseIterable {
        case read, unread, starred, unstarred, later
        case notLater = "not-later"

        var mark: EntryMark {
            switch self {
            case .read, .unread: .read
            case .starred, .unstarred: .starred
            case .later, .notLater: .later
            }
        }

        var value: Bool { [.read, .starred, .later].contains(self) }
    }

    @Argument(
        help: ArgumentHelp(
            "The mark and the ids of entries, in any order; - reads ids from standard input.", valueName: "mark-or-id"))
    var words: [String]

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let marks = words.compactMap(Mark.init(rawValue:))
        guard marks.count == 1, let mark = marks.first else {
            let names = Mark.allCases.map(\.rawValue).joined(separator: ", ")
            throw fail("give one of \(names) and the ids of entries", ExitStatus.usage)
        }
        let numbers = try EntryNumbers.read(words.filter { Mark(rawValue: $0) == nil })
        let library = try options.openLibrary()
        let rows = try library.rows(numbers)
        let now = Instant.now
        let receipt = try library.carryOut(
            .mark(mark.mark, mark.value, entries: rows.map(\.id), wholeStories: false, now: now))
        printLine("marked \(receipt.count) of \(rows.count) \(mark.rawValue)")
    }
}

struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Add tags to entries, or remove them.",
        discussion: """
            +TAG or TAG adds a tag, ^TAG removes it; - reads the ids of entries from standard input. The search tag:TAG finds \
            entries with the tag, and entries of feeds with it.
            """)

    @Argument(help: ArgumentHelp("Tags (+TAG or ^TAG) and the ids of entries.", valueName: "tag-or-id"))
    var words: [String]

    @OptionGroup var options: LibraryOptions

    func run() throws {
        // Tags start with a sign, so a plain number is an entry.
        let isNumber = { (word: String) in word == "-" || word.first?.isNumber == true && Int64(word) != nil }
        let tags = words.filter { !isNumber($0) }
        guard !tags.isEmpty, tags.count < words.count else {
            throw fail("give tags and the ids of entries: tappa tag +race 12 13", ExitStatus.usage)
        }
        let added = tags.filter { !$0.hasPrefix("^") }.map { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
        let removed = tags.filter { $0.hasPrefix("^") }.map { String($0.dropFirst()) }
        guard (added + removed).allSatisfy({ !$0.isEmpty && $0.utf8.count <= 200 }) else {
            throw fail("a tag has 1 to 200 bytes", ExitStatus.usage)
        }
        let library = try options.openLibrary()
        let rows = try library.rows(try EntryNumbers.read(words.filter(isNumber)))
        let receipt = try library.carryOut(
            .tagEntries(rows.map(\.id), adding: added.map { Sanitizer.sanitize($0) }, removing: removed))
        printLine("changed \(receipt.count) of \(rows.count)")
        if let account = try? library.accounts.withoutTags(of: rows.map(\.id), now: 0) {
            printError("tappa: tags aren't synced. \(account.tagWarning)")
        }
    }
}

/// Entry identifiers from arguments or lines.
enum EntryNumbers {
    /// The maximum number of entries at once.
    private static let maximum = 100_000

    static func read(_ words: [String]) throws -> [EntryID] {
        var numbers: [EntryID] = []
        for word in words {
            if word == "-" {
                for line in String(decoding: try readInput("-"), as: UTF8.self).split(whereSeparator: \.isNewline) {
                    guard let text = line.split(whereSeparator: \.isWhitespace).first else { continue }
                    numbers.append(try number(String(text)))
                }
            } else {
                numbers.append(try number(word))
            }
        }
        // An empty list, such as the result of a search, is no mistake.
        guard !numbers.isEmpty || words.contains("-") else { throw fail("give the ids of entries", ExitStatus.usage) }
        guard numbers.count <= maximum else { throw fail("at most \(maximum) entries at once", ExitStatus.usage) }
        return numbers
    }

    private static func number(_ text: String) throws -> EntryID {
        guard let number = EntryID(text), number > 0 else {
            throw fail("'\(text)' is not the id of an entry", ExitStatus.usage)
        }
        return number
    }
}
