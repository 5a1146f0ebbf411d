import Foundation

/// Reads RSS 2.0 in JSON, with elements as keys (cyber.law.harvard.edu/rss, "RSS-in-JSON").
enum RSSInJSONReader {
    static func read(_ channel: [String: Any], base: String?) -> ParsedFeed {
        let fields = JSONFields(values: channel, base: base)
        var feed = ParsedFeed(format: .rss)
        feed.title = fields.plain("title")
        feed.homePage = fields.link("link")
        feed.description = fields.plain("description")
        feed.language = fields.plain("language")
        feed.updated = fields.date("lastBuildDate") ?? fields.date("pubDate")
        feed.entries = fields.elements("item").compactMap { $0 as? [String: Any] }.map {
            entry(JSONFields(values: $0, base: base))
        }
        return feed
    }

    private static func entry(_ fields: JSONFields) -> ParsedEntry {
        var entry = ParsedEntry()
        let guid = fields.values["guid"] as? [String: Any]
        entry.id = fields.identifier("guid") ?? guid?["#value"] as? String
        entry.link = fields.link("link")
        entry.title = fields.plain("title").map { Markup.plainText($0, isTitle: true) }
        entry.contentHTML = fields.string("description")
        entry.published = fields.date("pubDate")
        entry.commentsLink = fields.link("comments")
        let author = FeedBuilder.author(fields.plain("author") ?? "")
        if !author.isEmpty { entry.authors = [author] }
        if let enclosure = fields.values["enclosure"] as? [String: Any] {
            let part = JSONFields(values: enclosure, base: fields.base)
            if let url = part.link("url") {
                let size = part.number("length").flatMap { Int64(exactly: $0.rounded()) }
                entry.enclosures = [ParsedEnclosure(url: url, mediaType: part.plain("type"), size: size)]
            }
        }
        return entry
    }
}
