import ArgumentParser
import FeedParsing
import Foundation
import ModelCore

/// Finds entries by their text.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find entries by their text.",
        discussion: """
            A query has words, "phrases", begin* and -without, and the fields title: author: text: link: feed: folder: tag:, \
            is: (unread, read, starred, later), has: (author, changes, comments, date, fulltext, link, picture, recording), \
            before: after: date: (2026-05-31, today, yesterday), age: (<7d, >2w; h, d, w, m, y) and length: (>20m, minutes to \
            read). All have to be true; 'or', 'not' and parentheses say otherwise.
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("What to look for.", valueName: "query"))
    var query: [String]

    @Option(help: ArgumentHelp("The most hits to print.", valueName: "n"))
    var limit = 20

    @Flag(help: "Print the best hits first rather than the newest.")
    var byRelevance = false

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard (1...5000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 5000.") }
    }

    private struct Item: Encodable {
        var title: String
        var url: String?
        var feed: String
        var date: String?
        var read: Bool
        var starred: Bool
        var context: String
    }

    func run() throws {
        let query: SearchQuery
        do {
            query = try SearchQuery(self.query.joined(separator: " "))
        } catch {
            throw fail(error.description, ExitStatus.usage)
        }
        let library = try options.openLibrary()
        let hits: [SearchHit]
        do {
            let pending = try library.unindexedCount()
            if pending > 20_000, isatty(STDERR_FILENO) == 1 {
                printError("building the index of \(pending) entries; this is done once …")
            }
            while try library.carryOut(.indexSome).count > 0 {}
            hits = try library.search(query, byRelevance: byRelevance, limit: limit)
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
        if json {
            try printJSON(
                hits.map { hit in
                    Item(
                        title: hit.entry.title, url: hit.link, feed: hit.feedTitle,
                        date: hit.entry.hasDate ? Timestamp.rfc3339(hit.entry.sortDate) : nil, read: hit.entry.isRead,
                        starred: hit.entry.isStarred, context: hit.context)
                })
            return
        }
        for hit in hits {
            let day = hit.entry.hasDate ? String(Timestamp.rfc3339(hit.entry.sortDate).prefix(10)) : ""
            printFields([day, hit.entry.title, hit.feedTitle, hit.link ?? "", hit.context])
        }
    }
}
