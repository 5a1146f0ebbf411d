import FeedParsing
import Foundation
import ModelCore
import TerminalText

/// An entry as commands print it for programs: one line of JSON, its keys sorted. New keys may come; `version` changes when one goes or
/// means something else.
struct EntryItem: Encodable {
    static let currentVersion = 1

    var version = EntryItem.currentVersion
    /// Never another entry's, also when this one is deleted.
    var id: Int64
    var title: String
    var url: String?
    var feed: String
    var feedURL: String?
    var author: String?
    /// RFC 3339; `nil` where the feed gives none.
    var date: String?
    /// When it arrived.
    var arrived: String?
    var read: Bool
    var starred: Bool
    var later: Bool
    var tags: [String]
    /// The words around the match, or how the entry begins.
    var context: String?
    var enclosures: [String]?
    var contentHTML: String?
    var contentText: String?

    enum CodingKeys: String, CodingKey {
        case version, id, title, url, feed, author, date, arrived, read, starred, later, tags, context, enclosures
        case feedURL = "feed_url"
        case contentHTML = "content_html"
        case contentText = "content_text"
    }

    init(_ row: EntryRow, _ detail: EntryDetail?, tags: [String], context: String? = nil, feedURL: String? = nil) {
        id = row.id
        title = row.title
        url = detail?.address
        feed = detail?.feedTitle ?? ""
        self.feedURL = feedURL
        author = detail?.author
        date = row.hasDate ? Timestamp.rfc3339(row.sortDate) : nil
        arrived = detail.map { Timestamp.rfc3339($0.dates.firstSeen) }
        (read, starred, later) = (row.isRead, row.isStarred, row.isLater)
        self.tags = tags
        self.context = context
    }

    /// The line.
    func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONText.safe(try encoder.encode(self)) + Data("\n".utf8)
    }
}

extension Library {
    /// An entry as commands print it.
    func item(_ row: EntryRow, context: String? = nil) throws(LibraryError) -> EntryItem {
        let feed = try subscription(row.subscriptionID)
        return EntryItem(
            row, try entry(row.id), tags: try tags(ofEntry: row.id), context: context, feedURL: feed?.url)
    }

    /// The rows of entries that are named.
    ///
    /// - Throws: An exit code after a sentence where one is not there.
    func rows(_ identities: [Int64]) throws -> [EntryRow] {
        do {
            return try identities.map { id in
                guard let row = try entryRow(id) else { throw fail("no such entry: \(id)", ExitStatus.noInput) }
                return row
            }
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
    }
}
