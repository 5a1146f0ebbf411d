import TerminalText

/// Writes blocks: headings, lists, quotations, code and plain blocks.
final class BlockWriter {
    private let paragraphs: ParagraphWriter
    private let tables: TableWriter
    private var lists: [List] = []
    /// The numbers of items of the reversed lists without a start that follow.
    private lazy var counts = countItems()[...]
    private let countItems: () -> [Int]
    /// The first paragraph of the current code.
    private var programStart = 0

    private struct List {
        var isOrdered: Bool
        var next: Int
        var step = 1
        var style = ListNumber.decimal
    }

    enum Block {
        case plain, heading, list, item, indented, quote, program, caption
    }

    /// - Parameter countItems: Counts the items of each reversed list without a start, in document order.
    init(_ paragraphs: ParagraphWriter, in tables: TableWriter, countItems: @escaping () -> [Int]) {
        self.countItems = countItems
        self.paragraphs = paragraphs
        self.tables = tables
    }

    /// Starts a block, or returns `nil` for other elements.
    func begin(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> ElementEnding? {
        switch tag {
        case .p, .div, .section, .article, .header, .footer, .main, .aside, .figure, .address, .nav, .fieldset,
            .center, .dl, .body, .html, .hgroup, .search, .dialog, .legend:
            if tables.beginBlock() { paragraphs.separate() }
            return .block(.plain)
        case .h1: return .block(beginHeading([.heading, .majorHeading]))
        case .h2: return .block(beginHeading(.heading))
        case .h3: return .block(beginHeading([.heading, .minorHeading, .strong]))
        case .h4, .h5, .h6: return .block(beginHeading([.heading, .minorHeading, .secondary]))
        case .ul, .ol, .menu, .dir: return .block(beginList(isOrdered: tag == .ol, attributes))
        case .li: return .block(beginItem(attributes))
        case .dt:
            tables.beginBlock()
            paragraphs.addRole(.strong)
            return .inline
        case .dd:
            guard tables.beginBlock(), paragraphs.indent(StyledLine("   "), StyledLine("   ")) else {
                return .block(.plain)
            }
            return .block(.indented)
        case .blockquote: return .block(beginQuote())
        case .pre, .listing, .plaintext, .xmp: return .block(beginProgram())
        case .figcaption, .caption:
            tables.beginBlock()
            paragraphs.addRole(.secondary)
            return .block(.caption)
        case .hr:
            if tables.beginBlock() {
                paragraphs.separate()
                paragraphs.add(TextParagraph("· · ·", .secondary))
                paragraphs.separate()
            }
            return .nothing
        default: return nil
        }
    }

    /// Ends a block and restores the role of the text around it.
    func end(_ block: Block, roleBefore: TextRole) {
        if [.heading, .caption, .quote, .program].contains(block) { paragraphs.setRole(roleBefore) }
        tables.endBlock()
        switch block {
        case .plain, .heading: if !tables.isInCell { paragraphs.separate() }
        case .caption: break
        case .list:
            if !lists.isEmpty { lists.removeLast() }
            if lists.isEmpty { paragraphs.separate() }
        case .item:
            paragraphs.dropPrefix()
            paragraphs.needsBlank = false
        case .indented: paragraphs.dropPrefix()
        case .quote:
            paragraphs.needsBlank = false
            paragraphs.dropPrefix()
            paragraphs.separate()
        case .program:
            paragraphs.colorCode(from: programStart)
            paragraphs.preformatted -= 1
            paragraphs.dropPrefix()
            paragraphs.separate()
        }
    }

    private func beginHeading(_ role: TextRole) -> Block {
        tables.beginBlock()
        paragraphs.separate()
        paragraphs.addRole(role)
        return .heading
    }

    private func beginList(isOrdered: Bool, _ attributes: HTMLAttributes) -> Block {
        var list = List(isOrdered: isOrdered, next: attributes["start"].flatMap { Int($0) } ?? 1)
        if isOrdered, !attributes.isEmpty {
            list.style = attributes["type"].flatMap(ListNumber.init(rawValue:)) ?? .decimal
            if attributes["reversed"] != nil {
                list.step = -1
                if attributes["start"] == nil, let count = counts.popFirst() { list.next = count }
            }
        }
        guard tables.beginBlock() else { return .plain }
        if lists.isEmpty { paragraphs.separate() }
        lists.append(list)
        return .list
    }

    private func beginItem(_ attributes: HTMLAttributes) -> Block {
        guard tables.beginBlock() else {
            paragraphs.append("· ")
            return .plain
        }
        var mark = TextParagraph.bullet.string
        if let list = lists.indices.last, lists[list].isOrdered {
            if !attributes.isEmpty {
                if let value = attributes["value"].flatMap({ Int($0) }) { lists[list].next = value }
                if let style = attributes["type"].flatMap(ListNumber.init(rawValue:)) { lists[list].style = style }
            }
            mark = lists[list].style.text(lists[list].next) + ". "
            lists[list].next &+= lists[list].step
        }
        let rest = StyledLine(DisplayText.blanks(mark.count))
        return paragraphs.indent(StyledLine(DisplayText(mark), .secondary), rest) ? .item : .plain
    }

    private func beginQuote() -> Block {
        guard tables.beginBlock() else { return .plain }
        paragraphs.separate()
        let bar = StyledLine(TextParagraph.quotationBar, .rule)
        guard paragraphs.indent(bar, bar) else { return .plain }
        paragraphs.addRole(.quote)
        return .quote
    }

    private func beginProgram() -> Block {
        guard tables.beginBlock() else { return .plain }
        paragraphs.separate()
        guard paragraphs.indent(StyledLine("  "), StyledLine("  ")) else { return .plain }
        paragraphs.preformatted += 1
        programStart = paragraphs.next
        paragraphs.addRole(.code)
        return .program
    }
}
