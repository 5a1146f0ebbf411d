import Foundation
import Platform

/// An object in a server's answer. A value of an unexpected type counts as missing: PHP writes numbers as texts and
/// back, and an entry without a readable date is still an entry.
struct JSONItem: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let values: KeyedDecodingContainer<Key>

    init(from decoder: any Decoder) throws { values = try decoder.container(keyedBy: Key.self) }

    private static let longestID = 256

    private func value<Value: Decodable>(_ name: String, _ type: Value.Type) -> Value? {
        try? values.decode(type, forKey: Key(stringValue: name))
    }

    func text(_ name: String) -> String? { value(name, String.self) }

    /// Returns a text, or `nil` if it is empty.
    func words(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a number, also from a text.
    func number(_ name: String) -> Int64? {
        value(name, Int64.self)
            ?? value(name, Double.self).flatMap { $0.isFinite ? Int64(clamping: $0) : nil }
            ?? text(name).flatMap { Int64($0) }
    }

    /// Returns a point in time, given in seconds since 1970.
    func instant(_ name: String) -> Instant? { number(name).map { Instant($0) } }

    /// Returns a Boolean value, also from 0, 1 or a text.
    func flag(_ name: String) -> Bool? {
        if let flag = value(name, Bool.self) { return flag }
        switch number(name) {
        case 0: return false
        case 1: return true
        default: return nil
        }
    }

    /// Returns an identifier: a number, or a short text of visible ASCII characters.
    func id(_ name: String) -> String? {
        if let number = value(name, Int64.self) { return String(number) }
        return text(name).flatMap(JSONItem.checkedID)
    }

    /// Returns an identifier if it is short and consists of visible ASCII characters.
    static func checkedID(_ text: String) -> String? {
        let isSound = (1...longestID).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isSound ? text : nil
    }

    func item(_ name: String) -> JSONItem? { value(name, JSONItem.self) }

    /// Returns the objects of a list, or `nil` if there is no such list.
    func items(_ name: String) -> [JSONItem]? { value(name, [JSONElement].self)?.compactMap(\.item) }

    static func bytes(_ object: [String: Any]?) -> [UInt8] {
        guard let object else { return [] }
        return Array((try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data())
    }
}

/// An element of a list, which may be something else than an object.
struct JSONElement: Decodable {
    let item: JSONItem?
    init(from decoder: any Decoder) throws { item = try? JSONItem(from: decoder) }
}

extension ServerConnection.Answer {
    /// Returns the objects of a list that is the whole answer.
    func list() throws(ServerError) -> [JSONItem] { try decode([JSONElement].self).compactMap(\.item) }

    /// Throws unless the answer is empty in any form, as it must be after a change.
    func expectNothing() throws(ServerError) {
        let text = text.prefix(200).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !["", "null", "[]", "{}"].contains(text) else { return }
        throw isPage ? .noAPI("received a web page, not a confirmation") : .unreadable("it is not a yes")
    }

    /// The address of the next page (RFC 8288), or `nil` if this is the last page.
    var nextPage: String? {
        for link in (headers["link"] ?? headers["links"] ?? "").split(separator: "<").map({ $0.split(separator: ">") })
        {
            guard link.count == 2, link[1].contains("rel=\"next\"") || link[1].contains("rel=next") else { continue }
            return String(link[0])
        }
        return nil
    }
}

extension RemoteSubscription {
    /// Reads a feed whose values have these names, or returns `nil` if it has no identifier or address.
    ///
    /// - Parameter labels: Returns the folder and the further labels for the feed's identifier.
    init?(
        _ feed: JSONItem, id idName: String = "id", url urlName: String, homePage: String, labels: (String) -> [String]
    ) {
        guard let id = feed.id(idName), let url = feed.words(urlName) else { return nil }
        let labels = labels(id)
        self.init(
            id: id, title: feed.words("title") ?? url, url: url, homePage: feed.words(homePage), folder: labels.first,
            labels: Array(labels.dropFirst()))
    }
}

extension RemoteEntry {
    /// Creates an entry with the title, author, link and content of an object. The latter two have these names.
    init(_ item: JSONItem, id: String, subscription: String, link linkName: String = "url", html htmlName: String) {
        self.init(id: id, subscription: subscription)
        title = item.text("title")
        link = item.words(linkName)
        author = item.words("author")
        html = item.text(htmlName)
    }
}

extension FeedServer {
    /// Returns an identifier as a number, for servers whose identifiers are numbers.
    func number(_ id: String) -> Int64 { Int64(id) ?? 0 }
}

/// Fetches entries in batches that a server accepts.
///
/// A batch without any entry is requested again before the entries count as deleted.
func inBatches(
    of size: Int, _ ids: [String], _ fetch: ([String]) async throws(ServerError) -> [RemoteEntry]
) async throws(ServerError) -> [RemoteEntry] {
    var entries: [RemoteEntry] = []
    for start in stride(from: 0, to: ids.count, by: size) {
        let batch = Array(ids[start..<min(start + size, ids.count)])
        var page = try await fetch(batch)
        if page.isEmpty { page = try await fetch(batch) }
        let wanted = Set(batch)
        entries += page.filter { wanted.contains($0.id) }
    }
    return entries
}
