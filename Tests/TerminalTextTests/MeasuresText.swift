import Testing

@testable import TerminalText

/// Text is unchanged except for control characters, and as wide as the terminal shows it.
@Suite struct MeasuresText {
    // MARK: Characters

    @Test(arguments: [
        ("👨‍👩‍👧", "👨👩👧"), ("👨‍👩‍👧x", "👨👩👧x"), ("🇮🇹", "🇮🇹"), ("👍🏽", "👍"), ("👍🏽!", "👍!"), ("❤\u{FE0F}", "❤"),
        ("a\u{1F3FD}", "a\u{1F3FD}"), ("👨\u{200D}a", "👨a"), ("e\u{301}x", "e\u{301}x"), ("\u{378}", "\u{FFFD}"),
        ("🇮", "I"), ("🇮 🇹", "I T"), ("🇮🇹🇫", "🇮🇹F"), ("x🇫🇷🇩🇪y", "x🇫🇷🇩🇪y"), ("🇮\u{301}🇹", "I\u{301}T"),
        ("👨\u{200D}👩 👧", "👨👩 👧"), ("👩🏽‍🚒", "👩🚒"), ("👁️‍🗨️", "👁🗨"), ("1\u{FE0F}", "1"), ("a\u{301}\u{300}", "a\u{301}\u{300}"),
    ])
    func drawsThePartsOfAnEmojiBesideEachOther(text: String, shown: String) {
        let drawn = DisplayText(text).glyphs.flatMap(\.drawnScalars)
        #expect(String(String.UnicodeScalarView(drawn)) == shown)
    }

    /// What is drawn apart is still one text, for pipes and the clipboard.
    @Test func keepsTheTextOfAnEmoji() {
        for text in ["👨‍👩‍👧‍👦", "👩🏽‍🚒 x", "❤\u{FE0F}", "👁\u{FE0F}\u{200D}🗨\u{FE0F}", "🏳\u{FE0F}\u{200D}🌈"] {
            #expect(DisplayText(text).string == text)
        }
        #expect(DisplayText("👨‍👩‍👧‍👦").columns == 8)
        #expect(DisplayText("I ❤\u{FE0F} it").contains("❤ it"))
        #expect(DisplayText("❤" + String(repeating: "\u{FE0F}", count: 99)).string.unicodeScalars.count <= 9)
    }

    @Test(arguments: [
        ("👨\u{200D}", "👨"), ("👨\u{200D} x", "👨 x"), ("👨\u{200D}\nx", "👨 x"), ("a\u{200D}👩", "a👩"),
        ("1\u{FE0F}\u{20E3}", "1\u{20E3}"), ("❤\u{FE0F}", "❤\u{FE0F}"), ("👨\u{200D}a", "👨a"), ("👨‍👩", "👨‍👩"),
    ])
    func keepsJoinersBetweenTwoEmojiOnly(text: String, shown: String) { #expect(Sanitizer.sanitize(text) == shown) }

    @Test func makesGlyphsOfPrintableScalarsOnly() {
        let wide = [("a", 1), ("─", 1), ("東", 2), ("é", 1)] as [(Unicode.Scalar, Int)]
        for (scalar, columns) in wide {
            #expect(Glyph(scalar)?.columns == columns && Glyph(scalar)?.scalar == scalar, "\(scalar)")
        }
        for scalar in ["\u{1B}", "\n", "\u{301}", "\u{378}", "\u{AD}", "\u{202E}", "\u{10EEEE}"] as [Unicode.Scalar] {
            #expect(Glyph(scalar) == nil, "\(scalar.value)")
        }
        #expect(Glyph.space.columns == 1 && Glyph.space.textBytes == 0 && Glyph.replacement.scalar == "\u{FFFD}")
        for (text, bytes) in [("a", 1), ("é", 2), ("東", 3), ("👍", 4), ("e\u{301}", 3)] {
            #expect(DisplayText(text).glyphs.map(\.textBytes) == [bytes], "\(text)")
        }
        #expect(DisplayText("a b 東").textBytes == 5)
    }

    /// Flags, keycaps, joined emoji and marks are cut at their ends only, wherever text is cut.
    @Test func cutsWholeCharacters() {
        let text: DisplayText = "a🇫🇷1\u{FE0F}\u{20E3}e\u{301}東👨‍👩‍👧🇮🇹🇪🇸z"
        let whole = Set(text.glyphs)
        func isWhole(_ part: DisplayText) -> Bool {
            part.glyphs.allSatisfy { whole.contains($0) || $0 == DisplayText.ellipsis.glyphs[0] }
                && part.columns == DisplayText(part.string).columns
                && !part.string.unicodeScalars.reversed().starts(with: ["\u{1F1EB}"])
        }
        #expect(text.glyphs.filter(\.isFlag).map(\.columns) == [2, 2, 2])
        for width in 0...text.columns {
            for part in [
                text.prefix(columns: width), text.suffix(columns: width), text.truncated(to: width),
                text.truncated(to: width, .middle),
            ] { #expect(isWhole(part) && part.columns <= width, "\(width): \(part)") }
            let lines = TextWrapping.wrap(text, columns: max(2, width))
            #expect(lines.allSatisfy(isWhole) && lines.map(\.string).joined() == text.string)
            for start in 0...width { #expect(isWhole(text[columns: start..<width])) }
        }
        let flag = text.glyphs[1]
        #expect(flag.flag?.first == "\u{1F1EB}" && flag.flag?.second == "\u{1F1F7}" && flag.textBytes == 8)
        #expect(flag.picturePlaceholder == nil && text.glyphs[0].flag == nil && Glyph("\u{1F1EB}") == nil)
        #expect(text.ranges(of: "🇮🇹") == [13..<15] && text.ranges(of: "🇮").isEmpty)
        #expect(!Glyph(PicturePlaceholder(row: 296, column: 296, group: 255)).isFlag)
    }

    @Test func recognizesPicturePlaceholders() {
        for row in [0, 1, 255, 256, 296] {
            for column in [0, 2, 255, 256, 296] {
                for group in [0, 1, 127, 255] as [UInt8] {
                    let place = PicturePlaceholder(row: row, column: column, group: group)
                    let glyph = Glyph(place)
                    #expect(glyph.picturePlaceholder == place && glyph.isCluster && glyph.columns == 1)
                    #expect(
                        glyph.scalars.dropFirst() == [
                            PicturePlaceholder.marks[row], PicturePlaceholder.marks[column],
                            PicturePlaceholder.marks[Int(group)],
                        ])
                }
            }
        }
    }

    // MARK: Bytes

    private func read(_ pieces: [[UInt8]], endsInBlank: Bool = false) -> (text: String, words: Int, endsInBlank: Bool) {
        var builder = DisplayTextBuilder()
        var (words, ends) = (0, endsInBlank)
        for piece in pieces {
            words += piece.withUnsafeBufferPointer { builder.append(collapsing: $0, endsInBlank: &ends) }
        }
        return (builder.take().string, words, ends)
    }

    @Test(arguments: [
        ("one two", false, "one two", 1), ("one two", true, "one two", 2), (" a  b\n\tc ", true, "a b c ", 3),
        (" a  b\n\tc ", false, " a b c ", 3), ("", false, "", 0), ("   ", false, " ", 0), ("   ", true, "", 0),
        ("東京 é", true, "東京 é", 2), ("a\u{B}b\u{C}c\rd", false, "a b c d", 3), ("a\u{1}b", false, "ab", 0),
    ])
    func collapsesSpaces(text: String, endsInBlank: Bool, shown: String, words: Int) {
        let found = read([Array(text.utf8)], endsInBlank: endsInBlank)
        #expect(found.text == shown && found.words == words)
        #expect(found.endsInBlank == (text.isEmpty ? endsInBlank : text.last?.isWhitespace == true))
        // Splitting between any two characters gives the same result.
        let characters = Array(text)
        for place in characters.indices {
            let pieces = [String(characters[..<place]), String(characters[place...])].map { Array($0.utf8) }
            let other = read(pieces, endsInBlank: endsInBlank)
            #expect(other.text == shown && other.words == words, "\(place)")
        }
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xC3, 0xA9], "é"), ([0xC1, 0x81], "\u{FFFD}\u{FFFD}"),
            ([0xE6, 0x9D, 0xB1], "東"), ([0xE6, 0x9D], "\u{FFFD}\u{FFFD}"), ([0xE6, 0x41], "\u{FFFD}A"),
            ([0xF0, 0x9F, 0x91, 0x8D], "👍"), ([0xF5, 0x80, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xC2, 0x80, 0x61], "a"), ([0xED, 0xA0, 0x80, 0x61], "\u{FFFD}a"), ([0xC2], "\u{FFFD}"),
            ([0xDF, 0xBF], "߿"), ([0xF4, 0x8F, 0xBF, 0xBD], "\u{10FFFD}"),
        ] as [([UInt8], String)])
    func replacesBrokenBytes(bytes: [UInt8], shown: String) {
        let expected = shown.unicodeScalars.contains("\u{10FFFD}") ? DisplayText(shown).string : shown
        #expect(read([bytes]).text == expected)
    }

    @Test func readsBytesLikeStrings() {
        let text = "e\u{301}e\u{301}\u{301}a👨‍👩‍👧b🇮🇹 c\u{301}"
        #expect(read([Array(text.utf8)]).text == DisplayText(text).string)
        var builder = DisplayTextBuilder()
        #expect(builder.isEmpty)
        builder.append(printable: 0x65)
        #expect(!builder.isEmpty)
        builder.append("\u{301}")
        #expect(builder.take().string == "e\u{301}" && builder.isEmpty && builder.count == 0)
        var bytes: [UInt8] = [1]
        DisplayText(text).append(to: &bytes)
        #expect(bytes == [1] + Array(DisplayText(text).string.utf8))
    }

    // MARK: Parts

    private let text = DisplayText("a東e\u{301}b")

    @Test func cutsByGlyphsAndByColumns() {
        #expect(text.columns == 5 && text.glyphs.count == 4)
        for (range, part) in [(0..<2, "a東"), (1..<99, "東e\u{301}b"), (4..<9, ""), (2..<3, "e\u{301}")] {
            #expect(text[range].string == part && text[range].columns == DisplayText(part).columns, "\(range)")
        }
        for (range, part) in [
            (0..<1, "a"), (1..<2, "東"), (2..<3, ""), (3..<4, "e\u{301}"), (0..<5, "a東e\u{301}b"), (4..<99, "b"),
            (1..<4, "東e\u{301}"),
        ] {
            #expect(text[columns: range].string == part, "\(range)")
            #expect(text[columns: range].columns == DisplayText(part).columns, "\(range)")
        }
        let joined = text + "東"
        #expect(joined.string == "a東e\u{301}b東" && joined.columns == 7)
        #expect(DisplayText.blanks(3).string == "   " && DisplayText.blanks(3).columns == 3)
        #expect(DisplayText.blanks(-1).isEmpty && DisplayText.blanks(0).isEmpty && !text.isEmpty)
        #expect(DisplayText.empty.isEmpty && DisplayText.empty.columns == 0)
    }

    /// At every width, text that doesn't fit ends in the ellipsis, or has it in the middle between equal parts.
    @Test func shortensToEveryWidth() {
        let long = DisplayText("abcdefghijklmnop")
        for limit in 0...20 {
            let (tail, middle) = (long.truncated(to: limit), long.truncated(to: limit, .middle))
            guard limit < 16 else {
                #expect(tail == long && middle == long)
                continue
            }
            guard limit > 1 else {
                #expect(tail.string == (limit == 1 ? "…" : "") && middle == tail)
                continue
            }
            #expect(tail == long.prefix(columns: limit - 1) + "…")
            let head = limit / 2
            #expect(middle == long.prefix(columns: head) + "…" + long.suffix(columns: limit - 1 - head), "\(limit)")
            #expect(tail.columns == limit && middle.columns == limit)
        }
    }

    // MARK: Finding

    @Test(arguments: [
        ("abcabc", "bc", [1..<3, 4..<6]), ("aaaaa", "aa", [0..<2, 2..<4]), ("Asolo", "ASOLO", [0..<5]),
        ("東京x東", "東", [0..<2, 5..<7]), ("東京x東", "x東", [4..<7]), ("École", "é", [0..<1, 4..<5]), ("ÄÖ", "ö", [1..<2]),
        ("E\u{301}a", "e\u{301}", [0..<1]), ("abc", "", []), ("abc", "abcd", []), ("abc", "d", []), ("", "a", []),
        ("a", "a", [0..<1]), ("e\u{301}", "e", [0..<1]), ("Za[z", "Z", [0..<1, 3..<4]), ("[", "{", []),
        ("İ", "i", [0..<1]), ("ﬁn", "fi", [0..<1]),
        ("Łódź ßa", "lodz ss", [0..<6]), ("ｶﾞ", "ガ", [0..<2]), ("\u{5E9}\u{5C1}\u{5B8}", "\u{5E9}", [0..<1]),
    ])
    func findsTextWhateverItsCase(text: String, wanted: String, ranges: [Range<Int>]) {
        #expect(DisplayText(text).ranges(of: wanted) == ranges)
        #expect(DisplayText(text).contains(wanted) == !ranges.isEmpty)
    }
}
