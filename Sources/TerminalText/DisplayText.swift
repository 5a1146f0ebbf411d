// Exported to the whole module and to importing files, because Swift's own conversions can trap.
@_exported import Platform

/// Text on one line that is safe to show in a terminal, with its width in columns.
///
/// It is the only text that a `Surface` draws. Creating it from a string removes everything that a terminal would
/// interpret (``Sanitizer``) and measures each character like the terminal (``CellWidth``), so text from outside can't
/// reach the terminal unsanitised.
///
/// ```swift
/// let title = DisplayText("Ferrara → Asolo")
/// title.columns               // 15
/// title.truncated(to: 9)      // "Ferrara …"
/// ```
public struct DisplayText: Hashable, Sendable {
    /// The glyphs from left to right.
    public let glyphs: [Glyph]
    /// The width of all glyphs.
    public let columns: Int

    /// The empty text.
    public static let empty = DisplayText(glyphs: [], columns: 0)

    init(glyphs: [Glyph], columns: Int) {
        self.glyphs = glyphs
        self.columns = columns
    }

    init(glyphs: some Sequence<Glyph>) {
        let glyphs = Array(glyphs)
        self.init(glyphs: glyphs, columns: glyphs.reduce(0) { $0 + $1.columns })
    }

    /// Creates the text of one glyph.
    public init(_ glyph: Glyph) { self.init(glyphs: CollectionOfOne(glyph)) }

    /// Creates safe, measured text from a string.
    ///
    /// ncurses can't hold a whole emoji sequence in a cell, so its first character is shown. A flag is one glyph of two
    /// columns. Characters that the C library doesn't know become U+FFFD.
    public init(_ text: String) {
        var text = text
        let plain = text.withUTF8 { bytes in
            [Glyph](unsafeUninitializedCapacity: bytes.count) { glyphs, count in
                while count < bytes.count, bytes[count] >= 0x20, bytes[count] < 0x7F {
                    glyphs.initializeElement(at: count, to: Glyph(scalar: Unicode.Scalar(bytes[count]), columns: 1))
                    count += 1
                }
            }
        }
        if plain.count == text.utf8.count {
            self.init(glyphs: plain, columns: plain.count)
            return
        }
        var builder = DisplayTextBuilder()
        text.withUTF8 { bytes in
            builder.reserveCapacity(bytes.count)
            builder.append(bytes)
        }
        self = builder.take()
    }

    /// Whether there is nothing to show.
    public var isEmpty: Bool { glyphs.isEmpty }

    /// The text as a string, without what was removed.
    public var string: String {
        guard glyphs.allSatisfy({ $0.bits < 0x80 }) else {
            var bytes: [UInt8] = []
            append(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(unsafeUninitializedCapacity: glyphs.count) { buffer in
            for (index, glyph) in glyphs.enumerated() { buffer[index] = UInt8(truncatingIfNeeded: glyph.bits) }
            return glyphs.count
        }
    }

    /// Appends the text as UTF-8.
    package func append(to bytes: inout [UInt8]) { for glyph in glyphs { glyph.append(to: &bytes) } }

    /// The length of the text in UTF-8 without spaces.
    public var textBytes: Int { glyphs.reduce(0) { $0 + $1.textBytes } }

    /// Returns the concatenation of two texts.
    public static func + (left: DisplayText, right: DisplayText) -> DisplayText {
        DisplayText(glyphs: left.glyphs + right.glyphs, columns: left.columns + right.columns)
    }

    /// Returns a number of spaces.
    public static func blanks(_ count: Int) -> DisplayText {
        DisplayText(glyphs: Array(repeating: .space, count: max(0, count)))
    }

    /// Returns the text with blanks up to a width, behind it or, for a trailing text, before it.
    public func padded(to width: Int, isTrailing: Bool = false) -> DisplayText {
        let blanks = DisplayText.blanks(width - columns)
        return isTrailing ? blanks + self : self + blanks
    }

    /// Returns rows of cells as lines with aligned columns. Columns without text are left out.
    ///
    /// - Parameters:
    ///   - trailing: The columns that are aligned right.
    ///   - gap: The blanks between columns.
    public static func aligned(_ rows: [[DisplayText]], trailing: Set<Int>, gap: Int = 2) -> [DisplayText] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            row.indices.filter { widths[$0] > 0 }.reduce(.empty) { line, column in
                line + .blanks(line.isEmpty ? 0 : gap)
                    + row[column].padded(to: widths[column], isTrailing: trailing.contains(column))
            }
        }
    }

    /// Returns the text without spaces at both ends.
    public func trimmed() -> DisplayText {
        guard glyphs.first == .space || glyphs.last == .space else { return self }
        let start = glyphs.firstIndex { $0 != .space } ?? glyphs.endIndex
        let end = glyphs.lastIndex { $0 != .space }.map { $0 + 1 } ?? start
        return DisplayText(glyphs: glyphs[start..<max(start, end)])
    }

    /// The glyphs in a range of indexes.
    public subscript(range: Range<Int>) -> DisplayText {
        DisplayText(glyphs: glyphs[range.clamped(to: 0..<glyphs.count)])
    }

    /// The glyphs that start in a range of columns. A wide character that starts in its last column is included.
    public subscript(columns range: Range<Int>) -> DisplayText {
        var column = 0
        return DisplayText(
            glyphs: glyphs.filter { glyph in
                defer { column += glyph.columns }
                return range.contains(column)
            })
    }

    /// Returns the longest beginning that fits into a width, without an ellipsis and without half of a wide character.
    public func prefix(columns limit: Int) -> DisplayText {
        guard columns > limit else { return self }
        var used = 0
        var end = 0
        while end < glyphs.count, used + glyphs[end].columns <= limit {
            used += glyphs[end].columns
            end += 1
        }
        return DisplayText(glyphs: Array(glyphs[0..<end]), columns: used)
    }

    /// Returns the longest end that fits into a width.
    public func suffix(columns limit: Int) -> DisplayText {
        guard columns > limit else { return self }
        var used = 0
        var start = glyphs.count
        while start > 0, used + glyphs[start - 1].columns <= limit {
            start -= 1
            used += glyphs[start].columns
        }
        return DisplayText(glyphs: Array(glyphs[start...]), columns: used)
    }

    /// Where text that doesn't fit is truncated.
    public enum Truncation: Sendable {
        /// At the end, for titles.
        case tail
        /// In the middle, for routes and addresses, which differ at both ends.
        case middle
    }

    /// Returns the text, truncated with an ellipsis if it is wider than `limit` columns.
    public func truncated(to limit: Int, _ truncation: Truncation = .tail) -> DisplayText {
        guard columns > limit else { return self }
        guard limit > 1 else { return limit == 1 ? DisplayText.ellipsis : .empty }
        switch truncation {
        case .tail:
            return prefix(columns: limit - 1) + .ellipsis
        case .middle:
            let head = prefix(columns: limit / 2)
            return head + .ellipsis + suffix(columns: limit - 1 - head.columns)
        }
    }

    /// The mark of truncated text.
    public static let ellipsis = DisplayText(glyphs: [Glyph(scalar: "…", columns: 1)], columns: 1)
}

extension DisplayText: ExpressibleByStringLiteral {
    /// Creates text from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

extension DisplayText: CustomStringConvertible {
    /// The text as a string.
    public var description: String { string }
}
