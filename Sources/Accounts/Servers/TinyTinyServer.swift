import Feeds
import Fetching
import Foundation
import Synchronization

/// The JSON API of Tiny Tiny RSS (https://tt-rss.org/wiki/ApiReference/). It lists and sets labels, but creates none,
/// and can't rename or move feeds.
final class TinyTinyServer: ListServer {
    private let connection: ServerConnection
    private let user: String
    private let password: KnownPassword
    private let keep: @Sendable (String?) -> Void
    private struct State {
        var session: String?
        /// The numbers of the labels.
        var labels: [String: Int64]?
    }
    private let state: Mutex<State>

    /// The number of entries on a page, which the API limits; some versions to 60.
    private static let (pageSize, smallestPage) = (200, 60)
    /// The number of entries that the next page repeats, so that marks set meanwhile leave no gap.
    private static let overlap = 20
    /// The number of requests after which the sync lock is renewed.
    private static let pagesAtOnce = 5
    /// The numbers of feeds that contain all entries and starred ones.
    private static let (all, starred): (Int64, Int64) = (-4, -1)

    /// - Parameter access: Its base is the complete address of the API, such as `https://example.org/tt-rss/api/`.
    init(_ access: ServerAccess) {
        connection = access.connection
        user = access.user
        password = KnownPassword(access.password)
        keep = access.keep
        state = Mutex(State(session: access.authorization))
    }

    // MARK: Requests

    /// An answer: `{"status":0,"content":…}`.
    private struct Envelope<Content: Decodable>: Decodable {
        var content: Content
    }

    /// Requests a session with a password.
    static func login(_ connection: ServerConnection, user: String, password: String) async throws(ServerError)
        -> String
    {
        let answer = try await send(["op": "login", "user": user, "password": password], connection)
        guard let session = try answer.decode(Envelope<JSONItem>.self).content.id("session_id") else {
            throw .noAPI("another program answers at this address")
        }
        return session
    }

    private static func send(_ fields: [String: Any], _ connection: ServerConnection) async throws(ServerError)
        -> ServerConnection.Answer
    {
        let message = FetchMessage("POST", JSONItem.bytes(fields), contentType: "application/json")
        let answer = try await connection.ask("", message: message)
        if let error = ServerConnection.error(answer) { throw error }
        let item = try answer.decode(JSONItem.self)
        guard let status = item.number("status") else { throw .noAPI("another program answers at this address") }
        guard status != 0 else { return answer }
        let reason = item.item("content")?.words("error") ?? "no reason given"
        switch reason {
        case "LOGIN_ERROR", "NOT_LOGGED_IN": throw .passwordRefused
        case "API_DISABLED": throw .switchedOff
        default: throw .refused(String(reason.prefix(200)))
        }
    }

    /// Sends a request, and repeats it after a new login if the session has expired.
    private func ask<Content: Decodable>(
        _ operation: String, _ fields: [String: Any] = [:], as type: Content.Type
    ) async throws(ServerError) -> Content {
        var fields = fields
        fields["op"] = operation
        if let session = state.withLock({ $0.session }) {
            fields["sid"] = session
            do throws(ServerError) {
                return try await TinyTinyServer.send(fields, connection).decode(Envelope<Content>.self).content
            } catch {
                guard error == .passwordRefused else { throw error }
            }
        }
        let session = try await password.use { password throws(ServerError) in
            try await TinyTinyServer.login(connection, user: user, password: password)
        }
        state.withLock { $0.session = session }
        keep(session)
        fields["sid"] = session
        return try await TinyTinyServer.send(fields, connection).decode(Envelope<Content>.self).content
    }

    private func list(_ operation: String, _ fields: [String: Any] = [:]) async throws(ServerError) -> [JSONItem] {
        try await ask(operation, fields, as: [JSONElement].self).compactMap(\.item)
    }

    /// Sends a change, which the server confirms with "OK".
    private func change(_ operation: String, _ fields: [String: Any]) async throws(ServerError) {
        guard try await ask(operation, fields, as: JSONItem.self).text("status") == "OK" else {
            throw .unreadable("it is not 'OK'")
        }
    }

    // MARK: Feeds

    func subscriptions() async throws(ServerError) -> [RemoteSubscription] {
        // -3: all feeds that are subscriptions.
        let feeds = try await list("getFeeds", ["cat_id": -3])
        let folders = Dictionary(
            try await list("getCategories", ["include_empty": true]).compactMap { category in
                category.number("id").flatMap { id in category.words("title").map { (id, $0) } }
            }
        ) { first, _ in first }
        return try RemoteSubscription.checked(
            feeds.compactMap { feed in
                guard let id = feed.id("id"), let url = feed.words("feed_url") else { return nil }
                // 0 and below are no categories of the user.
                let folder = feed.number("cat_id").flatMap { $0 > 0 ? folders[$0] : nil }
                return RemoteSubscription(id: id, title: feed.words("title") ?? url, url: url, folder: folder)
            })
    }

    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String? {
        switch operation {
        case .subscribe(let url):
            let answer = try await ask("subscribeToFeed", ["feed_url": url, "category_id": 0], as: JSONItem.self)
            guard let status = answer.item("status"), let code = status.number("code") else {
                throw .unreadable("no result")
            }
            // 0: it was followed already, 1: it was added.
            guard code == 0 || code == 1 else { throw .refused(TinyTinyServer.reason(code)) }
            return status.number("feed_id").flatMap { $0 > 0 ? String($0) : nil }
        case .unsubscribe(let id): try await change("unsubscribeFeed", ["feed_id": number(id)])
        case .rename, .move: throw .refused("Tiny Tiny RSS can't change a feed's name or folder for other programs")
        }
        return nil
    }

    private static func reason(_ code: Int64) -> String {
        switch code {
        case 2: "invalid address"
        case 3: "no feed at this address"
        case 4: "several feeds at this address"
        case 5: "the server can't fetch the address"
        case 6: "the address contains invalid data"
        default: "the server can't add the feed (code \(code))"
        }
    }

    // MARK: Entries

    /// Pages are offsets, which shift while entries are marked. A page repeats the end of the previous one, and must begin
    /// with an entry of it.
    func ids(_ list: RemoteList, continuation: String?) async throws(ServerError) -> RemotePage {
        guard let feed = try await feed(of: list) else { return RemotePage(ids: []) }
        var (skip, previous) = TinyTinyServer.place(continuation)
        var ids: [String] = []
        for _ in 0..<TinyTinyServer.pagesAtOnce {
            let page = try await headlines(feed, list == .unread ? "unread" : "all_articles", skip: skip)
            guard previous.isEmpty || page.first.map(previous.contains) == true else {
                throw .away("the list changed while it was read")
            }
            ids += page
            guard page.count >= TinyTinyServer.smallestPage, !Set(page).isSubset(of: previous) else {
                return RemotePage(ids: ids)
            }
            (skip, previous) = (skip + page.count - TinyTinyServer.overlap, page)
        }
        return RemotePage(ids: ids, continuation: ([String(skip)] + previous).joined(separator: ","))
    }

    /// Returns the offset and the entries of the previous page.
    private static func place(_ continuation: String?) -> (skip: Int, previous: [String]) {
        let parts = (continuation ?? "").split(separator: ",").map(String.init)
        return (parts.first.flatMap { Int($0) } ?? 0, Array(parts.dropFirst()))
    }

    private func headlines(_ feed: Int64, _ mode: String, skip: Int) async throws(ServerError) -> [String] {
        let page = try await list(
            "getHeadlines",
            [
                "feed_id": feed, "view_mode": mode, "limit": TinyTinyServer.pageSize, "skip": skip,
                "show_content": false, "show_excerpt": false, "include_attachments": false,
            ])
        var ids: [String] = []
        for item in page {
            guard let id = item.id("id") else { throw .unreadable("invalid id") }
            ids.append(id)
        }
        return ids
    }

    /// Returns the number of the feed that contains a list, or `nil` for an unknown label.
    private func feed(of list: RemoteList) async throws(ServerError) -> Int64? {
        switch list {
        case .unread: TinyTinyServer.all
        case .starred: TinyTinyServer.starred
        case .later: try await number(ofLabel: RemoteMark.later.name)
        case .label(let label): try await number(ofLabel: label)
        }
    }

    func entries(_ ids: [String]) async throws(ServerError) -> [RemoteEntry] {
        try await inBatches(of: TinyTinyServer.pageSize, ids) { ids throws(ServerError) in
            try await list("getArticle", ["article_id": ids.joined(separator: ",")]).compactMap { item in
                guard let id = item.id("id") else { return nil }
                // An entry of a feed that is no longer followed has none.
                let feed = item.id("feed_id") ?? ""
                var entry = RemoteEntry(item, id: id, subscription: feed, link: "link", html: "content")
                entry.published = item.instant("updated")
                entry.enclosures = (item.items("attachments") ?? []).prefix(20).compactMap { file in
                    file.words("content_url").map { RemoteEnclosure(url: $0, type: file.words("content_type")) }
                }
                return entry
            }
        }
    }

    // MARK: Labels

    func labels() async throws(ServerError) -> RemoteLabels {
        let numbers = Dictionary(
            try await list("getLabels").compactMap { label in
                label.words("caption").flatMap { caption in label.number("id").map { (caption, $0) } }
            }
        ) { first, _ in first }
        state.withLock { $0.labels = numbers }
        var labels = RemoteLabels(Array(numbers.keys))
        labels.createsMissing = false
        return labels
    }

    private func number(ofLabel name: String) async throws(ServerError) -> Int64? {
        if let known = state.withLock({ $0.labels?[name] }) { return known }
        _ = try await labels()
        return state.withLock { $0.labels?[name] }
    }

    // MARK: Marks

    func maximumAtOnce(_ mark: RemoteMark) -> Int { mark.isLabel ? 100 : 500 }

    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError) {
        let list = ids.joined(separator: ",")
        switch mark {
        case .starred: try await change("updateArticle", ["article_ids": list, "field": 0, "mode": value ? 1 : 0])
        case .read: try await change("updateArticle", ["article_ids": list, "field": 2, "mode": value ? 0 : 1])
        case .later: try await assign(RemoteMark.later.name, value, list)
        case .label(let label): try await assign(label, value, list)
        }
    }

    /// Assigns a label. A label that the server lacks waits until somebody creates it there.
    private func assign(_ label: String, _ value: Bool, _ ids: String) async throws(ServerError) {
        guard let number = try await number(ofLabel: label) else { return }
        try await change("setArticleLabel", ["article_ids": ids, "label_id": number, "assign": value])
    }
}
