/// Looks at the headers of a TOML document before the parser does: toml++ ends the program at a `[` that is followed by what no
/// key can begin with (an assertion in `parse_key`, version 3.4), where the specification wants an error.
enum TableHeaders {
    /// The line, from 1, of the first header that names nothing (TOML 1.0.0, Table); `nil`: there is none.
    static func lineOfBadOne(in text: String) -> Int? {
        var scanner = Scanner(bytes: Array(text.utf8))
        return scanner.lineOfBadHeader()
    }

    /// Goes through a document as far as it takes to know where a line begins that is not inside a string or an array.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0
        var line = 1
        var depth = 0
        var isAtLineStart = true

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func lineOfBadHeader() -> Int? {
            while let byte {
                switch byte {
                case UInt8(ascii: "\n"):
                    line += 1
                    isAtLineStart = true
                    index += 1
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
                case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    isAtLineStart = false
                    skipString(byte)
                case UInt8(ascii: "[") where isAtLineStart && depth == 0:
                    if !beginsWithAKey() { return line }
                    isAtLineStart = false
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    index += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth = max(0, depth - 1)
                    index += 1
                default:
                    isAtLineStart = false
                    index += 1
                }
            }
            return nil
        }

        private mutating func skip(while goesOn: (UInt8) -> Bool) {
            while let byte, goesOn(byte) { index += 1 }
        }

        /// Goes past the brackets of a header; whether a key, the header's end, or the end of all follows.
        private mutating func beginsWithAKey() -> Bool {
            index += 1
            if byte == UInt8(ascii: "[") { index += 1 }
            skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let byte else { return true }
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            return isDigit || isLetter || "-_\"']".utf8.contains(byte)
        }

        /// Goes past a string: of one line, or, between three quotation marks, of several.
        private mutating func skipString(_ quote: UInt8) {
            let isLong = bytes[index...].prefix(3).elementsEqual([quote, quote, quote])
            index += isLong ? 3 : 1
            while let byte {
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    index += 1
                    if self.byte == UInt8(ascii: "\n") { line += 1 }
                    if self.byte != nil { index += 1 }
                } else if byte == quote, !isLong || bytes[index...].prefix(3).elementsEqual([quote, quote, quote]) {
                    index += isLong ? 3 : 1
                    return
                } else if byte == UInt8(ascii: "\n") {
                    // A string of one line does not go on in the next: the parser says so.
                    if !isLong { return }
                    line += 1
                    index += 1
                } else {
                    index += 1
                }
            }
        }
    }
}
