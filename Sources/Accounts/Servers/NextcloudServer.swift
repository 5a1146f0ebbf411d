import FeedParsing
import Feeds
import Fetching
import Foundation

/// The API of Nextcloud's News app, version 1.3, which reports changes since an instant.
final class NextcloudServer: ChangeServer {
    private let connection: PasswordConnection

    /// The path of the API below the address of a Nextcloud.
    static let path = "/index.php/apps/news/api/v1-3"

    /// - Parameter access: Its base ends with ``path``.
    init(_ access: ServerAccess) {
        connection = PasswordConnection(basic: access)
    }

    /// Whether the News app of a Nextcloud accepts the user.
    static func accepts(_ access: ServerAccess) async throws(ServerError) {
        let answer = try await PasswordConnection(basic: access).ask("/version").decode(JSONItem.self)
        guard answer.words("version") != nil else { throw .noAPI("another program answers at this address") }
    }

    // MARK: Feeds

    private func list(_ path: String, _ name: String) async throws(ServerError) -> [JSONItem] {
        guard let list = try await connection.ask(path).decode(JSONItem.self).items(name) else {
            throw .unreadable("no list of \(name)")
        }
        return list
    }

    func subscriptions() async throws(ServerError) -> [RemoteSubscription] {
        let feeds = try await list("/feeds", "feeds")
        let folders = Dictionary(
            try await list("/folders", "folders").compactMap { folder in
                folder.number("id").flatMap { id in folder.words("name").map { (id, $0) } }
            }
        ) { first, _ in first }
        return try RemoteSubscription.checked(
            feeds.compactMap { feed in
                RemoteSubscription(feed, url: "url", homePage: "link") { _ in
                    feed.number("folderId").flatMap { folders[$0] }.map { [$0] } ?? []
                }
            })
    }

    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String? {
        switch operation {
        case .subscribe(let url):
            let body: [String: Any] = ["url": url, "folderId": NSNull()]
            let answer = try await connection.ask("/feeds", "POST", body, accepting: [409])
            // A feed that exists already.
            guard answer.status != 409 else {
                return try await list("/feeds", "feeds").first { $0.text("url") == url }?.id("id")
            }
            guard let feed = try answer.decode(JSONItem.self).items("feeds")?.first?.id("id") else {
                throw .unreadable("no new feed")
            }
            return feed
        case .unsubscribe(let id):
            try await connection.ask("/feeds/\(number(id))", "DELETE").expectNothing()
        case .rename(let id, let title):
            try await connection.ask("/feeds/\(number(id))/rename", "POST", ["feedTitle": title]).expectNothing()
        case .move(let id, let name, _):
            let folder: Any = if let name { try await self.folder(name) } else { NSNull() }
            try await connection.ask("/feeds/\(number(id))/move", "POST", ["folderId": folder]).expectNothing()
        }
        return nil
    }

    /// Returns the number of a folder, which is created if there is none.
    private func folder(_ name: String) async throws(ServerError) -> Int64 {
        let known = try await list("/folders", "folders").first { $0.text("name") == name }
        if let number = known?.number("id") { return number }
        let answer = try await connection.ask("/folders", "POST", ["name": name]).decode(JSONItem.self)
        guard let number = answer.items("folders")?.first?.number("id") else { throw .unreadable("no new folder") }
        return number
    }

    // MARK: Entries

    /// The API has no pages of changes.
    var pagesChanges: Bool { false }

    func entries(_ query: ChangeQuery, limit: Int) async throws(ServerError) -> ChangePage {
        let path =
            switch query {
            case .list(let list, let before):
                (list == .starred ? "/items?type=2&getRead=true" : "/items?type=3&getRead=false")
                    + "&id=0&oldestFirst=false&batchSize=\(limit)&offset=\(number(before ?? ""))"
            case .changed(let since, _): "/items/updated?type=3&id=0&lastModified=\(since)"
            }
        let answer = try await connection.ask(path)
        guard let items = try answer.decode(JSONItem.self).items("items") else { throw .unreadable("no entries") }
        let entries = items.compactMap(NextcloudServer.entry)
        let isFull = if case .list = query { items.count >= limit } else { false }
        return ChangePage(
            entries: entries, last: isFull ? items.last?.id("id") : nil,
            newest: items.compactMap { $0.number("lastModified").map(NextcloudServer.instant) }.max(),
            told: answer.headers["date"].flatMap { DateParser.parse($0) })
    }

    private static func entry(_ item: JSONItem) -> ChangedEntry? {
        guard let id = item.id("id"), let feed = item.id("feedId"), let isUnread = item.flag("unread") else {
            return nil
        }
        var entry = RemoteEntry(item, id: id, subscription: feed, html: "body")
        entry.published = item.instant("pubDate")
        if let url = item.words("enclosureLink") {
            entry.enclosures = [RemoteEnclosure(url: url, type: item.words("enclosureMime"))]
        }
        return ChangedEntry(entry: entry, isUnread: isUnread, isStarred: item.flag("starred") ?? false)
    }

    /// Returns a point in time, which later versions of the app give in microseconds.
    static func instant(_ number: Int64) -> Instant {
        Instant(number >= 100_000_000_000_000 ? number / 1_000_000 : number)
    }

    /// Each mark costs the server a query.
    func maximumAtOnce(_ mark: RemoteMark) -> Int { 100 }

    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError) {
        let path: String
        switch mark {
        case .read: path = value ? "read" : "unread"
        case .starred: path = value ? "star" : "unstar"
        case .later, .label: return
        }
        try await connection.ask("/items/\(path)/multiple", "POST", ["itemIds": ids.map(number)]).expectNothing()
    }
}
