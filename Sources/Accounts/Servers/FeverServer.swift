import Feeds
import Fetching

/// The Fever API (https://feedafever.com/api), which FreshRSS, Miniflux, Tiny Tiny RSS's plugin and others offer. It
/// has read and saved entries, but no labels and no changes of subscriptions.
final class FeverServer: ListServer {
    private let connection: ServerConnection
    private let user: String
    private let password: KnownPassword

    /// The number of entries in one request, which the API limits.
    private static let entriesAtOnce = 50

    /// - Parameter access: Its base is the complete address of the API, such as `https://example.org/fever/`.
    init(_ access: ServerAccess) {
        connection = access.connection
        user = access.user
        password = KnownPassword(access.password)
    }

    // MARK: Requests

    private func ask(_ query: String, _ fields: [(String, String)] = []) async throws(ServerError) -> JSONItem {
        try await password.use { password throws(ServerError) in
            try await FeverServer.ask(connection, query, fields, user: user, password: password)
        }
    }

    /// Sends a request, and checks that a Fever API accepts the user.
    @discardableResult
    static func ask(
        _ connection: ServerConnection, _ query: String = "", _ fields: [(String, String)] = [], user: String,
        password: String
    ) async throws(ServerError) -> JSONItem {
        let key = MD5.hex("\(user):\(password)")
        let answer = try await connection.ask(
            "?api" + query, message: ServerConnection.form([("api_key", key)] + fields))
        if let error = ServerConnection.error(answer, turnsOffWith503: true) { throw error }
        let item = try answer.decode(JSONItem.self)
        guard item.number("api_version") != nil, let isKnown = item.flag("auth") else {
            throw .noAPI("another program answers at this address")
        }
        guard isKnown else { throw .passwordRefused }
        return item
    }

    // MARK: What is read

    func subscriptions() async throws(ServerError) -> [RemoteSubscription] {
        let answer = try await ask("&feeds")
        guard let feeds = answer.items("feeds") else { throw .unreadable("no list of feeds") }
        // Miniflux answers only one of several questions.
        let names = Dictionary(
            (try await ask("&groups").items("groups") ?? []).compactMap { group in
                group.id("id").flatMap { id in group.words("title").map { (id, $0) } }
            }
        ) { first, _ in first }
        var folders: [String: [String]] = [:]
        for group in answer.items("feeds_groups") ?? [] {
            guard let name = group.id("group_id").flatMap({ names[$0] }), !FeverServer.noFolders.contains(name) else {
                continue
            }
            for feed in (group.text("feed_ids") ?? "").split(separator: ",") {
                folders[String(feed), default: []].append(name)
            }
        }
        return try RemoteSubscription.checked(
            feeds.compactMap { feed in
                RemoteSubscription(feed, url: "url", homePage: "site_url") { folders[$0] ?? [] }
            })
    }

    /// The groups of feeds without a folder in FreshRSS and Miniflux.
    private static let noFolders: Set = ["Uncategorized", "All"]

    func ids(_ list: RemoteList, continuation: String?) async throws(ServerError) -> RemotePage {
        let name = list == .starred ? "saved_item_ids" : "unread_item_ids"
        guard let text = try await ask("&" + name).text(name) else { throw .unreadable("no list of entries") }
        var ids: [String] = []
        for part in text.split(separator: ",") {
            guard let id = JSONItem.checkedID(String(part)) else { throw .unreadable("invalid id") }
            ids.append(id)
        }
        return RemotePage(ids: ids)
    }

    func labels() async throws(ServerError) -> RemoteLabels { RemoteLabels() }

    func entries(_ ids: [String]) async throws(ServerError) -> [RemoteEntry] {
        try await inBatches(of: FeverServer.entriesAtOnce, ids) { ids throws(ServerError) in
            let answer = try await ask("&items&with_ids=" + ids.map(ServerConnection.escaped).joined(separator: ","))
            guard let items = answer.items("items") else { throw .unreadable("no entries") }
            return items.compactMap { item in
                guard let id = item.id("id"), let feed = item.id("feed_id") else { return nil }
                var entry = RemoteEntry(item, id: id, subscription: feed, html: "html")
                entry.published = item.instant("created_on_time")
                return entry
            }
        }
    }

    // MARK: What is changed

    /// Each entry is a request, after which the sync lock is renewed.
    func maximumAtOnce(_ mark: RemoteMark) -> Int { 20 }

    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError) {
        let state: String
        switch mark {
        case .read: state = value ? "read" : "unread"
        case .starred: state = value ? "saved" : "unsaved"
        case .later, .label: return
        }
        for id in ids { _ = try await ask("", [("mark", "item"), ("as", state), ("id", id)]) }
    }

    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String? {
        throw .refused("the Fever API can't change feeds")
    }
}
