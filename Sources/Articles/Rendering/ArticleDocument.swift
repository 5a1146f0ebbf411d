import TerminalText

/// A link in an article, identified by the number after its text.
package struct ArticleLink: Hashable, Sendable {
    package var number: Int
    package var url: String
    /// The text of the link.
    package var text: DisplayText
}

/// A picture in an article.
package struct ArticleImage: Hashable, Sendable {
    package var url: String
    package var description: DisplayText
    /// The paragraph that contains it.
    package var paragraph = 0
    /// The size in pixels, if the article states it.
    package var size: PixelSize?

    /// A size in pixels.
    package struct PixelSize: Hashable, Sendable {
        package var width: Int, height: Int
    }
}

/// A collapsible part of an article with a summary.
package struct ArticleDetails: Hashable, Sendable {
    var summary: Int
    var content: Range<Int>
    /// Whether it is initially expanded.
    package var isOpen: Bool
}

/// The target of a span's link number.
package enum ArticleTarget: Hashable, Sendable {
    /// A page.
    case link(ArticleLink)
    /// A paragraph of the article, such as a footnote.
    case paragraph(Int)
    /// A collapsible part, by its number.
    case details(Int)
}

/// An article as text: paragraphs that a text view can wrap to any width, links and pictures.
///
/// ``StyledSpan/link`` contains the number of a link. Targets inside the article and collapsible parts have negative
/// numbers.
package struct ArticleDocument: Hashable, Sendable {
    package var paragraphs: [TextParagraph] = []
    package private(set) var links: [ArticleLink] = []
    private var linkNumbers: [String: Int] = [:]
    package var images: [ArticleImage] = []
    var wordCount = 0
    /// The collapsible parts, and the targets of links inside the article.
    package internal(set) var details: [ArticleDetails] = []
    var jumps: [ArticleTarget] = []

    package init() {}

    /// The reading time in minutes at 220 words a minute, at least 1.
    package var minutes: Int { max(1, (wordCount + 110) / 220) }

    /// Returns the target of a span's link number, or `nil` for none.
    package func target(_ link: Int32) -> ArticleTarget? {
        if link > 0, link <= links.count { return .link(links[Int(link) - 1]) }
        guard link < 0, jumps.indices.contains(Int(-1 - link)) else { return nil }
        return jumps[Int(-1 - link)]
    }

    /// Whether there is anything to follow: links, notes or collapsible parts.
    package var hasTargets: Bool { !links.isEmpty || !jumps.isEmpty }

    /// Appends a message about why the text ends here.
    mutating func addFailure(_ sentence: DisplayText) { paragraphs += [.blank, TextParagraph(sentence, .failure)] }

    /// Inserts paragraphs at the beginning.
    package mutating func prepend(_ lines: [TextParagraph]) {
        paragraphs = lines + paragraphs
        move(by: lines.count)
    }

    private mutating func move(by count: Int) {
        for index in images.indices { images[index].paragraph += count }
        for index in details.indices {
            details[index].summary += count
            details[index].content =
                details[index].content.lowerBound + count..<details[index].content.upperBound + count
        }
        for index in jumps.indices {
            if case .paragraph(let paragraph) = jumps[index] { jumps[index] = .paragraph(paragraph + count) }
        }
    }

    /// Inserts a picture at the beginning of an article without pictures.
    package mutating func prependImage(_ url: String) {
        prepend([TextParagraph("[picture]", .secondary), .blank])
        images.insert(ArticleImage(url: url, description: ""), at: 0)
    }

    /// Adds a link, or reuses the number of an existing one.
    ///
    /// - Parameter note: The text after the link.
    /// - Returns: The paragraph with the link.
    package mutating func addLink(_ url: String, _ words: DisplayText, note: DisplayText = .empty) -> TextParagraph {
        let number = number(ofLink: url, words: words)
        return TextParagraph([
            StyledSpan(words, .link, link: Int32(number)), ArticleDocument.sign(of: number),
            StyledSpan(note, .secondary),
        ])
    }

    /// Returns the mark `[1]` after the text of a link.
    static func sign(of number: Int) -> StyledSpan {
        StyledSpan(DisplayText("[\(number)]"), .secondary, link: Int32(number))
    }

    func hasLink(to url: String) -> Bool { linkNumbers[url] != nil }

    /// Returns the number of a link, which is the same for the same address.
    mutating func number(ofLink url: String, words: DisplayText) -> Int {
        if let known = linkNumbers[url] { return known }
        let number = links.count + 1
        links.append(ArticleLink(number: number, url: url, text: words))
        linkNumbers[url] = number
        return number
    }

    /// Sets the text of a link once it is known.
    mutating func setWords(_ words: DisplayText, ofLink number: Int) { links[number - 1].text = words }

    /// The paragraphs followed by a list of links.
    package var paragraphsWithLinks: [TextParagraph] {
        guard !links.isEmpty else { return paragraphs }
        let width = String(links.count).count
        return paragraphs + [.blank]
            + links.map { link in
                let number = String(link.number)
                let label = String(repeating: " ", count: max(0, width - number.count)) + number + "  "
                return TextParagraph(
                    [StyledSpan(DisplayText(link.url), .secondary, link: Int32(link.number))],
                    firstPrefix: StyledLine(DisplayText(label), .secondary),
                    prefix: StyledLine(.blanks(width + 2)))
            }
    }

    /// Returns the article with only some parts expanded.
    package func folded(open: Set<Int>) -> ArticleDocument {
        guard !details.isEmpty else { return self }
        var isHidden = [Bool](repeating: false, count: paragraphs.count)
        for (index, part) in details.enumerated() where !open.contains(index) {
            for paragraph in part.content where paragraph < isHidden.count { isHidden[paragraph] = true }
        }
        var result = self
        result.paragraphs = []
        // The new index of each paragraph; for a hidden one, that of the paragraph before it.
        var places: [Int] = []
        for (index, paragraph) in paragraphs.enumerated() {
            places.append(max(0, isHidden[index] ? result.paragraphs.count - 1 : result.paragraphs.count))
            if !isHidden[index] { result.paragraphs.append(paragraph) }
        }
        places.append(result.paragraphs.count)
        // A part without a summary has no mark.
        for (index, part) in details.enumerated()
        where part.summary < part.content.lowerBound && part.summary < paragraphs.count && !isHidden[part.summary] {
            let mark: DisplayText = open.contains(index) ? "▾ " : "▸ "
            if let first = result.paragraphs[places[part.summary]].spans.indices.first {
                result.paragraphs[places[part.summary]].spans[first].text = mark
            }
        }
        result.images = images.compactMap { image in
            guard image.paragraph < isHidden.count, !isHidden[image.paragraph] else { return nil }
            var image = image
            image.paragraph = places[image.paragraph]
            return image
        }
        for index in result.jumps.indices {
            if case .paragraph(let paragraph) = jumps[index] {
                result.jumps[index] = .paragraph(places[min(paragraph, places.count - 1)])
            }
        }
        return result
    }

    /// Returns the numbers of the parts that contain a paragraph, outermost first.
    package func parts(around paragraph: Int) -> [Int] {
        details.indices.filter { details[$0].content.contains(paragraph) }
    }
}
