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
    /// The text around the first match, or its beginning if only the title matches. It is empty if the search has no words.
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

    /// - Parameter accounts: The names of the accounts.
    init(_ row: EntryRow, _ detail: EntryDetail, context: String? = nil, accounts: [AccountID: String]) {
        id = row.id
        place = Place.entry(row.id, in: nil).text
        title = row.title
        url = detail.address
        (feed, feedID, feedURL) = (detail.feedTitle, row.subscriptionID, detail.feedAddress)
        (folder, account) = (detail.folder, detail.account.flatMap { accounts[$0] })
        author = detail.author
        date = row.hasDate ? Timestamp.rfc3339(row.sortDate) : nil
        arrived = Timestamp.rfc3339(detail.dates.firstSeen)
        (read, starred, later) = (row.isRead, row.isStarred, row.isLater)
        tags = detail.tags
        self.context = context
    }
}

extension Library {
    /// Returns the rows of entries by identifier.
    ///
    /// - Throws: An exit code, after a message, if one doesn't exist.
    func rows(_ identities: [EntryID]) throws -> [EntryRow] {
        try zip(identities, entries.rows(of: identities)).map { id, row in
            guard let row else { throw fail("no such entry: \(id)", ExitStatus.noInput) }
            return row
        }
    }
}

/// The entries of a command's output of which a part can't be read. The rest is printed all the same.
struct DamagedEntries {
    private var identities: [EntryID]

    init(_ identities: [EntryID] = []) { self.identities = identities }

    mutating func note(_ entry: EntryDetail) {
        if entry.isDamaged { identities.append(entry.id) }
    }

    /// - Throws: An exit code, after a message for each entry, if there are any.
    func report() throws {
        for id in identities { printError("tappa: entry \(id): a part is damaged and was left out") }
        guard !identities.isEmpty else { return }
        throw fail("run 'tappa check', then 'tappa recover'", ExitStatus.badData)
    }
}
