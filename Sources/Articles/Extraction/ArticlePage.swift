import Foundation
import WebAddresses

/// The readable content of a page.
package struct ArticlePage: Sendable {
    /// The title without the name of the site.
    package let title: String
    /// The author.
    package let byline: String?
    /// The name of the site.
    package let siteName: String?
    /// The language as a BCP 47 tag.
    package let language: String?
    /// The HTML of the main content with absolute addresses, or `nil` if there is hardly any.
    package let content: String?
    /// The text of the main content without markup.
    package let text: String
    /// The publish date and the date of the last change, as the page states them.
    package let published: PageDate?
    package let updated: PageDate?
    /// The address of the article's next page, if any.
    package let nextPage: String?

    /// Reads a page.
    ///
    /// - Parameter address: The page's address, to resolve relative links.
    package init(html: String, address: String? = nil) {
        var tree = PageTree(html)
        let metadata = PageMetadata(tree)
        let dates = PageDateSearch(tree, metadata, address: address)
        published = dates.published
        updated = dates.updated
        title = metadata.title
        siteName = metadata.siteName
        language = metadata.language
        let base = metadata.base.flatMap { WebAddress.resolve($0, base: address) } ?? address
        nextPage = ArticlePage.nextPage(in: tree, base: base)
        ArticleExtractor.prepare(&tree)
        let article = ArticleExtractor.article(in: tree, metadata)
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

    /// Whether there is enough text to replace that of the feed.
    package var isReadable: Bool { content != nil && text.unicodeScalars.count >= ArticlePage.minimum }

    private static let minimum = 120

    /// Returns the text with a line for each block. Pictures and their captions are left out.
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
            if tag == .figcaption { return }
            let isBlock = !tree.isPhrasing(node) && tag != .a && tag != .td && tag != .th || tag == .br
            if isBlock { end() }
            for child in tree.children(node) { write(child) }
            if isBlock { end() } else if tag == .td || tag == .th { line += " " }
        }
        write(node)
        end()
        return lines.joined(separator: "\n")
    }

    /// Returns the address of the next page in `rel=next` if it is on the same host.
    private static func nextPage(in tree: PageTree, base: String?) -> String? {
        guard let own = base.flatMap({ WebAddress($0) }) else { return nil }
        for node in tree.all(PageTree.root, .link, .a) {
            guard tree.attribute("rel", node)?.lowercased().split(separator: " ").contains("next") == true,
                let target = tree.attribute("href", node),
                let url = WebAddress(target, base: own), url.host == own.host, url.path.hasPrefix(own.path), url != own
            else { continue }
            return url.text
        }
        return nil
    }
}
