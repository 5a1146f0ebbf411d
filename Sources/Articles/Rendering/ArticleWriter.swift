import TerminalText
import WebAddresses

/// Writes an article from a stream of elements and text, in one pass.
///
/// Each kind of content has a writer of its own; they share the paragraphs. What happens at the end of an element is
/// recorded when it starts.
final class ArticleWriter: HTMLHandler {
    private let paragraphs = ParagraphWriter()
    private let tables: TableWriter
    private let blocks: BlockWriter
    private let details: DetailsWriter
    private let links: LinkWriter
    private let media: MediaWriter
    private let formulas: FormulaWriter
    private let raisedText: RaisedTextWriter
    private var drawing: Drawing?
    private var frames: [Frame] = []
    /// The depth of open elements inside one that is skipped.
    private var skipped = 0
    /// The current language (BCP 47), and the depth of quotations.
    private var language = ""
    private var quotations = 0

    private struct Frame {
        var tag: HTMLTag
        var ending: ElementEnding
        var role: TextRole
        var language: String?
        /// The previous direction, if the element changes it.
        var direction: ParagraphWriter.Direction?
        var children = 0
        var keepsLines = false
    }

    /// - Parameter html: What is read, for what must be known ahead.
    init(_ html: String, base: String?) {
        tables = TableWriter(paragraphs)
        blocks = BlockWriter(paragraphs, in: tables) { ReversedLists.counts(in: html) }
        details = DetailsWriter(paragraphs, in: tables)
        links = LinkWriter(paragraphs, base: base.flatMap { WebAddress($0) })
        media = MediaWriter(paragraphs, in: tables, links)
        formulas = FormulaWriter(paragraphs)
        raisedText = RaisedTextWriter(paragraphs)
    }

    var wantsMore: Bool { !paragraphs.isFull }

    /// Returns the article after the last element.
    func finish() -> ArticleDocument {
        formulas.abandon()
        links.connectReferences()
        return paragraphs.finish()
    }

    // MARK: Elements

    func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
        guard skipped == 0 else {
            skipped += 1
            return
        }
        formulas.abandon()
        if drawing != nil {
            drawing?.begin(tag)
            return
        }
        if tag == .script, HTMLTag.isFormula(scriptType: attributes["type"]) {
            formulas.beginScript()
            frames.append(Frame(tag: tag, ending: .formula, role: paragraphs.role))
            return
        }
        if paragraphs.isFull || tag.isLeftOut || media.leavesOut(tag) || isHidden(attributes) {
            skipped = 1
            return
        }
        separateFromSiblings()
        var frame = Frame(tag: tag, ending: .nothing, role: paragraphs.role)
        if !attributes.isEmpty {
            if let own = attributes["lang"], !own.isEmpty {
                frame.language = language
                language = own
            }
            if attributes["style"].map(HTMLStyle.keepsLines) == true {
                frame.keepsLines = true
                paragraphs.keptLines += 1
            }
        }
        frame.ending =
            beginInline(tag, attributes) ?? tables.begin(tag, attributes) ?? blocks.begin(tag, attributes)
            ?? media.begin(tag, attributes) ?? .nothing
        // The paragraph before a block ends only now.
        links.noteAnchor(attributes)
        // A paragraph has the direction of its block, whatever inline elements have.
        if frame.ending.isBlock, !attributes.isEmpty, let name = attributes["dir"]?.lowercased(),
            let own = ParagraphWriter.Direction(rawValue: name)
        {
            frame.direction = paragraphs.direction
            paragraphs.direction = own
        }
        frames.append(frame)
    }

    func endElement(_ tag: HTMLTag) {
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        formulas.abandon()
        if drawing != nil, endInDrawing() { return }
        guard let frame = frames.popLast() else { return }
        end(frame)
        media.end(tag: frame.tag)
        if frame.keepsLines { paragraphs.keptLines -= 1 }
        if let before = frame.language { language = before }
        if let before = frame.direction { paragraphs.direction = before }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard skipped == 0, !media.isInFallback else { return }
        if drawing != nil {
            drawing?.append(bytes)
            return
        }
        if formulas.isInScript { return formulas.readScript(bytes) }
        guard tables.accepts(bytes) else { return }
        if formulas.mayBegin(in: bytes) {
            formulas.append(bytes)
        } else if paragraphs.keptLines > 0, !tables.isInCell {
            paragraphs.appendLines(bytes)
        } else {
            paragraphs.append(bytes)
        }
    }

    private func isHidden(_ attributes: HTMLAttributes) -> Bool {
        guard !attributes.isEmpty else { return false }
        if attributes["hidden"] != nil || attributes["aria-hidden"] == "true" { return true }
        return attributes["style"].map(HTMLStyle.hides) ?? false
    }

    /// Separates the parts of formulas, which are elements beside each other.
    private func separateFromSiblings() {
        guard let parent = frames.indices.last else { return }
        frames[parent].children += 1
        switch frames[parent].tag {
        case .mfrac where frames[parent].children > 1: paragraphs.append(" / ")
        // Their parts are distinguished by spans.
        case .msup, .msub: paragraphs.flushSpan()
        default: break
        }
    }

    /// Starts an inline element and returns what happens at its end, or returns `nil` for other elements.
    private func beginInline(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> ElementEnding? {
        switch tag {
        case .b, .strong: return inline(.strong)
        case .i, .em, .cite, .var, .dfn: return inline(.emphasis)
        case .code, .kbd, .samp, .tt: return inline(.code)
        case .mark: return inline(.match)
        case .span where paragraphs.preformatted > 0:
            return attributes["class"].flatMap(CodeColors.role).map(inline) ?? .nothing
        case .q: return beginQuotation()
        case .sup, .msup: return raisedText.begin(isRaised: true, isFormula: tag == .msup)
        case .sub, .msub: return raisedText.begin(isRaised: false, isFormula: tag == .msub)
        // Deletions and insertions use signs, because not every style can show them.
        case .del, .s, .strike: return beginDeletion()
        case .ins: return sign("++", "++")
        case .rt: return sign("(", ")")
        case .msqrt: return sign("√(", ")")
        case .svg:
            drawing = Drawing()
            return .nothing
        case .a: return links.begin(attributes)
        case .br:
            if tables.isInCell { paragraphs.append(" ") } else { paragraphs.lineBreak() }
            return .nothing
        case .details: return details.begin(isOpen: attributes["open"] != nil)
        case .summary: return details.beginSummary()
        default: return nil
        }
    }

    private func end(_ frame: Frame) {
        switch frame.ending {
        case .nothing: break
        case .inline: paragraphs.setRole(frame.role)
        case .formula: formulas.endScript()
        case .quotation(let close):
            quotations -= 1
            paragraphs.append(close)
        case .sign(let close): paragraphs.append(close)
        case .deletion:
            appendDeletionSign()
            paragraphs.setRole(frame.role)
        case .raised(let start): raisedText.end(start)
        case .link(let start): links.end(start)
        case .block(let block): blocks.end(block, roleBefore: frame.role)
        case .table: tables.endTable()
        case .row: tables.endRow()
        case .cell: tables.endCell(roleBefore: frame.role)
        case .summary: details.endSummary(roleBefore: frame.role)
        case .details(let index): details.end(index)
        }
    }

    private func inline(_ added: TextRole) -> ElementEnding {
        paragraphs.addRole(added)
        return .inline
    }

    private func sign(_ open: String, _ close: String) -> ElementEnding {
        paragraphs.append(open)
        return .sign(close: close)
    }

    private func beginDeletion() -> ElementEnding {
        paragraphs.addRole(.deleted)
        appendDeletionSign()
        return .deletion
    }

    /// Appends a sign as a span of its own, which can be left out where the text is struck through.
    private func appendDeletionSign() {
        paragraphs.flushSpan()
        paragraphs.append(TextRole.deletionSign.string)
        paragraphs.flushSpan()
    }

    private func beginQuotation() -> ElementEnding {
        let marks = QuotationMarks.marks(language, isInner: quotations % 2 == 1)
        paragraphs.append(marks.open)
        quotations += 1
        return .quotation(close: marks.close)
    }

    /// Ends an element while a drawing is open. The end of the drawing itself writes its sign.
    ///
    /// - Returns: Whether the element was inside the drawing.
    private func endInDrawing() -> Bool {
        if drawing?.end() == true { return true }
        if let sign = drawing?.sign { paragraphs.append(sign: sign) }
        drawing = nil
        return false
    }
}

extension HTMLTag {
    fileprivate var isLeftOut: Bool {
        switch self {
        case .script, .style, .head, .title, .template, .form, .button, .input, .select, .canvas, .rp, .annotation,
            .annotationXML, .metadata, .textarea, .datalist:
            true
        default: false
        }
    }
}
