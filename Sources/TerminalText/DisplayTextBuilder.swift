/// Builds safe, measured text from bytes in pieces, with the same result as ``DisplayText/init(_:)``.
package struct DisplayTextBuilder {
    private var filter = ScalarFilter()
    private var builder = GlyphBuilder()

    package init() {}

    /// Whether nothing was appended since the last text was taken.
    package var isEmpty: Bool { builder.isEmpty }

    /// The number of characters so far.
    package var count: Int { builder.glyphs.count }

    mutating func reserveCapacity(_ count: Int) { builder.reserveCapacity(count) }

    /// Appends UTF-8. Invalid bytes become U+FFFD.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            let start = index
            // A joiner is kept before a digit, which may be a part of an emoji.
            if !filter.hasJoiner {
                while index < bytes.count, bytes[index] >= 0x20, bytes[index] < 0x7F { index += 1 }
            }
            append(printable: UnsafeBufferPointer(rebasing: bytes[start..<index]))
            guard index < bytes.count else { break }
            let (scalar, length) = DisplayTextBuilder.scalar(bytes, at: index)
            append(scalar)
            index += length
        }
    }

    /// Appends UTF-8 with white space collapsed. Invalid bytes become U+FFFD.
    ///
    /// - Parameters:
    ///   - endsInBlank: Whether the previous text ends in white space. Updated for this text.
    /// - Returns: The number of words that start in the text.
    package mutating func append(collapsing bytes: UnsafeBufferPointer<UInt8>, endsInBlank: inout Bool) -> Int {
        var words = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte > 0x20 {
                if endsInBlank { words += 1 }
                endsInBlank = false
                if byte < 0x7F {
                    let start = index
                    repeat { index += 1 } while index < bytes.count && bytes[index] > 0x20 && bytes[index] < 0x7F
                    append(printable: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                } else {
                    let (scalar, length) = DisplayTextBuilder.scalar(bytes, at: index)
                    append(scalar)
                    index += length
                }
            } else {
                if byte == 0x20 || (0x09...0x0D).contains(byte), !endsInBlank {
                    append(printable: 0x20)
                    endsInBlank = true
                }
                index += 1
            }
        }
        return words
    }

    private mutating func append(printable bytes: UnsafeBufferPointer<UInt8>) {
        guard let last = bytes.last else { return }
        filter.passed(Unicode.Scalar(last))
        builder.append(printable: bytes)
    }

    /// Appends a byte from 0x20 to 0x7E.
    @inline(__always)
    package mutating func append(printable byte: UInt8) {
        let scalar = Unicode.Scalar(byte)
        filter.passed(scalar)
        builder.append(printable: scalar)
    }

    /// Appends a scalar.
    package mutating func append(_ scalar: Unicode.Scalar) {
        filter.pass(scalar) { builder.append($0) }
    }

    /// Returns the text so far and clears the builder.
    package mutating func take() -> DisplayText {
        builder.flush()
        let text = DisplayText(glyphs: builder.glyphs, columns: builder.columns)
        self = DisplayTextBuilder()
        return text
    }

    /// Returns the scalar at an offset, which is not an ASCII letter, and its length in bytes.
    package static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        let first = UInt32(bytes[index])
        if first < 0x80 { return (Unicode.Scalar(UInt8(first)), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, index + length <= bytes.count else { return ("\u{FFFD}", 1) }
        var value = first & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            let next = UInt32(bytes[index + offset])
            guard next & 0xC0 == 0x80 else { return ("\u{FFFD}", offset) }
            value = value << 6 | next & 0x3F
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}

/// Combines scalars into glyphs.
///
/// ncurses can't hold a whole emoji sequence in a cell, so each of its parts is a glyph, which keeps the joiner after it
/// as text. Two regional indicators are one glyph, and a single one becomes its letter, because terminals disagree about
/// its width. Characters that the C library doesn't know become U+FFFD.
struct GlyphBuilder {
    private(set) var glyphs: [Glyph] = []
    private(set) var columns = 0
    private var base: Unicode.Scalar?
    private var baseColumns = 1
    private var marks: [Unicode.Scalar] = []

    var isEmpty: Bool { glyphs.isEmpty && base == nil }

    mutating func reserveCapacity(_ count: Int) { glyphs.reserveCapacity(count) }

    /// Appends printable ASCII. The last character may still get combining marks.
    mutating func append(printable bytes: UnsafeBufferPointer<UInt8>) {
        if base != nil { flush() }
        guard let last = bytes.last else { return }
        for byte in bytes.dropLast() { glyphs.append(Glyph(scalar: Unicode.Scalar(byte), columns: 1)) }
        columns += bytes.count - 1
        base = Unicode.Scalar(last)
        baseColumns = 1
    }

    @inline(__always)
    mutating func append(printable scalar: Unicode.Scalar) {
        if base != nil { flush() }
        base = scalar
        baseColumns = 1
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.value == 0x200C { return }
        let isTone = Glyph.skinTones.contains(scalar.value)
        if isTone ? base?.properties.isEmojiModifierBase == true : Glyph.isEmojiForm(scalar) {
            if base != nil, marks.count < Sanitizer.maximumMarks { marks.append(scalar) }
            return
        }
        if Glyph.regionalIndicators.contains(scalar.value), let base, marks.isEmpty,
            Glyph.regionalIndicators.contains(base.value)
        {
            glyphs.append(Glyph(flag: base, scalar))
            columns += 2
            self.base = nil
            return
        }
        let columns = CellWidth.columns(of: scalar)
        if columns == 0 {
            if base != nil { marks.append(scalar) }
            return
        }
        flush()
        base = columns < 0 ? "\u{FFFD}" : scalar
        baseColumns = max(1, columns)
    }

    /// Completes the last glyph.
    mutating func flush() {
        guard var base else { return }
        if Glyph.regionalIndicators.contains(base.value) {
            base = Unicode.Scalar(UInt8(base.value - Glyph.regionalIndicators.lowerBound + 0x41))
        }
        if marks.isEmpty {
            glyphs.append(Glyph(scalar: base, columns: baseColumns))
        } else {
            glyphs.append(Glyph.cluster(base, marks: marks, columns: baseColumns))
            marks.removeAll(keepingCapacity: true)
        }
        columns += baseColumns
        self.base = nil
    }
}
