import Testing

@testable import TerminalText

/// Paragraphs at every width: no text is lost, and prefixes give way.
@Suite struct WrapsParagraphs {
    private func strings(_ paragraph: TextParagraph, _ columns: Int) -> [String] {
        paragraph.lines(columns: columns).map(\.string)
    }

    private let words = "one Donaudampfschiff 東京都 e\u{301}e\u{301} https://a.example/b a  b 1234567890123"

    /// The text in spans with their own roles and links.
    private var spans: [StyledSpan] {
        words.split(separator: " ", omittingEmptySubsequences: false).enumerated().flatMap { index, word in
            [
                StyledSpan(DisplayText(String(word)), index % 2 == 0 ? .strong : [], link: Int32(index)),
                StyledSpan(" ", .emphasis),
            ]
        }
    }

    /// The characters of lines without added spaces and hyphens.
    private func glyphs(_ lines: [TextParagraph.WrappedLine]) -> [(glyph: Glyph, role: TextRole, link: Int32)] {
        lines.flatMap { line -> [(glyph: Glyph, role: TextRole, link: Int32)] in
            let spans = line.isHyphenated ? line.line.spans.dropLast() : line.line.spans[...]
            return spans.flatMap { span in
                span.text.glyphs.map { (glyph: $0, role: span.role, link: span.link) }
            }
        }.filter { $0.glyph != .space }
    }

    @Test func losesNothingAtAnyWidth() {
        let paragraph = TextParagraph(spans)
        let whole = spans.flatMap { span in span.text.glyphs.map { ($0, span.role, span.link) } }.filter {
            $0.0 != .space
        }
        for width in 2...80 {
            let lines = paragraph.wrappedLines(columns: width)
            let shown = glyphs(lines)
            #expect(shown.map(\.glyph) == whole.map(\.0), "\(width)")
            #expect(shown.map(\.role) == whole.map(\.1) && shown.map(\.link) == whole.map(\.2), "\(width)")
            #expect(
                lines.reduce(0) { $0 + $1.textBytes } == StyledLine(spans).spans.reduce(0) { $0 + $1.text.textBytes })
            #expect(lines.allSatisfy { $0.line.columns <= width && $0.prefixColumns == 0 }, "\(width)")
            #expect(lines.dropFirst().allSatisfy { $0.line.spans.first?.text.glyphs.first != .space }, "\(width)")
            #expect(lines.allSatisfy { $0.line.spans.last?.text.glyphs.last != .space }, "\(width)")
        }
    }

    /// Words that belong together stay on a line if they fit, and otherwise end at their spaces.
    @Test func splitsNoWordOfADate() {
        let date = DisplayText("on Friday\u{A0}27\u{A0}November")
        #expect(TextWrapping.wrap(date, columns: 20).map(\.string) == ["on", "Friday\u{A0}27\u{A0}November"])
        #expect(TextWrapping.wrap(date, columns: 13).map(\.string) == ["on", "Friday\u{A0}27\u{A0}", "November"])
        #expect(TextWrapping.wrap("\u{A0}Novembers", columns: 6).map(\.string) == ["\u{A0}Novem", "bers"])
    }

    @Test func joinsSpansOfOneRoleAndOneLink() {
        func parts(_ second: StyledSpan) -> Int {
            TextWrapping.wrap([StyledSpan("ab", .strong, link: 1), second, StyledSpan("")], columns: 9)[0].spans.count
        }
        #expect(parts(StyledSpan("cd", .strong, link: 1)) == 1)
        #expect(parts(StyledSpan("cd", .strong, link: 2)) == 2)
        #expect(parts(StyledSpan("cd", .code, link: 1)) == 2)
    }

    /// A text beyond the look-ahead has the same lines in one span and in many.
    @Test(arguments: [1, 7, 300]) func wrapsIndependentlyOfSpans(length: Int) {
        let text = (0..<6000).map { "w\($0 % 97)" }.joined(separator: " ")
        let whole = DisplayText(text)
        let spans = stride(from: 0, to: whole.glyphs.count, by: length).enumerated().map { index, start in
            StyledSpan(whole[start..<min(start + length, whole.glyphs.count)], link: Int32(index + 1))
        }
        let links = { (spans: [StyledSpan]) in
            spans.flatMap { span in span.text.glyphs.filter { $0 != .space }.map { _ in span.link } }
        }
        #expect(links(TextWrapping.wrap(spans, columns: 31).flatMap(\.spans)) == links(spans))
        #expect(
            TextWrapping.wrap(spans, columns: 31).map(\.string) == TextWrapping.wrap(whole, columns: 31).map(\.string))
    }

    @Test(arguments: [
        ("", [""]), ("   ", [""]), ("ab", ["ab"]), ("ab  ", ["ab"]), ("abcde", ["abcde"]), ("abcde ", ["abcde"]),
        ("abcdef", ["abcde", "f"]), ("abcd ef", ["abcd", "ef"]), ("ab cd ef", ["ab cd", "ef"]), ("  ab", ["  ab"]),
    ])
    func returnsAtLeastOneLine(text: String, lines: [String]) {
        #expect(TextWrapping.wrap(DisplayText(text), columns: 5).map(\.string) == lines)
        #expect(TextWrapping.wrap([StyledSpan(DisplayText(text))], columns: 5).map(\.string) == lines)
        #expect(strings(TextParagraph(DisplayText(text)), 5) == lines)
        let parts = [StyledSpan(""), StyledSpan(DisplayText(text)), StyledSpan("")]
        #expect(TextWrapping.wrap(parts, columns: 5).map(\.string) == lines)
        // Widths below one column count as one.
        #expect(TextWrapping.wrap(DisplayText("ab"), columns: 0).map(\.string) == ["a", "b"])
    }

    @Test(arguments: [
        ("Donaudampfschiff", 6, ["Donau-", "dampf-", "schiff"]),
        ("Donaudampfschiff", 5, ["Donau", "dampf", "schif", "f"]),
        ("abcdefg1", 6, ["abcdef", "g1"]), ("ab-cdefg", 6, ["ab-cde", "fg"]),
        ("東京abcdefgh", 6, ["東", "京abcd", "efgh"]),
        ("éèàùîôûü", 6, ["éèàùî-", "ôûü"]),
    ])
    func hyphenatesFromSixColumns(text: String, width: Int, lines: [String]) {
        #expect(strings(TextParagraph(DisplayText(text)), width) == lines)
    }

    @Test func hyphenatesWordsOfUpToAHundredLetters() {
        for (count, isHyphenated) in [(100, true), (101, false)] {
            let line = TextParagraph(DisplayText(String(repeating: "a", count: count))).wrappedLines(columns: 20)[0]
            #expect(line.isHyphenated == isHyphenated && line.line.columns == 20, "\(count)")
        }
        let linked = TextParagraph([StyledSpan("abcdefghij", .link, link: 4)]).lines(columns: 8)
        #expect(linked[0].spans.last == StyledSpan("-", .link, link: 4))
        // Only prose is hyphenated.
        #expect(TextWrapping.wrap(DisplayText("abcdefghij"), columns: 8).map(\.string) == ["abcdefgh", "ij"])
    }

    @Test func leavesCodeUnchanged() {
        let code = TextParagraph(
            [StyledSpan("let a = 1 "), StyledSpan("+ 2")], firstPrefix: StyledLine("> "), prefix: StyledLine("  "),
            wraps: false)
        for width in [1, 5, 40] { #expect(strings(code, width) == ["> let a = 1 + 2"]) }
    }

    // MARK: Tables

    private var table: TextParagraph {
        let rows = [["Place", "Rider"], ["1", "Basso"]].map { $0.map { TextTable.Cell([StyledSpan(DisplayText($0))]) } }
        let columns = (0..<2).map { column in
            TextTable.Column(rows.map { $0[column].spans }, isNumeric: false)
        }
        return TextParagraph(
            TextTable(rows: rows, columns: columns), orRecords: [TextParagraph("Place 1, Rider Basso"), .blank])
    }

    @Test func showsATableWhileItFits() {
        #expect(table.isTable && !TextParagraph("words").isTable)
        #expect(strings(table, 13) == ["Place   Rider", "1       Basso"] && strings(table, 40) == strings(table, 13))
        #expect(strings(table, 12) == ["Place 1,", "Rider Basso", ""])
        var quoted = table
        quoted.firstPrefix = StyledLine("▏ ")
        quoted.prefix = StyledLine("▏ ")
        #expect(strings(quoted, 15) == ["▏ Place   Rider", "▏ 1       Basso"])
        #expect(strings(quoted, 14) == ["▏ Place 1,", "▏ Rider Basso", "▏ "])
        var item = table
        item.firstPrefix = StyledLine("• ")
        item.prefix = StyledLine("  ")
        #expect(strings(item, 20) == ["• Place   Rider", "  1       Basso"])
    }

    @Test func readsLineByLineWithoutDrawings() {
        #expect(strings(table.readLineByLine, 60) == ["Place 1, Rider Basso", ""])
        let quote = TextParagraph(
            [StyledSpan("a"), StyledSpan(TextParagraph.cellSeparator), StyledSpan("b c")],
            firstPrefix: StyledLine([StyledSpan(TextParagraph.quotationBar), StyledSpan("• ")]),
            prefix: StyledLine(TextParagraph.quotationBar))
        #expect(strings(quote, 30) == ["▏ • a │ b c"])
        #expect(strings(quote.readLineByLine, 30) == ["> - a; b c"])
        let long = TextParagraph(
            [StyledSpan("some words that take more than a line")], firstPrefix: StyledLine(TextParagraph.quotationBar),
            prefix: StyledLine(TextParagraph.quotationBar))
        #expect(strings(long.readLineByLine, 24).allSatisfy { $0.hasPrefix("> ") })
        #expect(strings(long.readLineByLine, 24).count == 2)
    }

    // MARK: From right to left

    @Test func alignsRightToLeftLines() {
        var paragraph = TextParagraph(
            [StyledSpan("abc defg hijk")], firstPrefix: StyledLine("1. "), prefix: StyledLine("   "))
        paragraph.isRightToLeft = true
        let lines = paragraph.wrappedLines(columns: 18)
        #expect(lines[0].line.columns == 18 && lines[0].prefixColumns == 2)
        #expect(lines[0].line.string == "  abc defg hijk 1.")
        let narrow = paragraph.wrappedLines(columns: 15)
        #expect(narrow.allSatisfy { $0.line.columns == 15 })
        #expect(narrow.map(\.line.string) == ["    abc defg 1.", "        hijk   "])
        // Without a visible edge, lines start at the left.
        #expect(paragraph.wrappedLines(columns: 5_000)[0].line.string == "1. abc defg hijk")
    }

    @Test(arguments: [
        ("שלום", true), ("abc שלום", false), ("123 שלום", true), ("", false), ("مرحبا", true), ("12", false),
        ("- \u{10800}", true), ("\u{FB1D}", true), ("ω", false),
    ])
    func recognizesRightToLeftScripts(text: String, isRightToLeft: Bool) {
        #expect(TextParagraph(DisplayText(text)).beginsRightToLeft == isRightToLeft)
        #expect(TextParagraph([StyledSpan("1 "), StyledSpan(DisplayText(text))]).beginsRightToLeft == isRightToLeft)
    }

    // MARK: Before the lines

    @Test func placesValuesInAColumn() {
        let rows: [(name: DisplayText, value: DisplayText)] = [("A", "1"), ("Longer", "2")]
        func lines(_ paragraphs: [TextParagraph]) -> [String] { paragraphs.flatMap { strings($0, 40) } }
        #expect(lines(TextParagraph.facts(rows)) == ["A       1", "Longer  2"])
        #expect(lines(TextParagraph.facts(rows, minimumName: 8)) == ["A         1", "Longer    2"])
        #expect(lines(TextParagraph.facts(rows, minimumName: 3)) == ["A       1", "Longer  2"])
        #expect(lines(TextParagraph.facts(rows, maximumName: 3)) == ["A    1", "Longer 2"])
        // A name stays beside its value as long as the value has twelve columns.
        let long: [(name: DisplayText, value: DisplayText)] = [("A name of nine", "seventeen letters")]
        #expect(TextParagraph.facts(long).flatMap { strings($0, 28) }.first == "A name of nine  seventeen")
        #expect(TextParagraph.facts(long).flatMap { strings($0, 27) }.first == "A name of nine")
        // A word that is whole only below its name is there; a longer one is beside it.
        let date = TextParagraph.facts([("In the feed", "2026-11-27T21:36:36+00:00")])
        #expect(date.flatMap { strings($0, 38) } == ["In the feed  2026-11-27T21:36:36+00:00"])
        #expect(date.flatMap { strings($0, 36) } == ["In the feed", " 2026-11-27T21:36:36+00:00"])
        #expect(date.flatMap { strings($0, 25) }.first?.hasPrefix("In the feed  2") == true)
        let named = TextParagraph.facts(rows, nameRole: .strong)[0]
        #expect(named.firstPrefix.spans.first?.role == .strong && named.isNamed)
        #expect(TextParagraph.facts([]).isEmpty)
    }

    /// Text has at least twelve columns, or the whole line: prefixes are truncated from the left.
    @Test func reservesTwelveColumnsForText() {
        let item = TextParagraph(
            [StyledSpan("some words of an item that is long")], firstPrefix: StyledLine("1234567890"),
            prefix: StyledLine("          "))
        for width in 1...40 {
            let lines = item.wrappedLines(columns: width)
            let kept = width >= 22 ? 10 : max(0, width - 12)
            #expect(lines[0].prefixColumns == kept, "\(width)")
            #expect(lines[0].line.string.hasPrefix(String("1234567890".suffix(kept))), "\(width)")
        }
        // Text that fits beside it in one line needs no more room.
        let short = TextParagraph([StyledSpan("one")], firstPrefix: StyledLine("1234567890"))
        #expect(strings(short, 13) == ["1234567890one"] && strings(short, 12) == ["one"])
    }

    @Test func truncatesLinesAtTheirStart() {
        let line = StyledLine([StyledSpan("ab", .strong), StyledSpan("cd", .code, link: 3)])
        for (limit, text) in [(0, ""), (1, "d"), (2, "cd"), (3, "bcd"), (4, "abcd"), (9, "abcd")] {
            #expect(line.suffix(columns: limit).string == text, "\(limit)")
        }
        #expect(line.suffix(columns: 3).spans == [StyledSpan("b", .strong), StyledSpan("cd", .code, link: 3)])
        #expect(line.columns == 4 && line.string == "abcd")
        // Half a wide character is dropped, and nothing replaces it.
        #expect(StyledLine([StyledSpan("xy"), StyledSpan("東")]).suffix(columns: 1).string == "")
    }
}
