import FeedParsing
import Foundation
import Fetching
import Platform

/// A feed on a simulated server, with the pages of its entries.
struct WorldSite {
    struct Item {
        var token: Int
        var published: Instant
        /// How often its wording changed.
        var wording = 0
    }

    enum Delivery {
        case whole(tokens: [Int])
        case unchanged
        case cut(tokens: [Int])
        case failure(retryAfter: Int64?)
        case gone
    }

    let number: Int
    private(set) var items: [Item] = []
    var behaviour = WorldEvent.Behaviour.fine
    var pageBehaviour = WorldEvent.Behaviour.fine
    var recordings = WorldRecordings()
    /// The number of minutes for which an answer is valid, or 0 if it doesn't say.
    var freshness = 0
    private var version = 1
    private var extraTags = 0
    private var identifiers = 0
    /// The number of the newest entries in the document.
    private static let length = 12
    static let retryAfter: Int64 = 5400

    init(number: Int) { self.number = number }

    /// Whether a rule marks an entry as read.
    static func isMuted(_ token: Int) -> Bool { token % 7 == 3 }

    var address: String { "https://site\(number).example/feed" }
    /// Whether the document says how long it is valid, not the header.
    var statesTimeToLive: Bool { number % 2 == 1 }
    var hasDates: Bool { number % 4 == 3 }
    var shown: ArraySlice<Item> { items.suffix(WorldSite.length) }
    var tag: String { "\"\(version).\(extraTags)\"" }
    var lastModified: String { Timestamp.rfc822(Instant(1_795_000_000 + Int64(version))) }

    /// The header fields that make the next request conditional, by those that a client has received.
    var validators: [String: String] { hasDates ? ["if-modified-since": lastModified] : ["if-none-match": tag] }

    mutating func publish(_ count: Int, at date: Instant) {
        for _ in 0..<count { items.append(Item(token: items.count, published: date)) }
        version += 1
    }

    mutating func rewrite() {
        guard !items.isEmpty else { return }
        items[items.count - 1].wording += 1
        version += 1
    }

    mutating func renameIdentifiers() {
        identifiers += 1
        version += 1
    }

    private func isCurrent(_ headers: [String: String]) -> Bool {
        if let date = headers["if-modified-since"], hasDates { return date == lastModified }
        return headers["if-none-match"]?.hasPrefix("\"\(version).") ?? false
    }

    /// Answers a request for the document or, after a redirect, for its other address.
    mutating func answer(_ request: SimulatedNetwork.Request) throws(FetchError) -> (
        SimulatedNetwork.Answer, Delivery?
    ) {
        let path = request.address.split(separator: "/").last ?? ""
        switch behaviour {
        case .movedForGood where path == "feed":
            return (.init(301, headers: ["location": "/home"]), nil)
        case .movedForNow where path != "moved":
            return (.init(302, headers: ["location": "/moved"]), nil)
        case .gone: return (.init(410), .gone)
        default:
            if let failure = try WorldSite.failure(behaviour) {
                return (failure, .failure(retryAfter: WorldSite.asksToWait(behaviour)))
            }
        }
        var headers = ["content-type": "application/rss+xml"]
        if freshness > 0, !statesTimeToLive { headers["cache-control"] = "max-age=\(freshness * 60)" }
        if isCurrent(request.headers) {
            if behaviour == .newTag { extraTags += 1 }
            if !hasDates { headers["etag"] = tag }
            return (.init(304, headers: headers), .unchanged)
        }
        headers[hasDates ? "last-modified" : "etag"] = hasDates ? lastModified : tag
        let document = document
        let (body, tokens) = (Array(document.utf8), shown.map(\.token))
        guard behaviour == .half else {
            let seconds: Int64 = behaviour == .slow ? 40 : 0
            return (.init(200, headers: headers, body: body, seconds: seconds), .whole(tokens: tokens))
        }
        // Titles aren't cut, because they identify the entries here.
        let parts = document.components(separatedBy: "<description>")
        let half = parts.prefix(max(1, parts.count / 2)).joined(separator: "<description>") + "<description>Te"
        return (.init(200, headers: headers, body: Array(half.utf8), isCut: true), .cut(tokens: tokens))
    }

    /// Answers a request for the page of an entry.
    func page(_ token: String) throws(FetchError) -> SimulatedNetwork.Answer {
        if let failure = try WorldSite.failure(pageBehaviour) { return failure }
        let words = (0..<40).map { "Sentence \($0) of the article \(token), which is long enough to be read." }
        let html =
            "<html><body><article><h1>Title</h1><p>\(words.joined(separator: "</p><p>"))</p></article></body></html>"
        return .init(200, headers: ["content-type": "text/html"], body: Array(html.utf8))
    }

    /// The number of seconds of the field Retry-After.
    static func asksToWait(_ behaviour: WorldEvent.Behaviour) -> Int64? {
        [.busy, .away].contains(behaviour) ? retryAfter : nil
    }

    static func failure(_ behaviour: WorldEvent.Behaviour) throws(FetchError) -> SimulatedNetwork.Answer? {
        switch behaviour {
        case .missing: return .init(404)
        case .broken: return .init(500)
        case .busy: return .init(429, headers: ["retry-after": "\(WorldSite.retryAfter)"])
        case .away: return .init(503, headers: ["retry-after": "\(WorldSite.retryAfter)"])
        case .silent: throw .timedOut
        case .stalled: return .init(200, headers: ["content-type": "text/html"], seconds: 100_000)
        case .page:
            return .init(
                200, headers: ["content-type": "text/html"], body: Array("<!DOCTYPE html><html>Log in</html>".utf8))
        case .nothing: return .init(200)
        case .refused: return .init(403)
        default: return nil
        }
    }

    private var document: String {
        var text = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Site \(number)</title>"
        if freshness > 0, statesTimeToLive { text += "<ttl>\(freshness)</ttl>" }
        for item in shown.reversed() {
            let link = "https://site\(number).example/page/\(item.token)"
            text += """
                <item><guid isPermaLink="false">g\(identifiers)-\(item.token)</guid><link>\(link)</link>\
                <title>s\(number) t\(item.token)\(WorldSite.isMuted(item.token) ? " mute" : "")</title><pubDate>\(Timestamp.rfc822(item.published))</pubDate>\
                <description>Text \(item.token), version \(item.wording)</description></item>
                """
        }
        return text + "</channel></rss>"
    }
}
