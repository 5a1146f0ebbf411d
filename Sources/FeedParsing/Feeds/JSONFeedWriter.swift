import Foundation

/// Writes a feed as JSON Feed 1.1 (jsonfeed.org/version/1.1).
///
/// The extension object `_tappa` contains everything else: the original format, errors, and an entry's dates as
/// written.
package enum JSONFeedWriter {
    /// Returns the document in UTF-8 with sorted keys.
    package static func write(_ reading: FeedReading) throws -> Data {
        let feed = reading.feed
        var document: [String: Any] = ["version": "https://jsonfeed.org/version/1.1"]
        // The specification requires a title.
        document["title"] = feed.title ?? ""
        document["home_page_url"] = feed.homePage
        document["feed_url"] = feed.feedURL
        document["description"] = feed.description
        document["language"] = feed.language
        document["icon"] = feed.icon
        document["authors"] = authors(feed.authors)
        document["items"] = feed.entries.map(item)
        var extra: [String: Any] = ["format": feed.format.rawValue]
        if !reading.problems.isEmpty {
            extra["problems"] = reading.problems.map { problem in
                var object: [String: Any] = ["message": problem.message]
                object["line"] = problem.line
                return object
            }
        }
        extra["updated"] = feed.updated?.text
        document["_tappa"] = extra
        return try JSONSerialization.data(
            withJSONObject: document, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    private static func item(_ entry: ParsedEntry) -> [String: Any] {
        var item: [String: Any] = [:]
        // The specification requires an id, so other properties replace a missing one.
        item["id"] = entry.id ?? entry.link ?? entry.title ?? entry.published?.text ?? ""
        item["url"] = entry.link
        item["external_url"] = entry.externalLink
        item["title"] = entry.title
        item["content_html"] = entry.contentHTML
        item["content_text"] = entry.contentText
        item["summary"] = entry.summary
        item["image"] = entry.image
        item["language"] = entry.language
        item["date_published"] = (entry.published?.instant).map(Timestamp.rfc3339)
        item["date_modified"] = (entry.updated?.instant).map(Timestamp.rfc3339)
        item["authors"] = authors(entry.authors)
        if !entry.tags.isEmpty { item["tags"] = entry.tags }
        if !entry.enclosures.isEmpty { item["attachments"] = entry.enclosures.map(attachment) }
        var extra: [String: Any] = [:]
        extra["published_text"] = entry.published?.text
        extra["updated_text"] = entry.updated?.text
        extra["comments_url"] = entry.commentsLink
        extra["comments_feed_url"] = entry.commentsFeed
        extra["comments_count"] = entry.commentCount
        if !extra.isEmpty { item["_tappa"] = extra }
        return item
    }

    private static func authors(_ authors: [ParsedAuthor]) -> [[String: Any]]? {
        authors.isEmpty
            ? nil
            : authors.map { author in
                var object: [String: Any] = [:]
                object["name"] = author.name ?? author.email
                object["url"] = author.url ?? author.email.map { "mailto:\($0)" }
                return object
            }
    }

    private static func attachment(_ enclosure: ParsedEnclosure) -> [String: Any] {
        var object: [String: Any] = [
            "url": enclosure.url, "mime_type": enclosure.mediaType ?? "application/octet-stream",
        ]
        object["size_in_bytes"] = enclosure.size
        object["duration_in_seconds"] = enclosure.duration
        return object
    }
}
