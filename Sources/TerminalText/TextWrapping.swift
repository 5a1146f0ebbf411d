/// Breaks styled text into lines of a width.
public enum TextWrapping {
    /// Wraps spans at spaces; a word longer than a line is cut where the line ends.
    ///
    /// - Parameters:
    ///   - spans: The text of one paragraph.
    ///   - columns: The width of a line; at least 1 is used.
    /// - Returns: At least one line. No line is wider than `columns`, but for a wide character in a single column.
    public static func wrap(_ spans: [StyledSpan], columns: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        wrap(spans, columns: columns) { line, _ in lines.append(line) }
        return lines
    }

    /// Wraps one piece of text.
    public static func wrap(_ text: DisplayText, columns: Int) -> [DisplayText] {
        wrap([StyledSpan(text)], columns: columns).map { $0.spans.first?.text ?? .empty }
    }

    /// Wraps spans, and tells of each line whether a hyphen belongs at its end, for which there is room then.
    ///
    /// - Parameter hyphenates: Whether words of letters alone that are longer than a line are cut with hyphens.
    static func wrap(
        _ spans: [StyledSpan], columns: Int, hyphenates: Bool = false,
        _ take: (_ line: StyledLine, _ isHyphenated: Bool) -> Void
    ) {
        let width = max(1, columns)
        if spans.count <= 1, (spans.first?.text.columns ?? 0) <= width {
            return take(StyledLine(spans.first.map { whole($0) } ?? []), false)
        }
        // What is looked at of the text: long texts are not joined as a whole.
        var text = spans[0].text.glyphs
        var joined = 1
        // The span that a line begins in, and where that ends in what is looked at.
        var span = 0
        var spanEnd = text.count
        var start = 0
        var isFirst = true
        func join() {
            while joined < spans.count, text.count - start < longestAhead {
                if start > longestAhead {
                    text.removeFirst(start)
                    spanEnd -= start
                    start = 0
                }
                text += spans[joined].text.glyphs
                joined += 1
            }
        }
        join()
        while start < text.count {
            while start < text.count, !isFirst, text[start] == .space {
                start += 1
                if start == text.count { join() }
            }
            guard start < text.count else { break }
            join()
            var (end, isCut) = lineEnd(text, from: start, width: width)
            isCut = isCut && hyphenates && width >= leastForHyphens && isInWord(text, at: end)
            if isCut { end -= 1 }
            var shown = end
            while shown > start, text[shown - 1] == .space { shown -= 1 }
            var parts: [StyledSpan] = []
            var place = start
            while place < shown {
                while place >= spanEnd {
                    span += 1
                    spanEnd += spans[span].text.glyphs.count
                }
                let partEnd = min(spanEnd, shown)
                let part = DisplayText(glyphs: text[place..<partEnd])
                if let last = parts.last, last.role == spans[span].role, last.link == spans[span].link {
                    parts[parts.count - 1].text = last.text + part
                } else {
                    parts.append(StyledSpan(part, spans[span].role, link: spans[span].link))
                }
                place = partEnd
            }
            take(StyledLine(parts), isCut)
            isFirst = false
            start = end
        }
        if isFirst { take(StyledLine(), false) }
    }

    /// A text that fits into one line, without the blanks at its end.
    private static func whole(_ span: StyledSpan) -> [StyledSpan] {
        let glyphs = span.text.glyphs
        guard glyphs.last == .space else { return glyphs.isEmpty ? [] : [span] }
        let end = glyphs.lastIndex { $0 != .space }.map { $0 + 1 } ?? 0
        return end == 0 ? [] : [StyledSpan(span.text[0..<end], span.role, link: span.link)]
    }

    /// Characters that are looked at beyond a line's beginning at least, where there are as many.
    private static let longestAhead = 16_384

    /// Narrower lines are not worth a hyphen.
    private static let leastForHyphens = 6

    /// Whether a place is in a word of letters: addresses and program text are cut without a sign, so that nobody takes it
    /// for theirs.
    private static func isInWord(_ text: [Glyph], at index: Int) -> Bool {
        func isLetter(_ glyph: Glyph) -> Bool {
            glyph.columns == 1 && (glyph.scalar ?? glyph.scalars.first)?.properties.isAlphabetic == true
        }
        let start = text[max(0, index - longestWord)..<index].lastIndex { $0 == .space }.map { $0 + 1 } ?? 0
        guard (2...longestWord).contains(index - start) else { return false }
        let limit = min(text.count, start + longestWord)
        let end = text[index..<max(index, limit)].firstIndex { $0 == .space } ?? text.count
        guard end <= limit else { return false }
        return text[start..<end].allSatisfy(isLetter)
    }

    /// Letters of a word that may be one.
    private static let longestWord = 100

    private static func lineEnd(_ text: [Glyph], from start: Int, width: Int) -> (end: Int, isCut: Bool) {
        var used = 0
        var index = start
        var breakPoint: Int?
        return text.withUnsafeBufferPointer { text in
            while index < text.count {
                let glyph = text[index]
                if glyph == .space {
                    breakPoint = index + 1
                    // A space that does not fit hangs over the edge, unseen.
                    if used + 1 > width { return (index + 1, false) }
                    used += 1
                } else {
                    let columns = glyph.columns
                    // East Asian text breaks between any two characters.
                    if columns == 2, index > start { breakPoint = index }
                    if used + columns > width {
                        if let breakPoint { return (breakPoint, false) }
                        return (max(index, start + 1), true)
                    }
                    used += columns
                }
                index += 1
            }
            return (index, false)
        }
    }
}
