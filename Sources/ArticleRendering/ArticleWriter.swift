import CLibXML2
import Foundation
import TerminalText

/// Goes through a tree of HTML and writes paragraphs.
struct ArticleWriter {
    private var article = ArticleDocument()
    private let base: URL?
    var spans: [StyledSpan] = []
    private var text = ""
    private var role: TextRole = []
    var endsInBlank = true
    private var prefixes: [Prefix] = []
    private var lists: [List] = []
    private var preformatted = 0
    var needsBlank = false
    /// How many pictures know their paragraph.
    private var placedImages = 0

    /// What stands before the lines of everything inside a block.
    private struct Prefix {
        var first: StyledLine
        var rest: StyledLine
        var isFirstUsed = false
    }

    private struct List {
        var isOrdered: Bool
        var next: Int
    }

    /// Deeper nesting than this is left out.
    private static let maximumDepth = 256
    static let maximumCells = 20_000
    private static let maximumImages = 200
    private static let maximumLinks = 10_000
    private static let maximumParagraphs = 100_000
    var isFull: Bool { article.paragraphs.count >= ArticleWriter.maximumParagraphs }
    var cells = 0
    var isInCell = false
    /// The language of what is read (BCP 47), and how deep it is in quotations.
    private var language = ""
    private var quotations = 0

    init(base: String?) { self.base = base.flatMap { URL(string: $0) } }

    mutating func finish() -> ArticleDocument {
        endParagraph()
        while article.paragraphs.last == .blank { article.paragraphs.removeLast() }
        if isFull { article.addFailure("The article has more than 100,000 lines; the rest is left out.") }
        return article
    }

    // MARK: The tree

    private static let skipped: Set<String> = [
        "script", "style", "head", "template", "noscript", "form", "button", "input", "select", "object", "rp",
        "annotation",
        "annotation-xml", "defs", "metadata",
    ]

    private static let blocks: Set<String> = [
        "p", "div", "section", "article", "header", "footer", "main", "aside", "figure", "address", "details", "nav",
        "fieldset", "center", "dl", "tbody", "thead", "tfoot", "body", "html", "summary",
    ]

    mutating func write(_ node: xmlNodePtr, depth: Int) {
        guard !isFull else { return }
        switch node.pointee.type {
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
            if let content = node.pointee.content { append(String(cString: content)) }
        case XML_ELEMENT_NODE:
            guard depth < ArticleWriter.maximumDepth, let name = node.pointee.name else { return }
            element(String(cString: name).lowercased(), node, depth: depth)
        default:
            break
        }
    }

    mutating func children(_ node: xmlNodePtr, depth: Int) {
        var child = node.pointee.children
        while let present = child {
            write(present, depth: depth + 1)
            child = present.pointee.next
        }
    }

    mutating func inline(_ added: TextRole, _ node: xmlNodePtr, depth: Int) {
        let before = role
        flushSpan()
        role.formUnion(added)
        children(node, depth: depth)
        flushSpan()
        role = before
    }

    private mutating func element(_ name: String, _ node: xmlNodePtr, depth: Int) {
        if ArticleWriter.skipped.contains(name) || isHidden(node) { return }
        let languageBefore = language
        if let own = attribute("lang", node), !own.isEmpty { language = own }
        defer { language = languageBefore }
        if ArticleWriter.blocks.contains(name) {
            block(node, depth: depth)
            return
        }
        switch name {
        case "b", "strong", "dt", "th":
            if name == "dt" { endParagraph() }
            inline(.strong, node, depth: depth)
        case "i", "em", "cite", "var", "dfn": inline(.emphasis, node, depth: depth)
        case "code", "kbd", "samp", "tt": inline(.code, node, depth: depth)
        case "mark": inline(.match, node, depth: depth)
        case "q":
            let marks = QuotationMarks.marks(language, isInner: quotations % 2 == 1)
            append(marks.open)
            quotations += 1
            children(node, depth: depth)
            quotations -= 1
            append(marks.close)
        case "sup", "msup": raised(node, isRaised: true, isFormula: name == "msup", depth: depth)
        case "sub", "msub": raised(node, isRaised: false, isFormula: name == "msub", depth: depth)
        // What is struck or came later is told by signs, since not every look has a line for it.
        case "del", "s", "strike": between("~~", "~~", node, depth: depth)
        case "ins": between("++", "++", node, depth: depth)
        case "rt": between("(", ")", node, depth: depth)
        case "mfrac": joined(" / ", node, depth: depth)
        case "msqrt": between("√(", ")", node, depth: depth)
        case "svg": drawing(node)
        case "a": link(node, depth: depth)
        case "br": if isInCell { append(" ") } else { lineBreak() }
        case "hr":
            endParagraph()
            separate()
            add(TextParagraph("· · ·", .secondary))
            separate()
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endParagraph()
            separate()
            inline(.heading, node, depth: depth)
            endParagraph()
            separate()
        case "ul", "ol", "menu": list(name == "ol", node, depth: depth)
        case "li": listItem(node, depth: depth)
        case "dd": indented("   ", node, depth: depth)
        case "blockquote": quote(node, depth: depth)
        case "pre", "listing", "plaintext": program(node, depth: depth)
        case "table": table(node, depth: depth)
        case "tr": row(node, depth: depth)
        case "figcaption", "caption":
            endParagraph()
            inline(.secondary, node, depth: depth)
            endParagraph()
        case "img": image(node)
        case "iframe", "video", "audio", "embed", "source": media(name, node, depth: depth)
        default: children(node, depth: depth)
        }
    }

    mutating func block(_ node: xmlNodePtr, depth: Int) {
        endParagraph()
        separate()
        children(node, depth: depth)
        endParagraph()
        separate()
    }

    // MARK: Blocks

    private mutating func list(_ isOrdered: Bool, _ node: xmlNodePtr, depth: Int) {
        endParagraph()
        if lists.isEmpty { separate() }
        lists.append(List(isOrdered: isOrdered, next: attribute("start", node).flatMap { Int($0) } ?? 1))
        children(node, depth: depth)
        lists.removeLast()
        endParagraph()
        if lists.isEmpty { separate() }
    }

    private mutating func listItem(_ node: xmlNodePtr, depth: Int) {
        endParagraph()
        var mark = "• "
        if let last = lists.last, last.isOrdered {
            mark = "\(last.next). "
            lists[lists.count - 1].next += 1
        }
        let indent = DisplayText.blanks(mark.count)
        prefixes.append(Prefix(first: StyledLine(DisplayText(mark), .secondary), rest: StyledLine(indent)))
        children(node, depth: depth)
        endParagraph()
        prefixes.removeLast()
        needsBlank = false
    }

    private mutating func indented(_ indent: DisplayText, _ node: xmlNodePtr, depth: Int) {
        endParagraph()
        prefixes.append(Prefix(first: StyledLine(indent), rest: StyledLine(indent)))
        children(node, depth: depth)
        endParagraph()
        prefixes.removeLast()
    }

    private mutating func quote(_ node: xmlNodePtr, depth: Int) {
        endParagraph()
        separate()
        let bar = StyledLine("▏ ", .secondary)
        prefixes.append(Prefix(first: bar, rest: bar))
        inline(.quote, node, depth: depth)
        endParagraph()
        needsBlank = false
        prefixes.removeLast()
        separate()
    }

    private mutating func program(_ node: xmlNodePtr, depth: Int) {
        endParagraph()
        separate()
        let indent = StyledLine("  ")
        prefixes.append(Prefix(first: indent, rest: indent))
        preformatted += 1
        inline(.code, node, depth: depth)
        endParagraph()
        preformatted -= 1
        prefixes.removeLast()
        separate()
    }

    // MARK: Inline

    private mutating func link(_ node: xmlNodePtr, depth: Int) {
        guard let target = attribute("href", node).flatMap(resolve), !target.hasPrefix("#") else {
            return children(node, depth: depth)
        }
        let spanCount = spans.count
        flushSpan()
        inline(.link, node, depth: depth)
        let words = spans[min(spanCount, spans.count)...].map(\.text.string).joined()
        guard let number = number(ofLink: target, words: DisplayText(words)) else { return }
        spans.append(StyledSpan(DisplayText("[\(number)]"), .secondary))
        endsInBlank = false
    }

    /// The number of a link; `nil` when there are too many.
    private mutating func number(ofLink url: String, words: DisplayText) -> Int? {
        guard article.links.count < ArticleWriter.maximumLinks || article.hasLink(to: url) else { return nil }
        return article.number(ofLink: url, words: words)
    }

    private mutating func image(_ node: xmlNodePtr) {
        // Pictures of one pixel count visitors.
        if ["width", "height"].contains(where: { ["0", "1"].contains(attribute($0, node) ?? "") }) { return }
        guard let source = attribute("src", node).flatMap(resolve), !source.hasPrefix("data:") else { return }
        let description = attribute("alt", node) ?? attribute("title", node) ?? ""
        let words = description.trimmingCharacters(in: .whitespacesAndNewlines)
        if article.images.count < ArticleWriter.maximumImages {
            var image = ArticleImage(url: source, description: DisplayText(words))
            let sides = ["width", "height"].map { attribute($0, node).flatMap { Int($0.prefix { $0.isNumber }) } }
            if let width = sides[0], let height = sides[1], (1...20_000).contains(width), (1...20_000).contains(height)
            {
                image.size = ArticleImage.PixelSize(width: width, height: height)
            }
            article.images.append(image)
        }
        flushSpan()
        if !spans.isEmpty, !endsInBlank { spans.append(StyledSpan(" ", .secondary)) }
        spans.append(StyledSpan(DisplayText(words.isEmpty ? "[picture]" : "[picture: \(words)]"), .secondary))
        endsInBlank = false
    }

    private mutating func media(_ name: String, _ node: xmlNodePtr, depth: Int) {
        guard let source = attribute("src", node).flatMap(resolve), source.hasPrefix("http") else {
            return children(node, depth: depth)
        }
        endParagraph()
        let what: DisplayText = name == "iframe" || name == "embed" ? "[embedded page]" : "[recording]"
        guard let number = number(ofLink: source, words: what) else { return }
        spans = [StyledSpan(what, .secondary), StyledSpan(DisplayText("[\(number)]"), .secondary)]
        endParagraph()
    }

    /// Compares without making texts of all names.
    private func isSame(_ own: UnsafePointer<xmlChar>, _ name: String) -> Bool {
        own.withMemoryRebound(to: CChar.self, capacity: 1) { strcasecmp($0, name) == 0 }
    }

    func attribute(_ name: String, _ node: xmlNodePtr) -> String? {
        var candidate = node.pointee.properties
        while let present = candidate {
            if let own = present.pointee.name, isSame(own, name) {
                return present.pointee.children?.pointee.content.map { String(cString: $0) } ?? ""
            }
            candidate = present.pointee.next
        }
        return nil
    }

    private func resolve(_ link: String) -> String? {
        let trimmed = link.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return nil }
        if trimmed.hasPrefix("#") || trimmed.hasPrefix("data:") { return trimmed }
        guard let base else { return trimmed }
        return URL(string: trimmed, relativeTo: base)?.absoluteString ?? trimmed
    }

    // MARK: Text

    mutating func append(_ string: String) {
        if preformatted > 0 {
            var rest = Substring(string)
            while !isFull {
                let end = rest.firstIndex(of: "\n")
                let line = rest[..<(end ?? rest.endIndex)]
                text += line.replacing("\t", with: "    ")
                if !line.isEmpty { endsInBlank = false }
                guard let end else { return }
                lineBreak()
                rest = rest[rest.index(after: end)...]
            }
            return
        }
        for scalar in string.unicodeScalars {
            if scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" || scalar == "\u{0C}" {
                if !endsInBlank { text.unicodeScalars.append(" ") }
                endsInBlank = true
            } else {
                if endsInBlank { article.wordCount += 1 }
                text.unicodeScalars.append(scalar)
                endsInBlank = false
            }
        }
    }

    mutating func flushSpan() {
        guard !text.isEmpty else { return }
        spans.append(StyledSpan(DisplayText(text), role))
        text = ""
    }

    private mutating func lineBreak() {
        flushSpan()
        add(TextParagraph(spans, wraps: preformatted == 0))
        spans = []
        endsInBlank = true
    }

    mutating func endParagraph() {
        flushSpan()
        let isBlank = spans.allSatisfy { span in span.text.glyphs.allSatisfy { $0 == .space } }
        if !isBlank { add(TextParagraph(spans, wraps: preformatted == 0)) }
        spans = []
        endsInBlank = true
    }

    /// An empty line before what comes, unless that is the first inside an item or a quote.
    mutating func separate() {
        if prefixes.last?.isFirstUsed != false { needsBlank = true }
    }

    mutating func add(_ paragraph: TextParagraph) {
        if needsBlank, let last = article.paragraphs.last, last != .blank {
            article.paragraphs.append(blankLine)
        }
        needsBlank = false
        var paragraph = paragraph
        var first: [StyledSpan] = []
        var rest: [StyledSpan] = []
        for index in prefixes.indices {
            first += (prefixes[index].isFirstUsed ? prefixes[index].rest : prefixes[index].first).spans
            rest += prefixes[index].rest.spans
            prefixes[index].isFirstUsed = true
        }
        paragraph.firstPrefix = StyledLine(first)
        paragraph.prefix = StyledLine(rest)
        for index in placedImages..<article.images.count {
            article.images[index].paragraph = article.paragraphs.count
        }
        placedImages = article.images.count
        article.paragraphs.append(paragraph)
    }

    /// Between two paragraphs of a quote the bar goes on.
    private var blankLine: TextParagraph { .blank }
}
