import TerminalText

/// Writes the paragraphs of an article from text with roles.
///
/// Content that must be complete before it can be written, such as a table or superscript, is collected in spans.
final class ParagraphWriter {
    var article = ArticleDocument()
    /// The complete spans of the current paragraph or of the current cell.
    var spans: [StyledSpan] = []
    private var text = DisplayTextBuilder()
    private(set) var role: TextRole = []
    /// The number of the current link, or 0 outside of links.
    var link: Int32 = 0
    var endsInBlank = true
    /// Whether the next text in a data cell needs a space before it.
    var needsSpace = false
    /// Whether the next paragraph needs an empty line before it.
    var needsBlank = false
    /// The number of open elements that keep their lines and spaces.
    var preformatted = 0
    /// The number of open elements that keep their lines but not their spaces.
    var keptLines = 0
    var direction = Direction.fromLeft
    private var prefixes: [Prefix] = []
    /// The number of pictures whose paragraph is known.
    private var placedImages = 0

    private struct Prefix {
        var first: StyledLine
        var rest: StyledLine
        var isFirstUsed = false
    }

    /// The text direction of blocks (HTML's attribute dir).
    enum Direction: String {
        case fromLeft = "ltr"
        case fromRight = "rtl"
        /// According to the first letter of each paragraph.
        case byText = "auto"
    }

    static let maximumParagraphs = 100_000
    /// The maximum number of lines of code that are coloured.
    private static let maximumColoredLines = 2000
    private static let maximumPrefixes = 64
    /// The maximum length of a span in characters. Longer text is split, so that it need not be moved as it grows. This
    /// size, plus one piece of text, fills its allocation.
    private static let longestSpan = 15_000
    /// Spaces including no-break spaces, which many editors put into empty paragraphs.
    private static let blanks: [Glyph] = [.space] + [Glyph("\u{A0}")].compactMap { $0 }

    var count: Int { article.paragraphs.count }
    var isFull: Bool { count >= ParagraphWriter.maximumParagraphs }

    // MARK: Text

    func append(_ string: String) {
        var string = string
        string.withUTF8 { append($0) }
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if preformatted > 0 { return appendProgram(bytes) }
        if needsSpace, bytes.contains(where: { $0 > 0x20 }) {
            needsSpace = false
            if !spans.isEmpty || !text.isEmpty { text.append(printable: 0x20) }
        }
        article.wordCount += text.append(collapsing: bytes, endsInBlank: &endsInBlank)
        if text.count > ParagraphWriter.longestSpan { flushSpan() }
    }

    func appendLines(_ bytes: UnsafeBufferPointer<UInt8>) {
        for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if number > 0 {
                flushSpan()
                if spans.isEmpty { separate() } else { lineBreak() }
            }
            if !line.isEmpty { append(UnsafeBufferPointer(rebasing: line)) }
        }
    }

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

    // MARK: Spans

    func flushSpan() {
        guard !text.isEmpty else { return }
        let words = text.take()
        guard !words.isEmpty else { return }
        spans.append(StyledSpan(words, role, link: link))
    }

    /// Appends a sign that stands for content, such as a picture.
    func append(sign: StyledSpan) {
        flushSpan()
        spans.append(sign)
        endsInBlank = false
    }

    func setRole(_ new: TextRole) {
        guard new != role else { return }
        flushSpan()
        role = new
    }

    func addRole(_ added: TextRole) { setRole(role.union(added)) }

    // MARK: Paragraphs

    func lineBreak() {
        flushSpan()
        add(TextParagraph(spans, wraps: preformatted == 0))
        spans = []
        endsInBlank = true
    }

    /// Ends the current paragraph, which is dropped if it is blank.
    func end() {
        flushSpan()
        if !spans.isEmpty {
            let isBlank = spans.allSatisfy { $0.text.glyphs.allSatisfy(ParagraphWriter.blanks.contains) }
            if !isBlank { add(TextParagraph(spans, wraps: preformatted == 0)) }
            spans = []
        }
        endsInBlank = true
    }

    /// Adds an empty line before the next content, unless it is the first in an item or quotation.
    func separate() {
        if prefixes.last?.isFirstUsed != false { needsBlank = true }
    }

    /// Adds a prefix to all following lines. Returns `false`, and adds none, if there are too many.
    func indent(_ first: StyledLine, _ rest: StyledLine) -> Bool {
        guard prefixes.count < ParagraphWriter.maximumPrefixes else { return false }
        prefixes.append(Prefix(first: first, rest: rest))
        return true
    }

    func dropPrefix() { if !prefixes.isEmpty { prefixes.removeLast() } }

    var next: Int {
        let isBlankBefore = needsBlank && article.paragraphs.last.map { $0 != .blank } ?? false
        return count + (isBlankBefore ? 1 : 0)
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
        if !prefixes.isEmpty { addPrefixes(to: &paragraph) }
        while placedImages < article.images.count {
            article.images[placedImages].paragraph = count
            placedImages += 1
        }
        article.paragraphs.append(paragraph)
    }

    /// Colours code from a paragraph on, unless a highlighter has marked it.
    func colorCode(from start: Int) {
        let lines = article.paragraphs.indices.dropFirst(start)
        let marks: TextRole = [.keyword, .string, .comment]
        guard lines.count <= ParagraphWriter.maximumColoredLines, CodeLexer.isCode(article.paragraphs[lines]),
            !lines.contains(where: { article.paragraphs[$0].spans.contains { !$0.role.isDisjoint(with: marks) } })
        else { return }
        var lexer = CodeLexer()
        for line in lines { article.paragraphs[line].spans = lexer.color(article.paragraphs[line].spans) }
    }

    private func addPrefixes(to paragraph: inout TextParagraph) {
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

    /// Returns the article after the last element.
    func finish() -> ArticleDocument {
        end()
        while article.paragraphs.last == .blank { article.paragraphs.removeLast() }
        if isFull { article.addFailure("The article has more than 100,000 lines; the rest is left out.") }
        return article
    }
}
