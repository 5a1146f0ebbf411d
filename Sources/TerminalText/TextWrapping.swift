/// Wraps styled text into lines.
public enum TextWrapping {
    /// Wraps spans at spaces. A word longer than a line is split.
    ///
    /// - Parameters:
    ///   - spans: The text of a paragraph.
    ///   - columns: The width, at least 1.
    /// - Returns: At least one line. No line is wider than `columns`, except for a wide character in a single column.
    public static func wrap(_ spans: [StyledSpan], columns: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        wrap(spans, columns: columns) { line, _ in lines.append(line) }
        return lines
    }

    /// Wraps one piece of text.
    public static func wrap(_ text: DisplayText, columns: Int) -> [DisplayText] {
        wrap([StyledSpan(text)], columns: columns).map { $0.spans.first?.text ?? .empty }
    }

    /// Wraps spans and reports for each line whether it needs a hyphen, for which space is reserved.
    ///
    /// - Parameter hyphenates: Whether to split words of letters that are longer than a line with hyphens.
    static func wrap(
        _ spans: [StyledSpan], columns: Int, hyphenates: Bool = false,
        _ take: (_ line: StyledLine, _ isHyphenated: Bool) -> Void
    ) {
        let width = max(1, columns)
        if spans.count <= 1, (spans.first?.text.columns ?? 0) <= width {
            return take(StyledLine(spans.first.map { whole($0) } ?? []), false)
        }
        // A part of the text, since joining long texts would be slow.
        var text = spans[0].text.glyphs
        var joined = 1
        // The span in which a line starts, and where it ends in that part.
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
            isCut = isCut && hyphenates && width >= minimumForHyphens && isInWord(text, at: end)
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

    /// Returns a text that fits on one line, without trailing spaces.
    private static func whole(_ span: StyledSpan) -> [StyledSpan] {
        let glyphs = span.text.glyphs
        guard glyphs.last == .space else { return glyphs.isEmpty ? [] : [span] }
        let end = glyphs.lastIndex { $0 != .space }.map { $0 + 1 } ?? 0
        return end == 0 ? [] : [StyledSpan(span.text[0..<end], span.role, link: span.link)]
    }

    /// The minimum number of characters to examine after the start of a line.
    private static let longestAhead = 16_384

    /// The minimum width for hyphens.
    private static let minimumForHyphens = 6

    /// Whether an index is inside a word of letters. Addresses and code are split without a hyphen, which might be
    /// mistaken for a part of them.
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

    /// The maximum length of a word in letters.
    private static let longestWord = 100

    private static func lineEnd(_ text: [Glyph], from start: Int, width: Int) -> (end: Int, isCut: Bool) {
        var used = 0
        var index = start
        var breakPoint: Int?
        // Where words that belong together don't fit on a line, they are still not split.
        var lastResort: Int?
        let noBreak = Glyph("\u{A0}")
        return text.withUnsafeBufferPointer { text in
            while index < text.count {
                let glyph = text[index]
                if glyph == .space {
                    breakPoint = index + 1
                    // A space that doesn't fit is dropped at the edge.
                    if used + 1 > width { return (index + 1, false) }
                    used += 1
                } else {
                    let columns = glyph.columns
                    // East Asian text can be broken between any two characters.
                    if columns == 2, index > start { breakPoint = index }
                    if used + columns > width {
                        if let breakPoint = breakPoint ?? lastResort { return (breakPoint, false) }
                        return (max(index, start + 1), true)
                    }
                    used += columns
                    if glyph == noBreak, index > start { lastResort = index + 1 }
                }
                index += 1
            }
            return (index, false)
        }
    }
}
