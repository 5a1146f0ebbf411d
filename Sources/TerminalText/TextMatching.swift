extension DisplayText {
    /// Whether the text contains another, ignoring case.
    public func contains(_ text: String) -> Bool { !ranges(of: text).isEmpty }

    /// Returns the columns at which another text occurs, ignoring case.
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

    /// Returns a glyph that is the same for both cases of a letter.
    private static func folded(_ glyph: Glyph) -> Glyph {
        func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            let mapping = scalar.properties.lowercaseMapping.unicodeScalars
            return mapping.count == 1 ? mapping.first ?? scalar : scalar
        }
        if let scalar = glyph.scalar {
            if scalar.isASCII {
                guard case 0x41...0x5A = scalar.value else { return glyph }
                return Glyph(scalar: Unicode.Scalar(UInt8(scalar.value) + 0x20), columns: 1)
            }
            return Glyph(scalar: small(scalar), columns: glyph.columns)
        }
        guard glyph.picturePlaceholder == nil, !glyph.isFlag, let base = glyph.scalars.first else { return glyph }
        let marks = glyph.drawnScalars.dropFirst()
        if marks.isEmpty { return Glyph(scalar: small(base), columns: glyph.columns) }
        return .cluster(small(base), marks: Array(marks), columns: glyph.columns)
    }
}
