import TerminalText

/// Writes collapsible parts with their summaries.
final class DetailsWriter {
    private let paragraphs: ParagraphWriter
    private let tables: TableWriter
    /// The open parts with the indexes of their jumps.
    private var openParts: [(index: Int, jump: Int)] = []

    init(_ paragraphs: ParagraphWriter, in tables: TableWriter) {
        self.paragraphs = paragraphs
        self.tables = tables
    }

    func begin(isOpen: Bool) -> ElementEnding {
        guard tables.beginBlock() else { return .block(.plain) }
        paragraphs.separate()
        let (index, next) = (paragraphs.article.details.count, paragraphs.next)
        openParts.append((index, paragraphs.article.jumps.count))
        paragraphs.article.jumps.append(.details(index))
        paragraphs.article.details.append(ArticleDetails(summary: next, content: next..<next, isOpen: isOpen))
        return .details(index)
    }

    func beginSummary() -> ElementEnding {
        guard tables.beginBlock(), let part = openParts.last else { return .block(.plain) }
        paragraphs.article.details[part.index].summary = paragraphs.next
        paragraphs.link = Int32(-1 - part.jump)
        paragraphs.spans.append(StyledSpan("▾ ", .secondary, link: paragraphs.link))
        paragraphs.addRole(.link)
        return .summary
    }

    /// - Parameter roleBefore: The role of the text around the summary.
    func endSummary(roleBefore: TextRole) {
        paragraphs.setRole(roleBefore)
        paragraphs.link = 0
        tables.endBlock()
        guard let part = openParts.last else { return }
        paragraphs.article.details[part.index].content = paragraphs.next..<paragraphs.next
    }

    func end(_ index: Int) {
        paragraphs.end()
        if openParts.last?.index == index { openParts.removeLast() }
        let start = paragraphs.article.details[index].content.lowerBound
        var end = max(start, paragraphs.count)
        // Without a summary it can't be expanded.
        if paragraphs.article.details[index].summary == start { end = start }
        paragraphs.article.details[index].content = start..<end
        paragraphs.separate()
    }
}
