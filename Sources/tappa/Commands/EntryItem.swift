import FeedParsing
import Foundation
import ModelCore
import TerminalText

/// An entry as commands print it for other programs: a line of JSON with sorted keys. New keys may be added; `version`
/// changes when a key is removed or changes its meaning.
struct EntryItem: Encodable {
    static let currentVersion = 1

    var version = EntryItem.currentVersion
    /// The identifier, which is never reused for another entry.
    var id: EntryID
    var title: String
    var url: String?
    var feed: String
    var feedURL: String?
    var author: String?
    /// The publish date in RFC 3339 format, or `nil` if the feed supplies none.
    var date: String?
    /// The instant when it arrived.
    var arrived: String?
    var read: Bool
    var starred: Bool
    var later: Bool
    var tags: [String]
    /// The text around the match, or the excerpt.
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

    /// Returns the line.
    func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONText.safe(try encoder.encode(self)) + Data("\n".utf8)
    }
}

extension Library {
    /// Returns an entry as commands print it.
    func item(_ row: EntryRow, context: String? = nil) throws(LibraryError) -> EntryItem {
        let feed = try feeds.feed(row.subscriptionID)
        return EntryItem(
            row, try entries.detail(of: row.id), tags: try entries.tags(of: row.id), context: context,
            feedURL: feed?.url)
    }

    /// Returns the rows of entries by identifier.
    ///
    /// - Throws: An exit code, after a message, if one doesn't exist.
    func rows(_ identities: [EntryID]) throws -> [EntryRow] {
        do {
            return try identities.map { id in
                guard let row = try entries.row(id) else { throw fail("no such entry: \(id)", ExitStatus.noInput) }
                return row
            }
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
    }
}
