import HTMLReading
import TerminalText

/// Text, the spans it forms, and their paragraphs.
extension ArticleWriter {
    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard skipped == 0 else { return }
        if drawing != nil { return drawingText(bytes) }
        if script != nil { return readScript(bytes) }
        if let index = tables.indices.last, tables[index].isWaiting {
            // White space between cells is only source formatting.
            guard bytes.contains(where: { $0 > 0x20 }) else { return }
            abandonTable(index)
        }
        if mayContainFormula(bytes) { appendFormulas(bytes) } else { append(bytes) }
    }

    func append(_ string: String) {
        var string = string
        string.withUTF8 { append($0) }
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if preformatted > 0 { return appendProgram(bytes) }
        if cellNeedsBlank, bytes.contains(where: { $0 > 0x20 }) { separateInCell() }
        article.wordCount += text.append(collapsing: bytes, endsInBlank: &endsInBlank)
        if text.count > ArticleWriter.longestSpan { flushSpan() }
    }

    /// The maximum length of a span in characters. Longer text is split, so that it need not be moved as it grows. This
    /// size, plus one piece of text, fills its allocation.
    private static let longestSpan = 15_000

    private func separateInCell() {
        cellNeedsBlank = false
        if !spans.isEmpty || !text.isEmpty { text.append(printable: 0x20) }
    }

    /// Appends code, keeping its lines and spaces.
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

    /// Spaces including no-break spaces, which many editors put into empty paragraphs.
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

    /// Adds an empty line before the next content, unless it is the first in an item or quotation.
    func separate() {
        if prefixes.last?.isFirstUsed != false { needsBlank = true }
    }

    /// The index of the next paragraph.
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
        // Code keeps its columns.
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
