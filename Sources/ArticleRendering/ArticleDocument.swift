import TerminalText

/// A link in an article, by the number that stands beside its words.
package struct ArticleLink: Hashable, Sendable {
    package var number: Int
    package var url: String
    /// The words that the link is on.
    package var text: DisplayText
}

/// A picture in an article.
package struct ArticleImage: Hashable, Sendable {
    package var url: String
    package var description: DisplayText
    /// The paragraph that names it.
    package var paragraph = 0
    /// Pixels across and down, where the article tells them.
    package var size: PixelSize?

    /// Pixels across and down.
    package struct PixelSize: Hashable, Sendable {
        package var width: Int, height: Int
    }
}

/// A part of an article that can be folded under its summary.
package struct ArticleDetails: Hashable, Sendable {
    /// The paragraph of the summary.
    package var summary: Int
    /// The paragraphs under it.
    package var content: Range<Int>
    /// Whether the article shows it at first.
    package var isOpen: Bool
}

/// What the number of a span's link stands for.
package enum ArticleTarget: Hashable, Sendable {
    /// A page.
    case link(ArticleLink)
    /// A paragraph of the article, as of a footnote.
    case paragraph(Int)
    /// A part that opens and closes, by its number.
    case details(Int)
}

/// An article as text: paragraphs that a text view can wrap to any width, its links and its pictures.
///
/// A span's ``StyledSpan/link`` is the number of a link; places in the article and parts that open have numbers below zero.
package struct ArticleDocument: Hashable, Sendable {
    package var paragraphs: [TextParagraph] = []
    package private(set) var links: [ArticleLink] = []
    /// The numbers of the links, by their addresses.
    private var linkNumbers: [String: Int] = [:]
    package var images: [ArticleImage] = []
    /// The number of words.
    package var wordCount = 0
    /// The parts that open, and the places that links lead to.
    package internal(set) var details: [ArticleDetails] = []
    var jumps: [Jump] = []

    /// What a number below zero stands for.
    enum Jump: Hashable, Sendable {
        case paragraph(Int)
        case details(Int)
    }

    package init() {}

    /// Minutes that reading takes, at 220 words a minute; at least 1.
    package var minutes: Int { max(1, (wordCount + 110) / 220) }

    /// What the number of a span's link stands for; `nil` for none.
    package func target(_ link: Int32) -> ArticleTarget? {
        if link > 0, link <= links.count { return .link(links[Int(link) - 1]) }
        guard link < 0, jumps.indices.contains(Int(-1 - link)) else { return nil }
        switch jumps[Int(-1 - link)] {
        case .paragraph(let paragraph): return .paragraph(paragraph)
        case .details(let details): return .details(details)
        }
    }

    /// Says after the text why there is no more of it.
    mutating func addFailure(_ sentence: DisplayText) { paragraphs += [.blank, TextParagraph(sentence, .failure)] }

    /// Puts paragraphs before all others.
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

    /// Puts a picture before an article that has none.
    package mutating func prependImage(_ url: String) {
        prepend([TextParagraph("[picture]", .secondary), .blank])
        images.insert(ArticleImage(url: url, description: ""), at: 0)
    }

    /// Takes a link up, under the number that it has already if there is one.
    ///
    /// - Parameter note: What stands after the words of the link.
    /// - Returns: The line of the link, to be put somewhere.
    package mutating func addLink(_ url: String, _ words: DisplayText, note: DisplayText = .empty) -> TextParagraph {
        let number = number(ofLink: url, words: words)
        return TextParagraph([
            StyledSpan(words, .link, link: Int32(number)), ArticleDocument.sign(of: number),
            StyledSpan(note, .secondary),
        ])
    }

    /// `[1]`, after the words of a link.
    static func sign(of number: Int) -> StyledSpan {
        StyledSpan(DisplayText("[\(number)]"), .secondary, link: Int32(number))
    }

    /// Whether there is a link to an address.
    func hasLink(to url: String) -> Bool { linkNumbers[url] != nil }

    /// The number of a link, the same for the same address.
    mutating func number(ofLink url: String, words: DisplayText) -> Int {
        if let known = linkNumbers[url] { return known }
        let number = links.count + 1
        links.append(ArticleLink(number: number, url: url, text: words))
        linkNumbers[url] = number
        return number
    }

    /// Gives a link its words, when they are known.
    mutating func setWords(_ words: DisplayText, ofLink number: Int) { links[number - 1].text = words }

    /// The article with its links listed at the end.
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

    /// The article with some of its parts open, by their numbers, and the others folded away.
    package func folded(open: Set<Int>) -> ArticleDocument {
        guard !details.isEmpty else { return self }
        var isHidden = [Bool](repeating: false, count: paragraphs.count)
        for (index, part) in details.enumerated() where !open.contains(index) {
            for paragraph in part.content where paragraph < isHidden.count { isHidden[paragraph] = true }
        }
        var result = self
        result.paragraphs = []
        // The new place of each paragraph; of a hidden one, that of what stands before it.
        var places: [Int] = []
        for (index, paragraph) in paragraphs.enumerated() {
            places.append(max(0, isHidden[index] ? result.paragraphs.count - 1 : result.paragraphs.count))
            guard !isHidden[index] else { continue }
            result.paragraphs.append(paragraph)
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

    /// The parts under which a paragraph is folded, by their numbers, outermost first.
    package func parts(around paragraph: Int) -> [Int] {
        details.indices.filter { details[$0].content.contains(paragraph) }
    }
}
