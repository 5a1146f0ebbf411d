import HTMLReading
import TerminalText

/// Text as it comes, the spans that it becomes, and the paragraphs of these.
extension ArticleWriter {
    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard skipped == 0 else { return }
        if drawing != nil { return drawingText(bytes) }
        if let index = tables.indices.last, tables[index].isWaiting {
            // Text between cells: what is only there for the eye of who wrote the page.
            guard bytes.contains(where: { $0 > 0x20 }) else { return }
            giveUpTable(index)
        }
        append(bytes)
    }

    func append(_ string: String) {
        var string = string
        string.withUTF8 { append($0) }
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if preformatted > 0 { return appendProgram(bytes) }
        if cellNeedsBlank, bytes.contains(where: { $0 > 0x20 }) { separateInCell() }
        article.wordCount += text.append(collapsing: bytes, endsInBlank: &endsInBlank)
        if text.count > ArticleWriter.longestSpan { flushSpan() }
    }

    /// Characters of a span; longer text is several, so that it need not be moved as it grows. So many, and what comes at once, fill the
    /// room that it has grown to.
    private static let longestSpan = 15_000

    private func separateInCell() {
        cellNeedsBlank = false
        if !spans.isEmpty || !text.isEmpty { text.append(printable: 0x20) }
    }

    /// Program text keeps its lines and blanks.
    private func appendProgram(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count, !isFull {
            let byte = bytes[index]
            if byte == 0x0A {
                lineBreak()
                index += 1
            } else if byte == 0x09 {
                for _ in 0..<4 { text.append(printable: 0x20) }
                endsInBlank = false
                index += 1
            } else if byte >= 0x20, byte < 0x7F {
                text.append(printable: byte)
                endsInBlank = false
                index += 1
            } else {
                let (scalar, length) = DisplayTextBuilder.scalar(bytes, at: index)
                if scalar != "\r" { text.append(scalar) }
                endsInBlank = false
                index += length
            }
        }
    }

    func flushSpan() {
        guard !text.isEmpty else { return }
        let words = text.take()
        guard !words.isEmpty else { return }
        spans.append(StyledSpan(words, role, link: link))
    }

    func lineBreak() {
        flushSpan()
        add(TextParagraph(spans, wraps: preformatted == 0))
        spans = []
        endsInBlank = true
    }

    /// Spaces, also those that don't break: many editors write one into an empty paragraph.
    private static let blanks: [Glyph] = [.space] + [Glyph("\u{A0}")].compactMap { $0 }

    func endParagraph() {
        flushSpan()
        if !spans.isEmpty {
            let isBlank = spans.allSatisfy { $0.text.glyphs.allSatisfy(ArticleWriter.blanks.contains) }
            if !isBlank { add(TextParagraph(spans, wraps: preformatted == 0)) }
            spans = []
        }
        endsInBlank = true
    }

    /// An empty line before what comes, unless that is the first inside an item or a quote.
    func separate() {
        if prefixes.last?.isFirstUsed != false { needsBlank = true }
    }

    /// The place that the next paragraph will have.
    var nextParagraph: Int {
        let isBlankBefore = needsBlank && article.paragraphs.last.map { $0 != .blank } ?? false
        return article.paragraphs.count + (isBlankBefore ? 1 : 0)
    }

    func add(_ paragraph: TextParagraph) {
        guard !isFull else { return }
        if needsBlank, let last = article.paragraphs.last, last != .blank { article.paragraphs.append(.blank) }
        needsBlank = false
        var paragraph = paragraph
        switch direction {
        case .fromLeft: break
        // Program text keeps its columns.
        case .fromRight: paragraph.isRightToLeft = paragraph.wraps || paragraph.isTable
        case .byText: paragraph.isRightToLeft = paragraph.wraps && paragraph.beginsRightToLeft
        }
        if !prefixes.isEmpty {
            var first: [StyledSpan] = []
            var rest: [StyledSpan] = []
            for index in prefixes.indices {
                first += (prefixes[index].isFirstUsed ? prefixes[index].rest : prefixes[index].first).spans
                rest += prefixes[index].rest.spans
                prefixes[index].isFirstUsed = true
            }
            paragraph.firstPrefix = StyledLine(first)
            paragraph.prefix = StyledLine(rest)
        }
        while placedImages < article.images.count {
            article.images[placedImages].paragraph = article.paragraphs.count
            placedImages += 1
        }
        article.paragraphs.append(paragraph)
    }
}
