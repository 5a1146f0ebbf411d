import Testing

@testable import TerminalText

/// Tables in any width: which columns are wrapped, and when they become records.
@Suite struct LaysOutTables {
    private func table(_ rows: [[String]], numeric: Set<Int> = [], headings: Int = 0, isRightToLeft: Bool = false)
        -> TextTable
    {
        let cells = rows.map { $0.map { TextTable.Cell([StyledSpan(DisplayText($0))]) } }
        let columns = (0..<(rows.first?.count ?? 0)).map { column in
            TextTable.Column(cells.map { $0[column].spans }, isNumeric: numeric.contains(column))
        }
        return TextTable(rows: cells, columns: columns, headings: headings, isRightToLeft: isRightToLeft)
    }

    private func strings(_ table: TextTable, _ room: Int) -> [String]? {
        table.lines(fitting: room)?.map { line in
            String(line.content.string.reversed().drop { $0 == " " }.reversed())
        }
    }

    private let long = "one two three four five six seven eight nine ten"

    @Test func wrapsTheLongestColumns() {
        let table = table([["No", "Name", "Words"], ["1", "Ivan Basso", long]], numeric: [0], headings: 1)
        #expect(
            strings(table, 80) == [
                "No   Name         Words",
                "──────────────────────────────────────────────────────────────────",
                " 1   Ivan Basso   one two three four five six seven eight nine ten",
            ])
        #expect(
            strings(table, 42) == [
                "No   Name         Words", "──────────────────────────────────────────",
                " 1   Ivan Basso   one two three four five", "                  six seven eight nine ten",
            ])
        // The words of the longest column need twelve columns, the others what they have.
        #expect(table.widths(fitting: 2 + 3 + 10 + 3 + 12) == [2, 10, 12])
        #expect(table.widths(fitting: 2 + 3 + 10 + 3 + 11) == nil)
    }

    /// Of two long columns both become narrower; a long word or a very long text needs more space.
    @Test func sharesTheSpace() {
        #expect(table([[long, long]]).widths(fitting: 43) == [20, 20])
        #expect(table([[long, long]]).widths(fitting: 44) == [21, 20])
        #expect(table([[long, "twenty letters, short"]]).widths(fitting: 44) == [21, 20])
        #expect(table([[long, String(repeating: "w", count: 30)]]).widths(fitting: 45) == [12, 30])
        #expect(table([[long, String(repeating: "w", count: 30)]]).widths(fitting: 44) == nil)
        #expect(table([["a", String(repeating: "word ", count: 30)]]).widths(fitting: 28) == [1, 24])
        #expect(table([["a", String(repeating: "word ", count: 30)]]).widths(fitting: 27) == nil)
        #expect(table([[long, "1234567890123"]], numeric: [1]).widths(fitting: 28) == [12, 13])
    }

    @Test func neverExceedsItsRoom() {
        let rows = [["1", long, "東京 🚴 " + long, ""], ["22", "a", String(repeating: "x", count: 40), "b"]]
        for isRightToLeft in [false, true] {
            let table = table(rows, numeric: [0], isRightToLeft: isRightToLeft)
            var fitted = 0
            for room in 0...160 {
                guard let lines = table.lines(fitting: room) else { continue }
                fitted += 1
                #expect(lines.allSatisfy { $0.content.columns <= room }, "\(room)")
                #expect(table.width(fitting: room) ?? 0 == lines.map(\.content.columns).max())
            }
            #expect(fitted > 80)
        }
    }

    /// Wrapping changes no text, so a reading position holds in every width.
    @Test func countsTheSameTextInAnyWidth() {
        let table = table([["Nr", "Text"], ["1", long], ["2", long + " " + long]], headings: 1)
        let natural = table.unwrapped.reduce(0) { $0 + $1.spans.reduce(0) { $0 + $1.text.textBytes } }
        for room in 20...120 {
            guard let lines = table.lines(fitting: room) else { continue }
            #expect(lines.reduce(0) { $0 + $1.textBytes } == natural, "\(room)")
        }
    }

    @Test func shadesEverySecondRow() {
        let shaded = { (table: TextTable) in
            (table.lines(fitting: 40) ?? []).map { line in
                line.content.spans.allSatisfy { $0.role.contains(.shaded) }
            }
        }
        var table = table([["A", "B"], ["1", "x"], ["2", long], ["3", ""]], headings: 1)
        #expect(shaded(table) == [false, false, false, true, true, false])
        // A ground extends over the whole row, and a later part of a table continues.
        #expect(table.lines(fitting: 40)?[3].content.columns == table.width(fitting: 40))
        table = TextTable(rows: table.rows, columns: table.columns, firstRow: 3)
        #expect(shaded(table).first == true)
        #expect(table.unwrapped.allSatisfy { $0.spans.allSatisfy { !$0.role.contains(.shaded) } })
    }
}
