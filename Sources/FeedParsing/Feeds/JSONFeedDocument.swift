/// A feed as JSON Feed 1.1 (jsonfeed.org/version/1.1).
///
/// The extension object `_tappa` contains everything else: the original format, errors, and an entry's dates as
/// written.
package struct JSONFeedDocument: Encodable {
    private let feed: ParsedFeed
    private let problems: [FeedProblem]

    /// Creates the document for a feed and the errors in it.
    package init(_ reading: FeedReading) { (feed, problems) = (reading.feed, reading.problems) }

    package func encode(to encoder: any Encoder) throws {
        var document = encoder.container(keyedBy: Name.self)
        try document.encode("https://jsonfeed.org/version/1.1", forKey: "version")
        // The specification requires a title.
        try document.encode(feed.title ?? "", forKey: "title")
        try document.encodeIfPresent(feed.homePage, forKey: "home_page_url")
        try document.encodeIfPresent(feed.feedURL, forKey: "feed_url")
        try document.encodeIfPresent(feed.description, forKey: "description")
        try document.encodeIfPresent(feed.language, forKey: "language")
        try document.encodeIfPresent(feed.icon, forKey: "icon")
        try document.encodeUnlessEmpty(feed.authors.map(Author.init), forKey: "authors")
        var extra = document.nestedContainer(keyedBy: Name.self, forKey: "_tappa")
        try extra.encode(feed.format.rawValue, forKey: "format")
        try extra.encodeIfPresent(feed.updated?.text, forKey: "updated")
        try extra.encodeUnlessEmpty(problems, forKey: "problems")
        var items = document.nestedUnkeyedContainer(forKey: "items")
        for entry in feed.entries { try items.encode(Item(entry: entry)) }
    }
}

private struct Name: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral value: String) { stringValue = value }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedEncodingContainer<Name> {
    fileprivate mutating func encodeUnlessEmpty(_ list: [some Encodable], forKey name: Name) throws {
        if !list.isEmpty { try encode(list, forKey: name) }
    }
}

private struct Item: Encodable {
    let entry: ParsedEntry

    func encode(to encoder: any Encoder) throws {
        var item = encoder.container(keyedBy: Name.self)
        // The specification requires an id, so other properties replace a missing one.
        try item.encode(entry.id ?? entry.link ?? entry.title ?? entry.published?.text ?? "", forKey: "id")
        try item.encodeIfPresent(entry.link, forKey: "url")
        try item.encodeIfPresent(entry.externalLink, forKey: "external_url")
        try item.encodeIfPresent(entry.title, forKey: "title")
        try item.encodeIfPresent(entry.contentHTML, forKey: "content_html")
        try item.encodeIfPresent(entry.contentText, forKey: "content_text")
        try item.encodeIfPresent(entry.summary, forKey: "summary")
        try item.encodeIfPresent(entry.image, forKey: "image")
        try item.encodeIfPresent(entry.language, forKey: "language")
        try item.encodeIfPresent((entry.published?.instant).map(Timestamp.rfc3339), forKey: "date_published")
        try item.encodeIfPresent((entry.updated?.instant).map(Timestamp.rfc3339), forKey: "date_modified")
        try item.encodeUnlessEmpty(entry.authors.map(Author.init), forKey: "authors")
        try item.encodeUnlessEmpty(entry.tags, forKey: "tags")
        try item.encodeUnlessEmpty(entry.enclosures.map(Attachment.init), forKey: "attachments")
        let texts: KeyValuePairs<Name, String?> = [
            "published_text": entry.published?.text, "updated_text": entry.updated?.text,
            "comments_url": entry.commentsLink, "comments_feed_url": entry.commentsFeed,
        ]
        guard entry.commentCount != nil || texts.contains(where: { $0.value != nil }) else { return }
        var extra = item.nestedContainer(keyedBy: Name.self, forKey: "_tappa")
        for (name, text) in texts { try extra.encodeIfPresent(text, forKey: name) }
        try extra.encodeIfPresent(entry.commentCount, forKey: "comments_count")
    }
}

private struct Author: Encodable {
    var name: String?
    var url: String?

    init(_ author: ParsedAuthor) {
        name = author.name ?? author.email
        url = author.url ?? author.email.map { "mailto:\($0)" }
    }
}

private struct Attachment: Encodable {
    let enclosure: ParsedEnclosure

    func encode(to encoder: any Encoder) throws {
        var attachment = encoder.container(keyedBy: Name.self)
        try attachment.encode(enclosure.url, forKey: "url")
        try attachment.encode(enclosure.mediaType ?? "application/octet-stream", forKey: "mime_type")
        try attachment.encodeIfPresent(enclosure.size, forKey: "size_in_bytes")
        try attachment.encodeIfPresent(enclosure.duration, forKey: "duration_in_seconds")
    }
}
