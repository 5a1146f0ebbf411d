import TerminalText
import Testing

@testable import Articles

/// Tables cell by cell: detection, column layout and records.
@Suite struct EachTableTests {
    private func lines(_ html: String, columns: Int = 80) -> [String] { TablesAndSigns.lines(html, columns: columns) }

    private func row(_ cells: [String], _ name: String = "td") -> String {
        "<tr>" + cells.map { "<\(name)>\($0)</\(name)>" }.joined() + "</tr>"
    }

    @Test func distinguishesNumbersFromWords() {
        for text in [
            "1", "-1,234.5", "12 %", "€ 30", "—", "-", "–", "0:00", "+1:51", "12 km", "1st", "2010-05-09",
            "123456789012345678901234",
        ] { #expect(ArticleTable.isNumber(text), "\(text)") }
        for text in ["", "a", "12 kms", "n/a", "1234567890123456789012345", "--", "one 1", "€"] {
            #expect(!ArticleTable.isNumber(text), "\(text)")
        }
    }

    @Test func alignsColumnsOfNumbersRight() {
        for (cells, isRight) in [
            (["1", "22"], true), (["1", "x"], false), (["1", ""], true), (["", ""], false), (["—", "22"], true),
            (["x", "22"], false),
        ] {
            let found = lines(
                "<table>" + row(["Name", "Number"], "th") + cells.map { row(["a", $0]) }.joined() + "</table>")
            let texts = cells.map { "a      " + (isRight ? String(repeating: " ", count: 6 - $0.count) + $0 : $0) }
            let expected =
                ["Name   Number", "─────────────"]
                + texts.map { text in
                    var text = text
                    while text.hasSuffix(" ") { text.removeLast() }
                    return text
                }
            #expect(found == expected, "\(cells): \(found)")
        }
        // Inner columns are padded on either side.
        #expect(
            lines("<table>" + row(["1", "a", "b"]) + row(["22", "cc", "d"]) + "</table>") == [
                " 1   a    b", "22   cc   d",
            ])
    }

    @Test func drawsARuleUnderHeadingRows() {
        let (heading, data) = (row(["A", "B"], "th"), row(["1", "x"]))
        for (rows, rule) in [
            ([heading, data], 1), ([heading, heading, data], 2), ([data, heading, data], nil), ([data, data], nil),
            ([heading, heading], nil), (["<tr><th>A</th><td>x</td></tr>", data], nil),
        ] as [([String], Int?)] {
            let found = lines("<table>\(rows.joined())</table>")
            #expect(
                found.count == rows.count + (rule == nil ? 0 : 1) && found.firstIndex { $0.contains("─") } == rule,
                "\(rows): \(found)")
        }
        let roles = HTMLRenderer.render("<table>\(heading)\(data)</table>").paragraphs.map(EachElementTests.marked)
        #expect(roles == ["*[A][   ]*[B][─────][1   x]"], "\(roles)")
    }

    @Test func spansColumnsAndRows() {
        for (html, expected) in [
            (row(["a", "b", "c"]) + "<tr><td colspan=2>de</td><td>f</td></tr>", ["a   b   c", "de      f"]),
            ("<tr><td rowspan=2>a</td><td>b</td></tr>" + row(["c"]), ["a   b", "    c"]),
            ("<tr><td>a</td><td rowspan=2>b</td></tr>" + row(["c"]), ["a   b", "c"]),
            (
                "<tr><td rowspan=3>a</td><td>b</td></tr>" + row(["c"]) + row(["d"]) + row(["e", "f"]),
                ["a   b", "    c", "    d", "e   f"]
            ),
            ("<tr><td colspan=0>a</td><td rowspan=0>b</td></tr>" + row(["c", "d"]), ["a   b", "c   d"]),
            ("<tr><td colspan=x>a</td><td>b</td></tr>" + row(["c", "d"]), ["a   b", "c   d"]),
            (
                "<tr><td rowspan=2 colspan=2>a</td><td>b</td></tr>" + row(["c"]) + row(["d", "e", "f"]),
                ["a       b", "        c", "d   e   f"]
            ), (row(["a"]) + row(["b", "c"]), ["a", "b   c"]),
        ] { #expect(lines("<table>\(html)</table>") == expected, "\(html): \(lines("<table>\(html)</table>"))") }
        let wide = lines("<table>" + row((0..<70).map { "\($0 % 10)" }) + row(["x"]) + "</table>", columns: 400)
        #expect(wide[0].split(separator: " ").count == 64)
    }

    /// A cell over several columns that is wider than they are widens the last of them, whatever number it names.
    @Test func widensSpannedColumns() {
        #expect(
            lines("<table><tr><td colspan=2>long cell</td><td>f</td></tr>" + row(["a", "b", "c"]) + "</table>") == [
                "long cell   f", "a   b       c",
            ])
        for count in ["9223372036854775807", "-1", "64"] {
            let found = lines("<table><tr><td colspan=\(count)>a</td></tr>" + row(["b", "c"]) + "</table>")
            #expect(found.contains { $0.hasPrefix("a") } && found.contains { $0.hasPrefix("b") }, "\(count)")
        }
    }

    @Test func namesCellsOfRecordsByHeading() {
        let long = String(repeating: "w", count: 30)
        for (html, expected) in [
            (row(["A", "B"], "th") + row(["1", long]), ["A: 1", "B: \(long)"]),
            (row(["A", "B"], "th") + row(["1", long]) + row(["2", ""]), ["A: 1", "B: \(long)", "", "A: 2"]),
            (row(["1", long]) + row(["2", "3"]), ["1", long, "", "2", "3"]),
            (row(["", "B"], "th") + row(["1", long]), ["1", "B: \(long)"]),
            ("<tr><th colspan=2>Both</th></tr>" + row(["A", "B"], "th") + row(["1", long]), ["A: 1", "B: \(long)"]),
            (row(["A", "B"], "th") + row(["", "C"], "th") + row(["1", long]), ["A: 1", "C: \(long)"]),
            (row(["A", long], "th") + row(["1", long]), ["A: 1", long]),
            (
                "<tr><th>A</th><td>\(long)</td></tr><tr><th>B</th><td>2</td><td>3</td></tr>",
                ["A: \(long)", "", "B: 2", "B: 3"]
            ),
            ("<tr><th>A</th></tr><tr><th>B</th><td>\(long)</td></tr>", ["A: B", long]),
        ] {
            #expect(
                lines("<table>\(html)</table>", columns: 33) == expected,
                "\(html): \(lines("<table>\(html)</table>", columns: 33))")
        }
    }

    @Test(arguments: [39, 40, 41, 80, 81]) func rendersLongTablesAsOne(count: Int) {
        let html =
            "<table>" + row(["Nr", "Word"], "th") + (1...count).map { row(["\($0)", "word\($0)"]) }.joined()
            + "</table>"
        let wide = lines(html)
        #expect(
            wide.count == count + 2 && wide[1] == "───────────" && wide[2] == " 1   word1"
                && wide.last == "\(count)   word\(count)")
        let records = lines(html, columns: 6)
        #expect(records.filter { $0.hasPrefix("Nr: ") } == (1...count).map { "Nr: \($0)" })
        #expect(!records.contains("Nr") && !records.contains("Word"))
    }

    @Test func continuesTablesBeyondAThousandRows() {
        for count in [999, 1000, 1001, 2001] {
            let found = lines("<table>" + (1...count).map { row(["\($0)", "x"]) }.joined() + "</table>")
            #expect(found.count == count && found.first?.hasSuffix("1   x") == true && found.last == "\(count)   x")
        }
    }

    @Test func rendersLayoutTablesAsText() {
        for (html, expected) in [
            ("<table></table>", []), ("<table><tr></tr></table>", []), ("<table>" + row(["a"]) + "</table>", ["a"]),
            ("<table>" + row(["a", "b"]) + "</table>", ["a", "b"]),
            ("<table>" + row(["a"]) + row(["b"]) + "</table>", ["a", "b"]),
            (
                "<table role=presentation>" + row(["a", "b"]) + row(["c", ""]) + row(["", "d"]) + "</table>",
                ["a │ b", "c │", "d"]
            ), ("<table role=none>" + row(["a", "b"]) + "</table>", ["a │ b"]),
            (
                "<table>" + row(["a", "<p>b</p><p>c</p>"]) + row(["d", "e"]) + "</table>",
                ["a", "b", "", "c", "", "d │ e"]
            ), ("x<table>" + row(["a", "b"]) + row(["c", "d"]) + "</table>y", ["x", "", "a   b", "c   d", "", "y"]),
        ] { #expect(lines(html).filter { !$0.isEmpty } == expected.filter { !$0.isEmpty }, "\(html): \(lines(html))") }
        #expect(
            lines("x<table>" + row(["a", "b"]) + row(["c", "d"]) + "</table>y") == ["x", "", "a   b", "c   d", "", "y"])
    }

    @Test func keepsTextAroundCells() {
        #expect(
            lines("<table>" + row(["x", "y"]) + row(["z", ""]) + row(["a", "b<p>c</p>"]) + "</table>").filter {
                !$0.isEmpty
            }
                == ["x │ y", "z", "a │ b", "c"])
        let stray = lines("<table><tr><td>a</td>stray<td>b</td></tr></table>").joined(separator: " ")
        #expect(stray.contains("a") && stray.contains("stray") && stray.contains("b"))
        #expect(lines("x<summary>y</summary>z").filter { !$0.isEmpty } == ["x", "y", "z"])
    }

    @Test func separatesBlocksInDataCells() {
        let cells = row(["a", "<p>b</p><p>c</p>"]) + row(["d", "<div>e</div>f"])
        for table in [
            "<table summary=x>\(cells)", "<table class='Infobox x'>\(cells)", "<table class=wikitable>\(cells)",
            "<table><caption>C</caption>\(cells)", "<table><thead>\(row(["A", "B"]))</thead>\(cells)",
            "<table>\(row(["A", "B"], "th"))\(cells)",
        ] {
            let found = lines(table + "</table>")
            #expect(found.suffix(2) == ["a   b c", "d   e f"], "\(table): \(found)")
        }
        for table in ["<table>", "<table summary=''>", "<table class=layout>"] {
            #expect(!lines(table + cells + "</table>").contains("a   b c"), "\(table)")
        }
        let head = row(["A", "B"], "th")
        for (cell, text) in [
            ("b<br>c", "b c"), ("<ul><li>b</li><li>c</li></ul>", "· b · c"), ("<h3>b</h3>c", "b c"),
            ("<blockquote>b</blockquote>", "b"), ("<pre>b</pre>", "b"), (" b ", "b"), ("b<hr>c", "b c"),
            ("<img src=x alt=p>", "[picture: p]"),
            ("<table>\(row(["b", "c"]))</table>", "b c"), ("<dl><dt>b<dd>c</dl>", "b c"), ("x<sup>2</sup>", "x²"),
            ("<a href=y>b</a>", "b[1]"), ("<details><summary>b</summary>c</details>", "b c"),
        ] {
            let found = lines("<table>\(head)\(row(["a", cell]))\(row(["d", "e"]))</table>")
            #expect(
                found == [
                    "A   B", "─────" + String(repeating: "─", count: max(0, text.count - 1)), "a   \(text)", "d   e",
                ], "\(cell): \(found)")
        }
    }

    @Test func placesCaptionsAboveTables() {
        let article = HTMLRenderer.render(
            "<p>x</p><table><caption>C</caption>" + row(["a", "b"]) + row(["c", "d"]) + "</table>")
        #expect(
            article.paragraphs.map(EachElementTests.marked) == ["[x]", "", "~[C]", "[a   bc   d]"],
            "\(article.paragraphs.map(EachElementTests.marked))")
    }
}
