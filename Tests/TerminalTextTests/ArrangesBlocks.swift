import Testing

@testable import TerminalText

/// Blocks of text below and beside each other, and cells in columns.
@Suite struct ArrangesBlocks {
    private func block(_ lines: String...) -> [TextParagraph] { lines.map { TextParagraph(DisplayText($0)) } }

    private func text(_ paragraphs: [TextParagraph], _ columns: Int) -> [String] {
        paragraphs.flatMap { $0.lines(columns: columns) }.map(\.string)
    }

    /// All blocks are whole, in the least height that the width allows.
    @Test func placesBlocksBesideEachOtherWhereTheyFit() {
        let blocks = [block("one", "1", "2"), block("two"), block("three", "3"), []]
        for (columns, lines) in [
            (17, ["one   two   three", "1           3", "2"]),
            (16, ["one   two", "1", "2     three", "      3"]), (10, ["one", "1", "2", "", "two", "", "three", "3"]),
            (5, ["one", "1", "2", "", "two", "", "three", "3"]),
        ] {
            let arranged = TextParagraph.arranged(blocks, columns: columns)
            #expect(text(arranged, columns) == lines, "\(columns)")
        }
        #expect(TextParagraph.arranged([], columns: 9).isEmpty && TextParagraph.arranged([[]], columns: 9).isEmpty)
        // A long text is wrapped beside a short one.
        let long = TextParagraph(DisplayText(String(repeating: "word ", count: 40)))
        #expect(
            text(TextParagraph.arranged([block("one"), [long]], columns: 100), 100).first == "one   "
                + String(repeating: "word ", count: 13) + "word")
    }

    /// In a height, blocks are cut, and those without space for four lines are left out.
    @Test func cutsBlocksToAHeight() {
        let blocks = [block("a1", "a2", "a3"), block("b1", "b2", "b3", "b4", "b5"), block("c1")]
        for (columns, rows, lines) in [
            (2, 9, ["a1", "a2", "a3", "", "b1", "b2", "b3", "b4", "b5"]),
            (2, 8, ["a1", "a2", "a3", "", "b1", "b2", "b3", "b4"]),
            (2, 7, ["a1", "a2", "a3", "", "c1"]),
            (7, 4, ["a1   b1", "a2   b2", "a3   b3", "     b4"]),
            (12, 2, ["a1   b1   c1", "a2   b2"]),
        ] as [(Int, Int, [String])] {
            let arranged = TextParagraph.arranged(blocks, columns: columns, rows: rows)
            #expect(text(arranged, columns) == lines, "\(columns) × \(rows): \(text(arranged, columns))")
        }
    }

    /// No line is wider than the width, and no block is lost.
    @Test func fitsAnyWidth() {
        let blocks = (1...5).map { count in (1...count).map { TextParagraph(DisplayText("block \(count) line \($0)")) }
        }
        for columns in 1...80 {
            let lines = TextParagraph.arranged(blocks, columns: columns).flatMap { $0.lines(columns: columns) }
            #expect(lines.allSatisfy { $0.columns <= columns })
            #expect(lines.map(\.string).joined().count { $0 == "k" } == 15, "\(columns)")
        }
    }

    @Test func alignsCells() {
        let rows: [[DisplayText]] = [["1", "Ana", "", "40"], ["10", "Bea Costa", "", "5"]]
        #expect(
            DisplayText.aligned(rows, trailing: [0, 3]).map(\.string) == [" 1  Ana        40", "10  Bea Costa   5"])
        #expect(
            DisplayText.aligned(rows, trailing: [], gap: 1).map(\.string) == ["1  Ana       40", "10 Bea Costa 5 "])
        #expect(DisplayText.aligned([], trailing: [0]).isEmpty)
        #expect(
            DisplayText("ab").padded(to: 1).string == "ab"
                && DisplayText("ab").padded(to: 3, isTrailing: true).string == " ab")
    }
}
