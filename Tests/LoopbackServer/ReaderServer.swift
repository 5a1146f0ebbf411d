import Foundation
import Synchronization

/// A loopback server of the Google Reader API, as in FreshRSS and Miniflux, with a switch for each trap, and of other
/// APIs over the same entries.
package final class ReaderServer: Sendable {
    /// An entry.
    package struct Entry: Sendable {
        /// The identifier in microseconds since 1970, as FreshRSS assigns it.
        package var id: Int64
        /// The number of its feed.
        package var feed: Int
        package var title: String
        package var link: String
        package var html: String
        package var isRead = false
        package var isStarred = false
        package var labels: Set<String> = []
        /// The time when it was added, marked or changed, by the server's clock.
        package var changedAt: Int64 = 0
    }

    /// A feed.
    package struct Feed: Sendable {
        package var number: Int
        package var title: String
        package var url: String
        package var folder: String
        /// Further labels, for servers with several labels for each feed.
        package var labels: [String] = []
    }

    /// Behaviours of servers that lose marks.
    package struct Traps: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Reads at most a thousand variables of a form (PHP's max_input_vars).
        package static let variables = Traps(rawValue: 1)
        /// Continuations are offsets, which shift while marks change (Miniflux).
        package static let offsets = Traps(rawValue: 2)
        /// Changes need the token in the body and ignore the header (Miniflux).
        package static let tokenAlone = Traps(rawValue: 4)
        /// Pages are small.
        package static let smallPages = Traps(rawValue: 8)
        /// Purged contents are missing.
        package static let purged = Traps(rawValue: 16)
        /// Answers marks with OK without storing them.
        package static let forgetsMarks = Traps(rawValue: 32)
        /// Stars can only be toggled, entry by entry (Miniflux before 2.3).
        package static let togglesStars = Traps(rawValue: 64)
    }

    /// An API.
    package enum API: Sendable, CaseIterable {
        case reader, miniflux, fever, nextcloud, ttrss, feedbin

        /// The path of its base address.
        package var path: String {
            switch self {
            case .reader, .miniflux: ""
            case .fever: "/fever/"
            case .nextcloud: "/index.php/apps/news/api/v1-3"
            case .ttrss: "/tt-rss/api/"
            case .feedbin: "/v2"
            }
        }
    }

    /// A failure of a request.
    package enum Fault: Sendable, CaseIterable {
        /// The connection ends before anything is done.
        case lostRequest
        /// Everything is done, and the connection ends.
        case lostAnswer
        case unauthorized
        case page
        case emptyArray
        case unavailable
        case halfAnswer
    }

    /// The server's contents.
    package struct State: Sendable {
        package var entries: [Int64: Entry] = [:]
        /// All labels ever created.
        package var labels: Set<String> = []
        package var feeds: [Feed] = []
        package var traps: Traps = []
        package var password = "secret"
        package var isSwitchedOff = false
        /// Entries whose marks are rejected.
        package var refusesMarks: Set<Int64> = []
        /// Whether adding feeds is rejected.
        package var refusesFeeds = false
        var authorizations: Set<String> = []
        var logins = 0
        var nextFeed = 1
        /// The API that is available; Miniflux has the Google Reader API too.
        package var api = API.reader
        /// Whether Miniflux's own API is available.
        package var isMiniflux: Bool {
            get { api == .miniflux }
            set { api = newValue ? .miniflux : .reader }
        }
        /// The folders, in the order in which they were created.
        package var folders: [String] = []
        /// The server's clock in seconds since 1970, which advances with every third request.
        package var now: Int64 = 1_795_289_000
        var ticks = 0
    }

    private struct Faults { var decide: @Sendable (String) -> Fault? }

    private let state = Mutex(State())
    private let faults = Mutex(Faults { _ in nil })
    private let server: Mutex<LoopbackServer?> = Mutex(nil)
    private let visits = Mutex<[String]>([])

    /// Starts a server that stops after the given number of seconds.
    package init(seconds: Double = 900) throws {
        let server = try LoopbackServer(keepsAlive: true, seconds: seconds) { [weak self] request in
            self?.answer(request) ?? .init(503)
        }
        self.server.withLock { $0 = server }
    }

    /// Creates a server without a port, whose answers are only computed.
    package init(withoutPort: ()) {}

    /// Stops the server.
    package func stop() { server.withLock { $0 }?.stop() }

    /// The server's address.
    package var address: String { server.withLock { $0 }?.url("") ?? "" }

    /// The requested paths without their queries.
    package var requests: [String] {
        get { visits.withLock { $0 } }
        set { visits.withLock { $0 = newValue } }
    }

    /// Reads or modifies the state.
    package func with<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    /// Sets a function that decides about each request by path.
    package func setFault(_ decide: @escaping @Sendable (String) -> Fault?) {
        faults.withLock { $0 = Faults(decide: decide) }
    }

    /// Adds a feed.
    @discardableResult
    package func addFeed(_ title: String, url: String, folder: String = "Uncategorized") -> Int {
        with { state in state.addFeed(title, url: url, folder: folder) }
    }

    /// Adds an entry, newer than all others.
    @discardableResult
    package func addEntry(
        _ title: String, feed: Int, link: String? = nil, html: String = "<p>text</p>", isRead: Bool = false
    ) -> Int64 {
        with { state in
            let id = state.nextEntry
            state.addEntry(id, title, feed: feed, link: link, html: html, isRead: isRead)
            return id
        }
    }

    /// Adds many entries at once, distributed over feeds.
    package func add(_ count: Int, to feeds: [Int], html: String) {
        with { state in
            let first = state.nextEntry
            for number in 0..<count {
                state.addEntry(
                    first + Int64(number) * 1_000, "Entry \(number)", feed: feeds[number % feeds.count], link: nil,
                    html: html)
            }
        }
    }

    /// Returns the token of a login.
    package func login() -> String { with { $0.login() } }

    // MARK: Answers

    private typealias Answer = LoopbackServer.Answer

    /// Answers a request.
    package func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
        let path = parts[0]
        visits.withLock { $0.append(path) }
        var lost = Answer()
        lost.raw = []
        let decided = faults.withLock { $0 }.decide(path)
        switch decided {
        case .lostRequest: return lost
        case .unauthorized: return .init(401, body: Array("Unauthorized!".utf8))
        case .page: return .init("<!DOCTYPE html><html><body>Log in</body></html>", type: "text/html")
        case .emptyArray:
            // Nextcloud answers so after a change that succeeded.
            let isChange = request.method == "POST" && state.withLock { $0.api == .nextcloud }
            return .init(isChange ? "OK" : "[]", type: "application/json")
        case .unavailable: return .init(503, headers: ["Retry-After": "60"])
        case .lostAnswer, .halfAnswer, nil: break
        }
        let fields = ReaderServer.fields(parts.count > 1 ? parts[1] : "")
        var form = ReaderServer.fields(String(decoding: request.body, as: UTF8.self))
        var result = state.withLock { state -> Answer in
            state.ticks += 1
            if state.ticks % 3 == 0 { state.now += 1 }
            switch state.api {
            case .miniflux where path.hasPrefix("/v1/"): return state.answerMiniflux(path, fields, request)
            case .miniflux, .reader: break
            case .fever: return state.answerFever(path, fields + form)
            case .nextcloud: return state.answerNextcloud(path, fields, request)
            case .ttrss: return state.answerTinyTiny(path, request)
            case .feedbin: return state.answerFeedbin(path, fields, request)
            }
            if state.traps.contains(.variables) { form = Array(form.prefix(1000)) }
            return state.answer(path, fields, form, request)
        }
        if decided == .lostAnswer { return lost }
        if decided == .halfAnswer { result.cutAfter = result.body.count / 2 }
        return result
    }

    private static func fields(_ text: String) -> [(String, String)] {
        text.split(separator: "&").map { field in
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? String(pair[1]).replacingOccurrences(of: "+", with: " ") : ""
            return (String(pair[0]), value.removingPercentEncoding ?? value)
        }
    }
}

extension ReaderServer.State {
    typealias Answer = LoopbackServer.Answer

    @discardableResult
    mutating func addFeed(_ title: String, url: String, folder: String) -> Int {
        defer { nextFeed += 1 }
        feeds.append(ReaderServer.Feed(number: nextFeed, title: title, url: url, folder: folder))
        return nextFeed
    }

    /// Returns the number of the feed with an address, which is added if there is none.
    mutating func subscribe(to url: String) -> Int {
        feeds.first { $0.url == url }?.number ?? addFeed(url, url: url, folder: "Uncategorized")
    }

    /// Removes a feed with its entries.
    mutating func removeFeed(at index: Int) {
        let number = feeds.remove(at: index).number
        entries = entries.filter { $0.value.feed != number }
    }

    mutating func login() -> String {
        logins += 1
        let token = "alice/\(logins)f00d"
        authorizations.insert(token)
        return token
    }

    /// Adds an entry with an identifier.
    mutating func addEntry(_ id: Int64, _ title: String, feed: Int, link: String?, html: String, isRead: Bool = false) {
        entries[id] = ReaderServer.Entry(
            id: id, feed: feed, title: title, link: link ?? "https://example.org/\(id)", html: html, isRead: isRead,
            changedAt: now)
    }

    /// The identifier of the next entry, which is newer than all others.
    var nextEntry: Int64 { (entries.keys.max() ?? 1_795_288_873_000_000) + 1_000 }

    fileprivate mutating func answer(
        _ path: String, _ query: [(String, String)], _ form: [(String, String)], _ request: LoopbackServer.Request
    ) -> Answer {
        if isSwitchedOff { return .init(503, body: Array("Service Unavailable!".utf8)) }
        func field(_ name: String, in fields: [(String, String)]) -> String? { fields.last { $0.0 == name }?.1 }
        if path == "/accounts/ClientLogin" {
            guard field("Passwd", in: form) == password else { return .init(401, body: Array("Unauthorized!".utf8)) }
            let value = login()
            return .init("SID=\(value)\nLSID=null\nAuth=\(value)\n", type: "text/plain")
        }
        guard path.hasPrefix("/reader/api/0/") else {
            return .init(404, headers: ["Content-Type": "text/html"], body: Array("<html>not here</html>".utf8))
        }
        let header = request.headers["authorization"]?.replacingOccurrences(of: "GoogleLogin auth=", with: "") ?? ""
        let isPost = request.method == "POST"
        let isKnown =
            isPost && traps.contains(.tokenAlone)
            ? authorizations.contains(field("T", in: form) ?? "") : authorizations.contains(header)
        guard isKnown else {
            let name = isPost ? "X-Reader-Google-Bad-Token" : "Google-Bad-Token"
            return .init(401, headers: [name: "true"], body: Array("Unauthorized!".utf8))
        }
        switch path.dropFirst("/reader/api/0/".count) {
        case "token":
            let token = traps.contains(.tokenAlone) ? header : "57characters"
            return .init(token + "\n", type: "text/html; charset=UTF-8")
        case "subscription/list": return subscriptionList()
        case "stream/items/ids":
            return identities(
                field("s", in: query) ?? "", field("xt", in: query), Int(field("n", in: query) ?? "") ?? 20,
                field("c", in: query))
        case "stream/items/contents":
            guard isPost else { return .init(400) }
            return contents(form.filter { $0.0 == "i" }.map(\.1))
        case "edit-tag": return mark(form)
        case "tag/list":
            let folders = Set(feeds.map(\.folder)).sorted().map { ["id": "user/-/label/\($0)", "type": "folder"] }
            return .json([
                "tags": [["id": "user/-/state/com.google/starred"]] + folders
                    + labels.sorted().map { ["id": "user/-/label/\($0)", "type": "tag"] }
            ])
        case "subscription/quickadd":
            guard let url = field("quickadd", in: form), !refusesFeeds else {
                return .json(["numResults": 0, "error": "Feed cannot be added"])
            }
            return .json(["numResults": 1, "query": url, "streamId": "feed/\(subscribe(to: url))"])
        case "subscription/edit": return edit(form)
        default: return .init("[]", type: "application/json")
        }
    }

    private func subscriptionList() -> Answer {
        .json([
            "subscriptions": feeds.map { feed in
                [
                    "id": "feed/\(feed.number)", "title": feed.title.replacingOccurrences(of: "&", with: "＆"),
                    "categories": ([feed.folder] + feed.labels).map { ["id": "user/-/label/\($0)", "label": $0] },
                    "url": feed.url,
                    "htmlUrl": "https://example.org/",
                ] as [String: Any]
            }
        ])
    }

    private func identities(_ stream: String, _ excluded: String?, _ count: Int, _ continuation: String?) -> Answer {
        var list = entries.values.sorted { $0.id > $1.id }
        if stream.hasSuffix("/starred") { list.removeAll { !$0.isStarred } }
        // Only this stream supports exclusions.
        if stream.hasSuffix("/reading-list"), excluded?.hasSuffix("/read") == true { list.removeAll(where: \.isRead) }
        // A folder takes precedence over a label of its name; a missing label returns everything.
        if let label = stream.split(separator: "/label/").dropFirst().first.map(String.init) {
            let folder = Set(feeds.filter { $0.folder == label }.map(\.number))
            if !folder.isEmpty {
                list.removeAll { !folder.contains($0.feed) }
            } else if labels.contains(label) {
                list.removeAll { !$0.labels.contains(label) }
            }
        }
        let maximum = traps.contains(.smallPages) ? min(count, 7) : count
        var answer: [String: Any] = [:]
        if traps.contains(.offsets) {
            let start = min(Int(continuation ?? "") ?? 0, list.count)
            let page = list[start..<min(start + maximum, list.count)]
            answer["itemRefs"] = page.map { ["id": String($0.id)] }
            // A last page that is exactly full has a continuation too.
            if page.count == maximum { answer["continuation"] = String(start + maximum) }
        } else {
            if let last = continuation.flatMap({ Int64($0) }) { list.removeAll { $0.id >= last } }
            let page = list.prefix(maximum)
            answer["itemRefs"] = page.map { ["id": String($0.id)] }
            if page.count == maximum, let last = page.last { answer["continuation"] = String(last.id) }
        }
        return .json(answer)
    }

    /// Parses a decimal number, or `tag:…/` with 16 hexadecimal digits, in which a decimal number finds nothing.
    private func number(_ name: String) -> Int64? {
        let prefix = "tag:google.com,2005:reader/item/"
        guard name.hasPrefix(prefix) else { return Int64(name) }
        return UInt64(name.dropFirst(prefix.count), radix: 16).map { Int64(bitPattern: $0) }
    }

    /// Returns the entries that the server still has.
    func found(_ ids: [Int64]) -> [ReaderServer.Entry] {
        ids.compactMap { entries[$0] }.filter { !(traps.contains(.purged) && $0.id % 7_000 == 0) }
    }

    private func contents(_ names: [String]) -> Answer {
        let found = found(names.compactMap(number))
        return .json([
            "id": "user/-/state/com.google/reading-list",
            "items": found.map { entry in
                let hex = String(UInt64(bitPattern: entry.id), radix: 16)
                let name = "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 16 - hex.count) + hex
                // Other programs expect marks here.
                var categories = ["user/-/state/com.google/reading-list"]
                if entry.isRead { categories.append("user/-/state/com.google/read") }
                if entry.isStarred { categories.append("user/-/state/com.google/starred") }
                categories += entry.labels.sorted().map { "user/-/label/" + $0 }
                return [
                    "id": name, "crawlTimeMsec": String(entry.id / 1000), "timestampUsec": String(entry.id),
                    "published": entry.id / 1_000_000, "title": entry.title, "canonical": [["href": entry.link]],
                    "origin": ["streamId": "feed/\(entry.feed)"], "summary": ["content": entry.html],
                    "author": "Somebody", "categories": categories,
                ] as [String: Any]
            },
        ])
    }

    private mutating func mark(_ form: [(String, String)]) -> Answer {
        // Only the last value of each counts, and anything after it is ignored.
        let added = form.last { $0.0 == "a" }?.1
        let removed = form.last { $0.0 == "r" }?.1
        guard !traps.contains(.forgetsMarks) else { return .ok }
        for id in form.filter({ $0.0 == "i" }).compactMap({ number($0.1) }) where entries[id] != nil {
            if added?.hasSuffix("google/read") == true { entries[id]?.isRead = true }
            if removed?.hasSuffix("google/read") == true { entries[id]?.isRead = false }
            // A label with a folder's name isn't created.
            if let label = Self.label(added), !feeds.contains(where: { $0.folder == label }) {
                labels.insert(label)
                entries[id]?.labels.insert(label)
            }
            if let label = Self.label(removed) { entries[id]?.labels.remove(label) }
            if added?.hasSuffix("google/starred") == true { entries[id]?.isStarred = true }
            if removed?.hasSuffix("google/starred") == true { entries[id]?.isStarred = false }
        }
        return .ok
    }

    private static func label(_ name: String?) -> String? {
        name?.range(of: "/label/").map { String(name?[$0.upperBound...] ?? "") }
    }

    private mutating func edit(_ form: [(String, String)]) -> Answer {
        let values = Dictionary(form) { _, last in last }
        guard let number = values["s"].flatMap({ Int($0.replacingOccurrences(of: "feed/", with: "")) }),
            let index = feeds.firstIndex(where: { $0.number == number })
        else { return .init(400) }
        let label = "user/-/label/"
        switch values["ac"] {
        case "unsubscribe": removeFeed(at: index)
        default:
            if let title = values["t"] { feeds[index].title = title }
            if values["r"] != nil { feeds[index].folder = "Uncategorized" }
            if let folder = values["a"] { feeds[index].folder = folder.replacingOccurrences(of: label, with: "") }
        }
        return .ok
    }
}

// MARK: Miniflux's own API

extension ReaderServer.State {
    static func date(_ instant: Int64) -> String {
        let text = Date(timeIntervalSince1970: Double(instant)).formatted(.iso8601)
        return String(text.dropLast()) + ".123456+00:00"
    }

    static func httpDate(_ instant: Int64) -> String {
        var (time, parts) = (time_t(instant), tm())
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    fileprivate mutating func answerMiniflux(
        _ path: String, _ query: [(String, String)], _ request: LoopbackServer.Request
    ) -> Answer {
        func failure(_ status: Int, _ message: String) -> Answer {
            let body = Array(#"{"error_message":"\#(message)"}"#.utf8)
            return .init(status, headers: ["Content-Type": "application/json"], body: body)
        }
        guard request.headers["x-auth-token"] == password || request.headers["authorization"] == basic else {
            return failure(401, "Access Unauthorized")
        }
        let body = request.json
        switch (request.method, path) {
        case ("GET", "/v1/me"): return .json(["id": 1, "username": "alice"])
        case ("GET", "/v1/feeds"):
            return .json(
                feeds.map { feed in
                    [
                        "id": feed.number, "title": feed.title, "feed_url": feed.url,
                        "site_url": "https://example.org/",
                        "category": ["id": 1, "title": feed.folder == "Uncategorized" ? "All" : feed.folder],
                    ] as [String: Any]
                })
        case ("GET", "/v1/categories"): return .json([["id": 1, "title": "All"]])
        case ("POST", "/v1/categories"):
            return .json(["id": 2, "title": body["title"] as? String ?? ""])
        case ("POST", "/v1/feeds"):
            guard let url = body["feed_url"] as? String, !refusesFeeds else {
                return failure(400, "This feed cannot be added")
            }
            return .json(["feed_id": subscribe(to: url)])
        case ("PUT", "/v1/entries"):
            let ids = request.numbers("entry_ids")
            if (traps.contains(.togglesStars) && body["status"] == nil) || !refusesMarks.isDisjoint(with: ids) {
                return failure(400, "invalid entry status")
            }
            for id in ids {
                if let status = body["status"] as? String { entries[id]?.isRead = status == "read" }
                if let starred = body["starred"] as? Bool { entries[id]?.isStarred = starred }
                entries[id]?.changedAt = now
            }
            return .init(204)
        case ("GET", "/v1/entries"): return minifluxEntries(Dictionary(query) { _, last in last })
        case (let method, _) where path.hasPrefix("/v1/entries/"):
            let parts = path.split(separator: "/")
            guard let id = Int64(parts[2]), let entry = entries[id] else {
                return failure(404, "Resource Not Found")
            }
            guard method == "PUT", parts.last == "bookmark" else { return .json(item(entry)) }
            entries[id]?.isStarred.toggle()
            entries[id]?.changedAt = now
            return .init(204)
        case (let method, _) where path.hasPrefix("/v1/feeds/"):
            guard let number = Int(path.dropFirst(10)), let index = feeds.firstIndex(where: { $0.number == number })
            else { return .init(404) }
            if method == "DELETE" {
                removeFeed(at: index)
                return .init(204)
            }
            if let title = body["title"] as? String { feeds[index].title = title }
            if let category = body["category_id"] as? Int { feeds[index].folder = category == 1 ? "All" : "Blogs" }
            return .json(["id": number])
        default: return .init(404)
        }
    }

    private func item(_ entry: ReaderServer.Entry) -> [String: Any] {
        [
            "id": entry.id, "feed_id": entry.feed, "status": entry.isRead ? "read" : "unread",
            "starred": entry.isStarred, "title": entry.title, "url": entry.link, "content": entry.html,
            "author": "Somebody", "published_at": Self.date(entry.id / 1_000_000),
            "changed_at": Self.date(entry.changedAt), "enclosures": [Any](),
        ]
    }

    private func minifluxEntries(_ query: [String: String]) -> Answer {
        var list = Array(entries.values)
        if query["status"] == "unread" { list.removeAll(where: \.isRead) }
        // Its clock has fractions of seconds: changes within the given second count.
        if query["starred"] == "true" { list.removeAll { !$0.isStarred } }
        if let since = query["changed_after"].flatMap({ Int64($0) }) { list.removeAll { $0.changedAt < since } }
        if let before = query["before_entry_id"].flatMap({ Int64($0) }) { list.removeAll { $0.id >= before } }
        if let after = query["after_entry_id"].flatMap({ Int64($0) }) { list.removeAll { $0.id <= after } }
        list.sort { query["direction"] == "asc" ? $0.id < $1.id : $0.id > $1.id }
        let page = list.prefix(Int(query["limit"] ?? "") ?? 100)
        let answer: [String: Any] = ["total": list.count, "entries": page.map(item)]
        return .json(answer, headers: ["Date": Self.httpDate(now)])
    }
}

extension LoopbackServer.Answer {
    /// FreshRSS labels its plain answers as HTML.
    fileprivate static let ok = LoopbackServer.Answer("OK", type: "text/html; charset=UTF-8")

    static func json(_ value: Any, status: Int = 200, headers: [String: String] = [:]) -> LoopbackServer.Answer {
        // Ten times faster than JSONSerialization for large texts.
        let data = (try? JSONEncoder().encode(JSONValue(value: value))) ?? Data()
        let type = ["Content-Type": "application/json; charset=UTF-8"]
        return .init(status, headers: type.merging(headers) { $1 }, body: Array(data))
    }
}

extension LoopbackServer.Request {
    /// The object in the body, which is empty if there is none.
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }

    /// Returns the numbers in an array of the object in the body.
    func numbers(_ key: String) -> [Int64] {
        (json[key] as? [Any] ?? []).compactMap { ($0 as? NSNumber)?.int64Value }
    }
}

/// A value of strings, numbers, arrays and dictionaries, as JSON.
private struct JSONValue: Encodable {
    let value: Any

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case let value as String: try container.encode(value)
        case let value as Bool: try container.encode(value)
        case let value as Int: try container.encode(value)
        case let value as Int64: try container.encode(value)
        case let value as [String: Any]: try container.encode(value.mapValues(JSONValue.init))
        case let value as [Any]: try container.encode(value.map(JSONValue.init))
        case is NSNull: try container.encodeNil()
        default: throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "\(type(of: value))"))
        }
    }
}
