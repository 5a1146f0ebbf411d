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

    /// Returns the feeds that the header field `Link` announces (RFC 8288).
    package static func find(inHeader field: String?, base: String) -> [FeedLink] {
        guard let field, field.utf8.count <= longestField else { return [] }
        return field.split(separator: "<").compactMap { part in
            let halves = part.split(separator: ">", maxSplits: 1)
            guard halves.count == 2, let url = WebAddress.resolve(String(halves[0]), base: base), WebAddress.isWeb(url)
            else { return nil }
            var parameters = halves[1]
            // A comma separates it from the next link.
            while let last = parameters.last, last == "," || last.isWhitespace { parameters.removeLast() }
            let values = HeaderParameters.read(parameters)
            guard LinkHandler.announces(url, values["rel"], values["type"]) else { return nil }
            return FeedLink(url: url, title: values["title"]?.nonEmpty)
        }
    }

    private static let longestField = 16 << 10

    /// Returns the address to which a page refers its readers at once (`meta http-equiv=refresh`).
    package static func refresh(in bytes: [UInt8], contentType: String?, base: String) -> String? {
        let handler = LinkHandler(base: base)
        LooseXMLReader.read(TextDecoding.decode(bytes, contentType: contentType).utf8, into: handler)
        return handler.refresh
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
    var refresh: String?

    init(base: String) { self.base = base }

    private static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml",
        "application/xml", "application/json",
    ]

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        func value(_ key: String) -> String? {
            attributes.first { $0.name.local == key }?.value.trimmingBlanks.nonEmpty
        }
        if name.local == "meta", value("http-equiv")?.lowercased() == "refresh", let content = value("content") {
            takeRefresh(content)
        }
        guard ["base", "link", "a"].contains(name.local), let address = value("href") else { return }
        if name.local == "base" {
            base = WebAddress.resolve(address, base: base) ?? base
            return
        }
        guard let url = WebAddress.resolve(address, base: base), WebAddress.isWeb(url) else { return }
        if name.local == "link", LinkHandler.announces(url, value("rel"), value("type")) {
            announced.append(FeedLink(url: url, title: value("title").map { Markup.plainText($0) }?.nonEmpty))
        } else if name.local == "a", FeedLinks.looksLikeFeed(url), !url.lowercased().hasSuffix(".json") {
            likely.append(FeedLink(url: url, title: value("title").map { Markup.plainText($0) }?.nonEmpty))
        }
    }

    /// Whether a link with a relation and a type announces a feed. WordPress announces its interface for programs alike.
    static func announces(_ url: String, _ relation: String?, _ type: String?) -> Bool {
        if url.contains("/wp-json/") || url.contains("rest_route=") { return false }
        let relations = (relation ?? "").lowercased().split(separator: " ")
        let type = (type ?? "").lowercased().split(separator: ";").first.map(String.init) ?? ""
        return (relations.contains("alternate") || relations.contains("feed")) && types.contains(type)
    }

    /// Reads `0; url=/feed` and `0, /feed` (the HTML standard's shared declarative refresh steps).
    private func takeRefresh(_ content: String) {
        var rest = content.drop { $0.isNumber || $0 == "." || $0.isWhitespace || $0 == ";" || $0 == "," }
        if rest.prefix(3).lowercased() == "url" {
            let value = rest.dropFirst(3).drop(while: \.isWhitespace)
            if value.first == "=" { rest = value.dropFirst() }
        }
        let address = rest.filter { $0 != "\"" && $0 != "'" }.trimmingBlanks
        guard refresh == nil, !address.isEmpty, let url = WebAddress.resolve(address, base: base), WebAddress.isWeb(url)
        else { return }
        refresh = url
    }
}
