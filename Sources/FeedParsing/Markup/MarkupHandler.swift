/// The vocabularies used in feeds.
enum Vocabulary: Hashable {
    case none, rss, rdf, atom, dublinCore, dublinCoreTerms, content, media, itunes, podcast, slash, wellFormedWeb
    case thread, feedburner, geo, syndication, prism, xhtml, xml, other

    /// The maximum length of a known address. Longer ones aren't read in whole for each name.
    static let longestAddress = 100

    init(uri: String) {
        guard uri.utf8.count <= Vocabulary.longestAddress else {
            self = .other
            return
        }
        let key = uri.lowercased()
        switch key {
        case "": self = .none
        case "http://www.w3.org/2005/atom", "http://purl.org/atom/ns#", "http://purl.org/atom/1.0#": self = .atom
        case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": self = .rdf
        case "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
            "http://channel.netscape.com/rdf/simple/0.9/",
            "http://my.netscape.com/publish/formats/rss-0.91.dtd", "http://backend.userland.com/rss2",
            "http://blogs.law.harvard.edu/tech/rss", "http://purl.org/net/rss1.1#", "http://purl.org/rss/1.0":
            self = .rss
        case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/": self = .dublinCore
        case "http://purl.org/dc/terms/": self = .dublinCoreTerms
        case "http://purl.org/rss/1.0/modules/content/": self = .content
        case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss": self = .media
        case "http://www.itunes.com/dtds/podcast-1.0.dtd": self = .itunes
        case "https://podcastindex.org/namespace/1.0": self = .podcast
        case "http://purl.org/rss/1.0/modules/slash/": self = .slash
        case "http://wellformedweb.org/commentapi/": self = .wellFormedWeb
        case "http://purl.org/syndication/thread/1.0": self = .thread
        case "http://rssnamespace.org/feedburner/ext/1.0": self = .feedburner
        case "http://www.georss.org/georss": self = .geo
        case "http://purl.org/rss/1.0/modules/syndication/": self = .syndication
        case "http://prismstandard.org/namespaces/1.0/basic/", "http://prismstandard.org/namespaces/1.1/basic/",
            "http://prismstandard.org/namespaces/1.2/basic/", "http://prismstandard.org/namespaces/basic/1.2/",
            "http://prismstandard.org/namespaces/basic/2.0/", "http://prismstandard.org/namespaces/basic/2.1/",
            "http://prismstandard.org/namespaces/basic/2.2/", "http://prismstandard.org/namespaces/basic/3.0/":
            self = .prism
        case "http://www.w3.org/1999/xhtml": self = .xhtml
        case "http://www.w3.org/xml/1998/namespace": self = .xml
        default: self = .other
        }
    }

    /// Creates the vocabulary for which a prefix customarily stands, for documents that don't declare it.
    init(prefix: String) {
        switch prefix.lowercased() {
        case "dc": self = .dublinCore
        case "dcterms", "dct": self = .dublinCoreTerms
        case "content": self = .content
        case "media": self = .media
        case "itunes": self = .itunes
        case "podcast": self = .podcast
        case "slash": self = .slash
        case "wfw": self = .wellFormedWeb
        case "thr": self = .thread
        case "feedburner": self = .feedburner
        case "atom", "a10", "atom10": self = .atom
        case "rdf": self = .rdf
        case "georss": self = .geo
        case "sy": self = .syndication
        case "prism": self = .prism
        case "xhtml": self = .xhtml
        case "xml": self = .xml
        default: self = .other
        }
    }
}

/// The name of an element or attribute. A reader makes one for all elements with the same name.
final class MarkupName: Sendable {
    let vocabulary: Vocabulary
    /// The local name in lower case.
    let local: String
    /// The name as written, with its prefix.
    let written: String
    let hasPrefix: Bool
    /// Whether the element has text content. Unannounced markup inside is part of the text.
    let isTextConstruct: Bool
    /// Whether the children of the element don't describe the surrounding entry or feed.
    let isForeign: Bool

    init(vocabulary: Vocabulary, local: String, written: String) {
        self.vocabulary = vocabulary
        self.local = local
        self.written = written
        hasPrefix = written.contains(":")
        isTextConstruct = MarkupName.textConstructs.contains(local)
        isForeign = MarkupName.foreignElements.contains(local)
    }

    private static let textConstructs: Set<String> = [
        "title", "description", "summary", "content", "subtitle", "tagline", "info", "rights", "copyright", "encoded",
        "abstract", "body", "fullitem",
    ]
    private static let foreignElements: Set<String> = ["category", "image", "cloud", "enclosure", "guid", "id"]
}

/// An attribute with its value.
struct MarkupAttribute {
    var name: MarkupName
    var value: String
}

/// Receives the parts of a document in order.
protocol MarkupHandler: AnyObject {
    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute])
    func endElement(_ name: MarkupName)
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Called when the document ended before its elements did. Their ends follow.
    func documentIsCutOff()
}
