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

/// An article as text: paragraphs that a text view can wrap to any width, its links and its pictures.
package struct ArticleDocument: Hashable, Sendable {
    package var paragraphs: [TextParagraph] = []
    package private(set) var links: [ArticleLink] = []
    /// The numbers of the links, by their addresses.
    private var linkNumbers: [String: Int] = [:]
    package var images: [ArticleImage] = []
    /// The number of words.
    package var wordCount = 0

    package init() {}

    /// Minutes that reading takes, at 220 words a minute; at least 1.
    package var minutes: Int { max(1, (wordCount + 110) / 220) }

    /// Says after the text why there is no more of it.
    mutating func addFailure(_ sentence: DisplayText) { paragraphs += [.blank, TextParagraph(sentence, .failure)] }

    /// Puts paragraphs before all others.
    package mutating func prepend(_ lines: [TextParagraph]) {
        paragraphs = lines + paragraphs
        for index in images.indices { images[index].paragraph += lines.count }
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
            StyledSpan(words, .link), StyledSpan(DisplayText("[\(number)]"), .secondary), StyledSpan(note, .secondary),
        ])
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

    /// The article with its links listed at the end.
    package var paragraphsWithLinks: [TextParagraph] {
        guard !links.isEmpty else { return paragraphs }
        let width = String(links.count).count
        return paragraphs + [.blank]
            + links.map { link in
                let number = String(link.number)
                let label = String(repeating: " ", count: width - number.count) + number + "  "
                return TextParagraph(
                    [StyledSpan(DisplayText(link.url), .secondary)],
                    firstPrefix: StyledLine(DisplayText(label), .secondary),
                    prefix: StyledLine(.blanks(width + 2)))
            }
    }
}
