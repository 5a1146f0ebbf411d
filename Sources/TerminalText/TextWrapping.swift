/// Breaks styled text into lines of a width.
public enum TextWrapping {
    /// Wraps spans at spaces; a word longer than a line is cut where the line ends.
    ///
    /// - Parameters:
    ///   - spans: The text of one paragraph.
    ///   - columns: The width of a line; at least 1 is used.
    /// - Returns: At least one line. No line is wider than `columns`, but for a wide character in a single column.
    public static func wrap(_ spans: [StyledSpan], columns: Int) -> [StyledLine] {
        let width = max(1, columns)
        var text: [(glyph: Glyph, role: TextRole)] = []
        text.reserveCapacity(spans.reduce(0) { $0 + $1.text.glyphs.count })
        for span in spans {
            for glyph in span.text.glyphs { text.append((glyph, span.role)) }
        }
        var lines: [StyledLine] = []
        var start = 0
        while start < text.count {
            while start < text.count, !lines.isEmpty, text[start].glyph == .space { start += 1 }
            guard start < text.count else { break }
            let end = lineEnd(text, from: start, width: width)
            var shown = end
            while shown > start, text[shown - 1].glyph == .space { shown -= 1 }
            lines.append(line(text[start..<shown]))
            start = end
        }
        return lines.isEmpty ? [StyledLine()] : lines
    }

    /// Wraps one piece of text.
    public static func wrap(_ text: DisplayText, columns: Int) -> [DisplayText] {
        wrap([StyledSpan(text)], columns: columns).map { $0.spans.first?.text ?? .empty }
    }

    private static func lineEnd(_ text: [(glyph: Glyph, role: TextRole)], from start: Int, width: Int) -> Int {
        var used = 0
        var index = start
        var breakPoint: Int?
        while index < text.count {
            let glyph = text[index].glyph
            if glyph == .space {
                breakPoint = index + 1
                // A space that does not fit hangs over the edge, unseen.
                if used + 1 > width { return index + 1 }
            } else {
                // East Asian text breaks between any two characters.
                if glyph.columns == 2, index > start { breakPoint = index }
                if used + glyph.columns > width { return breakPoint ?? max(index, start + 1) }
            }
            used += glyph.columns
            index += 1
        }
        return index
    }

    private static func line(_ text: ArraySlice<(glyph: Glyph, role: TextRole)>) -> StyledLine {
        var spans: [StyledSpan] = []
        var glyphs: [Glyph] = []
        var role: TextRole?
        for item in text {
            if item.role != role, let previous = role {
                spans.append(StyledSpan(DisplayText(glyphs: glyphs), previous))
                glyphs.removeAll(keepingCapacity: true)
            }
            role = item.role
            glyphs.append(item.glyph)
        }
        if let role { spans.append(StyledSpan(DisplayText(glyphs: glyphs), role)) }
        return StyledLine(spans)
    }
}
