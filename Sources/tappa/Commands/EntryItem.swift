import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import ModelCore
import TerminalText

/// An entry as commands print it for other programs. New keys may be added; `version` changes when a key is removed or
/// changes its meaning.
struct EntryItem: Encodable {
    static let currentVersion = 1

    var version = EntryItem.currentVersion
    /// The identifier, which is never reused for another entry.
    var id: EntryID
    /// The place for `tappa open`.
    var place: String
    var title: String
    var url: String?
    var feed: String
    var feedID: FeedID
    var feedURL: String?
    /// The folder of the feed, and the name of its account.
    var folder: String?
    var account: String?
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
        case version, id, place, title, url, feed, folder, account, author, date, arrived, read, starred, later, tags,
            context,
            enclosures
        case feedID = "feed_id"
        case feedURL = "feed_url"
        case contentHTML = "content_html"
        case contentText = "content_text"
    }

    init(_ row: EntryRow, _ detail: EntryDetail?, tags: [String], context: String? = nil) {
        id = row.id
        place = Place.entry(row.id, in: nil).text
        title = row.title
        url = detail?.address
        feed = detail?.feedTitle ?? ""
        feedID = row.subscriptionID
        author = detail?.author
        date = row.hasDate ? Timestamp.rfc3339(row.sortDate) : nil
        arrived = detail.map { Timestamp.rfc3339($0.dates.firstSeen) }
        (read, starred, later) = (row.isRead, row.isStarred, row.isLater)
        self.tags = tags
        self.context = context
    }
}

extension Library {
    /// Returns an entry as commands print it.
    ///
    /// - Parameter accounts: The names of the accounts.
    func item(
        _ row: EntryRow, _ detail: EntryDetail?, context: String? = nil, accounts: [AccountID: String]
    ) throws(LibraryError) -> EntryItem {
        let feed = try feeds.feed(row.subscriptionID)
        var item = EntryItem(row, detail, tags: try entries.tags(of: row.id), context: context)
        (item.feedURL, item.folder) = (feed?.url, feed?.folder)
        if let account = feed?.account { item.account = accounts[account] }
        return item
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

/// The entries of a command's output of which a part can't be read. The rest is printed all the same.
struct DamagedEntries {
    private var identities: [EntryID]

    init(_ identities: [EntryID] = []) { self.identities = identities }

    mutating func note(_ entry: EntryDetail?) {
        if let entry, entry.isDamaged { identities.append(entry.id) }
    }

    /// - Throws: An exit code, after a message for each entry, if there are any.
    func report() throws {
        for id in identities { printError("tappa: entry \(id): a part is damaged and was left out") }
        guard !identities.isEmpty else { return }
        throw fail("run 'tappa check', then 'tappa recover'", ExitStatus.badData)
    }
}
