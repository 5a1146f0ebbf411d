import HTMLReading
import TerminalText

/// Makes readable text of an article's HTML, in one pass.
package enum HTMLRenderer {
    /// Bytes of an article that are read; what comes after is left out, and said so.
    package static let maximumBytes = HTMLReader.maximumBytes

    /// Renders HTML.
    ///
    /// - Parameters:
    ///   - html: A fragment or a page, well-formed or not.
    ///   - base: The address that relative links are resolved against.
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

    /// Renders plain text: paragraphs at empty lines.
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
