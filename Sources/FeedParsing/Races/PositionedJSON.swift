/// A JSON document (RFC 8259) in which each value has its line, for files that people edit.
package struct PositionedJSON: Sendable {
    package indirect enum Value: Sendable {
        case object([String: PositionedJSON])
        case array([PositionedJSON])
        case string(String)
        case number(Double)
        case bool(Bool)
        case null
    }

    package var value: Value
    /// The line, from 1.
    package var line: Int

    /// The position of a syntax error.
    package struct Failure: Error, Hashable, Sendable {
        package var line: Int
    }

    /// - Throws: ``Failure``, also if values are nested more than 64 deep.
    package static func read(_ utf8: [UInt8]) throws(Failure) -> PositionedJSON {
        var reader = Reader(bytes: utf8)
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.index == utf8.count else { throw Failure(line: reader.line) }
        return value
    }

    /// Returns the line of a path, or of its nearest existing parent.
    package func line(at path: [String]) -> Int {
        var node = self
        for key in path {
            let next: PositionedJSON? =
                switch node.value {
                case .object(let fields): fields[key]
                case .array(let items): Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil }
                default: nil
                }
            guard let next else { break }
            node = next
        }
        return node.line
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        var line = 1

        init(bytes: [UInt8]) {
            self.bytes = bytes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        }

        private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func skipBlanks() {
            while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                if byte == 0x0A { line += 1 }
                index += 1
            }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard byte == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        private mutating func want(_ character: Unicode.Scalar) throws(Failure) {
            guard take(character) else { throw Failure(line: line) }
        }

        mutating func value(depth: Int) throws(Failure) -> PositionedJSON {
            skipBlanks()
            guard let byte, depth < 64 else { throw Failure(line: line) }
            let start = line
            let value: Value =
                switch byte {
                case UInt8(ascii: "{"): try object(depth)
                case UInt8(ascii: "["): try array(depth)
                case UInt8(ascii: "\""): .string(try string())
                case UInt8(ascii: "t"): try word("true", .bool(true))
                case UInt8(ascii: "f"): try word("false", .bool(false))
                case UInt8(ascii: "n"): try word("null", .null)
                default: try number()
                }
            return PositionedJSON(value: value, line: start)
        }

        private mutating func object(_ depth: Int) throws(Failure) -> Value {
            var fields: [String: PositionedJSON] = [:]
            try want("{")
            if take("}") { return .object(fields) }
            repeat {
                skipBlanks()
                let key = try string()
                try want(":")
                fields[key] = try value(depth: depth + 1)
            } while take(",")
            try want("}")
            return .object(fields)
        }

        private mutating func array(_ depth: Int) throws(Failure) -> Value {
            var items: [PositionedJSON] = []
            try want("[")
            if take("]") { return .array(items) }
            repeat { items.append(try value(depth: depth + 1)) } while take(",")
            try want("]")
            return .array(items)
        }

        private mutating func word(_ word: StaticString, _ value: Value) throws(Failure) -> Value {
            let text = word.withUTF8Buffer { Array($0) }
            guard bytes[index...].starts(with: text) else { throw Failure(line: line) }
            index += text.count
            return value
        }

        private mutating func number() throws(Failure) -> Value {
            let start = index
            while let byte, byte.isDigit || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) { index += 1 }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            let digits = text.drop { $0 == "-" }
            // Swift parses forms that JSON doesn't allow.
            guard let number = Double(text), number.isFinite, let first = digits.first, first.isNumber,
                text.first != "+", !text.hasSuffix("."),
                !(digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true)
            else { throw Failure(line: line) }
            return .number(number)
        }

        private mutating func string() throws(Failure) -> String {
            guard byte == UInt8(ascii: "\"") else { throw Failure(line: line) }
            index += 1
            let start = index
            while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
            guard byte != UInt8(ascii: "\"") else {
                index += 1
                return String(decoding: bytes[start..<index - 1], as: UTF8.self)
            }
            var text = Array(bytes[start..<index])
            while let byte {
                index += 1
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
                case ..<0x20: throw Failure(line: line)
                default: text.append(byte)
                }
            }
            throw Failure(line: line)
        }

        private static let escapes: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
        ]

        /// Parses an escape sequence. A lone surrogate becomes the replacement character.
        private mutating func escape() throws(Failure) -> Unicode.Scalar {
            guard let byte else { throw Failure(line: line) }
            index += 1
            if let scalar = Reader.escapes[byte] { return scalar }
            guard byte == UInt8(ascii: "u") else { throw Failure(line: line) }
            let unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit), bytes[index...].starts(with: [0x5C, 0x75]) {
                let before = index
                index += 2
                let low = try hexadecimal()
                if (0xDC00..<0xE000).contains(low) {
                    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
                }
                index = before
            }
            return Unicode.Scalar(unit) ?? "\u{FFFD}"
        }

        private mutating func hexadecimal() throws(Failure) -> UInt32 {
            guard index + 4 <= bytes.count else { throw Failure(line: line) }
            let digits = bytes[index..<index + 4]
            index += 4
            guard digits.allSatisfy(\.isHexDigit),
                let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw Failure(line: line) }
            return unit
        }
    }
}
