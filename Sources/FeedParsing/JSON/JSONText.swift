/// The bytes of JSON text (RFC 8259).
///
/// Besides what JSON requires, characters that a terminal would interpret are escaped: controls, line separators and
/// the marks that change the direction of text.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    /// Bytes that end a run that can be copied: those to escape, and the first bytes of characters that may be.
    private static let endsRun: [Bool] = (0...UInt8.max).map { byte in
        byte < 0x20 || [0x22, 0x5C, 0x7F, 0xC2, 0xD8, 0xE2].contains(byte)
    }

    mutating func append(_ text: StaticString) {
        // One by one, because the texts are short.
        text.withUTF8Buffer { for byte in $0 { bytes.append(byte) } }
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Starts a line that is indented by two spaces for each level.
    mutating func startLine(level: Int) {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<level { append("  ") }
    }

    /// Appends a number, or another value whose description is JSON.
    mutating func append(literal: some CustomStringConvertible) { bytes.append(contentsOf: literal.description.utf8) }

    /// Appends a number with decimals, without them if it is whole. It must be finite.
    mutating func append(_ number: Double) {
        if let whole = Int64(exactly: number) { append(literal: whole) } else { append(literal: number) }
    }

    mutating func append(quoted text: String) {
        var text = text
        append("\"")
        text.withUTF8 { text in
            var start = 0
            var index = 0
            while index < text.count {
                guard JSONText.endsRun[Int(text[index])] else {
                    index += 1
                    continue
                }
                let (escaped, length) = JSONText.character(in: text, at: index)
                if let escaped {
                    bytes.append(contentsOf: text[start..<index])
                    append(escaped: escaped)
                    start = index + length
                }
                index += length
            }
            bytes.append(contentsOf: text[start...])
        }
        append("\"")
    }

    /// Returns the number of bytes of a character that ends a run, and its value if it must be escaped.
    private static func character(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (escaped: UInt16?, length: Int)
    {
        let first = text[index]
        switch first {
        case 0xC2, 0xD8:
            let value = UInt16(first & 0x1F) << 6 | UInt16(text[index + 1] & 0x3F)
            return ((0x80...0x9F).contains(value) || value == 0x61C ? value : nil, 2)
        case 0xE2:
            let value = 0x2000 | UInt16(text[index + 1] & 0x3F) << 6 | UInt16(text[index + 2] & 0x3F)
            let isHarmful =
                (0x200E...0x200F).contains(value) || (0x2028...0x202E).contains(value)
                || (0x2066...0x2069).contains(value)
            return (isHarmful ? value : nil, 3)
        default: return (UInt16(first), 1)
        }
    }

    private mutating func append(escaped value: UInt16) {
        switch value {
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        default:
            append("\\u")
            for shift in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: value >> shift) & 0xF
                append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }

    /// Returns the bytes so far and starts again.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
