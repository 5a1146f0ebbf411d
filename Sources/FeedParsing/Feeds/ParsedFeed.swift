/// A date as a feed gives it: the words, and the instant if they could be read.
package struct ParsedDate: Hashable, Sendable {
    /// Seconds since 1970 in UTC; `nil` when no reading of the words is sound.
    package var instant: Int64?
    /// The words as they stand in the feed, without white space at the ends.
    package var text: String

    package init(instant: Int64?, text: String) {
        self.instant = instant
        self.text = text
    }
}

/// Who wrote something.
package struct ParsedAuthor: Hashable, Sendable {
    package var name: String?
    package var email: String?
    package var url: String?

    package init(name: String? = nil, email: String? = nil, url: String? = nil) {
        self.name = name
        self.email = email
        self.url = url
    }

    package var isEmpty: Bool { name == nil && email == nil && url == nil }
}

/// A file that belongs to an entry: RSS enclosure, Atom link of that relation, JSON Feed attachment.
package struct ParsedEnclosure: Hashable, Sendable {
    package var url: String
    package var mediaType: String?
    /// Bytes.
    package var size: Int64?
    /// Seconds.
    package var duration: Double?

    /// The bytes and seconds that a file has at most: a petabyte, and a year.
    private static let (largest, longest): (Int64, Double) = (1 << 50, 366 * 86_400)

    /// A Boolean value that indicates whether a file can last for a number of seconds.
    static func isDuration(_ seconds: Double) -> Bool { seconds.isBetween(0, longest) }

    /// Makes an enclosure; a size or a duration that no file has is left out.
    package init(url: String, mediaType: String? = nil, size: Int64? = nil, duration: Double? = nil) {
        self.url = url
        self.mediaType = mediaType
        self.size = size.flatMap { $0 >= 0 && $0 <= ParsedEnclosure.largest ? $0 : nil }
        self.duration = duration.flatMap { ParsedEnclosure.isDuration($0) ? $0 : nil }
    }
}

/// One entry of a feed.
package struct ParsedEntry: Hashable, Sendable {
    /// What the feed identifies it by: guid, Atom id, rdf:about, JSON Feed id.
    package var id: String?
    /// The page of the entry.
    package var link: String?
    /// The page before it passed through a redirecting service, or the page that the entry is about.
    package var externalLink: String?
    /// Whether that is the entry's own address, in whose place a service of statistics has put its own (FeedBurner).
    package var isExternalLinkOwn = false
    /// The address that people open.
    package var address: String? { isExternalLinkOwn ? externalLink ?? link : link ?? externalLink }
    /// Plain text.
    package var title: String?
    package var contentHTML: String?
    package var contentText: String?
    package var summary: String?
    package var image: String?
    package var published: ParsedDate?
    package var updated: ParsedDate?
    package var authors: [ParsedAuthor] = []
    package var tags: [String] = []
    package var enclosures: [ParsedEnclosure] = []
    package var commentsLink: String?
    /// Where the comments can be followed as a feed (Well-Formed Web's commentRss).
    package var commentsFeed: String?
    /// How many comments there were (Slash).
    package var commentCount: Int?
    package var language: String?
    /// Whether the document ended in the middle of it, before anything told what it is: shown, but not worth keeping.
    package var isStump = false

    package init() {}
}

/// A feed of whatever format.
package struct ParsedFeed: Hashable, Sendable {
    /// The format that was read.
    package enum Format: String, Hashable, Sendable {
        case rss = "RSS"
        case rdf = "RSS 1.0"
        case atom = "Atom"
        case json = "JSON Feed"
    }

    package var format: Format
    package var title: String?
    package var homePage: String?
    package var feedURL: String?
    package var description: String?
    package var language: String?
    package var icon: String?
    package var authors: [ParsedAuthor] = []
    package var updated: ParsedDate?
    /// Minutes that the feed asks to be left alone between reads (RSS ttl).
    package var timeToLive: Int?
    package var entries: [ParsedEntry] = []

    package init(format: Format) { self.format = format }
}

/// Something wrong with a feed that could be read all the same.
package struct FeedProblem: Hashable, Sendable, CustomStringConvertible {
    /// One sentence without a full stop.
    package var message: String
    /// The line in the document, from 1, where known.
    package var line: Int?

    package init(_ message: String, line: Int? = nil) {
        self.message = message
        self.line = line
    }

    package var description: String { line.map { "line \($0): \(message)" } ?? message }
}

/// What was read of a document, and what was wrong with it.
package struct FeedReading: Hashable, Sendable {
    package var feed: ParsedFeed
    package var problems: [FeedProblem]
}

/// Why nothing could be read.
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No bytes, or blanks only.
    case empty
    /// A page for people.
    case html
    /// None of the known formats.
    case unknownFormat(FeedProblem?)

    package var description: String {
        switch self {
        case .empty: "the document is empty"
        case .html: "this is a web page, not a feed"
        case .unknownFormat(let problem?): "this is not a feed (\(problem))"
        case .unknownFormat(nil): "this is not a feed"
        }
    }
}
