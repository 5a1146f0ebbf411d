import Foundation

enum JSONFeedReader {
    /// The maximum number of values in a document, each of which takes hundreds of bytes once parsed.
    static let maximumValues = 400_000

    static func read(_ utf8: [UInt8], base: String?) throws(FeedError) -> FeedReading {
        var problems: [FeedProblem] = []
        guard hasFewValues(utf8) else {
            throw .unknownFormat(FeedProblem("the JSON has more than \(maximumValues) values"))
        }
        let document: [String: Any]
        if let value = try? JSONSerialization.jsonObject(with: Data(utf8)) {
            guard let object = value as? [String: Any] else { throw .unknownFormat(nil) }
            document = object
        } else {
            let repaired = JSONStrings.repaired(utf8)
            guard let object = (try? JSONSerialization.jsonObject(with: Data(repaired))) as? [String: Any] else {
                throw .unknownFormat(FeedProblem("the JSON is not valid"))
            }
            problems.append(FeedProblem("the JSON has values that are not valid"))
            document = object
        }
        if let rss = document["rss"] as? [String: Any], let channel = rss["channel"] as? [String: Any] {
            return FeedReading(feed: RSSInJSONReader.read(channel, base: base), problems: problems)
        }
        let version = document["version"] as? String
        let fields = JSONFields(values: document, base: base)
        guard document["items"] is [Any] || document["items"] is [String: Any] else {
            throw .unknownFormat(FeedProblem("no items found"))
        }
        if version?.contains("jsonfeed.org/version/") != true {
            problems.append(FeedProblem("the version is not a JSON Feed version"))
        }
        var feed = ParsedFeed(format: .json)
        feed.title = fields.title
        feed.homePage = fields.link("home_page_url")
        feed.feedURL = fields.link("feed_url")
        feed.description = fields.plain("description")
        feed.language = fields.plain("language")
        feed.icon = fields.link("icon") ?? fields.link("favicon")
        feed.authors = fields.authors
        for item in fields.elements("items") {
            guard let item = item as? [String: Any] else {
                problems.append(FeedProblem("an item is not an object"))
                continue
            }
            feed.entries.append(entry(JSONFields(values: item, base: base)))
        }
        return FeedReading(feed: feed, problems: problems)
    }

    /// Whether a document has few enough values, counted by their separators outside strings (RFC 8259, section 2).
    private static func hasFewValues(_ utf8: [UInt8]) -> Bool {
        var count = 0
        var isInString = false
        var isEscaped = false
        for byte in utf8 {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            default: break
            }
        }
        return count <= maximumValues
    }

    private static func entry(_ fields: JSONFields) -> ParsedEntry {
        var entry = ParsedEntry()
        entry.id = fields.identifier("id")
        entry.link = fields.link("url")
        entry.externalLink = fields.link("external_url")
        entry.title = fields.title ?? fields.identifier("title")
        entry.contentHTML = fields.string("content_html").map(Markup.unwrapped)
        entry.contentText = fields.string("content_text")
        entry.summary = fields.string("summary")
        // A content without anything to see doesn't hide a text.
        if entry.contentHTML.map(Markup.isInvisible) == true, entry.contentText != nil || entry.summary != nil {
            entry.contentHTML = nil
        }
        entry.image = fields.link("image") ?? fields.link("banner_image")
        entry.published = fields.date("date_published")
        entry.updated = fields.date("date_modified")
        entry.authors = fields.authors
        entry.language = fields.plain("language")
        entry.tags = fields.list("tags")
        for attachment in fields.elements("attachments") {
            let part = JSONFields(values: attachment as? [String: Any] ?? ["url": attachment], base: fields.base)
            guard let url = part.link("url") else { continue }
            entry.enclosures.append(
                ParsedEnclosure(
                    url: url, mediaType: part.plain("mime_type"),
                    size: part.number("size_in_bytes").flatMap { Int64(exactly: $0.rounded()) },
                    duration: part.duration("duration_in_seconds")))
        }
        return entry
    }
}
