import Feeds
import Fetching
import Foundation
import Platform
import Synchronization
import WebAddresses

/// The common part of the Google Reader API in FreshRSS, Miniflux, BazQux, The Old Reader and Inoreader.
final class GoogleReaderServer: ListServer {
    /// The form of entry identifiers in requests.
    enum Names: Sendable {
        /// As in lists. FreshRSS and Miniflux accept decimal numbers only in this form.
        case plain
        /// `tag:google.com,2005:reader/item/` with the number in hexadecimal.
        case long
    }

    private let connection: ServerConnection
    private let user: String
    private let names: Names
    private let password: KnownPassword
    private let keep: @Sendable (String?) -> Void
    private struct State {
        var authorization: String?
        var token: String?
    }
    private let state: Mutex<State>

    /// The number of identifiers on a page. Miniflux returns at most this many, FreshRSS any number.
    private static let pageSize = 10_000
    private static let longestID = 256
    private static let itemPrefix = "tag:google.com,2005:reader/item/"

    /// - Parameter access: Its base is the address before `/reader/api/0`.
    init(_ access: ServerAccess, names: Names) {
        connection = access.connection
        user = access.user
        self.names = names
        password = KnownPassword(access.password)
        keep = access.keep
        state = Mutex(State(authorization: access.authorization))
    }

    // MARK: Who asks

    /// Requests a token with a password.
    static func login(_ connection: ServerConnection, user: String, password: String) async throws(ServerError)
        -> String
    {
        let answer = try await connection.ask(
            "/accounts/ClientLogin", message: ServerConnection.form([("Email", user), ("Passwd", password)]))
        // FreshRSS answers 400 for a user name that it doesn't allow.
        if answer.status == 400, !answer.isPage { throw .passwordRefused }
        if let error = ServerConnection.error(answer, turnsOffWith503: true) { throw error }
        let lines = answer.text.split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { $0.hasPrefix("Auth=") }), !answer.isPage else {
            throw .noAPI("another program answers at this address")
        }
        let value = line.dropFirst(5)
        guard !value.isEmpty, value.utf8.count <= 1024, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unreadable("invalid characters in the authorization")
        }
        return String(value)
    }

    private func authorization() async throws(ServerError) -> String {
        if let known = state.withLock({ $0.authorization }) { return known }
        let value: String
        do throws(ServerError) {
            value = try await password.use { password throws(ServerError) in
                try await GoogleReaderServer.login(connection, user: user, password: password)
            }
        } catch {
            // A rejected token stays stored until its password is rejected too: a timer may be unable to log in.
            if error == .passwordRefused { keep(nil) }
            throw error
        }
        state.withLock { $0 = State(authorization: value) }
        keep(value)
        return value
    }

    private func token() async throws(ServerError) -> String {
        if let known = state.withLock({ $0.token }) { return known }
        let answer = try await get("token")
        // FreshRSS's token ends with a line end.
        let value = answer.text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !answer.isPage else { throw .noAPI("received a web page, not a token") }
        guard value.utf8.count <= 1024 else { throw .unreadable("invalid token") }
        state.withLock { $0.token = value }
        return value
    }

    // MARK: Requests

    private func get(_ path: String) async throws(ServerError) -> ServerConnection.Answer {
        try await ask { () async throws(ServerError) in (path, nil) }
    }

    /// Miniflux accepts the authorization only from the token in the body, so both are sent.
    private func post(_ path: String, _ fields: [(String, String)]) async throws(ServerError) -> ServerConnection.Answer
    {
        try await ask { () async throws(ServerError) in
            (path, ServerConnection.form([("T", try await self.token())] + fields))
        }
    }

    /// Sends a request, and repeats it after a new login if the token has expired.
    private func ask(
        _ request: () async throws(ServerError) -> (path: String, message: FetchMessage?)
    ) async throws(ServerError) -> ServerConnection.Answer {
        var isFirst = true
        var rejected: String?
        while true {
            let hadAuthorization = state.withLock { $0.authorization } != nil
            let authorization: String
            do throws(ServerError) {
                authorization = try await self.authorization()
            } catch {
                // Without a password, the next sync tries the rejected token again.
                if case .noPassword = error { state.withLock { $0.authorization = rejected } }
                throw error
            }
            let (path, message) = try await request()
            let answer = try await connection.ask(
                "/reader/api/0/" + path, secret: ["Authorization: GoogleLogin auth=" + authorization], message: message)
            guard let error = ServerConnection.error(answer, turnsOffWith503: true) else { return answer }
            guard error == .passwordRefused, isFirst, hadAuthorization || message != nil else { throw error }
            isFirst = false
            rejected = authorization
            let isBadToken = answer.headers.keys.contains {
                $0.hasSuffix("google-bad-token") || $0.hasSuffix("reader-google-bad-token")
            }
            state.withLock { state in
                state.token = nil
                if message == nil || !isBadToken { state.authorization = nil }
            }
        }
    }

    /// Throws unless the response is "OK", as it must be after a change.
    private func expectOK(_ answer: ServerConnection.Answer) throws(ServerError) {
        let text = answer.text.prefix(200).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text != "OK" else { return }
        throw answer.isPage ? .noAPI("received a web page, not 'OK'") : .unreadable("it is not 'OK'")
    }

    // MARK: What is read

    private struct Subscriptions: Decodable {
        struct Item: Decodable {
            struct Category: Decodable {
                var label: String?
                var id: String?
            }
            var id: String
            var title: String?
            var categories: [Category]?
            var url: String?
            var htmlUrl: String?
        }
        var subscriptions: [Item]
    }

    func subscriptions() async throws(ServerError) -> [RemoteSubscription] {
        let list = try await get("subscription/list?output=json").decode(Subscriptions.self).subscriptions
        let subscriptions = list.map { item in
            // On some servers the identifiers are addresses: `feed/https://…`.
            let address = item.url ?? (item.id.hasPrefix("feed/") ? String(item.id.dropFirst(5)) : item.id)
            let labels = (item.categories ?? []).prefix(20).compactMap { category in
                GoogleReaderServer.folder(
                    category.label ?? category.id?.split(separator: "/").last.map(String.init))
            }
            return RemoteSubscription(
                id: item.id, title: GoogleReaderServer.plain(item.title ?? UserInfo.split(address).address),
                url: address,
                homePage: item.htmlUrl, folder: labels.first, labels: Array(labels.dropFirst()))
        }
        return try RemoteSubscription.checked(subscriptions)
    }

    /// Converts the full-width `&`, `<` and `>` in FreshRSS's titles.
    private static func plain(_ title: String) -> String {
        title.replacing("＆", with: "&").replacing("＜", with: "<").replacing("＞", with: ">")
    }

    /// Returns a folder, or `nil` for the folder in which FreshRSS puts feeds without one.
    private static func folder(_ label: String?) -> String? {
        guard let label, !label.isEmpty, label != "Uncategorized" else { return nil }
        return plain(label)
    }

    private struct Identities: Decodable {
        struct Item: Decodable {
            var id: String
        }
        var itemRefs: [Item]?
        var continuation: String?
    }

    func ids(_ list: RemoteList, continuation: String?) async throws(ServerError) -> RemotePage {
        // For an unknown label or for read entries FreshRSS returns all entries, so only these lists are reliable.
        let stream =
            switch list {
            case .unread: "state/com.google/reading-list&xt=user/-/state/com.google/read"
            case .starred: "state/com.google/starred"
            case .later: "label/later"
            case .label(let label): "label/" + ServerConnection.escaped(label)
            }
        let more = continuation.map { "&c=" + ServerConnection.escaped($0) } ?? ""
        let answer = try await get(
            "stream/items/ids?output=json&s=user/-/\(stream)&n=\(GoogleReaderServer.pageSize)\(more)")
        let page = try answer.decode(Identities.self)
        guard let items = page.itemRefs else { throw .unreadable("no list of entries") }
        var ids: [String] = []
        ids.reserveCapacity(items.count)
        for item in items {
            guard let id = GoogleReaderServer.identity(item.id) else { throw .unreadable("invalid id") }
            ids.append(id)
        }
        let next = page.continuation.flatMap { $0.isEmpty ? nil : $0 }
        guard next?.utf8.count ?? 0 <= 4096 else { throw .unreadable("the continuation is too long") }
        return RemotePage(ids: ids, continuation: ids.isEmpty ? nil : next)
    }

    /// Returns the normalised identifier of an entry: decimal if it is a 64-bit number in hexadecimal, otherwise
    /// unchanged.
    static func identity(_ text: String) -> String? {
        var text = text[...]
        let isLong = text.hasPrefix(itemPrefix)
        if isLong { text = text.dropFirst(itemPrefix.count) }
        guard !text.isEmpty, text.utf8.count <= longestID, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        if isLong, text.utf8.count == 16, let number = UInt64(text, radix: 16) {
            return String(Int64(bitPattern: number))
        }
        return String(text)
    }

    /// Returns the identifier of an entry as the server accepts it.
    private func name(_ id: String) -> String {
        guard names == .long else { return id }
        guard let number = Int64(id) else { return GoogleReaderServer.itemPrefix + id }
        let hex = String(UInt64(bitPattern: number), radix: 16)
        return GoogleReaderServer.itemPrefix + String(repeating: "0", count: max(0, 16 - hex.count)) + hex
    }

    private static let label = "user/-/label/"

    private struct Labels: Decodable {
        struct Item: Decodable {
            var id: String
            var type: String?
        }
        var tags: [Item]
    }

    func labels() async throws(ServerError) -> RemoteLabels {
        var names: [String] = []
        var folders: Set<String> = []
        for item in try await get("tag/list?output=json").decode(Labels.self).tags {
            guard let prefix = item.id.range(of: "/label/") else { continue }
            let name = String(item.id[prefix.upperBound...])
            if item.type == "folder" { folders.insert(name) } else { names.append(name) }
        }
        // The list of such a label would be the folder's. FreshRSS creates no such label, although it answers OK.
        return RemoteLabels(names, besides: folders)
    }

    private struct Contents: Decodable {
        struct Link: Decodable {
            var href: String?
        }
        struct Text: Decodable {
            var content: String?
        }
        struct Origin: Decodable {
            var streamId: String?
        }
        struct Enclosure: Decodable {
            var href: String?
            var type: String?
            var length: Length?
        }
        /// A number, or a text with a number.
        struct Length: Decodable {
            var value: Int64?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                value =
                    (try? container.decode(Int64.self)) ?? (try? container.decode(String.self)).flatMap { Int64($0) }
            }
        }
        struct Item: Decodable {
            var id: String
            var title: String?
            var canonical: [Link]?
            var alternate: [Link]?
            var origin: Origin?
            var summary: Text?
            var content: Text?
            var author: String?
            var published: Length?
            var updated: Length?
            var enclosure: [Enclosure]?
        }
        var items: [Item]
    }

    func entries(_ ids: [String]) async throws(ServerError) -> [RemoteEntry] {
        let answer = try await post(
            "stream/items/contents?output=json", [("output", "json")] + ids.map { ("i", name($0)) })
        let wanted = Set(ids)
        return try answer.decode(Contents.self).items.compactMap { item in
            guard let id = GoogleReaderServer.identity(item.id), wanted.contains(id) else { return nil }
            var entry = RemoteEntry(id: id, subscription: item.origin?.streamId ?? "")
            entry.title = item.title
            entry.link =
                (item.canonical ?? []).lazy.compactMap(\.href).first
                ?? (item.alternate ?? []).lazy.compactMap(\.href).first
            entry.author = item.author.flatMap { $0.isEmpty ? nil : $0 }
            entry.html = item.content?.content ?? item.summary?.content
            entry.published = item.published?.value.map { Instant($0) }
            entry.updated = item.updated?.value.map { Instant($0) }
            entry.enclosures = (item.enclosure ?? []).prefix(20).compactMap { file in
                file.href.map { RemoteEnclosure(url: $0, type: file.type, size: file.length?.value) }
            }
            return entry
        }
    }

    // MARK: What is changed

    /// Each read mark or label costs FreshRSS a transaction, and PHP accepts at most 1,000 variables.
    func maximumAtOnce(_ mark: RemoteMark) -> Int { mark == .starred ? 500 : 100 }

    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError) {
        // The mark comes before the entries. PHP ignores variables after the first thousand, and FreshRSS would answer
        // OK without the mark.
        let state =
            switch mark {
            case .read, .starred: "user/-/state/com.google/" + mark.name
            case .later: GoogleReaderServer.label + mark.name
            case .label(let label): GoogleReaderServer.label + label
            }
        try expectOK(
            try await post("edit-tag", [(value ? "a" : "r", state)] + ids.map { ("i", name($0)) }))
    }

    private struct Added: Decodable {
        var numResults: Int?
        var streamId: String?
        var error: String?
    }

    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String? {
        switch operation {
        case .subscribe(let url):
            let added = try await post("subscription/quickadd", [("quickadd", url)]).decode(Added.self)
            guard added.numResults ?? 0 > 0 else {
                throw .refused(String((added.error ?? "the server can't add the feed").prefix(200)))
            }
            return added.streamId.flatMap { $0.utf8.count <= 4096 ? $0 : nil }
        case .unsubscribe(let id):
            try expectOK(try await post("subscription/edit", [("ac", "unsubscribe"), ("s", id)]))
        case .rename(let id, let title):
            try expectOK(try await post("subscription/edit", [("ac", "edit"), ("s", id), ("t", title)]))
        case .move(let id, let folder, let previous):
            var fields = [("ac", "edit"), ("s", id)]
            if let folder { fields.append(("a", GoogleReaderServer.label + folder)) }
            if let previous, folder == nil { fields.append(("r", GoogleReaderServer.label + previous)) }
            try expectOK(try await post("subscription/edit", fields))
        }
        return nil
    }
}
