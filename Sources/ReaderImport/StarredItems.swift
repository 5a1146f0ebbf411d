import FeedParsing
import Feeds
import Fetching
import Foundation
import GRDB
import LibraryKernel
import WebAddresses

/// Starred items in the JSON format of the Google Reader API, as FreshRSS and Inoreader export them: `items`, each with
/// its `origin`.
package enum StarredItems {
    private struct Document: Codable {
        var id = "user/-/state/com.google/starred"
        var title = "Starred"
        var items: [Item]
    }

    private struct Item: Codable {
        struct Link: Codable {
            var href: String
            var type: String?
        }
        struct Content: Codable {
            var content: String?
        }
        struct Origin: Codable {
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
    package static func read(_ data: Data) -> [ForeignEntry]? {
        guard let document = try? JSONDecoder().decode(ReadDocument.self, from: data) else { return nil }
        return document.items.map { item in
            var entry = ParsedEntry()
            let link = (item.canonical ?? []).first?.href ?? (item.alternate ?? []).first?.href
            // An identifier that a server assigned is not the feed's own.
            let own = item.guid ?? item.id.flatMap { $0.hasPrefix("tag:google.com") ? nil : $0 }
            entry.id = own ?? link
            entry.title = item.title.map { Markup.plainText($0) }
            entry.link = link
            entry.authors = item.author.map { $0.isEmpty ? [] : [ParsedAuthor(name: $0)] } ?? []
            if let instant = item.published, instant > 0 {
                entry.published = ParsedDate(instant: instant, text: Timestamp.rfc3339(instant))
            }
            entry.contentHTML = item.content?.content ?? item.summary?.content
            entry.enclosures = (item.enclosure ?? []).map { ParsedEnclosure(url: $0.href, mediaType: $0.type) }
            let stream = item.origin?.streamId.flatMap { id in
                id.hasPrefix("feed/") ? String(id.dropFirst(5)) : nil
            }.flatMap { WebAddress.isWeb($0) ? $0 : nil }
            let categories = item.categories ?? []
            let labels = categories.compactMap { category -> String? in
                guard let range = category.range(of: "/label/") else { return nil }
                return ImportedText.limited(String(category[range.upperBound...]), to: ImportedText.mostName)
            }.prefix(ImportedText.mostTags)
            let isRead = categories.contains { $0.hasSuffix("/state/com.google/read") }
            return ForeignEntry(
                feed: item.origin?.feedUrl ?? stream ?? "", entry: entry, isRead: isRead, isStarred: true,
                tags: Array(labels))
        }
    }

    private struct ReadDocument: Decodable {
        var items: [Item]
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
