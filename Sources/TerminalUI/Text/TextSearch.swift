/// Finds a text in paragraphs, from match to match.
struct TextSearch {
    private var match: TextView.Place?

    /// Returns the next or previous match, wrapping around, or `nil` for none.
    ///
    /// - Parameters:
    ///   - paragraphs: The paragraphs, at least one.
    ///   - place: Where to start if there was no match before.
    ///   - step: 1 for the next match, -1 for the previous one, and 0 for the next, which may be at the start.
    mutating func next(
        _ text: String, in paragraphs: [TextParagraph], from place: TextView.Place, step: Int
    ) -> TextView.Place? {
        let count = paragraphs.count
        var start = match ?? place
        start.paragraph = max(0, min(start.paragraph, count - 1))
        for index in 0...count {
            let paragraph = (start.paragraph + (step < 0 ? count - index % count : index)) % count
            let offsets = paragraphs[paragraph].offsets(of: text)
            let isFirst = index == 0
            let found =
                step < 0
                ? offsets.last { !isFirst || $0 < start.offset }
                : offsets.first { !isFirst || $0 > start.offset || (match == nil && $0 == start.offset) }
            guard let found else { continue }
            match = TextView.Place(paragraph: paragraph, offset: found)
            return match
        }
        return nil
    }
}

extension TextParagraph {
    /// Returns the positions of a text in this one, as byte offsets without spaces like in ``TextView/Place``.
    fileprivate func offsets(of text: String) -> [Int] {
        let whole = StyledLine(spans).text
        return whole.ranges(of: text).map { range in whole.prefix(columns: range.lowerBound).textBytes }
    }
}

extension StyledLine {
    var text: DisplayText { spans.reduce(DisplayText.empty) { $0 + $1.text } }
}
