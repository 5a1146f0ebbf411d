import Articles
import Feeds
import Foundation

/// Articles as files: Markdown, HTML or text, depending on the extension.
package enum ArticleFile {
    /// Returns an entry as a file.
    ///
    /// - Parameter ending: The extension: md, html or txt.
    package static func data(of entry: EntryDetail, as ending: String) -> Data {
        let hasText = entry.ownHTML?.isEmpty == false || entry.text?.isEmpty == false
        let article = hasText ? EntryArticle.make(entry, browserKey: "") : ArticleDocument()
        return data("entry." + ending, article, title: entry.title, source: entry.address, html: entry.ownHTML)
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
    package static func data(_ path: String, _ article: ArticleDocument, title: String, source: String?, html: String?)
        -> Data
    {
        switch ending(path) {
        case "html", "htm": Data(page(article, title, source, html).utf8)
        case "txt": Data(text(article, title, source).utf8)
        default: Data(MarkdownWriter.write(article, title: title, source: source).utf8)
        }
    }

    private static func text(_ article: ArticleDocument, _ title: String, _ source: String?) -> String {
        let lines = article.paragraphsWithLinks.flatMap { $0.lines(columns: 80).map(\.string) }
        return ([title, source ?? "", ""] + lines).joined(separator: "\n") + "\n"
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
