extension DisplayText {
    /// Whether the text contains another, ignoring case and accents.
    public func contains(_ text: String) -> Bool { !ranges(of: text).isEmpty }

    /// Returns the columns at which another text occurs, ignoring case and accents.
    public func ranges(of text: String) -> [Range<Int>] {
        let wanted = FoldedGlyphs(DisplayText(text).glyphs)
        guard !wanted.bytes.isEmpty else { return [] }
        let own = FoldedGlyphs(glyphs)
        var result: [Range<Int>] = []
        var (column, index) = (0, 0)
        while index < glyphs.count {
            let end = own.end(of: wanted.bytes, from: index)
            let next = end ?? index + 1
            let width = glyphs[index..<next].reduce(0) { $0 + $1.columns }
            if end != nil { result.append(column..<column + width) }
            (column, index) = (column + width, next)
        }
        return result
    }
}

/// Glyphs as text that is the same for both cases of a letter, with and without accents.
private struct FoldedGlyphs {
    private(set) var bytes: [UInt8] = []
    /// Where the text of each glyph starts, and the end.
    private var starts: [Int] = [0]

    init(_ glyphs: [Glyph]) {
        bytes.reserveCapacity(glyphs.count)
        starts.reserveCapacity(glyphs.count + 1)
        for glyph in glyphs {
            if let scalar = glyph.scalar {
                CharacterFolding.fold(scalar, into: &bytes)
            } else if glyph.picturePlaceholder != nil {
                bytes.append(0xFE)
            } else {
                // A flag is found as a whole.
                if glyph.isFlag { bytes.append(0xFF) }
                for scalar in glyph.scalars { CharacterFolding.fold(scalar, into: &bytes) }
            }
            starts.append(bytes.count)
        }
    }

    /// Returns the index after the glyphs that begin with a text, or `nil` if they don't.
    func end(of wanted: [UInt8], from index: Int) -> Int? {
        let start = starts[index]
        guard start < starts[index + 1], bytes.count - start >= wanted.count,
            bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        else { return nil }
        var end = index + 1
        while starts[end] < start + wanted.count { end += 1 }
        return end
    }
}
