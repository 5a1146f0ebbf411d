import Foundation

/// Repairs strings and numbers in JSON that programs write although RFC 8259 forbids them.
enum JSONStrings {
    /// Returns a document in which line breaks and other control characters in strings are escaped, and halves of
    /// surrogate pairs, unknown escapes and unreadable numbers are replaced.
    static func repaired(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count + 64)
        var isInString = false
        var index = 0
        while index < json.count {
            let byte = json[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                isInString.toggle()
                result.append(byte)
            } else if isInString, byte < 0x20 {
                let hex = String(byte, radix: 16)
                result += "\\u00\(hex.count == 1 ? "0" : "")\(hex)".utf8
            } else if isInString, byte == UInt8(ascii: "\\") {
                index = copyEscape(json, at: index - 1, to: &result)
            } else if !isInString, isOfWord(byte) {
                let end = json[index...].firstIndex { !isOfWord($0) } ?? json.count
                result += repaired(word: json[(index - 1)..<end])
                index = end
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Whether a byte outside strings may belong to a number or a name such as `true`.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || "+-._".utf8.contains(byte)
    }

    private static let names = ["true", "false", "null"]
    /// No number that means something is longer.
    private static let longestNumber = 64

    /// Returns a number or a name as it is, a number that JSON doesn't allow as a string, such as `"007"`, and `null`
    /// for anything else, such as `NaN`, `1e999` or `undefined`.
    private static func repaired(word: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: word, as: UTF8.self)
        if names.contains(text) { return Array(word) }
        guard word.count <= longestNumber, word.contains(where: \.isDigit),
            let number = Double(text), number.isFinite
        else { return Array("null".utf8) }
        let isValid = (try? JSONSerialization.jsonObject(with: Data(word), options: .fragmentsAllowed)) is NSNumber
        return isValid ? Array(word) : Array("\"\(text)\"".utf8)
    }

    /// Copies an escape, or what replaces it, and returns the offset after it.
    private static func copyEscape(_ json: [UInt8], at start: Int, to result: inout [UInt8]) -> Int {
        guard start + 1 < json.count else { return json.count }
        let letter = json[start + 1]
        guard letter == UInt8(ascii: "u") else {
            // The character after a wrong backslash is meant as it is.
            guard "\"\\/bfnrt".utf8.contains(letter) else { return start + 1 }
            result += json[start..<start + 2]
            return start + 2
        }
        guard let unit = unit(json, at: start) else {
            result += Array("\\ufffd".utf8)
            return start + 2
        }
        if UTF16.isLeadSurrogate(unit), let next = self.unit(json, at: start + 6), UTF16.isTrailSurrogate(next) {
            result += json[start..<start + 12]
            return start + 12
        }
        let isHalf = UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit)
        result += isHalf ? Array("\\ufffd".utf8) : Array(json[start..<start + 6])
        return start + 6
    }

    /// Returns the code unit of an escape with four hexadecimal digits.
    private static func unit(_ json: [UInt8], at start: Int) -> UInt16? {
        guard start + 6 <= json.count, json[start] == UInt8(ascii: "\\"), json[start + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = json[(start + 2)..<(start + 6)]
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
