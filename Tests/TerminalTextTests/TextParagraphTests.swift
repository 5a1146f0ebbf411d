import Testing

@testable import TerminalText

/// Paragraphs with a prefix before their lines.
@Suite struct TextParagraphTests {
    private let facts = TextParagraph.facts([("Date", "Monday 10 May 2010"), ("Leader afterwards", "Vinokourov")])

    @Test func alignsValuesInAColumn() {
        let lines = facts.flatMap { $0.lines(columns: 31) }.map(\.string)
        #expect(
            lines == ["Date               Monday 10", "                   May 2010", "Leader afterwards  Vinokourov"])
    }

    @Test func placesValuesBelowNamesInNarrowPanes() {
        let lines = facts.flatMap { $0.lines(columns: 14) }.map(\.string)
        #expect(lines == ["Date", " Monday 10 May", " 2010", "Leader", "afterwards", " Vinokourov"])
    }

    @Test func placesShortValuesBesideNames() {
        let facts = TextParagraph.facts([("Stage", "1"), ("Start", "Amsterdam")])
        #expect(facts.flatMap { $0.lines(columns: 16) }.map(\.string) == ["Stage  1", "Start  Amsterdam"])
    }

    @Test func limitsIndentationOfDeepQuotesAndLists() {
        let paragraph = TextParagraph(
            [StyledSpan("words of a deep list")], firstPrefix: StyledLine([StyledSpan("▎ ▎ "), StyledSpan("  10. ")]),
            prefix: StyledLine("▎ ▎       "))
        #expect(paragraph.lines(columns: 22).map(\.string) == ["▎ ▎   10. words of a", "▎ ▎       deep list"])
        #expect(paragraph.lines(columns: 16).map(\.string) == ["10. words of a", "    deep list"])
        #expect(paragraph.lines(columns: 12).map(\.string) == ["words of a", "deep list"])
    }

    @Test func neverExceedsTheWidth() {
        for columns in 1...40 {
            for line in facts.flatMap({ $0.lines(columns: columns) }) { #expect(line.columns <= max(columns, 2)) }
        }
    }
}
