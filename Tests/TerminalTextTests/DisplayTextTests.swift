import Testing

@testable import TerminalText

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}[31mred", "a[31mred"), ("title\u{9B}2J", "title2J"), ("bell\u{07}", "bell"),
        ("one\ntwo\tthree", "one two three"), ("right\u{202E}to left\u{202C}", "rightto left"),
        ("soft\u{AD}hyphen", "softhyphen"), ("zero\u{200B}width", "zerowidth"), ("tag\u{E0041}", "tag"),
        ("del\u{7F}", "del"), ("\u{FEFF}mark", "mark"), ("a\u{200D}b", "ab"),
        ("pic\u{10EEEE}ture", "picture"),
    ])
    func dropsWhatATerminalObeys(text: String, shown: String) {
        #expect(DisplayText(text).string == shown)
        #expect(Sanitizer.sanitize(text) == shown)
    }

    @Test(arguments: [
        ("abc", 3), ("e\u{301}", 1), ("東京", 4), ("👨‍👩‍👧", 2), ("🇮🇹", 2), ("👍🏽", 2), ("❤\u{FE0F}", 1), ("\u{1FAE8}", 1),
    ])
    func measuresAsTheTerminalDoes(text: String, columns: Int) {
        #expect(DisplayText(text).columns == columns)
    }

    @Test func keepsEmojiSequencesWherePlainTextIsPrinted() {
        #expect(Sanitizer.sanitize("👨‍👩‍👧 x") == "👨‍👩‍👧 x")
    }

    @Test func aPlaceOfAPictureIsAGlyphThatNoTextHas() throws {
        // The first and last marks, and one between, as the protocol's table has them.
        #expect(PicturePlaceholder.marks.count == PicturePlaceholder.limit)
        #expect(Set(PicturePlaceholder.marks).count == PicturePlaceholder.limit)
        let glyph = Glyph(PicturePlaceholder(row: 0, column: 296, group: 1))
        #expect(glyph.scalars == ["\u{10EEEE}", "\u{305}", "\u{1D244}", "\u{30D}"])
        #expect(glyph.columns == 1)
        #expect(glyph.picturePlaceholder == PicturePlaceholder(row: 0, column: 296, group: 1))
        #expect(DisplayText("a\u{305}").glyphs.allSatisfy { $0.picturePlaceholder == nil })
        #expect(Glyph(rawValue: glyph.rawValue) == glyph)
    }

    @Test func marksAreBounded() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 100)
        #expect(DisplayText(zalgo).columns == 1)
        #expect(Sanitizer.sanitize(zalgo).unicodeScalars.count == 1 + Sanitizer.maximumMarks)
    }

    @Test(arguments: [
        ("Ferrara → Asolo", 9, DisplayText.Truncation.tail, "Ferrara …"), ("Ferrara → Asolo", 9, .middle, "Ferr…solo"),
        ("東京都", 4, .tail, "東…"), ("東京都", 5, .tail, "東京…"), ("abc", 3, .tail, "abc"), ("abc", 1, .tail, "…"),
        ("abc", 0, .tail, ""),
    ])
    func truncates(text: String, columns: Int, kind: DisplayText.Truncation, expected: String) {
        let result = DisplayText(text).truncated(to: columns, kind)
        #expect(result.string == expected)
        #expect(result.columns <= columns)
    }

    @Test func wrapsAtSpacesAndCutsLongWords() {
        let lines = TextWrapping.wrap(DisplayText("the quick brown-fox-jumped over"), columns: 9).map(\.string)
        #expect(lines == ["the quick", "brown-fox", "-jumped", "over"])
    }

    @Test func wrappingKeepsRoles() {
        let spans = [StyledSpan("one "), StyledSpan("two three", .strong)]
        let lines = TextWrapping.wrap(spans, columns: 7)
        #expect(lines.map(\.string) == ["one two", "three"])
        #expect(lines[0].spans.map(\.role) == [[], .strong])
    }

    @Test func noLineIsWiderThanTheWidth() {
        let text = DisplayText("東京 and a veryveryverylongword 🇮🇹 👨‍👩‍👧 end e\u{301}e\u{301}")
        for columns in 2...40 {
            for line in TextWrapping.wrap(text, columns: columns) { #expect(line.columns <= columns) }
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct LongTextTests {
    @Test(arguments: ["x", "東", "e\u{301}", "👩\u{200D}"]) func textWithoutABlankIsTakenAndGivenInTimeOfItsLength(
        unit: String
    ) {
        let text = DisplayText(String(repeating: unit, count: 200_000))
        #expect(DisplayText(text.string) == text)
    }
}
