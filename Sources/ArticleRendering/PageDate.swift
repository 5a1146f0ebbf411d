import CLibXML2
import Glibc

/// Finds the date on which a page says it was published: Open Graph's `article:published_time`, schema.org's
/// `datePublished` (as an attribute or in JSON-LD), Dublin Core and the plain names in use, and HTML's `time`.
enum PageDate {
    private static let deepest = 200
    /// Characters of a date; what is longer is none.
    private static let longest = 64

    /// The date as the page wrote it; `nil` when it gives none.
    static func find(in root: xmlNodePtr) -> String? {
        var search = Search()
        search.visit(root, depth: 0)
        return search.best?.text
    }

    private struct Search {
        /// The best so far; of two equally good ones the first.
        private(set) var best: (text: String, rank: Int)?

        /// What a `meta` element's name, property or itemprop is worth; 0 is best.
        private static let ranks = [
            "article:published_time": 0, "datepublished": 1, "og:published_time": 2, "dc.date.issued": 3,
            "dcterms.issued": 3, "dcterms.created": 4, "dc.date": 4, "parsely-pub-date": 4, "sailthru.date": 4,
            "publishdate": 4, "publish-date": 4, "pubdate": 4, "date": 5,
        ]

        mutating func visit(_ node: xmlNodePtr, depth: Int) {
            guard depth < deepest else { return }
            switch node.pointee.name.map({ String(cString: $0).lowercased() }) {
            case "meta":
                for attribute in ["property", "name", "itemprop"] {
                    guard let name = HTMLTree.attribute(attribute, of: node)?.lowercased(),
                        let rank = Search.ranks[name]
                    else {
                        continue
                    }
                    take(HTMLTree.attribute("content", of: node), rank: rank)
                }
            case "time":
                let isPublished =
                    HTMLTree.attribute("itemprop", of: node)?.lowercased() == "datepublished"
                    || xmlHasProp(node, "pubdate") != nil
                take(HTMLTree.attribute("datetime", of: node), rank: isPublished ? 1 : 6)
            case "script":
                if HTMLTree.attribute("type", of: node)?.lowercased() == "application/ld+json",
                    let content = xmlNodeGetContent(node)
                {
                    take(Search.datePublished(in: String(cString: content)), rank: 1)
                    free(content)
                }
            default: break
            }
            var child = node.pointee.children
            while let present = child {
                child = present.pointee.next
                if present.pointee.type == XML_ELEMENT_NODE { visit(present, depth: depth + 1) }
            }
        }

        private mutating func take(_ text: String?, rank: Int) {
            guard let text, !text.isEmpty, text.utf8.count <= longest, rank < (best?.rank ?? .max) else { return }
            best = (text, rank)
        }

        /// The first `datePublished` of a JSON-LD text. The text is searched, not decoded: many such texts are not JSON.
        private static func datePublished(in text: String) -> String? {
            let parts = text.split(separator: "\"datePublished\"", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let value = parts[1].drop { $0.isWhitespace || $0 == ":" }
            guard value.first == "\"" else { return nil }
            let date = value.dropFirst().prefix(longest + 1).prefix { $0 != "\"" }
            return String(date)
        }
    }
}
