import ArgumentParser
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import RaceModel

struct SearchCommand: ParsableCommand {
    /// The query language in a paragraph, for the help and the manual page.
    static let queryLanguage = """
        A query combines words, "phrases", prefix* and -without with the fields title: author: text: link: feed: folder: tag:, \
        is: (unread, read, starred, later, archived), has: (audio, author, changes, comments, date, fulltext, link, picture), \
        before: after: date: (2026-05-31, today, yesterday), age: and read: (<7d, >2w; h, d, w, m, y), length: (>20m, minutes to \
        read) and lang: (en). In names of feeds, folders and tags * stands for any characters. All terms must match; use 'or', 'not' and parentheses for other combinations. /stage \\d+/ is a \
        regular expression, alone or after title: author: text: link: feed:.
        """

    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search entries.",
        discussion: """
            \(SearchCommand.queryLanguage)

            --json prints an array of entries: version (1), id, place, title, url, feed, feed_id, feed_url, folder, account, author, \
            date, arrived, read, starred, later, tags and context. 'tappa show' prints the text of an entry by its id.

            Words, lengths and contents are found in an index. After a reload with very many new entries, the search indexes \
            the newest of them for 0.2 seconds, answers, and reports on standard error how many are left. --wait indexes all of \
            them first, as --json does without --no-wait.

            Examples:
              tappa search 'title:giro is:unread age:<7d'
              tappa search --wait 'white roads' | wc -l
              tappa search --json --since 1d 'tag:work' | jq -r '.[].url'
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The query.", valueName: "query"))
    var query: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only entries that arrived since then: an age such as 12h or 7d, a day, today, yesterday, or a time (RFC 3339).",
            valueName: "when"))
    var since: String?

    @Option(help: ArgumentHelp("The maximum number of results.", valueName: "n"))
    var limit = 20

    @Flag(help: "Print the best results first, not the newest.")
    var byRelevance = false

    @Flag(help: "Print a JSON array.")
    var json = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Index all new entries first, or search what is indexed within 0.2 seconds (default: wait with --json only)."
    )
    var wait: Bool?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard (1...5000).contains(limit) else { throw ValidationError("--limit must be a number from 1 to 5000.") }
        // Only a single minus excludes a word.
        if let option = query.prefix(while: { $0 != "--" }).first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("Unknown option '\(option)'.")
        }
    }

    /// The query as one text. Options end at the first `--`, which isn't a part of it.
    private var words: String {
        let end = query.firstIndex(of: "--")
        return query.indices.filter { $0 != end }.map { query[$0] }.joined(separator: " ")
    }

    func run() throws {
        let now = Instant.now
        let since = try since.map { text in
            guard let instant = SearchCommand.instant(text, now: now) else {
                throw fail(
                    "--since needs an age such as 12h or 7d, a day such as 2026-05-31, today, yesterday or a time, not '\(text)'",
                    ExitStatus.usage)
            }
            return instant
        }
        var query: SearchQuery?
        do {
            // Without words, all entries that arrived since then are printed.
            if since == nil || !words.isEmpty { query = try SearchQuery(words) }
        } catch {
            throw fail(error.description, ExitStatus.usage)
        }
        let library = try options.openLibrary()
        var note: String?
        if query?.needsIndex == true {
            let index = IndexFilling(library)
            if wait ?? json { try index.complete() } else { note = try index.advance() }
        }
        let hits = try library.search.hits(for: query, since: since, byRelevance: byRelevance, limit: limit)
        // The note comes last, so that it is next to the prompt.
        defer { if let note { printError(note) } }
        var damaged = DamagedEntries()
        if json {
            let accounts = try library.accountNames()
            try printJSON(
                try library.entries.details(of: hits, id: \.entry.id) { hit, detail in
                    damaged.note(detail)
                    return EntryItem(hit.entry, detail, context: hit.context, accounts: accounts)
                })
            return try damaged.report()
        }
        _ = try library.entries.details(of: hits, id: \.entry.id) { damaged.note($1) }
        for hit in hits {
            let day = hit.entry.hasDate ? String(Timestamp.rfc3339(hit.entry.sortDate).prefix(10)) : ""
            printFields([day, hit.entry.title, hit.feedTitle, hit.link ?? "", hit.context])
        }
        try damaged.report()
    }

    /// Returns the instant that `--since` stands for, or `nil` if it is invalid.
    static func instant(_ text: String, now: Instant) -> Instant? {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        if let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
            (0...1_000_000).contains(number)
        {
            return now - number * unit
        }
        let today = CalendarDay(instant: now)
        switch text {
        case "today": return today.midnight
        case "yesterday": return (today - 1).midnight
        default: break
        }
        if let day = CalendarDay(text) { return day.midnight }
        return text.contains("T") ? DateParser.parse(text) : nil
    }
}
