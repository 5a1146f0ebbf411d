import Articles
import Feeds
import Foundation

/// Articles as files: Markdown, HTML or text, depending on the extension.
package enum ArticleFile {
    /// Converts an entry to the text of a file.
    ///
    /// - Parameter ending: The extension: md, html or txt.
    package static func text(of entry: EntryDetail, as ending: String) -> String {
        let hasText = entry.ownHTML?.isEmpty == false || entry.text?.isEmpty == false
        let article = hasText ? EntryArticle.make(entry, browserKey: "") : ArticleDocument()
        return text("entry." + ending, article, title: entry.title, source: entry.address, html: entry.ownHTML)
    }

    /// Returns the error in a file name as a sentence, or `nil` if it is valid.
    package static func problem(_ path: String) -> String? {
        ["md", "markdown", "html", "htm", "txt"].contains(ending(path))
            ? nil : "The name must end in .md, .html or .txt"
    }

    private static func ending(_ path: String) -> String { (path as NSString).pathExtension.lowercased() }

    /// Returns a file name for an article: its title's letters and digits.
    package static func name(_ title: String) -> String {
        let words = title.lowercased().split { !($0.isLetter || $0.isNumber) }.prefix(8)
        return words.isEmpty ? "article" : String(words.joined(separator: "-").prefix(80))
    }

    /// Returns the content of the file.
    ///
    /// - Parameter html: The article's HTML, if it was made from HTML.
    package static func text(_ path: String, _ article: ArticleDocument, title: String, source: String?, html: String?)
        -> String
    {
        switch ending(path) {
        case "html", "htm": page(article, title, source, html)
        case "txt": plainText(article, title, source)
        default: MarkdownWriter.write(article, title: title, source: source)
        }
    }

    private static func plainText(_ article: ArticleDocument, _ title: String, _ source: String?) -> String {
        var bytes = Array("\(title)\n\(source ?? "")\n\n".utf8)
        for paragraph in article.paragraphsWithLinks {
            paragraph.wrap(columns: 80) { wrapped in
                wrapped.line.append(to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func page(_ article: ArticleDocument, _ title: String, _ source: String?, _ html: String?) -> String
    {
        let body =
            html
            ?? article.paragraphs.map { "<p>" + escape($0.spans.map(\.text.string).joined()) + "</p>" }.joined(
                separator: "\n")
        let link = source.map { "<p><a href=\"\(escape($0))\">\(escape($0))</a></p>\n" } ?? ""
        return """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><title>\(escape(title))</title></head><body>
            <h1>\(escape(title))</h1>
            \(link)\(body)
            </body></html>

            """
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
