import HTMLReading
import TerminalText

/// Renders an article's HTML as readable text in one pass.
package enum HTMLRenderer {
    /// The maximum size in bytes. The rest is dropped with a message.
    static let maximumBytes = HTMLReader.maximumBytes

    /// Renders HTML.
    ///
    /// - Parameters:
    ///   - html: A fragment or page, well-formed or not.
    ///   - base: The base address of relative links.
    package static func render(_ html: String, base: String? = nil) -> ArticleDocument {
        let writer = ArticleWriter(base: base)
        let cut = HTMLReader.read(html, in: "<html><body>", to: writer)
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

    /// Renders plain text with paragraphs separated by empty lines.
    package static func render(plainText text: String) -> ArticleDocument {
        var article = ArticleDocument()
        guard text.contains(where: { !$0.isWhitespace }) else { return article }
        for line in text.prefix(maximumBytes).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            article.paragraphs.append(TextParagraph(DisplayText(String(line))))
            article.wordCount += line.split(separator: " ").count
        }
        return article
    }
}
