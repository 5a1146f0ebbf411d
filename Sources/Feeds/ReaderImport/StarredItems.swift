import FeedParsing
import Fetching
import Foundation
import GRDB
import LibraryKernel
import WebAddresses

/// Starred items in the JSON format of the Google Reader API, as FreshRSS and Inoreader export them: `items`, each with
/// its `origin`.
package enum StarredItems {
    private struct Document: Encodable {
        var id = "user/-/state/com.google/starred"
        var title = "Starred"
        var items: [Item]
    }

    private struct Item: Encodable {
        struct Link: Encodable {
            var href: String
            var type: String?
        }
        struct Content: Encodable {
            var content: String?
        }
        struct Origin: Encodable {
            var streamId: String?
            var title: String?
            var htmlUrl: String?
            var feedUrl: String?
        }

        var id: String?
        var guid: String?
        var title: String?
        var author: String?
        var published: Instant?
        var updated: Instant?
        var canonical: [Link]?
        var alternate: [Link]?
        var enclosure: [Link]?
        var categories: [String]?
        var content: Content?
        var summary: Content?
        var origin: Origin?
    }

    /// Reads a document. Returns `nil` if it isn't a list of items.
    ///
    /// A value of another kind than usual costs only itself.
    package static func read(_ data: Data) -> [ForeignEntry]? {
        let document = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        return (document?["items"] as? [Any])?.compactMap { ($0 as? [String: Any]).map(entry) }
    }

    private static func entry(_ item: [String: Any]) -> ForeignEntry {
        var entry = ParsedEntry()
        let link = (links(item["canonical"]) + links(item["alternate"])).first?.url
        // An identifier that a server assigned is not the feed's own.
        let own = text(item["guid"]) ?? text(item["id"]).flatMap { $0.hasPrefix("tag:google.com") ? nil : $0 }
        entry.id = own ?? link
        entry.title = text(item["title"]).map { Markup.plainText($0) }
        entry.link = link
        entry.authors = text(item["author"]).map { [ParsedAuthor(name: $0)] } ?? []
        let dates = ["published", "updated", "crawlTimeMsec", "timestampUsec", "starred"].lazy
        if let instant = dates.compactMap({ instant(item[$0]) }).first(where: { $0 > 0 }) {
            entry.published = ParsedDate(instant: instant, text: Timestamp.rfc3339(instant))
        }
        entry.contentHTML = content(item["content"]) ?? content(item["summary"])
        entry.enclosures = links(item["enclosure"]).map { ParsedEnclosure(url: $0.url, mediaType: $0.type) }
        let origin = item["origin"] as? [String: Any] ?? ["streamId": item["origin"] as Any]
        let stream = text(origin["streamId"]).flatMap { id in
            id.hasPrefix("feed/") ? String(id.dropFirst(5)) : nil
        }.flatMap { WebAddress.isWeb($0) ? $0 : nil }
        let categories = list(item["categories"]).compactMap { text($0) ?? text(($0 as? [String: Any])?["id"]) }
        let labels = categories.compactMap { category -> String? in
            guard let range = category.range(of: "/label/") else { return nil }
            let label = String(category[range.upperBound...])
            return ImportedText.limited(label.removingPercentEncoding ?? label, to: ImportedText.maximumName)
        }.prefix(ImportedText.maximumTags)
        return ForeignEntry(
            feed: text(origin["feedUrl"]) ?? stream ?? "",
            feedTitle: text(origin["title"]).map { Markup.plainText($0) },
            entry: entry, isRead: categories.contains { $0.hasSuffix("/state/com.google/read") }, isStarred: true,
            tags: Array(labels))
    }

    /// Returns a text, or a number as text, or `nil` if the value is neither or empty.
    private static func text(_ value: Any?) -> String? {
        ((value as? String) ?? (value as? NSNumber)?.stringValue).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a time in seconds, milliseconds or microseconds, as a number or as text, or in the form of a date.
    private static func instant(_ value: Any?) -> Instant? {
        guard let text = text(value) else { return nil }
        guard let number = Double(text) else { return DateParser.parse(text) }
        return Instant(rawValue: Int64(clamping: number / (number > 1e14 ? 1e6 : number > 1e11 ? 1000 : 1)))
    }

    /// Returns the elements of a list, or a single value as its only element.
    private static func list(_ value: Any?) -> [Any] { value as? [Any] ?? [value].compactMap { $0 } }

    private static func content(_ value: Any?) -> String? {
        text((value as? [String: Any])?["content"]) ?? (value as? String)
    }

    /// Returns links in the usual list, or one in its place, each an object or its address alone.
    private static func links(_ value: Any?) -> [(url: String, type: String?)] {
        list(value).compactMap { link in
            let fields = link as? [String: Any] ?? ["href": link]
            return (text(fields["href"]) ?? text(fields["url"])).map { ($0, text(fields["type"])) }
        }
    }

    /// Returns the starred entries of a library as JSON, the number of those left out because they would reveal a hidden
    /// result, and the entries whose damaged text was left out.
    package static func write(
        _ library: Library
    ) throws(LibraryError) -> (data: Data, hidden: Int, damaged: [EntryID]) {
        var (hidden, damaged): (Int, [EntryID]) = (0, [])
        let entries = try library.read { db in
            let filter = try library.spoilers.read(db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT e.guid, e.title, c.author, c.published, c.link, c.html, c.text, s.title, s.home_page, s.url, e.is_read,
                        (SELECT group_concat(tag, char(31)) FROM entry_tag WHERE entry_id = e.id), e.id
                    FROM entry e JOIN entry_content c ON c.entry_id = e.id JOIN subscription s ON s.id = e.subscription_id
                    WHERE e.is_starred = 1 ORDER BY e.sort_date DESC, e.id DESC
                    """
            ).compactMap { row -> Item? in
                if try EntryStore.isSpoiler(row.at(12), by: filter, db) {
                    hidden += 1
                    return nil
                }
                var item = Item()
                item.id = try row.at(0)
                item.guid = item.id
                item.title = try row.at(1)
                item.author = try row.at(2)
                item.published = try row.at(3)
                let link: String? = try row.at(4)
                item.canonical = link.map { [Item.Link(href: $0, type: nil)] }
                item.alternate = link.map { [Item.Link(href: $0, type: "text/html")] }
                // A damaged text is left out, so that the other entries are written.
                var (html, text): (String?, String?) = (nil, nil)
                do {
                    html = try row.text(5)
                    text = try row.text(6)
                } catch {
                    damaged.append(try row.at(12))
                }
                item.content = Item.Content(content: html ?? text.map { Markup.escaped($0) })
                let url = try UserInfo.split(row.at(9)).address
                item.origin = Item.Origin(
                    streamId: "feed/" + url, title: try row.at(7), htmlUrl: try row.at(8), feedUrl: url)
                var categories = ["user/-/state/com.google/starred"]
                if try row.at(10) { categories.append("user/-/state/com.google/read") }
                let tags: String? = try row.at(11)
                categories += (tags ?? "").split(separator: "\u{1F}").map { "user/-/label/\($0)" }
                item.categories = categories
                return item
            }
        }
        do { return (Data(try JSONWriter.bytes(Document(items: entries))), hidden, damaged) } catch {
            throw .failed("can't write the starred entries: \(error)")
        }
    }
}
