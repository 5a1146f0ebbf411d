import Foundation

/// Reads JSON Feed 1.0 and 1.1.
enum JSONFeedReader {
    static func read(_ utf8: [UInt8], base: String?) throws(FeedError) -> FeedReading {
        var problems: [FeedProblem] = []
        let document: [String: Any]
        do {
            guard let object = try JSONSerialization.jsonObject(with: Data(utf8)) as? [String: Any] else {
                throw FeedError.unknownFormat(nil)
            }
            document = object
        } catch let error as FeedError {
            throw error
        } catch {
            throw .unknownFormat(FeedProblem("the JSON is not valid"))
        }
        let version = document["version"] as? String
        guard let items = document["items"] as? [Any] else { throw .unknownFormat(FeedProblem("there are no items")) }
        if version?.contains("jsonfeed.org/version/") != true {
            problems.append(FeedProblem("the version does not name JSON Feed"))
        }
        let fields = Fields(document, base: base)
        var feed = ParsedFeed(format: .json)
        feed.title = fields.plain("title")
        feed.homePage = fields.link("home_page_url")
        feed.feedURL = fields.link("feed_url")
        feed.description = fields.plain("description")
        feed.language = fields.plain("language")
        feed.icon = fields.link("icon") ?? fields.link("favicon")
        feed.authors = fields.authors
        for item in items {
            guard let item = item as? [String: Any] else {
                problems.append(FeedProblem("an item is not an object"))
                continue
            }
            feed.entries.append(entry(Fields(item, base: base)))
        }
        return FeedReading(feed: feed, problems: problems)
    }

    private static func entry(_ fields: Fields) -> ParsedEntry {
        var entry = ParsedEntry()
        entry.id = fields.identifier("id")
        entry.link = fields.link("url")
        entry.externalLink = fields.link("external_url")
        entry.title = fields.plain("title")
        entry.contentHTML = fields.string("content_html")
        entry.contentText = fields.string("content_text")
        entry.summary = fields.string("summary")
        entry.image = fields.link("image") ?? fields.link("banner_image")
        entry.published = fields.date("date_published")
        entry.updated = fields.date("date_modified")
        entry.authors = fields.authors
        entry.language = fields.plain("language")
        entry.tags = (fields.values["tags"] as? [Any] ?? []).compactMap { $0 as? String }
        for case let attachment as [String: Any] in fields.values["attachments"] as? [Any] ?? [] {
            let part = Fields(attachment, base: fields.base)
            guard let url = part.link("url") else { continue }
            entry.enclosures.append(
                ParsedEnclosure(
                    url: url, mediaType: part.plain("mime_type"),
                    size: (attachment["size_in_bytes"] as? NSNumber)?.int64Value,
                    duration: (attachment["duration_in_seconds"] as? NSNumber)?.doubleValue))
        }
        return entry
    }

    /// The fields of an object, whatever is in them.
    private struct Fields {
        let values: [String: Any]
        let base: String?

        init(_ values: [String: Any], base: String?) {
            self.values = values
            self.base = base
        }

        func string(_ key: String) -> String? { (values[key] as? String)?.nonEmpty }

        func plain(_ key: String) -> String? { string(key).map(Markup.foldBlanks)?.nonEmpty }

        func link(_ key: String) -> String? { string(key).flatMap { LinkResolution.resolve($0, base: base) } }

        /// An identifier should be a string; numbers occur and are taken as written.
        func identifier(_ key: String) -> String? {
            string(key) ?? (values[key] as? NSNumber)?.stringValue
        }

        func date(_ key: String) -> ParsedDate? {
            plain(key).map { ParsedDate(instant: DateParser.parse($0), text: $0) }
        }

        /// Version 1.1 has a list, 1.0 a single author.
        var authors: [ParsedAuthor] {
            let list = values["authors"] as? [Any] ?? (values["author"] as? [String: Any]).map { [$0] } ?? []
            return list.compactMap { $0 as? [String: Any] }.map { Fields($0, base: base) }
                .map { ParsedAuthor(name: $0.plain("name"), url: $0.link("url")) }.filter { !$0.isEmpty }
        }
    }
}
