import ArgumentParser
import Articles
import FeedParsing
import Foundation
import TerminalText

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Print the HTML of an article as readable text.",
        discussion: """
            With --article the file is a whole page, and only its article is printed, without menus and other parts of the page.
            """)

    @Argument(help: ArgumentHelp("A file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The width in columns, 1 to 1000.", valueName: "n"))
    var width = 80

    @Option(help: ArgumentHelp("The base address of relative links.", valueName: "url"))
    var base: String?

    @Flag(help: "Extract the article from a whole page.")
    var article = false

    @Flag(help: "Print the article and the page's metadata as JSON.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(width) else { throw ValidationError("--width must be a number from 1 to 1000.") }
        if json, !article { throw ValidationError("--json needs --article.") }
    }

    func run() throws {
        guard article else { return printArticle(try rendered(file)) }
        let page = ArticlePage(html: PageText.decode(Array(try readInput(file)), contentType: nil), address: base)
        if json { return try printJSON(value(of: page)) }
        guard let content = page.content else {
            throw fail("\(file): no article found", ExitStatus.badData)
        }
        if !page.title.isEmpty { printText(DisplayText(page.title).string + "\n") }
        printArticle(HTMLRenderer.render(content, base: base))
    }

    /// Renders the file. Its bytes are released before returning.
    private func rendered(_ file: String) throws -> ArticleDocument {
        var bytes = Array(try readInput(file))
        let html = PageText.decode(bytes, contentType: nil)
        bytes = []
        return HTMLRenderer.render(html, base: base)
    }

    private func printArticle(_ article: ArticleDocument) {
        var bytes: [UInt8] = []
        for paragraph in article.paragraphsWithLinks {
            paragraph.wrap(columns: width) { line in
                for span in line.line.spans { span.text.append(to: &bytes) }
                bytes.append(UInt8(ascii: "\n"))
                StandardOutput.write(Signs.shown(bytes))
                bytes.removeAll(keepingCapacity: true)
            }
        }
    }

    /// The output of `--json`. The date is the day as the page wrote it.
    private struct Page: Encodable {
        var title: String
        var byline: String?
        var siteName: String?
        var date: String?
        var dateAsWritten: String?
        var dateIsGuessed: Bool?
        var updated: String?
        var language: String?
        var contentHTML: String?
        var text: String
        var nextPage: String?

        enum CodingKeys: String, CodingKey {
            case title, byline, date, updated, language, text
            case siteName = "site_name"
            case dateAsWritten = "date_as_written"
            case dateIsGuessed = "date_is_guessed"
            case contentHTML = "content_html"
            case nextPage = "next_page"
        }
    }

    private func value(of page: ArticlePage) -> Page {
        let published = page.published
        return Page(
            title: page.title, byline: page.byline, siteName: page.siteName, date: published?.day?.text,
            dateAsWritten: published?.text, dateIsGuessed: published?.isGuessed, updated: page.updated?.day?.text,
            language: page.language, contentHTML: page.content, text: page.text, nextPage: page.nextPage)
    }
}
