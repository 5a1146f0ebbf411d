import CLibXML2

/// Finds a page's main content: the element that holds most of the text in paragraphs, without menus, side columns and
/// comments. In the manner of Arc90's Readability: paragraphs count for the elements around them, links count against.
enum ArticleExtractor {
    /// The least characters of text that are an article.
    private static let least = 250
    private static let deepest = 200

    /// The HTML of the main content; `nil` when the page has none to speak of.
    static func extract(_ root: xmlNodePtr, of document: htmlDocPtr) -> String? {
        var search = Search()
        search.visit(root, depth: 0)
        guard let best = search.best, best.text >= least else { return nil }
        return serialize(best.node, document)
    }

    private static func serialize(_ node: xmlNodePtr, _ document: htmlDocPtr) -> String? {
        guard let buffer = xmlBufferCreate() else { return nil }
        defer { xmlBufferFree(buffer) }
        guard htmlNodeDump(buffer, document, node) >= 0, let content = xmlBufferContent(buffer) else { return nil }
        return String(cString: content)
    }

    private struct Search {
        private(set) var best: (node: xmlNodePtr, score: Double, text: Int)?

        /// What an element is never part of an article.
        private static let foreign: Set<String> = [
            "script", "style", "nav", "footer", "aside", "form", "header", "noscript", "iframe", "button", "select",
            "template", "svg",
        ]
        private static let unlikely = [
            "comment", "sidebar", "footer", "menu", "share", "related", "promo", "cookie", "newsletter", "advert",
            "breadcrumb",
        ]
        private static let likely = ["article", "content", "post", "entry", "story", "body-text", "main"]

        private struct Sum {
            /// Characters of text, of those in links, and of those in paragraphs.
            var text = 0
            var links = 0
            var paragraphs = 0.0
        }

        /// Adds up an element and remembers it when it is the best so far.
        mutating func visit(_ node: xmlNodePtr, depth: Int) { _ = sum(node, depth: depth) }

        private mutating func sum(_ node: xmlNodePtr, depth: Int) -> Sum {
            var result = Sum()
            guard depth < deepest else { return result }
            let name = node.pointee.name.map { String(cString: $0).lowercased() } ?? ""
            if Search.foreign.contains(name) { return result }
            let weight = self.weight(node, name)
            if weight < 0, name != "body", name != "html" { return result }
            var child = node.pointee.children
            while let present = child {
                child = present.pointee.next
                if present.pointee.type == XML_TEXT_NODE, let content = present.pointee.content {
                    var count = 0
                    var byte = content
                    while byte.pointee != 0 {
                        if byte.pointee > 0x20 { count += 1 }
                        byte += 1
                    }
                    result.text += count
                    if name == "a" { result.links += count }
                } else if present.pointee.type == XML_ELEMENT_NODE {
                    let inner = sum(present, depth: depth + 1)
                    result.text += inner.text
                    result.links += inner.links
                    // A paragraph counts wholly for its parent and half for the one around that.
                    result.paragraphs += inner.paragraphs * 0.5
                    let childName = present.pointee.name.map { String(cString: $0).lowercased() } ?? ""
                    if ["p", "pre", "blockquote", "td", "li"].contains(childName), inner.text > 25 {
                        result.paragraphs += Double(inner.text - inner.links * 2)
                    }
                }
            }
            if name == "a" { result.links = result.text }
            guard ["article", "main", "div", "section", "td", "body"].contains(name), result.text > 0 else {
                return result
            }
            let density = Double(result.links) / Double(result.text)
            let score = result.paragraphs * (1 - density) * (1 + Double(weight) * 0.25)
            if score > (best?.score ?? 0) { best = (node, score, result.text) }
            return result
        }

        /// What class and id say: -1 against, 0 nothing, 1 for.
        private func weight(_ node: xmlNodePtr, _ name: String) -> Int {
            var words = ""
            for attribute in ["class", "id", "role"] {
                guard let value = HTMLTree.attribute(attribute, of: node) else { continue }
                words += " " + value.lowercased()
            }
            if Search.likely.contains(where: { words.contains($0) }) || name == "article" || name == "main" { return 1 }
            if Search.unlikely.contains(where: { words.contains($0) }) { return -1 }
            return 0
        }
    }
}
