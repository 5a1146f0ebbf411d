import FeedParsing
import Feeds
import Fetching
import Foundation
import Synchronization
import WebAddresses

/// Miniflux's own API (https://miniflux.app/docs/api.html), in which one list reports new, changed and marked entries.
final class MinifluxServer: ChangeServer {
    private let connection: PasswordConnection
    /// Whether stars can only be toggled one by one, which was detected by a request.
    private let togglesStars = Mutex(false)

    /// - Parameter isToken: Whether the password is an API token instead of the user's password.
    init(_ access: ServerAccess, isToken: Bool) {
        connection = PasswordConnection(
            connection: access.connection, password: KnownPassword(access.password),
            header: { MinifluxServer.secret(user: access.user, password: $0, isToken: isToken) },
            reason: "error_message")
    }

    /// Returns the header line that authenticates the user.
    static func secret(user: String, password: String, isToken: Bool) -> String {
        isToken ? "X-Auth-Token: \(password)" : UserInfo.authorization("\(user):\(password)")
    }

    /// Whether a server is a Miniflux that accepts the user.
    static func isMiniflux(
        _ connection: ServerConnection, user: String, password: String, isToken: Bool
    ) async throws(ServerError) -> Bool {
        guard password.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else { return false }
        let answer = try await connection.ask(
            "/v1/me", secret: [secret(user: user, password: password, isToken: isToken)])
        struct Me: Decodable {
            var username: String
        }
        return answer.status == 200 && answer.isJSON
            && (try? JSONDecoder().decode(Me.self, from: Data(answer.body))) != nil
    }

    // MARK: Feeds

    private struct Category: Decodable {
        var id: Int64
        var title: String
    }

    private struct Feed: Decodable {
        var id: Int64
        var title: String
        var feed_url: String
        var site_url: String?
        var category: Category?
    }

    /// The folder for feeds without one.
    private static let noFolder = "All"

    func subscriptions() async throws(ServerError) -> [RemoteSubscription] {
        let feeds = try await connection.ask("/v1/feeds").decode([Feed].self)
        let subscriptions = feeds.map { feed in
            let folder = feed.category.flatMap { $0.title == MinifluxServer.noFolder ? nil : $0.title }
            return RemoteSubscription(
                id: String(feed.id), title: feed.title, url: feed.feed_url, homePage: feed.site_url, folder: folder)
        }
        return try RemoteSubscription.checked(subscriptions)
    }

    private func category(_ title: String) async throws(ServerError) -> Int64 {
        let known = try await connection.ask("/v1/categories").decode([Category].self)
        if let category = known.first(where: { $0.title == title }) { return category.id }
        return try await connection.ask("/v1/categories", "POST", ["title": title]).decode(Category.self).id
    }

    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String? {
        switch operation {
        case .subscribe(let url):
            struct Added: Decodable {
                var feed_id: Int64
            }
            return String(try await connection.ask("/v1/feeds", "POST", ["feed_url": url]).decode(Added.self).feed_id)
        case .unsubscribe(let id): try expectNothing(try await connection.ask("/v1/feeds/\(number(id))", "DELETE"))
        case .rename(let id, let title):
            _ = try await connection.ask("/v1/feeds/\(number(id))", "PUT", ["title": title]).decode(Changed.self)
        case .move(let id, let folder, _):
            let category = try await category(folder ?? MinifluxServer.noFolder)
            _ = try await connection.ask("/v1/feeds/\(number(id))", "PUT", ["category_id": category]).decode(
                Changed.self)
        }
        return nil
    }

    /// A changed feed in its current state.
    private struct Changed: Decodable {
        var id: Int64
    }

    /// Throws unless the response is empty, as it must be after a change. Another program might answer "OK".
    private func expectNothing(_ answer: ServerConnection.Answer) throws(ServerError) {
        guard answer.status != 204 else { return }
        throw answer.isPage ? .noAPI("received a web page, not a confirmation") : .unreadable("it is not a yes")
    }

    // MARK: Entries

    private struct Entries: Decodable {
        struct Enclosure: Decodable {
            var url: String
            var mime_type: String?
            var size: Int64?
        }
        struct Item: Decodable {
            var id: Int64
            var feed_id: Int64
            var status: String
            var starred: Bool?
            var title: String?
            var url: String?
            var author: String?
            var content: String?
            var published_at: String?
            var changed_at: String?
            var enclosures: [Enclosure]?
        }
        var total: Int
        var entries: [Item]?
    }

    var pagesChanges: Bool { true }

    func entries(_ query: ChangeQuery, limit: Int) async throws(ServerError) -> ChangePage {
        let path =
            switch query {
            case .list(let list, let before):
                (list == .starred ? "starred=true" : "status=unread") + "&order=id&direction=desc"
                    + (before.map { "&before_entry_id=\(number($0))" } ?? "")
            case .changed(let since, let after):
                "changed_after=\(since)&order=id&direction=asc" + (after.map { "&after_entry_id=\(number($0))" } ?? "")
            }
        let page = try await connection.ask("/v1/entries?limit=\(limit)&\(path)")
        let answer = try page.decode(Entries.self)
        let items = answer.entries ?? []
        guard items.count <= limit * 4 else {
            throw .unreadable("a page has more entries than requested")
        }
        let entries = items.filter { $0.status != "removed" }.map { item in
            var entry = RemoteEntry(id: String(item.id), subscription: String(item.feed_id))
            entry.title = item.title
            entry.link = item.url
            entry.author = item.author.flatMap { $0.isEmpty ? nil : $0 }
            entry.html = item.content
            entry.published = item.published_at.flatMap { DateParser.parse($0) }
            entry.enclosures = (item.enclosures ?? []).prefix(20).map {
                RemoteEnclosure(url: $0.url, type: $0.mime_type, size: $0.size)
            }
            return ChangedEntry(entry: entry, isUnread: item.status == "unread", isStarred: item.starred ?? false)
        }
        return ChangePage(
            entries: entries, last: items.count < limit ? nil : items.last.map { String($0.id) },
            newest: items.compactMap { $0.changed_at.flatMap { DateParser.parse($0) } }.max(),
            told: page.headers["date"].flatMap { DateParser.parse($0) })
    }

    /// A star may need two requests, after which the sync lock is renewed.
    func maximumAtOnce(_ mark: RemoteMark) -> Int { mark == .starred ? 20 : 500 }

    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError) {
        let entries = ids.map(number)
        switch mark {
        case .read:
            let body: [String: Any] = ["entry_ids": entries, "status": value ? "read" : "unread"]
            try expectNothing(try await connection.ask("/v1/entries", "PUT", body))
        case .starred: try await sendStars(value, entries)
        case .later, .label: return
        }
    }

    /// Sets stars by value, which Miniflux supports from 2.3 on. Earlier versions (2.2.6 was tested) reject the request
    /// because it has no status.
    private func sendStars(_ value: Bool, _ entries: [Int64]) async throws(ServerError) {
        if !togglesStars.withLock({ $0 }) {
            do throws(ServerError) {
                let body: [String: Any] = ["entry_ids": entries, "starred": value]
                return try expectNothing(try await connection.ask("/v1/entries", "PUT", body))
            } catch {
                guard case .refused = error else { throw error }
                togglesStars.withLock { $0 = true }
            }
        }
        for entry in entries { try await toggleStar(entry, to: value) }
    }

    /// Toggles a star, checking it before and after. If a response is lost, libcurl may repeat the request itself on a
    /// reused connection.
    private func toggleStar(_ entry: Int64, to value: Bool) async throws(ServerError) {
        struct Star: Decodable {
            var starred: Bool
        }
        for _ in 0..<4 {
            let answer = try await connection.ask("/v1/entries/\(entry)", accepting: [404])
            // A deleted entry has no star.
            guard answer.status != 404, try answer.decode(Star.self).starred != value else { return }
            try expectNothing(try await connection.ask("/v1/entries/\(entry)/bookmark", "PUT"))
        }
        throw .unreadable("the server does not store a star")
    }
}
