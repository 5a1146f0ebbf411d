import Foundation
import HTMLReading
import TerminalText
import WebAddresses

/// Links to pages, links inside the article, and collapsible parts.
extension ArticleWriter {
    func beginLink(_ attributes: HTMLAttributes) -> Ending {
        guard let target = attributes["href"].flatMap(resolve) else { return .nothing }
        let number: Int32
        if target.hasPrefix("#") {
            guard article.jumps.count < ArticleWriter.maximumLinks else { return .nothing }
            references.append((String(target.dropFirst()).removingPercentEncoding ?? "", article.jumps.count))
            article.jumps.append(.paragraph(0))
            number = Int32(-article.jumps.count)
        } else {
            guard let known = self.number(ofLink: target, words: .empty) else { return .nothing }
            number = Int32(known)
        }
        flushSpan()
        let before = link
        let ending = Ending.link(before: before, words: spans.count, paragraphs: article.paragraphs.count)
        link = number
        role.insert(.link)
        return ending
    }

    /// Ends a link and appends its number.
    func endLink(_ before: Int32, _ words: Int, _ paragraphs: Int) {
        flushSpan()
        let number = link
        role.remove(.link)
        link = before
        guard number > 0 else { return }
        if article.links[Int(number) - 1].text.isEmpty {
            article.setWords(
                self.words(of: number, from: article.paragraphs.count == paragraphs ? words : 0), ofLink: Int(number))
        }
        if spans.isEmpty, article.paragraphs.count > paragraphs, let last = article.paragraphs.indices.last {
            // The number of a link around whole paragraphs is in the last of them.
            article.paragraphs[last].spans.append(ArticleDocument.sign(of: Int(number)))
        } else {
            spans.append(ArticleDocument.sign(of: Int(number)))
            endsInBlank = false
        }
    }

    /// Returns the text of a link in the spans from an index on, otherwise in the last paragraph.
    private func words(of number: Int32, from start: Int) -> DisplayText {
        let own = spans.count > start ? spans[start...] : article.paragraphs.last?.spans[...] ?? []
        return own.filter { $0.link == number }.reduce(DisplayText.empty) { $0 + $1.text }
    }

    /// Returns the number of a link, or `nil` if there are too many.
    func number(ofLink url: String, words: DisplayText) -> Int? {
        guard article.links.count < ArticleWriter.maximumLinks || article.hasLink(to: url) else { return nil }
        return article.number(ofLink: url, words: words)
    }

    func resolve(_ link: String) -> String? {
        let trimmed = link.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return nil }
        if trimmed.hasPrefix("#") || trimmed.hasPrefix("data:") { return trimmed }
        // Absolute addresses are shown as written.
        if WrittenAddress(trimmed)?.isClear == true { return trimmed }
        return WebAddress.resolve(trimmed, base: base) ?? trimmed
    }

    /// Records the position of a named element.
    func noteAnchor(_ name: String) {
        guard !name.isEmpty, name.utf8.count <= 200, anchors[name] == nil else { return }
        anchors[name] = nextParagraph
    }

    // MARK: Parts that open

    func beginDetails(isOpen: Bool) -> Ending {
        beginBlock()
        guard !isInCell else { return .block }
        separate()
        let index = article.details.count
        article.jumps.append(.details(index))
        article.details.append(
            ArticleDetails(summary: nextParagraph, content: nextParagraph..<nextParagraph, isOpen: isOpen))
        details.append(index)
        return .details(index)
    }

    func beginSummary() -> Ending {
        beginBlock()
        guard !isInCell, let index = details.last, let jump = article.jumps.firstIndex(of: .details(index)) else {
            return .block
        }
        article.details[index].summary = nextParagraph
        link = Int32(-1 - jump)
        spans.append(StyledSpan("▾ ", .secondary, link: link))
        setRole(role.union(.link))
        return .summary
    }

    func endDetails(_ index: Int) {
        endParagraph()
        if details.last == index { details.removeLast() }
        let start = article.details[index].content.lowerBound
        article.details[index].content = start..<max(start, article.paragraphs.count)
        // Without a summary it can't be expanded.
        if article.details[index].summary == start { article.details[index].content = start..<start }
        separate()
    }
}
