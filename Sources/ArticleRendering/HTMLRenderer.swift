import CLibXML2
import Foundation
import TerminalText

/// Makes readable text of an article's HTML.
package enum HTMLRenderer {
    /// Bytes of an article that are read; what comes after is left out, and said so.
    package static let maximumBytes = 8 << 20

    /// Renders HTML.
    ///
    /// - Parameters:
    ///   - html: A fragment or a page, well-formed or not.
    ///   - base: The address that relative links are resolved against.
    package static func render(_ html: String, base: String? = nil) -> ArticleDocument {
        var bytes = Array(html.utf8.prefix(maximumBytes))
        // libxml2 ends a document at a NUL.
        bytes.removeAll { $0 == 0 }
        let isCut = html.utf8.count > maximumBytes
        // Without an element around it, text before the first tag would lose its place.
        let wrapped = Array("<html><body>".utf8) + bytes
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
        let document = wrapped.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                htmlReadMemory($0.baseAddress, Int32($0.count), nil, "UTF-8", Int32(bitPattern: options))
            }
        }
        guard let document else { return ArticleDocument() }
        defer { xmlFreeDoc(document) }
        var writer = ArticleWriter(base: base)
        if let root = xmlDocGetRootElement(document) { writer.write(root, depth: 0) }
        var article = writer.finish()
        if isCut {
            article.paragraphs += [
                .blank, TextParagraph("The article is longer than 8 MiB; the rest is left out.", .failure),
            ]
        }
        return article
    }

    /// Renders plain text: paragraphs at empty lines.
    package static func render(plainText text: String) -> ArticleDocument {
        var article = ArticleDocument()
        for line in text.prefix(maximumBytes).split(separator: "\n", omittingEmptySubsequences: false) {
            article.paragraphs.append(TextParagraph(DisplayText(String(line))))
            article.wordCount += line.split(separator: " ").count
        }
        return article
    }
}
