import Testing

@testable import Articles

/// The articles of pages with many sections, hidden parts and missing end tags, and the lines around their text.
@Suite struct FindsWholePages {
    private static let sentence =
        "The stage went over four hills, with rain on the first, and a sprint of eleven at the end."

    private static func paragraphs(_ count: Int, _ mark: String = "") -> String {
        (0..<count).map { "<p>\(mark)\($0). \(sentence)</p>" }.joined()
    }

    private func page(_ body: String, head: String = "") -> ArticlePage {
        ArticlePage(html: "<html><head><title>Four hills</title>\(head)</head><body>\(body)</body></html>")
    }

    private func section(_ number: Int) -> String {
        "<section><div><div><div><div><h2>Part \(number)</h2>\(Self.paragraphs(3, "Part \(number), "))</div></div></div></div></section>"
    }

    @Test func takesAllSectionsOfAPage() {
        let found = page("<main>\((0..<8).map(section).joined())</main>")
        for number in 0..<8 { #expect(found.text.contains("Part \(number), 2. The stage"), "\(number)") }
    }

    @Test func takesNothingOutsideOfTheOnlyLargeArticle() {
        let others = "<ul>\((0..<20).map { "<li>Other \($0). \(Self.sentence)" }.joined())</ul>"
        for name in ["main", "article"] {
            let found = page("<div><\(name)>\(Self.paragraphs(6))</\(name)><hr></div><div>\(others)</div>")
            #expect(found.text.contains("5. The stage") && !found.text.contains("Other"), "\(name)")
        }
        let claim = "<meta property=og:type content=article>"
        let found = page("<div>\(Self.paragraphs(6))</div><div>\(others)</div>", head: claim)
        #expect(found.text.contains("5. The stage"))
    }

    @Test func readsWhatScriptsShow() {
        let dialog = "<div hidden role=dialog><h2>Cookies</h2>\(Self.paragraphs(9, "Cookie "))</div>"
        let found = page("<main></main><div hidden id=S:0><main>\(Self.paragraphs(6))</main></div>")
        #expect(found.text.contains("5. The stage"))
        #expect(!page("<article>\(Self.paragraphs(6))</article>\(dialog)").text.contains("Cookie"))
    }

    @Test func endsElementsAroundOpenOnes() {
        for name in ["header", "nav", "aside", "section", "footer", "ul"] {
            let found = page(
                "<\(name) class=site-header><div><div>Menu</\(name)><article><h1>Hills</h1>\(Self.paragraphs(6))</article>"
            )
            #expect(found.text.contains("5. The stage") && !found.text.contains("Menu"), "\(name)")
        }
        // An end tag in a table closes nothing around the table.
        let tree = PageTree("<section><table><tr><td>A</section>B</table><p>C</section><p>D")
        let section = tree.all(PageTree.root, .section)[0]
        #expect(tree.text(section) == "ABC")
    }

    @Test func omitsCaptionsFromTheText() {
        let picture = "<figure><img src=a.jpg><figcaption>A caption of the picture</figcaption></figure>"
        let found = page("<article>\(Self.paragraphs(3))\(picture)\(Self.paragraphs(3))</article>")
        #expect(!found.text.contains("caption") && found.content?.contains("A caption of the picture") == true)
        let named = "<div class=photo-credit>Photo: Anna Rossi</div>"
        let claim = "<meta property=og:type content=article>"
        #expect(!page("<article>\(Self.paragraphs(6))\(named)</article>", head: claim).text.contains("Photo"))
        #expect(page("<article>\(Self.paragraphs(6))\(named)</article>").text.contains("Photo"))
    }

    @Test func removesAuthorDateAndOtherArticles() {
        let author = "<meta name=author content='Anna Rossi'>"
        let found = page(
            """
            <article><p>By Anna Rossi</p><p>Published 19 May 2010 at 14:00</p><p><img src=a.jpg>19 May 2010</p><p>From the hills</p>
            \(Self.paragraphs(4))<p><a href=/other>READ MORE: Another stage over hills</a></p>\(Self.paragraphs(4, "Then "))
            <h3>More stages</h3><p><a href=/1>The stage of yesterday</a></p></article>
            """, head: author)
        for line in ["Anna Rossi", "Published", "READ MORE", "More stages", "yesterday"] {
            #expect(!found.text.contains(line), "\(line)")
        }
        for line in ["From the hills", "Then 3.", "0. The stage"] { #expect(found.text.contains(line), "\(line)") }
        #expect(found.content?.contains("<img") == true)
    }

    @Test func keepsListsOfLinks() {
        let links = (0..<12).map { "<p><a href=/\($0)>A link to a story of hills \($0)</a></p>" }.joined()
        #expect(page("<article>\(Self.paragraphs(3))\(links)</article>").text.contains("hills 11"))
        let list = "<ul>\((0..<3).map { "<li><a href=/\($0)>The story of hills \($0)</a>" }.joined())</ul>"
        #expect(page("<article>\(Self.paragraphs(4))\(list)\(Self.paragraphs(4))</article>").text.contains("hills 2"))
    }
}
