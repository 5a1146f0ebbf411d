extension DisplayText {
    /// Whether a text stands in this one, whatever the case of its letters.
    public func contains(_ text: String) -> Bool { !ranges(of: text).isEmpty }

    /// The columns at which a text stands in this one, whatever the case of its letters.
    public func ranges(of text: String) -> [Range<Int>] {
        let wanted = DisplayText(text).glyphs.map(DisplayText.folded)
        guard !wanted.isEmpty, wanted.count <= glyphs.count else { return [] }
        let own = glyphs.map(DisplayText.folded)
        var result: [Range<Int>] = []
        var column = 0
        var index = 0
        while index + wanted.count <= own.count {
            if own[index..<index + wanted.count].elementsEqual(wanted) {
                let width = glyphs[index..<index + wanted.count].reduce(0) { $0 + $1.columns }
                result.append(column..<column + width)
                column += width
                index += wanted.count
            } else {
                column += glyphs[index].columns
                index += 1
            }
        }
        return result
    }

    private static func folded(_ glyph: Glyph) -> String {
        String(String.UnicodeScalarView(glyph.scalars)).lowercased()
    }
}
