import FeedParsing

/// Removes the lines between and around the paragraphs of an article that aren't its text.
extension ArticleExtractor {
    /// A block without blocks in it, or one that is never divided, such as a table.
    private struct Line {
        var node: PageTree.Node
        var length: Int
        var isHeading = false
        var isLink = false
        var isRunning = false
    }

    /// Removes links to other articles, the author and the date above the text, and headings and links below it.
    mutating func removeLinesAround(_ article: PageTree.Node) {
        guard rules.contains(.cleans) else { return }
        let lines = lines(article)
        func length(_ lines: some Sequence<Line>) -> Int { lines.reduce(0) { $0 + $1.length } }
        let whole = length(lines)
        // Lists of links and products have no running text.
        guard let first = lines.firstIndex(where: \.isRunning), let last = lines.lastIndex(where: \.isRunning),
            length(lines.lazy.filter(\.isRunning)) * 2 >= whole
        else { return }
        var removed = lines[..<first].filter { !$0.isHeading && $0.length < 120 && isByline($0.node) }
        let links = lines.filter { $0.isLink && !$0.isHeading && $0.length >= 15 && !isListed($0.node) }
        if length(links) * 5 < whole { removed += links }
        let rest = lines[(last + 1)...]
        if length(rest) * 5 < whole { removed += rest.filter { $0.isHeading || $0.isLink } }
        for line in removed where !tree.contains(line.node, where: { tree.tag($0) == .img }) { tree.remove(line.node) }
    }

    private func lines(_ article: PageTree.Node) -> [Line] {
        var lines: [Line] = []
        tree.visit(article) { node in
            guard tree.isElement(node), node != article else { return true }
            let tag = tree.tag(node)
            switch tag {
            case .figure, .table, .pre, .blockquote, .dl:
                lines.append(Line(node: node, length: tree.length(node), isRunning: true))
                return false
            default: break
            }
            guard !tree.isPhrasing(node), tag != .a, !tree.hasBlock(node, or: .li) else { return true }
            let length = tree.length(node)
            guard length > 0 else { return false }
            var line = Line(node: node, length: length, isHeading: tag.isHeading)
            line.isLink = tree.linkDensity(node) > 0.75
            line.isRunning =
                !line.isLink && !line.isHeading && length >= 60
                && (length > 100 || tree.text(node).trimmed.endsSentence)
            lines.append(line)
            return false
        }
        return lines
    }

    /// Whether a line is only the author or a date.
    private func isByline(_ node: PageTree.Node) -> Bool {
        let text = tree.text(node).singleSpaced
        if text.utf8.count < 60, text.lowercased().hasPrefix("by ") { return true }
        if let author, text.hasSuffix(author), text.utf8.count < author.utf8.count + 15 { return true }
        return DateFinder.first(in: text, isMonthFirst: true) != nil && !text.hasSuffix(".")
    }

    private func isListed(_ node: PageTree.Node) -> Bool {
        tree.tag(node) == .li || tree.isInside(node, .li, levels: 2)
    }
}

extension String {
    fileprivate var endsSentence: Bool { last.map { ".!?…:。！？\"”’»)".contains($0) } ?? false }
}
