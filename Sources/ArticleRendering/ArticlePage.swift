/// What a page has for a reader, from one reading of it.
package struct ArticlePage: Hashable, Sendable {
    /// The HTML of the main content; `nil` when the page has none to speak of.
    package let content: String?
    /// The publish date as the page wrote it; `nil` when it gives none.
    package let date: String?

    package init(html: String) {
        let page = HTMLTree.withTree(of: HTMLTree.readable(html).bytes) { document, root in
            (content: ArticleExtractor.extract(root, of: document), date: PageDate.find(in: root))
        }
        content = page?.content
        date = page?.date
    }
}
