import FeedParsing
import TerminalText

/// Shortens texts to their first words on a single line, for excerpts and for entries without a title.
enum FirstWords {
    /// Returns the words at the beginning of HTML. No more of it is parsed than necessary, which may be much if it begins
    /// with a picture in its own address.
    static func of(html: String, maximum: Int) -> String {
        for size in [1500, 6000, 24_000, 96_000] where size < html.utf8.count {
            let line = of(Markup.plainText(html, bytes: size), maximum: maximum)
            if line.unicodeScalars.count(where: { $0 != " " }) == maximum { return line }
        }
        return of(Markup.plainText(html), maximum: maximum)
    }

    /// Returns the words of a text separated by single spaces.
    ///
    /// - Parameter maximum: The number of scalars after which the rest is omitted.
    static func of(_ text: String, maximum: Int) -> String {
        var text = text
        return text.withUTF8 { bytes in
            // There is at most one space before each scalar.
            String(unsafeUninitializedCapacity: min(bytes.count, 5 * maximum)) { line in
                var (index, count, used, isAfterBlank) = (0, 0, 0, false)
                while index < bytes.count, count < maximum {
                    let byte = bytes[index]
                    let (isBlank, length) =
                        byte < 0x80 ? (byte == 0x20 || (9...13).contains(byte), 1) : FirstWords.blank(bytes, at: index)
                    if !isBlank {
                        if isAfterBlank, count > 0 {
                            line[used] = UInt8(ascii: " ")
                            used += 1
                        }
                        for byte in index..<index + length {
                            line[used] = bytes[byte]
                            used += 1
                        }
                        count += 1
                    }
                    isAfterBlank = isBlank
                    index += length
                }
                return used
            }
        }
    }

    /// Returns whether a scalar that isn't ASCII is white space, and its length in bytes. Except for two scalars, all such
    /// white space is between U+1680 and U+3000.
    private static func blank(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (isBlank: Bool, length: Int) {
        let (scalar, length) = DisplayTextBuilder.scalar(bytes, at: index)
        let isBlank =
            switch scalar.value {
            case 0x85, 0xA0: true
            case 0x1680...0x3000: scalar.properties.isWhitespace
            default: false
            }
        return (isBlank, length)
    }
}
