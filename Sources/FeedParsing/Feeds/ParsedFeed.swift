import WebAddresses

/// A date in a feed: the text, and the instant if it could be parsed.
package struct ParsedDate: Hashable, Sendable {
    /// The instant, or `nil` if the text can't be parsed reliably.
    package var instant: Instant?
    /// The trimmed text in the feed.
    package var text: String

    package init(instant: Instant?, text: String) {
        self.instant = instant
        self.text = text
    }
}

/// An author.
package struct ParsedAuthor: Hashable, Sendable {
    package var name: String?
    package var email: String?
    package var url: String?

    package init(name: String? = nil, email: String? = nil, url: String? = nil) {
        self.name = name
        self.email = email
        self.url = url
    }

    var isEmpty: Bool { name == nil && email == nil && url == nil }
}

/// A file attached to an entry: RSS enclosure, Atom link with that relation, or JSON Feed attachment.
package struct ParsedEnclosure: Hashable, Sendable {
    package var url: String
    package var mediaType: String?
    /// The size in bytes.
    package var size: Int64?
    /// The duration in seconds.
    package var duration: Double?

    /// The maximum size and duration of a file: a petabyte, and a year.
    private static let (largest, longest): (Int64, Double) = (1 << 50, 366 * 86_400)

    /// Whether a file can have this duration in seconds.
    static func isDuration(_ seconds: Double) -> Bool { seconds.isBetween(0, longest) }

    /// The media type of a page on which a video plays.
    package static let pageType = "text/html"

    /// Whether the file is a Flash film, which nothing plays any more.
    var isFlash: Bool { mediaType?.lowercased() == "application/x-shockwave-flash" }

    /// Whether the file is audio or video that plays on the web.
    var isMedia: Bool {
        MediaType.isMedia(MediaType.plain(MediaType.resolved(mediaType, address: url))) && WebAddress.isWeb(url)
    }

    /// Whether the file is a picture by its type or, without one, by its name.
    var isPicture: Bool {
        if let mediaType { return mediaType.lowercased().hasPrefix("image/") }
        let path = WebAddress(url)?.path.lowercased() ?? ""
        return [".jpg", ".jpeg", ".png", ".gif", ".webp"].contains(where: path.hasSuffix)
    }

    /// Creates an enclosure. An impossible size or duration is dropped.
    package init(url: String, mediaType: String? = nil, size: Int64? = nil, duration: Double? = nil) {
        self.url = url
        self.mediaType = mediaType
        self.size = size.flatMap { $0 >= 0 && $0 <= ParsedEnclosure.largest ? $0 : nil }
        self.duration = duration.flatMap { ParsedEnclosure.isDuration($0) ? $0 : nil }
    }
}

/// One entry of a feed.
package struct ParsedEntry: Hashable, Sendable {
    /// The feed's identifier of the entry: guid, Atom id, rdf:about or JSON Feed id.
    package var id: String?
    /// The address of the entry's page.
    package var link: String?
    /// The address before a redirecting service, or of the page that the entry is about.
    package var externalLink: String?
    /// Whether that is the entry's own address, which a tracking service has replaced (FeedBurner).
    package var isExternalLinkOwn = false
    /// The address to open.
    package var address: String? { isExternalLinkOwn ? externalLink ?? link : link ?? externalLink }
    /// The title as plain text.
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
    /// The address of a feed of the comments (Well-Formed Web's commentRss).
    var commentsFeed: String?
    var commentCount: Int?
    package var language: String?
    /// Whether the document ended inside the entry before its identity was known. It is shown but not stored.
    package var isStump = false

    package init() {}
}

/// A feed in any format.
package struct ParsedFeed: Hashable, Sendable {
    /// The original format.
    package enum Format: String, Hashable, Sendable {
        case rss = "RSS"
        case rdf = "RSS 1.0"
        case atom = "Atom"
        case json = "JSON Feed"
    }

    var format: Format
    package var title: String?
    package var homePage: String?
    var feedURL: String?
    var description: String?
    package var language: String?
    var icon: String?
    package var authors: [ParsedAuthor] = []
    var updated: ParsedDate?
    /// The address to which the publisher asks readers to move (iTunes' new-feed-url).
    package var newAddress: String?
    /// The number of minutes between fetches that the feed asks for (RSS `ttl`, `sy:updatePeriod`).
    package var timeToLive: Int?
    /// When the feed asks not to be fetched.
    package var skippedTimes = SkippedTimes()
    package var entries: [ParsedEntry] = []

    package init(format: Format) { self.format = format }
}

/// The content of a document, and the errors in it.
package struct FeedReading: Hashable, Sendable {
    package var feed: ParsedFeed
    package var problems: [FeedProblem]
    /// Whether the document ended before its elements did.
    package var isCutOff = false
}

/// The reason why nothing could be read.
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is empty or contains only white space.
    case empty
    /// The document ends before its first entry.
    case incomplete
    /// The document is a web page.
    case html
    /// The format is unknown.
    case unknownFormat(FeedProblem?)

    package var description: String {
        switch self {
        case .empty: "the document is empty"
        case .incomplete: "the document is incomplete"
        case .html: "this is a web page, not a feed"
        case .unknownFormat(let problem?): "this is not a feed (\(problem))"
        case .unknownFormat(nil): "this is not a feed"
        }
    }
}
