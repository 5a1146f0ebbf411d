import Foundation
import HTMLReading
import TerminalText

/// Writes paragraphs from the elements and the text of a page as they come.
///
/// What an element does at its end is noted when it begins. What has to be known in whole before it can be written, as a
/// table or a superscript, waits in spans.
final class ArticleWriter: HTMLHandler {
    var article = ArticleDocument()
    let base: URL?
    var spans: [StyledSpan] = []
    var text = DisplayTextBuilder()
    var role: TextRole = []
    var link: Int32 = 0
    var endsInBlank = true
    var prefixes: [Prefix] = []
    var lists: [List] = []
    var preformatted = 0
    var needsBlank = false
    var frames: [Frame] = []
    /// Elements that are open within one that is left out.
    private var skipped = 0
    var drawing: Drawing?
    var tables: [Table] = []
    /// The table whose cell is being read, if that waits.
    var tableOfCell: Int?
    var isFormula = false
    /// The language of what is read (BCP 47), and how deep it is in quotations.
    var language = ""
    var quotations = 0
    /// How many pictures know their paragraph.
    private var placedImages = 0
    /// The paragraphs of elements with names, and the names that links lead to, by the links' numbers.
    var anchors: [String: Int] = [:]
    var references: [(name: String, jump: Int)] = []

    /// What stands before the lines of everything inside a block.
    struct Prefix {
        var first: StyledLine
        var rest: StyledLine
        var isFirstUsed = false
    }

    struct List {
        var isOrdered: Bool
        var next: Int
    }

    /// An open element.
    struct Frame {
        var tag: HTMLTag
        var ending: Ending
        var role: TextRole
        var language: String?
        /// Elements in it so far.
        var children = 0
    }

    /// What happens at the end of an element.
    enum Ending {
        case nothing, inline, block, heading, list, item, indented, quote, program, caption
        case quotation(close: String)
        case sign(close: String)
        case raised(Raised)
        case link(before: Int32, words: Int, paragraphs: Int)
        case table, row, cell, drawing, formula
        case summary
        case details(Int)
    }

    static let maximumImages = 200
    static let maximumLinks = 10_000
    static let maximumParagraphs = 100_000
    static let maximumAnchors = 20_000
    private static let maximumPrefixes = 64
    var wantsMore: Bool { !isFull }
    var isFull: Bool { article.paragraphs.count >= ArticleWriter.maximumParagraphs }

    init(base: String?) { self.base = base.flatMap { URL(string: $0) } }

    /// The article, after the last element.
    func finish() -> ArticleDocument {
        endParagraph()
        while article.paragraphs.last == .blank { article.paragraphs.removeLast() }
        for reference in references {
            article.jumps[reference.jump] = .paragraph(anchors[reference.name] ?? anchors[""] ?? 0)
        }
        if isFull { article.addFailure("The article has more than 100,000 lines; the rest is left out.") }
        return article
    }

    // MARK: Elements

    func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
        guard skipped == 0 else {
            skipped += 1
            return
        }
        if drawing != nil { return startInDrawing(tag) }
        if isFull || tag.isLeftOut || isHidden(attributes) {
            skipped = 1
            return
        }
        let parent = frames.indices.last
        if let parent {
            frames[parent].children += 1
            switch frames[parent].tag {
            case .mfrac where frames[parent].children > 1: append(" / ")
            // The parts of these are told apart by their spans.
            case .msup, .msub: flushSpan()
            default: break
            }
        }
        var frame = Frame(tag: tag, ending: .nothing, role: role, language: nil)
        if !attributes.isEmpty {
            if let own = attributes["lang"], !own.isEmpty {
                frame.language = language
                language = own
            }
            if anchors.count < ArticleWriter.maximumAnchors, let name = attributes["id"] ?? attributes["name"] {
                noteAnchor(name)
            }
        }
        frame.ending = begin(tag, attributes)
        frames.append(frame)
    }

    func endElement(_ tag: HTMLTag) {
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        if drawing != nil, endInDrawing(tag) { return }
        guard let frame = frames.popLast() else { return }
        end(frame)
        if let before = frame.language { language = before }
    }

    /// Begins an element.
    ///
    /// - Returns: What happens at its end.
    private func begin(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> Ending {
        switch tag {
        case .b, .strong: return inline(.strong)
        case .dt:
            beginBlock()
            return inline(.strong)
        case .i, .em, .cite, .var, .dfn: return inline(.emphasis)
        case .code, .kbd, .samp, .tt: return inline(.code)
        case .mark: return inline(.match)
        case .q:
            let marks = QuotationMarks.marks(language, isInner: quotations % 2 == 1)
            append(marks.open)
            quotations += 1
            return .quotation(close: marks.close)
        case .sup, .msup: return beginRaised(isRaised: true, isFormula: tag == .msup)
        case .sub, .msub: return beginRaised(isRaised: false, isFormula: tag == .msub)
        // What is struck or came later is told by signs, since not every look has a line for it.
        case .del, .s, .strike: return sign("~~", "~~")
        case .ins: return sign("++", "++")
        case .rt: return sign("(", ")")
        case .msqrt: return sign("√(", ")")
        case .math:
            isFormula = true
            return .formula
        case .svg:
            drawing = Drawing()
            return .drawing
        case .a: return beginLink(attributes)
        case .br:
            if isInCell { append(" ") } else { lineBreak() }
            return .nothing
        case .wbr: return .nothing
        case .hr:
            beginBlock()
            guard !isInCell else { return .nothing }
            separate()
            add(TextParagraph("· · ·", .secondary))
            separate()
            return .nothing
        case .h1, .h2, .h3, .h4, .h5, .h6:
            beginBlock()
            separate()
            setRole(role.union(.heading))
            return .heading
        case .ul, .ol, .menu, .dir:
            beginBlock()
            guard !isInCell else { return .block }
            if lists.isEmpty { separate() }
            lists.append(List(isOrdered: tag == .ol, next: attributes["start"].flatMap { Int($0) } ?? 1))
            return .list
        case .li: return beginItem()
        case .dd:
            beginBlock()
            return indent("   ", "   ") ? .indented : .block
        case .blockquote: return beginQuote()
        case .pre, .listing, .plaintext, .xmp: return beginProgram()
        case .table: return beginTable(attributes)
        case .thead, .tbody, .tfoot:
            if tag == .thead { tables.indices.last.map { tables[$0].isData = true } }
            return .nothing
        case .tr: return beginRow()
        case .td, .th: return beginCell(isHeading: tag == .th, attributes)
        case .caption where !tables.isEmpty: return beginCaption()
        case .figcaption, .caption:
            beginBlock()
            setRole(role.union(.secondary))
            return .caption
        case .img:
            image(attributes)
            return .nothing
        case .iframe, .video, .audio, .embed, .source:
            media(tag, attributes)
            return .nothing
        case .details: return beginDetails(isOpen: attributes["open"] != nil)
        case .summary: return beginSummary()
        case .p, .div, .section, .article, .header, .footer, .main, .aside, .figure, .address, .nav, .fieldset,
            .center, .dl, .body, .html, .hgroup, .search, .dialog, .legend:
            beginBlock()
            if !isInCell { separate() }
            return .block
        default: return .nothing
        }
    }

    private func end(_ frame: Frame) {
        switch frame.ending {
        case .nothing: break
        case .inline: setRole(frame.role)
        case .block:
            endBlock()
            if !isInCell { separate() }
        case .heading:
            setRole(frame.role)
            endBlock()
            if !isInCell { separate() }
        case .caption:
            setRole(frame.role)
            endBlock()
        case .list:
            endBlock()
            if !lists.isEmpty { lists.removeLast() }
            if lists.isEmpty { separate() }
        case .item:
            endBlock()
            dropPrefix()
            needsBlank = false
        case .indented:
            endBlock()
            dropPrefix()
        case .quote:
            setRole(frame.role)
            endBlock()
            needsBlank = false
            dropPrefix()
            separate()
        case .program:
            setRole(frame.role)
            endBlock()
            preformatted -= 1
            dropPrefix()
            separate()
        case .quotation(let close):
            quotations -= 1
            append(close)
        case .sign(let close): append(close)
        case .raised(let raised): endRaised(raised)
        case .link(let before, let words, let paragraphs): endLink(before, words, paragraphs)
        case .table: endTable()
        case .row: endRow()
        case .cell: endCell(frame.role)
        case .drawing, .formula: isFormula = false
        case .summary:
            setRole(frame.role)
            link = 0
            endBlock()
            if let details = details.last { article.details[details].content = nextParagraph..<nextParagraph }
        case .details(let index): endDetails(index)
        }
    }

    // MARK: Blocks

    /// Ends the paragraph before a block, or the line of a cell.
    func beginBlock() {
        if isInCell { breakInCell() } else { endParagraph() }
    }

    private func endBlock() {
        if isInCell { cellNeedsBlank = true } else { endParagraph() }
    }

    /// Whether a block in a cell of data waits for text to be set apart from.
    var cellNeedsBlank = false

    private func indent(_ first: DisplayText, _ rest: DisplayText, _ role: TextRole = []) -> Bool {
        guard !isInCell, prefixes.count < ArticleWriter.maximumPrefixes else { return false }
        prefixes.append(Prefix(first: StyledLine(first, role), rest: StyledLine(rest, role)))
        return true
    }

    private func dropPrefix() { if !prefixes.isEmpty { prefixes.removeLast() } }

    private func beginItem() -> Ending {
        beginBlock()
        guard !isInCell else {
            append("· ")
            return .block
        }
        var mark = "• "
        if let last = lists.last, last.isOrdered {
            mark = "\(last.next). "
            lists[lists.count - 1].next &+= 1
        }
        guard prefixes.count < ArticleWriter.maximumPrefixes else { return .block }
        let rest = StyledLine(DisplayText.blanks(mark.count))
        prefixes.append(Prefix(first: StyledLine(DisplayText(mark), .secondary), rest: rest))
        return .item
    }

    private func beginQuote() -> Ending {
        beginBlock()
        guard !isInCell else { return .block }
        separate()
        guard indent("▏ ", "▏ ", .secondary) else { return .block }
        setRole(role.union(.quote))
        return .quote
    }

    private func beginProgram() -> Ending {
        beginBlock()
        guard !isInCell else { return .block }
        separate()
        guard indent("  ", "  ") else { return .block }
        preformatted += 1
        setRole(role.union(.code))
        return .program
    }

    // MARK: Inline

    func setRole(_ new: TextRole) {
        guard new != role else { return }
        flushSpan()
        role = new
    }

    private func inline(_ added: TextRole) -> Ending {
        setRole(role.union(added))
        return .inline
    }

    private func sign(_ open: String, _ close: String) -> Ending {
        append(open)
        return .sign(close: close)
    }

    private func image(_ attributes: HTMLAttributes) {
        // Pictures of one pixel count visitors.
        let sides = [attributes["width"], attributes["height"]]
        if sides.contains("0") || sides.contains("1") { return }
        guard let source = attributes["src"], !source.hasPrefix("data:"), let url = resolve(source) else { return }
        let description = attributes["alt"] ?? attributes["title"] ?? ""
        let words = description.trimmingCharacters(in: .whitespacesAndNewlines)
        if article.images.count < ArticleWriter.maximumImages {
            var image = ArticleImage(url: url, description: DisplayText(words))
            let numbers = sides.map { $0.flatMap { Int($0.prefix { $0.isNumber }) } }
            if let width = numbers[0], let height = numbers[1], (1...20_000).contains(width),
                (1...20_000).contains(height)
            {
                image.size = ArticleImage.PixelSize(width: width, height: height)
            }
            article.images.append(image)
        }
        flushSpan()
        if !spans.isEmpty, !endsInBlank { spans.append(StyledSpan(" ", .secondary)) }
        let sign = DisplayText(words.isEmpty ? "[picture]" : "[picture: \(words)]")
        spans.append(StyledSpan(sign, .secondary, link: link))
        endsInBlank = false
    }

    private func media(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
        guard let source = attributes["src"].flatMap(resolve), source.hasPrefix("http") else { return }
        beginBlock()
        let what: DisplayText = tag == .iframe || tag == .embed ? "[embedded page]" : "[recording]"
        guard let number = number(ofLink: source, words: what) else { return }
        flushSpan()
        spans += [StyledSpan(what, .secondary, link: Int32(number)), ArticleDocument.sign(of: number)]
        endsInBlank = false
        endBlock()
    }

    // MARK: Text

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

    /// Characters of a span; longer text is several, so that it need not be moved as it grows.
    private static let longestSpan = 8_192

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

    private func lineBreak() {
        flushSpan()
        add(TextParagraph(spans, wraps: preformatted == 0))
        spans = []
        endsInBlank = true
    }

    func endParagraph() {
        flushSpan()
        if !spans.isEmpty {
            let isBlank = spans.allSatisfy { span in span.text.glyphs.allSatisfy { $0 == .space } }
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

    /// The parts that open which are open now, by their numbers.
    var details: [Int] = []
}

extension HTMLTag {
    /// What an article is read without.
    fileprivate var isLeftOut: Bool {
        switch self {
        case .script, .style, .head, .template, .noscript, .form, .button, .input, .select, .object, .rp, .annotation,
            .annotationXML, .metadata, .textarea, .datalist:
            true
        default: false
        }
    }
}
