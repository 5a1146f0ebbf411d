extension TextView: SelectableText {
    /// A cell of the text by line and column.
    package struct Spot: Comparable {
        var line: TextLayout.Position
        var column: Int

        /// Compares by line, then by column.
        package static func < (left: Spot, right: Spot) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// Returns what a number of clicks at a cell selects.
    package func unit(at cell: Point, clicks: Int) -> Range<Spot> {
        guard !shown.isEmpty else {
            let start = Spot(line: top, column: 0)
            return start..<start
        }
        let row = max(0, min(cell.y, shown.count - 1))
        let (line, position) = (shown[row], layout.position(top, movedBy: row))
        // A point below the last line is after it.
        let column =
            cell.y > row
            ? line.content.columns
            : max(0, min(cell.x - margins.left(of: line) + offset(of: line), line.content.columns))
        switch clicks {
        case 1:
            let spot = Spot(line: position, column: column)
            return spot..<spot
        case 2:
            let word = line.content.text.word(aroundColumn: column)
            return Spot(line: position, column: word.lowerBound)..<Spot(line: position, column: word.upperBound)
        default:
            let lines = layout.lines(of: position.paragraph)
            let first = TextLayout.Position(paragraph: position.paragraph, line: 0)
            let last = TextLayout.Position(paragraph: position.paragraph, line: lines.count - 1)
            return Spot(line: first, column: 0)..<Spot(line: last, column: lines[lines.count - 1].content.columns)
        }
    }

    /// Returns the text before wrapping: the lines of a paragraph become one line.
    package func text(in range: Range<Spot>) -> String {
        var result = ""
        for paragraph in range.lowerBound.line.paragraph...range.upperBound.line.paragraph
        where paragraphs.indices.contains(paragraph) {
            if paragraph > range.lowerBound.line.paragraph { result += "\n" }
            for (index, line) in layout.lines(of: paragraph).enumerated() {
                let columns = range.columns(of: line, at: TextLayout.Position(paragraph: paragraph, line: index))
                guard !columns.isEmpty else { continue }
                // The prefix of a paragraph's later lines is not part of the text.
                let start = index == 0 ? columns.lowerBound : max(columns.lowerBound, line.prefixColumns)
                let end = min(columns.upperBound, line.content.columns - (line.isHyphenated ? 1 : 0))
                result += line.content.text[columns: start..<max(start, end)].string
                let isWhole = columns.upperBound >= line.content.columns
                if isWhole, paragraphs[paragraph].hasBlank(afterTextBytes: line.textEnd) { result += " " }
            }
        }
        return result
    }

    /// Scrolls while text is being selected.
    package func scrollWhileSelecting(by lines: Int) {
        scroll(by: lines)
        window?.layoutIfNeeded()
    }
}

extension Range<TextView.Spot> {
    /// Returns the columns of a line that are in the range.
    func columns(of line: TextLayout.Line, at position: TextLayout.Position) -> Range<Int> {
        guard position >= lowerBound.line, position <= upperBound.line else { return 0..<0 }
        let width = line.content.columns
        let start = position == lowerBound.line ? Swift.min(lowerBound.column, width) : 0
        let end = position == upperBound.line ? Swift.min(upperBound.column, width) : width
        return start..<Swift.max(start, end)
    }
}

extension TextParagraph {
    /// Whether a space follows an offset without spaces, so that a line break there is between words.
    fileprivate func hasBlank(afterTextBytes count: Int) -> Bool {
        let whole = StyledLine(spans).text
        var bytes = 0
        guard
            let next = whole.glyphs.firstIndex(where: { glyph in
                defer { bytes += glyph == .space ? 0 : glyph.textBytes }
                return bytes >= count
            }), next > 0
        else { return false }
        return whole.glyphs[next] == .space && whole.glyphs[next...].contains { $0 != .space }
    }
}
