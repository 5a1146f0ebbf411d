import Platform

/// Finds articles that are divided into many sections. Scores reach only a few levels, so they alone would choose one
/// section.
extension ArticleExtractor {
    /// Returns what contains most of the page's running text, or `nil` if the chosen parts contain enough of it.
    func coveringParts(insteadOf parts: [PageTree.Node], around top: PageTree.Node, in body: PageTree.Node)
        -> [PageTree.Node]?
    {
        let lengths = tree.runningLengths(body)
        let page = boundary(of: top, lengths) ?? body
        let whole = lengths[page] ?? 0
        let covered = parts.reduce(0) { $0 + (lengths[$1] ?? 0) }
        // A page that says that it is an article may also show the beginnings of others.
        guard Double(covered) < Double(whole) * (isArticle ? 0.3 : 0.5) else { return nil }
        var around = page
        while let inner = tree.elements(around).first(where: { (lengths[$0] ?? 0) * 5 >= whole * 4 }) { around = inner }
        return around == body ? tree.elements(body) : [around]
    }

    /// Returns the element around a node that holds its whole text: `main`, or the article if no other is as large.
    private func boundary(of node: PageTree.Node, _ lengths: [PageTree.Node: Int]) -> PageTree.Node? {
        let around = [node] + tree.ancestors(node)
        let main = around.first { tree.tag($0) == .main || tree.attribute("role", $0) == "main" }
        guard main == nil, let article = around.last(where: { tree.tag($0) == .article }) else { return main }
        let own = lengths[article] ?? 0
        var isOnly = true
        tree.visit(PageTree.root) { other in
            if tree.tag(other) == .article, other != article, (lengths[other] ?? 0) * 2 >= own { isOnly = false }
            return isOnly && other != article
        }
        return isOnly ? article : nil
    }
}

extension PageTree {
    func runningLength(_ node: Node) -> Int { runningLengths(node)[node] ?? 0 }

    /// Returns the lengths of the running text in a node and its descendants: the text of long blocks that are hardly
    /// links.
    fileprivate func runningLengths(_ node: Node) -> [Node: Int] {
        var lengths: [Node: Int] = [:]
        visit(node) { block in
            guard isElement(block), block != node else { return true }
            switch tag(block) {
            case .nav, .footer, .aside, .form, .header, .a: return false
            case .p, .pre, .li, .td, .dd, .blockquote: break
            default: return true
            }
            let length = length(block)
            guard length >= ArticleExtractor.shortest, !hasBlock(block, or: .li), linkDensity(block) < 0.3 else {
                return true
            }
            var around = block
            while around > PageTree.root {
                lengths[around, default: 0] += length
                around = parent(around)
            }
            return false
        }
        return lengths
    }
}
