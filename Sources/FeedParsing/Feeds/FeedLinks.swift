import WebAddresses

/// A feed that a web page links to.
package struct FeedLink: Hashable, Sendable {
    package var url: String
    package var title: String?
}

/// Finds the feeds that a web page links to: `link rel=alternate` (autodiscovery in the HTML standard), and links that
/// look like feeds.
package enum FeedLinks {
    /// Returns the feeds in page order, announced ones first.
    ///
    /// - Parameter base: The page's address.
    package static func find(in bytes: [UInt8], contentType: String?, base: String) -> [FeedLink] {
        let handler = LinkHandler(base: base)
        LooseXMLReader.read(TextDecoding.decode(bytes, contentType: contentType).utf8, into: handler)
        var seen: Set<String> = []
        let found = handler.announced.isEmpty ? handler.likely : handler.announced
        return found.filter { seen.insert($0.url).inserted }.prefix(50).map { $0 }
    }

    /// Whether an address looks like a feed and not a page.
    package static func looksLikeFeed(_ url: String) -> Bool {
        let path = url.lowercased().split(separator: "?").first.map(String.init) ?? ""
        return [
            ".xml", ".rss", ".rdf", ".atom", ".json", "/rss", "/rss/", "/feed", "/feed/", "/atom", "/atom/",
        ].contains { path.hasSuffix($0) }
    }

    /// Returns addresses at which sites often have unannounced feeds.
    package static func commonAddresses(for base: String) -> [String] {
        ["/feed", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml", "/rss", "/feed/atom", "/feed.json"].compactMap {
            WebAddress.resolve($0, base: base)
        }
    }
}

private final class LinkHandler: MarkupHandler {
    private var base: String
    var announced: [FeedLink] = []
    var likely: [FeedLink] = []

    init(base: String) { self.base = base }

    private static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml",
        "application/xml", "application/json",
    ]

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        func value(_ key: String) -> String? {
            attributes.first { $0.name.local == key }?.value.trimmingBlanks.nonEmpty
        }
        guard ["base", "link", "a"].contains(name.local), let address = value("href") else { return }
        if name.local == "base" {
            base = WebAddress.resolve(address, base: base) ?? base
            return
        }
        guard let url = WebAddress.resolve(address, base: base), WebAddress.isWeb(url) else { return }
        let relations = (value("rel") ?? "").lowercased().split(separator: " ")
        let type = (value("type") ?? "").lowercased().split(separator: ";").first.map(String.init) ?? ""
        if name.local == "link", relations.contains("alternate") || relations.contains("feed"),
            LinkHandler.types.contains(type)
        {
            announced.append(FeedLink(url: url, title: value("title").map { Markup.plainText($0) }?.nonEmpty))
        } else if name.local == "a", FeedLinks.looksLikeFeed(url), !url.lowercased().hasSuffix(".json") {
            likely.append(FeedLink(url: url, title: value("title").map { Markup.plainText($0) }?.nonEmpty))
        }
    }

    func endElement(_ name: MarkupName) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
    func documentIsCutOff() {}
}
