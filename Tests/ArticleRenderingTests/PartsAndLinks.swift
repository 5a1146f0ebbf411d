import TerminalText
import Testing

@testable import Articles

/// Footnotes, collapsible parts, tables that fit or don't, and long content.
@Suite struct PartsAndLinks {
    private func texts(_ article: ArticleDocument) -> [String] {
        article.paragraphs.map { $0.spans.map(\.text.string).joined() }
    }

    @Test func linksNotesToTheirReferencesAndBack() {
        let article = HTMLRenderer.render(
            "<p id=top>Text<a href='#n'><sup>1</sup></a></p><p>More.</p><p id=n>Note. <a href='#top'>back</a></p><p><a href='#no'>x</a></p>"
        )
        #expect(texts(article) == ["Text¹", "", "More.", "", "Note. back", "", "x"])
        #expect(article.links.isEmpty)
        let links = article.paragraphs.flatMap(\.spans).map(\.link).filter { $0 != 0 }
        #expect(links.map { article.target($0) } == [.paragraph(4), .paragraph(0), .paragraph(0)])
        #expect(article.target(9) == nil && article.target(-9) == nil && article.target(0) == nil)
    }

    @Test func opensAndClosesDisclosures() {
        let article = HTMLRenderer.render(
            """
            <p>Before.</p><details><summary>More</summary><p>Inside <img src="https://a.example/1.png"></p>
            <details open><summary>Deeper</summary>Text</details></details><p id=e>After. <a href="#e">e</a></p>
            """)
        #expect(article.details.map(\.isOpen) == [false, true])
        #expect(
            texts(article) == ["Before.", "", "▾ More", "", "Inside [picture]", "", "▾ Deeper", "Text", "", "After. e"])
        let folded = article.folded(open: [1])
        #expect(texts(folded).filter { !$0.isEmpty } == ["Before.", "▸ More", "After. e"])
        #expect(folded.images.isEmpty)
        let open = article.folded(open: [0])
        #expect(
            texts(open).filter { !$0.isEmpty } == ["Before.", "▾ More", "Inside [picture]", "▸ Deeper", "After. e"])
        #expect(open.images.map { texts(open)[$0.paragraph] } == ["Inside [picture]"])
        let after = open.paragraphs.flatMap(\.spans).compactMap { span -> Int? in
            if case .paragraph(let place) = open.target(span.link) { place } else { nil }
        }
        #expect(after.map { texts(open)[$0] } == ["After. e"])
        #expect(article.parts(around: 7) == [0, 1])
    }

    @Test func laysOutTablesAsLinesOrRecordsByWidth() {
        let article = HTMLRenderer.render(
            "<table><tr><th>Rider</th><th>Team</th></tr><tr><td>Basso</td><td>Liquigas</td></tr><tr><td>Nibali</td><td>Liquigas</td></tr></table>"
        )
        func lines(_ columns: Int) -> [String] {
            article.paragraphs.flatMap { $0.lines(columns: columns) }.map(\.string)
        }
        #expect(lines(17) == ["Rider    Team", "─────────────────", "Basso    Liquigas", "Nibali   Liquigas"])
        #expect(lines(16) == ["Rider: Basso", "Team: Liquigas", "", "Rider: Nibali", "Team: Liquigas"])
    }

    @Test func namesRecordsByTheirRowHeading() {
        let article = HTMLRenderer.render(
            "<table><tr><th colspan=2>Race</th></tr><tr><th>Dates</th><td>8 to 30 May</td></tr><tr><th>Stages</th><td>21</td></tr></table>"
        )
        let lines = article.paragraphs.flatMap { $0.lines(columns: 12) }.map(\.string)
        #expect(lines == ["Dates: 8 to", "30 May", "", "Stages: 21"])
    }

    @Test func keepsBlocksInDataCellsAsText() {
        let found = HTMLRenderer.render(
            "<table><tr><th>Born</th><td><div>1977</div><div>Gallarate</div></td></tr><tr><th>Team</th><td><ul><li>A<li>B</ul></td></tr></table>"
        )
        #expect(
            found.paragraphs.flatMap { $0.lines(columns: 60) }.map(\.string) == [
                "Born   1977 Gallarate", "Team   · A · B       ",
            ])
    }

    @Test func splitsLargeTablesWithoutLosingCells() {
        let row = "<tr>" + String(repeating: "<td>x</td>", count: 10) + "</tr>"
        let found = HTMLRenderer.render("<table>" + String(repeating: row, count: 10_000) + "</table>")
        let cells = found.paragraphs.flatMap { $0.lines(columns: 80) }.reduce(0) {
            $0 + $1.string.filter { $0 == "x" }.count
        }
        #expect(cells == 100_000)
    }

    /// Long, deep or numerous content costs no more than its length. These once took minutes.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "word", "sups", "links", "levels", "unclosed", "tables", "cells", "notes",
        ])
    func costGrowsWithLengthAlone(kind: String) {
        let count = 30_000
        let html =
            switch kind {
            case "word": String(repeating: "x", count: 2_000_000)
            case "sups": String(repeating: "<sup>2</sup>", count: count)
            case "links": (0..<count).map { "<a href='https://a.example/\($0 % 5000)'>x</a>" }.joined()
            case "levels": String(repeating: "<div>", count: 5000) + "deep" + String(repeating: "</div>", count: 5000)
            case "unclosed": String(repeating: "<b>", count: 6000) + String(repeating: "</i>", count: 500_000)
            case "tables": String(repeating: "<table><tr><td>", count: 1000) + "x"
            case "cells": "<table><tr>" + String(repeating: "<th><p>a</p>", count: count)
            default: (0..<count).map { "<p id=a\($0)><a href='#a\($0)'>x</a>" }.joined()
            }
        let article = HTMLRenderer.render(html)
        var isWithin = true
        for paragraph in article.paragraphs where paragraph.wraps {
            paragraph.wrap(columns: 40) { isWithin = isWithin && $0.line.columns <= 40 }
        }
        #expect(isWithin)
        if kind == "levels" { #expect(texts(article) == ["deep"]) }
        if kind == "word" { #expect(article.paragraphs[0].spans.reduce(0) { $0 + $1.text.columns } == 2_000_000) }
    }

    @Test func truncatesLongArticlesAndSaysSo() {
        let article = HTMLRenderer.render(
            String(repeating: "<p>word</p>\u{0}", count: 40) + String(repeating: " ", count: 17 << 20))
        #expect(texts(article).last == "The article is longer than 16 MiB; the rest is left out.")
        #expect(texts(article).filter { $0 == "word" }.count == 40)
        let deep = HTMLRenderer.render("<p>Text</p>" + String(repeating: "<b>", count: 100_000))
        #expect(texts(deep).last == "The article's parts are too deep in each other; the rest is left out.")
    }

    @Test func writesAnArticleAsMarkdown() {
        let article = HTMLRenderer.render(
            """
            <h2>Head</h2><p>One <b>bold</b> and <a href="https://a.example/x">a *link*</a>.</p><ul><li>first<li>second</ul>
            <blockquote>said</blockquote><pre>a  b\n c</pre>
            """)
        #expect(
            MarkdownWriter.write(article, title: "T_x", source: "https://a.example/") == """
                # T\\_x

                <https://a.example/>

                ## Head

                One **bold** and [a \\*link\\*](https://a.example/x).

                - first
                - second

                > said

                ```
                a  b
                 c
                ```

                """)
    }
}
