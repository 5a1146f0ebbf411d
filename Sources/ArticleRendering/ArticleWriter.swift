import Foundation
import HTMLReading
import TerminalText
import WebAddresses

/// Writes paragraphs from a stream of elements and text.
///
/// What happens at the end of an element is recorded when it starts. Content that must be complete before it can be
/// written, such as a table or superscript, is collected in spans.
final class ArticleWriter: HTMLHandler {
    var article = ArticleDocument()
    let base: WebAddress?
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
    /// The depth of open elements inside one that is skipped.
    private(set) var skipped = 0
    var drawing: Drawing?
    var tables: [Table] = []
    /// The table whose cell is being collected.
    var tableOfCell: Int?
    /// The current language (BCP 47), and the depth of quotations.
    var language = ""
    var quotations = 0
    /// The number of open superscripts and subscripts.
    var openRaised = 0
    /// The current text direction.
    var direction = Direction.fromLeft
    /// The number of pictures whose paragraph is known.
    var placedImages = 0
    /// The paragraphs of named elements, and the names that links refer to by link number.
    var anchors: [String: Int] = [:]
    var references: [(name: String, jump: Int)] = []

    /// The open collapsible parts, by number.
    var details: [Int] = []
    /// Whether the next text in a data cell needs a space before it.
    var cellNeedsBlank = false
    /// The beginning of a formula whose end hasn't arrived, and the content of a script with a formula.
    var formula: [UInt8] = []
    var script: [UInt8]?

    /// The prefix of all lines inside a block.
    struct Prefix {
        var first: StyledLine
        var rest: StyledLine
        var isFirstUsed = false
    }

    struct List {
        var isOrdered: Bool
        var next: Int
    }

    /// The text direction of blocks (HTML's attribute dir).
    enum Direction {
        case fromLeft, fromRight
        /// According to the first letter of each paragraph.
        case byText

        init?(_ name: String?) {
            switch name?.lowercased() {
            case "ltr": self = .fromLeft
            case "rtl": self = .fromRight
            case "auto": self = .byText
            default: return nil
            }
        }
    }

    /// An open element.
    struct Frame {
        var tag: HTMLTag
        var ending: Ending
        var role: TextRole
        var language: String?
        /// The previous direction, if the element changes it.
        var direction: Direction?
        /// The number of children so far.
        var children = 0
    }

    /// What happens at the end of an element.
    enum Ending {
        case nothing, inline, block, heading, list, item, indented, quote, program, caption, formula
        case quotation(close: String)
        case sign(close: String)
        case raised(Raised)
        case link(before: Int32, words: Int, paragraphs: Int)
        case table, row, cell
        case summary
        case details(Int)

        var isBlock: Bool {
            switch self {
            case .nothing, .inline, .quotation, .sign, .raised, .link, .formula: false
            default: true
            }
        }
    }

    static let maximumImages = 200
    static let maximumLinks = 10_000
    static let maximumParagraphs = 100_000
    static let maximumAnchors = 20_000
    private static let maximumPrefixes = 64
    var wantsMore: Bool { !isFull }
    var isFull: Bool { article.paragraphs.count >= ArticleWriter.maximumParagraphs }

    init(base: String?) { self.base = base.flatMap { WebAddress($0) } }

    /// Returns the article after the last element.
    func finish() -> ArticleDocument {
        abandonFormula()
        endParagraph()
        while article.paragraphs.last == .blank { article.paragraphs.removeLast() }
        for reference in references {
            article.jumps[reference.jump] = .paragraph(anchors[reference.name] ?? 0)
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
        abandonFormula()
        if drawing != nil { return startInDrawing(tag) }
        if ArticleWriter.isFormula(tag, attributes) {
            script = []
            frames.append(Frame(tag: tag, ending: .formula, role: role, language: nil))
            return
        }
        if isFull || tag.isLeftOut || isHidden(attributes) {
            skipped = 1
            return
        }
        let parent = frames.indices.last
        if let parent {
            frames[parent].children += 1
            switch frames[parent].tag {
            case .mfrac where frames[parent].children > 1: append(" / ")
            // Their parts are distinguished by spans.
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
        }
        frame.ending = begin(tag, attributes)
        // The paragraph before a block ends only now.
        if !attributes.isEmpty, anchors.count < ArticleWriter.maximumAnchors,
            let name = attributes["id"] ?? attributes["name"]
        {
            noteAnchor(name)
        }
        // A paragraph has the direction of its block, whatever inline elements have.
        if frame.ending.isBlock, !attributes.isEmpty, let own = Direction(attributes["dir"]) {
            frame.direction = direction
            direction = own
        }
        frames.append(frame)
    }

    func endElement(_ tag: HTMLTag) {
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        abandonFormula()
        if drawing != nil, endInDrawing(tag) { return }
        guard let frame = frames.popLast() else { return }
        end(frame)
        if let before = frame.language { language = before }
        if let before = frame.direction { direction = before }
    }

    /// Starts an element.
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
        case .span where preformatted > 0:
            return attributes["class"].flatMap(CodeColors.role).map(inline) ?? .nothing
        case .q:
            let marks = QuotationMarks.marks(language, isInner: quotations % 2 == 1)
            append(marks.open)
            quotations += 1
            return .quotation(close: marks.close)
        case .sup, .msup: return beginRaised(isRaised: true, isFormula: tag == .msup)
        case .sub, .msub: return beginRaised(isRaised: false, isFormula: tag == .msub)
        // Deletions and insertions use signs, because not every style can show them.
        case .del, .s, .strike: return sign("~~", "~~")
        case .ins: return sign("++", "++")
        case .rt: return sign("(", ")")
        case .msqrt: return sign("√(", ")")
        case .svg:
            drawing = Drawing()
            return .nothing
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
        case .formula: endScript()
        case .raised(let raised): endRaised(raised)
        case .link(let before, let words, let paragraphs): endLink(before, words, paragraphs)
        case .table: endTable()
        case .row: endRow()
        case .cell: endCell(frame.role)
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
        guard indent(TextParagraph.quotationBar, TextParagraph.quotationBar, .secondary) else { return .block }
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
        // Pictures of one pixel track visitors.
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
        guard let source = attributes["src"].flatMap(resolve), WebAddress.isWeb(source) else { return }
        beginBlock()
        let what: DisplayText = tag == .iframe || tag == .embed ? "[embedded page]" : "[recording]"
        guard let number = number(ofLink: source, words: what) else { return }
        flushSpan()
        spans += [StyledSpan(what, .secondary, link: Int32(number)), ArticleDocument.sign(of: number)]
        endsInBlank = false
        endBlock()
    }
}

extension HTMLTag {
    /// Whether the element is skipped.
    fileprivate var isLeftOut: Bool {
        switch self {
        case .script, .style, .head, .title, .template, .noscript, .form, .button, .input, .select, .object, .rp,
            .annotation,
            .annotationXML, .metadata, .textarea, .datalist:
            true
        default: false
        }
    }
}
