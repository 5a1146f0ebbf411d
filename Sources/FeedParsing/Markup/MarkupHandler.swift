enum Vocabulary: Hashable {
    case none, rss, rdf, atom, dublinCore, dublinCoreTerms, content, media, itunes, podcast, slash, wellFormedWeb
    case thread, feedburner, geo, syndication, prism, xhtml, xml, other

    /// The maximum length of a known address. Longer ones aren't read in whole for each name.
    static let longestAddress = 100

    private static let addresses: [String: Vocabulary] = [
        "": .none, "http://www.w3.org/2005/atom": .atom, "http://purl.org/atom/ns#": .atom,
        "http://purl.org/atom/1.0#": .atom, "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf,
        "http://purl.org/rss/1.0/": .rss, "http://my.netscape.com/rdf/simple/0.9/": .rss,
        "http://channel.netscape.com/rdf/simple/0.9/": .rss,
        "http://my.netscape.com/publish/formats/rss-0.91.dtd": .rss, "http://backend.userland.com/rss2": .rss,
        "http://blogs.law.harvard.edu/tech/rss": .rss, "http://purl.org/net/rss1.1#": .rss,
        "http://purl.org/rss/1.0": .rss, "http://purl.org/dc/elements/1.1/": .dublinCore,
        "http://purl.org/dc/elements/1.0/": .dublinCore, "http://purl.org/dc/terms/": .dublinCoreTerms,
        "http://purl.org/rss/1.0/modules/content/": .content, "http://search.yahoo.com/mrss/": .media,
        "http://search.yahoo.com/mrss": .media, "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
        "https://podcastindex.org/namespace/1.0": .podcast, "http://purl.org/rss/1.0/modules/slash/": .slash,
        "http://wellformedweb.org/commentapi/": .wellFormedWeb, "http://purl.org/syndication/thread/1.0": .thread,
        "http://rssnamespace.org/feedburner/ext/1.0": .feedburner, "http://www.georss.org/georss": .geo,
        "http://purl.org/rss/1.0/modules/syndication/": .syndication,
        "http://prismstandard.org/namespaces/1.0/basic/": .prism,
        "http://prismstandard.org/namespaces/1.1/basic/": .prism,
        "http://prismstandard.org/namespaces/1.2/basic/": .prism,
        "http://prismstandard.org/namespaces/basic/1.2/": .prism,
        "http://prismstandard.org/namespaces/basic/2.0/": .prism,
        "http://prismstandard.org/namespaces/basic/2.1/": .prism,
        "http://prismstandard.org/namespaces/basic/2.2/": .prism,
        "http://prismstandard.org/namespaces/basic/3.0/": .prism,
        "http://www.w3.org/1999/xhtml": .xhtml, "http://www.w3.org/xml/1998/namespace": .xml,
    ]

    private static let prefixes: [String: Vocabulary] = [
        "dc": .dublinCore, "dcterms": .dublinCoreTerms, "dct": .dublinCoreTerms, "content": .content, "media": .media,
        "itunes": .itunes, "podcast": .podcast, "slash": .slash, "wfw": .wellFormedWeb, "thr": .thread,
        "feedburner": .feedburner, "atom": .atom, "a10": .atom, "atom10": .atom, "rdf": .rdf, "georss": .geo,
        "sy": .syndication, "prism": .prism, "xhtml": .xhtml, "xml": .xml,
    ]

    init(uri: String) {
        let isKnown = uri.utf8.count <= Vocabulary.longestAddress
        self = (isKnown ? Vocabulary.addresses[uri.lowercased()] : nil) ?? .other
    }

    /// Creates the vocabulary for which a prefix customarily stands, for documents that don't declare it.
    init(prefix: String) { self = Vocabulary.prefixes[prefix.lowercased()] ?? .other }
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

/// Most handlers look only at the beginnings of elements.
extension MarkupHandler {
    func endElement(_ name: MarkupName) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
    func documentIsCutOff() {}
}
