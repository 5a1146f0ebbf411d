import TerminalText

/// Renders an article's HTML as readable text in one pass.
package enum HTMLRenderer {
    /// The maximum size in bytes. The rest is dropped with a message.
    static let maximumBytes = HTMLReader.maximumBytes
    /// What is opened before the text.
    static let start: StaticString = "<html><body>"

    /// Renders HTML.
    ///
    /// - Parameters:
    ///   - html: A fragment or page, well-formed or not.
    ///   - base: The base address of relative links.
    package static func render(_ html: String, base: String? = nil) -> ArticleDocument {
        let writer = ArticleWriter(html, base: base)
        let cut = HTMLReader.read(html, in: start, to: writer)
        var article = writer.finish()
        switch cut {
        case .size: article.addFailure("The article is longer than 16 MiB; the rest is left out.")
        case .attributes: article.addFailure("A tag of the article has too many attributes; the rest is left out.")
        case .depth: article.addFailure("The article's parts are too deep in each other; the rest is left out.")
        case .markup: article.addFailure("The article has more tags than text; the rest is left out.")
        case nil: break
        }
        return article
    }

    /// Renders plain text with paragraphs separated by empty lines. Web addresses become links.
    package static func render(plainText text: String) -> ArticleDocument {
        var article = ArticleDocument()
        guard text.contains(where: { !$0.isWhitespace }) else { return article }
        for line in text.prefix(maximumBytes).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            article.paragraphs.append(paragraph(line, &article))
            article.wordCount += line.split(separator: " ").count
        }
        return article
    }

    private static let maximumLinks = 10_000

    private static func paragraph(_ line: Substring, _ article: inout ArticleDocument) -> TextParagraph {
        var spans: [StyledSpan] = []
        var rest = line
        while article.links.count < maximumLinks, let found = WrittenLinks.first(in: rest) {
            if found.lowerBound > rest.startIndex {
                spans.append(StyledSpan(DisplayText(String(rest[..<found.lowerBound]))))
            }
            let words = DisplayText(String(rest[found]))
            let number = article.number(ofLink: WrittenLinks.target(rest[found]), words: words)
            spans += [StyledSpan(words, .link, link: Int32(number)), ArticleDocument.sign(of: number)]
            rest = rest[found.upperBound...]
        }
        guard !spans.isEmpty else { return TextParagraph(DisplayText(String(line))) }
        if !rest.isEmpty { spans.append(StyledSpan(DisplayText(String(rest)))) }
        return TextParagraph(spans)
    }
}

/// Counts the items of reversed lists without a start, on which their first numbers depend.
final class ReversedLists: HTMLHandler {
    private var counts: [Int] = []
    private var open: [Int?] = []
    var wantsMore: Bool { true }

    /// Returns the number of items of each such list, in document order.
    static func counts(in html: String) -> [Int] {
        let lists = ReversedLists()
        _ = HTMLReader.read(html, in: HTMLRenderer.start, to: lists)
        return lists.counts
    }

    func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
        switch tag {
        case .ul, .ol, .menu, .dir:
            let isCounted = tag == .ol && attributes["reversed"] != nil && attributes["start"] == nil
            open.append(isCounted ? counts.count : nil)
            if isCounted { counts.append(0) }
        case .li: if let list = open.last ?? nil { counts[list] += 1 }
        default: break
        }
    }

    func endElement(_ tag: HTMLTag) { if [.ul, .ol, .menu, .dir].contains(tag), !open.isEmpty { open.removeLast() } }
    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}
}

private enum WrittenLinks {
    private static let starts = ["https://", "http://", "www."]

    /// Returns the range of the first address, without the punctuation of the sentence around it.
    static func first(in text: Substring) -> Range<Substring.Index>? {
        var start = text.startIndex
        while let candidate = text[start...].firstIndex(where: { $0 == "h" || $0 == "H" || $0 == "w" || $0 == "W" }) {
            let isInWord = candidate > text.startIndex && isWordCharacter(text[text.index(before: candidate)])
            let rest = text[candidate...]
            if !isInWord, let scheme = starts.first(where: { rest.prefix($0.count).lowercased() == $0 }) {
                let end = self.end(of: rest)
                if text.distance(from: candidate, to: end) > scheme.count { return candidate..<end }
            }
            start = text.index(after: candidate)
        }
        return nil
    }

    /// Returns the address that a text stands for.
    static func target(_ text: Substring) -> String {
        text.lowercased().hasPrefix("www.") ? "https://" + text : String(text)
    }

    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || "/.@-_".contains(character)
    }

    private static func end(of text: Substring) -> Substring.Index {
        var link = text.prefix { !$0.isWhitespace && !"<>\"“”«»".contains($0) }
        // A bracket belongs to the address if it also opens there.
        let (opens, opensSquare) = (link.contains("("), link.contains("["))
        while let last = link.last {
            let isBracket = last == ")" && !opens || last == "]" && !opensSquare
            guard isBracket || ".,;:!?'’…".contains(last) else { break }
            link = link.dropLast()
        }
        return link.endIndex
    }
}
