import Platform

/// Parses numbers as race centres write them.
enum DecimalNumber {
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Returns the number in a text such as `12`, `-0.5`, `5,1` or `1.5e3`, or `nil` if there is something else in it.
    static func value(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard bytes.count <= 40 else { return nil }
        if let whole = whole(bytes) { return Double(whole) }
        var (mantissa, digits, decimals): (Int, Int, Int) = (0, 0, 0)
        var hasPoint = false
        let isNegative = bytes.first == UInt8(ascii: "-")
        for byte in bytes.dropFirst(isNegative ? 1 : 0) {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: ","):
                guard !hasPoint else { return nil }
                hasPoint = true
            case 0x30...0x39:
                guard digits < 15 else { return other(bytes) }
                mantissa = mantissa * 10 + Int(byte - 0x30)
                digits += 1
                if hasPoint { decimals += 1 }
            default: return other(bytes)
            }
        }
        guard digits > 0 else { return nil }
        let value = Double(mantissa) / powers[decimals]
        return isNegative ? -value : value
    }

    /// Returns a number of at most 15 digits without decimals, or `nil` for anything else.
    static func whole(_ bytes: ArraySlice<UInt8>) -> Int? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes
        guard (1...15).contains(digits.count) else { return nil }
        var value = 0
        for byte in digits {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return isNegative ? -value : value
    }

    /// Parses numbers with an exponent, and long ones.
    private static func other(_ bytes: ArraySlice<UInt8>) -> Double? {
        let isSound = bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte)
                || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")]
                    .contains(byte)
        }
        guard isSound, let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}

/// Decodes the escape sequences of JSON strings.
enum JSONEscapes {
    private static let simple: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "b"): " ",
        UInt8(ascii: "f"): " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
    ]

    /// Returns the text. A lone surrogate becomes the replacement character, and an incomplete sequence is dropped.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard index < bytes.endIndex else { break }
            let kind = bytes[index]
            index += 1
            if let scalar = simple[kind] {
                text.append(contentsOf: String(scalar).utf8)
            } else if kind == UInt8(ascii: "u"), let scalar = scalar(bytes, &index) {
                text.append(contentsOf: String(scalar).utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func scalar(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
        guard let unit = hexadecimal(bytes, &index) else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        var after = index
        if bytes[index...].starts(with: [0x5C, 0x75]) {
            after += 2
            if let low = hexadecimal(bytes, &after), (0xDC00..<0xE000).contains(low) {
                index = after
                return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
            }
        }
        return "\u{FFFD}"
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> UInt32? {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else {
            return nil
        }
        index += 4
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
