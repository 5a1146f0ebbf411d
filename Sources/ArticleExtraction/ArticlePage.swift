import Foundation
import HTMLReading

/// What a page has for a reader, from one reading of it.
package struct ArticlePage: Sendable {
    /// The title, without the name of the place.
    package let title: String
    /// Who wrote it.
    package let byline: String?
    /// The name of the place.
    package let siteName: String?
    /// The language, as BCP 47 has it.
    package let language: String?
    /// The HTML of the main content, with addresses in full; `nil` when the page has none to speak of.
    package let content: String?
    /// The text of the main content, without markup.
    package let text: String
    /// When the page says that it was published, and changed.
    package let published: PageDate?
    package let updated: PageDate?
    /// The address of the page that the article goes on with, if there is one.
    package let nextPage: String?

    /// Reads a page.
    ///
    /// - Parameter address: The page's own, which its links are relative to.
    package init(html: String, address: String? = nil) {
        var tree = PageTree(html)
        let metadata = PageMetadata(tree)
        let dates = PageDateSearch(tree, metadata, address: address)
        published = dates.published
        updated = dates.updated
        title = metadata.title
        siteName = metadata.siteName
        language = metadata.language
        let base = ArticlePage.resolve(metadata.base, against: address)
        nextPage = NextPage.find(in: tree, base: base)
        ArticleExtractor.prepare(&tree)
        let article = ArticleExtractor.article(in: tree, title: metadata.title, wantsByline: metadata.byline == nil)
        byline = metadata.byline ?? article?.byline?.singleSpaced
        guard let article, article.length > 0 else {
            content = nil
            text = ""
            return
        }
        var writer = PageWriter(article.tree, base: base)
        writer.write(article.node)
        content = writer.html
        text = ArticlePage.plainText(article.tree, article.node)
    }

    /// Whether there is enough of it to be read in place of what a feed gives.
    package var isReadable: Bool { content != nil && text.unicodeScalars.count >= ArticlePage.least }

    /// Characters of text that are an article at least.
    private static let least = 120

    private static func resolve(_ base: String?, against address: String?) -> String? {
        guard let base else { return address }
        guard let address, let own = URL(string: address) else { return base }
        return URL(string: base, relativeTo: own)?.absoluteString ?? address
    }

    /// The text with a line for each block.
    private static func plainText(_ tree: PageTree, _ node: PageTree.Node) -> String {
        var lines: [String] = []
        var line = ""
        func end() {
            let text = line.singleSpaced
            if !text.isEmpty { lines.append(text) }
            line = ""
        }
        func write(_ node: PageTree.Node) {
            guard tree.isElement(node) else {
                line += tree[node].text
                return
            }
            let tag = tree.tag(node)
            let isBlock = !tree.isPhrasing(node) && tag != .a && tag != .td && tag != .th || tag == .br
            if isBlock { end() }
            for child in tree.children(node) { write(child) }
            if isBlock { end() } else if tag == .td || tag == .th { line += " " }
        }
        write(node)
        end()
        return lines.joined(separator: "\n")
    }
}

/// The page that an article goes on with.
enum NextPage {
    /// Its address: that of `rel=next`, and only on the same host.
    static func find(in tree: PageTree, base: String?) -> String? {
        guard let base, let own = URL(string: base) else { return nil }
        for node in tree.all(PageTree.root, .link, .a) {
            guard tree.attribute("rel", node)?.lowercased().split(separator: " ").contains("next") == true,
                let target = tree.attribute("href", node),
                let url = URL(string: target.trimmed, relativeTo: own)?.absoluteURL,
                url.host == own.host, url.path.hasPrefix(own.path.isEmpty ? "/" : own.path) || url.path == own.path,
                url != own
            else { continue }
            return url.absoluteString
        }
        return nil
    }
}
