import FeedParsing
import Feeds
import Fetching
import Foundation

/// Feedbin's API, version 2 (https://github.com/feedbin/feedbin-api).
final class FeedbinServer: ListServer {
    private let connection: PasswordConnection

    /// The number of entries in one request, and of marks, which the API limits.
    private static let (entriesAtOnce, marksAtOnce) = (100, 1000)
    /// The maximum number of pages of one answer.
    private static let maximumPages = 100

    /// - Parameter access: Its base is the address before `/subscriptions.json`, such as
    ///   `https://api.feedbin.com/v2`.
    init(_ access: ServerAccess) {
        connection = PasswordConnection(basic: access)
    }

    /// Whether a Feedbin accepts the user, which only a list of subscriptions tells: other programs accept any
    /// password for a page that they don't have.
    static func accepts(_ access: ServerAccess) async throws(ServerError) {
        _ = try await PasswordConnection(basic: access).ask("/subscriptions.json").decode([JSONItem].self)
    }

    // MARK: Feeds

    func subscriptions() async throws(ServerError) -> [RemoteSubscription] {
        let feeds = try await pages("/subscriptions.json")
        var folders: [String: [String]] = [:]
        for tagging in try await pages("/taggings.json") {
            guard let feed = tagging.id("feed_id"), let name = tagging.words("name") else { continue }
            folders[feed, default: []].append(name)
        }
        return try RemoteSubscription.checked(
            feeds.compactMap { feed in
                RemoteSubscription(feed, id: "feed_id", url: "feed_url", homePage: "site_url") { folders[$0] ?? [] }
            })
    }

    /// Returns the objects of a list with all its pages.
    private func pages(_ path: String) async throws(ServerError) -> [JSONItem] {
        var (items, next, count): ([JSONItem], String?, Int) = ([], path, 0)
        while let page = next {
            count += 1
            guard count <= FeedbinServer.maximumPages else { throw .unreadable("the server's list never ends") }
            let answer = try await connection.ask(page)
            items += try answer.list()
            next = try answer.nextPage.map { address throws(ServerError) in try below(address) }
        }
        return items
    }

    /// Returns the path of an address of the API. A server behind a proxy may give another scheme or host, to which
    /// nothing is sent.
    private func below(_ address: String) throws(ServerError) -> String {
        let base = connection.connection.base
        if address.hasPrefix(base + "/") { return String(address.dropFirst(base.count)) }
        guard let path = address.range(of: "/v2/") else { throw .unreadable("the next page is elsewhere") }
        return "/" + address[path.upperBound...]
    }

    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String? {
        switch operation {
        case .subscribe(let url): return try await subscribe(url)
        case .unsubscribe(let id):
            guard let number = try await subscription(of: id) else { return nil }
            try await connection.ask("/subscriptions/\(number).json", "DELETE").expectNothing()
        case .rename(let id, let title):
            guard let number = try await subscription(of: id) else { throw .refused("no such feed") }
            // Some proxies block PATCH.
            let path = "/subscriptions/\(number)/update.json"
            _ = try await connection.ask(path, "POST", ["title": title]).decode(JSONItem.self)
        case .move(let id, let folder, let previous):
            if let folder {
                let tagging: [String: Any] = ["feed_id": number(id), "name": folder]
                _ = try await connection.ask("/taggings.json", "POST", tagging, accepting: [302])
            }
            guard let previous, previous != folder else { return nil }
            for tagging in try await pages("/taggings.json")
            where tagging.id("feed_id") == id && tagging.text("name") == previous {
                guard let number = tagging.id("id") else { continue }
                try await connection.ask("/taggings/\(number).json", "DELETE").expectNothing()
            }
        }
        return nil
    }

    private func subscribe(_ url: String) async throws(ServerError) -> String? {
        let body = ["feed_url": url]
        let answer = try await connection.ask("/subscriptions.json", "POST", body, accepting: [300, 302, 404])
        switch answer.status {
        case 300:
            let found = try answer.list().compactMap { $0.words("feed_url") }.prefix(5).joined(separator: ", ")
            throw .refused(String("several feeds at this address: \(found)".prefix(400)))
        case 404: throw .refused("no feed at this address")
        case 302 where answer.body.isEmpty:
            return try await pages("/subscriptions.json").first { $0.text("feed_url") == url }?.id("feed_id")
        default: return try answer.decode(JSONItem.self).id("feed_id")
        }
    }

    /// Returns the number of the subscription to a feed.
    private func subscription(of feed: String) async throws(ServerError) -> String? {
        try await pages("/subscriptions.json").first { $0.id("feed_id") == feed }?.id("id")
    }

    // MARK: Entries

    func ids(_ list: RemoteList, continuation: String?) async throws(ServerError) -> RemotePage {
        let ids = try await connection.ask("/\(FeedbinServer.name(list == .starred)).json").decode([Int64].self)
        return RemotePage(ids: ids.map(String.init))
    }

    private static func name(_ isStarred: Bool) -> String { isStarred ? "starred_entries" : "unread_entries" }

    func labels() async throws(ServerError) -> RemoteLabels { RemoteLabels() }

    func entries(_ ids: [String]) async throws(ServerError) -> [RemoteEntry] {
        try await inBatches(of: FeedbinServer.entriesAtOnce, ids) { ids throws(ServerError) in
            let path = "/entries.json?mode=extended&per_page=\(FeedbinServer.entriesAtOnce)&ids="
            return try await pages(path + ids.map(ServerConnection.escaped).joined(separator: ",")).compactMap { item in
                guard let id = item.id("id"), let feed = item.id("feed_id") else { return nil }
                var entry = RemoteEntry(item, id: id, subscription: feed, html: "content")
                entry.html = entry.html ?? item.text("summary")
                entry.published = item.text("published").flatMap { DateParser.parse($0) }
                if let file = item.item("enclosure"), let url = file.words("enclosure_url") {
                    let (type, size) = (file.words("enclosure_type"), file.number("enclosure_length"))
                    entry.enclosures = [RemoteEnclosure(url: url, type: type, size: size)]
                }
                return entry
            }
        }
    }

    func maximumAtOnce(_ mark: RemoteMark) -> Int { FeedbinServer.marksAtOnce }

    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError) {
        guard !mark.isLabel else { return }
        let name = FeedbinServer.name(mark == .starred)
        // Entries are unread or not, so reading removes them from the list. Some proxies drop the body of DELETE.
        let isAdded = mark == .starred ? value : !value
        let path = isAdded ? "/\(name).json" : "/\(name)/delete.json"
        // The answer lacks entries to which the user no longer has access.
        _ = try await connection.ask(path, "POST", [name: ids.compactMap { Int64($0) }]).decode([Int64].self)
    }
}
