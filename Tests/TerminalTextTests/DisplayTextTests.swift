import Testing

@testable import TerminalText

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}[31mred", "a[31mred"), ("title\u{9B}2J", "title2J"), ("bell\u{07}", "bell"),
        ("one\ntwo\tthree", "one two three"), ("right\u{202E}to left\u{202C}", "rightto left"),
        ("soft\u{AD}hyphen", "softhyphen"), ("zero\u{200B}width", "zerowidth"), ("tag\u{E0041}", "tag"),
        ("del\u{7F}", "del"), ("\u{FEFF}mark", "mark"), ("a\u{200D}b", "ab"), ("pic\u{10EEEE}ture", "picture"),
    ])
    func dropsControlSequences(text: String, shown: String) {
        #expect(DisplayText(text).string == shown)
        #expect(Sanitizer.sanitize(text) == shown)
    }

    @Test(arguments: [
        ("abc", 3), ("e\u{301}", 1), ("東京", 4), ("👨‍👩‍👧", 6), ("🇮🇹", 2), ("👍🏽", 2), ("❤\u{FE0F}", 1),
        ("👨‍👩👧", 6), ("👨\u{200D}a", 3),
    ])
    func measuresAsTheTerminalDoes(text: String, columns: Int) {
        #expect(DisplayText(text).columns == columns)
    }

    /// Characters new in Unicode 15 take one column less if the C library doesn't know them, but at least one.
    @Test func givesUnknownCharactersOneColumn() {
        #expect([1, 2].contains(DisplayText("\u{1FAE8}").columns))
        #expect(DisplayText("\u{378}").columns == 1)
    }

    /// The first and last of each dropped range, and their neighbours.
    @Test(
        arguments: [
            0x00...0x08, 0x0E...0x1F, 0x7F...0x84, 0x86...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E,
            0x200B...0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB,
            0xFDD0...0xFDEF, 0xFFFE...0xFFFF, 0x1FFFE...0x1FFFF, 0xE0000...0xE0FFF, 0x10EEEE...0x10EEEE,
        ] as [ClosedRange<UInt32>])
    func dropsRanges(range: ClosedRange<UInt32>) {
        for value in [range.lowerBound, range.upperBound] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(Sanitizer.sanitize("a\(Character(scalar))b") == "ab", "\(value)")
        }
        for value in [range.lowerBound == 0 ? 0x20 : range.lowerBound - 1, range.upperBound + 1] {
            guard let scalar = Unicode.Scalar(value), !DisplayTextTests.neighbours.contains(value) else { continue }
            #expect(Sanitizer.sanitize("a\(Character(scalar))b").unicodeScalars.contains(scalar), "\(value)")
        }
    }

    /// Neighbours of ranges that are not plain characters themselves.
    private static let neighbours: Set<UInt32> = [
        0x09, 0x0D, 0x0E, 0x08, 0x85, 0x200C, 0x200D, 0x2029, 0x20000, 0x10000, 0xFFFC, 0xFDCF, 0xFFFD, 0x1FFFD,
        0xE1000, 0xDFFFF, 0x206F + 1, 0xFFF8, 0x205F, 0xFDF0, 0x180D, 0x180F,
    ]

    @Test(arguments: [("one\r\n\ttwo", "one two"), ("\n\na\n\n", " a "), ("a  b", "a  b"), ("a\u{85}\u{2028}b", "a b")])
    func replacesLineBreaksByOneSpace(text: String, expected: String) {
        #expect(Sanitizer.sanitize(text) == expected)
    }

    @Test func keepsEmojiSequencesWherePlainTextIsPrinted() {
        #expect(Sanitizer.sanitize("👨‍👩‍👧 x") == "👨‍👩‍👧 x")
    }

    @Test func reservesPicturePlaceholders() throws {
        // The first, the last and a middle mark, as in the protocol's table.
        #expect(PicturePlaceholder.marks.count == PicturePlaceholder.limit)
        #expect(Set(PicturePlaceholder.marks).count == PicturePlaceholder.limit)
        let glyph = Glyph(PicturePlaceholder(row: 0, column: 296, group: 1))
        #expect(glyph.scalars == ["\u{10EEEE}", "\u{305}", "\u{1D244}", "\u{30D}"])
        #expect(glyph.columns == 1)
        #expect(glyph.picturePlaceholder == PicturePlaceholder(row: 0, column: 296, group: 1))
        #expect(DisplayText("a\u{305}").glyphs.allSatisfy { $0.picturePlaceholder == nil })
        #expect(Glyph(rawValue: glyph.rawValue) == glyph)
    }

    @Test func limitsCombiningMarks() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 100)
        #expect(DisplayText(zalgo).columns == 1)
        #expect(Sanitizer.sanitize(zalgo).unicodeScalars.count == 1 + Sanitizer.maximumMarks)
    }

    @Test(arguments: [
        ("Ferrara → Asolo", 9, DisplayText.Truncation.tail, "Ferrara …"), ("Ferrara → Asolo", 9, .middle, "Ferr…solo"),
        ("東京都", 4, .tail, "東…"), ("東京都", 5, .tail, "東京…"), ("abc", 3, .tail, "abc"), ("abc", 1, .tail, "…"),
        ("abc", 0, .tail, ""),
    ])
    func truncatesText(text: String, columns: Int, kind: DisplayText.Truncation, expected: String) {
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

    /// East Asian text breaks between any two characters, other text at spaces.
    @Test(arguments: [
        ("ab cd東京都", 8, ["ab cd東", "京都"]), ("東京a b", 4, ["東", "京a", "b"]), ("東京", 3, ["東", "京"]),
        ("a 東京", 4, ["a 東", "京"]), ("ab  c", 3, ["ab", "c"]), (" ab", 3, [" ab"]), ("abc ", 3, ["abc"]),
    ])
    func wrapsWideText(text: String, columns: Int, expected: [String]) {
        #expect(TextWrapping.wrap(DisplayText(text), columns: columns).map(\.string) == expected)
    }

    @Test func keepsFourCombiningMarks() {
        #expect(DisplayText("e\u{301}x").string == "e\u{301}x")
        let marks = "\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}"
        #expect(DisplayText("e" + marks + "x").glyphs.map(\.scalars.count) == [5, 1])
        // A lone combining mark has no base character.
        #expect(DisplayText("\u{301}x").string == "x")
    }

    @Test(arguments: [
        (" ab ", "ab"), ("ab  ", "ab"), ("  ab", "ab"), ("a b", "a b"), ("  ", ""), ("", ""), (" a", "a"),
    ])
    func trimsSpaces(text: String, expected: String) {
        let trimmed = DisplayText(text).trimmed()
        #expect(trimmed.string == expected && trimmed.columns == expected.count)
    }

    @Test func combinesRoles() {
        let roles: [TextRole] = [
            .strong, .emphasis, .code, .link, .heading, .quote, .secondary, .failure, .match,
        ]
        #expect(roles.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
        #expect(TextRole(roles).rawValue.nonzeroBitCount == roles.count)
    }

    /// Every prefix, suffix and truncated text of every width: as long as possible, never longer.
    @Test func truncatesAsLateAsPossible() {
        let text = DisplayText("a東e\u{301}b 京c")
        let widths = text.glyphs.map(\.columns)
        for limit in 0...text.columns + 1 {
            for (cut, next) in [
                (text.prefix(columns: limit), { (count: Int) in widths[count] }),
                (text.suffix(columns: limit), { (count: Int) in widths[widths.count - 1 - count] }),
            ] {
                #expect(cut.columns <= limit && cut.columns == cut.glyphs.reduce(0) { $0 + $1.columns })
                if cut.glyphs.count < widths.count { #expect(cut.columns + next(cut.glyphs.count) > limit) }
            }
            #expect(
                text.prefix(columns: limit).glyphs
                    == Array(text.glyphs.prefix(text.prefix(columns: limit).glyphs.count)))
            #expect(
                text.suffix(columns: limit).glyphs
                    == Array(text.glyphs.suffix(text.suffix(columns: limit).glyphs.count)))
        }
    }

    @Test func neverExceedsTheWidth() {
        let text = DisplayText("東京 and a veryveryverylongword 🇮🇹 👨‍👩‍👧 end e\u{301}e\u{301}")
        for columns in 2...40 {
            for line in TextWrapping.wrap(text, columns: columns) { #expect(line.columns <= columns) }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct LongTextTests {
    @Test(arguments: ["x", "東", "e\u{301}", "👩\u{200D}"]) func handlesTextWithoutSpacesInLinearTime(
        unit: String
    ) {
        let text = DisplayText(String(repeating: unit, count: 200_000))
        #expect(DisplayText(text.string) == text)
    }
}
