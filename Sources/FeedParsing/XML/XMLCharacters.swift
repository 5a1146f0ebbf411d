import Platform

/// The characters of XML documents, and references to them.
enum XMLCharacters {
    static let carriageReturn: UInt8 = 0x0D
    /// The length of the longest reference, from `&` to `;`.
    private static let longestReference = 12

    /// Whether a byte is a letter in ASCII or an underscore, with which a name may begin.
    static func isLetter(_ byte: UInt8) -> Bool { byte.isLetter || byte == UInt8(ascii: "_") }

    /// Whether a byte may be in a name after its first letter.
    static func isInName(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Whether a UTF-8 document has only characters that XML allows.
    static func areAllowed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let next = min(index &+ 32, bytes.count)
            if next &- index < 32 || mayHaveControls(UnsafeRawBufferPointer(bytes), at: index) {
                for byte in bytes[index..<next] where byte < 0x20 {
                    guard byte == 0x09 || byte == 0x0A || byte == carriageReturn else { return false }
                }
            }
            index = next
        }
        // U+FFFE and U+FFFF are not characters.
        index = 0
        while let place = bytes.place(of: 0xEF, from: index) {
            index = place + 1
            if place + 2 < bytes.count, bytes[place + 1] == 0xBF, bytes[place + 2] >= 0xBE { return false }
        }
        return true
    }

    /// Whether a byte below 0x20 may be among 32 bytes, which are compared eight at a time.
    @inline(__always)
    private static func mayHaveControls(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        // Such a byte leaves its highest bit set, and so may the bytes beside it.
        func signs(_ offset: Int) -> UInt64 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            return (word &- 0x2020_2020_2020_2020) & ~word
        }
        let found = signs(offset) | signs(offset &+ 8) | signs(offset &+ 16) | signs(offset &+ 24)
        return found & 0x8080_8080_8080_8080 != 0
    }

    /// Returns a text with its references and line ends decoded.
    ///
    /// - Parameter isAttribute: Whether white space becomes spaces (XML 1.0, section 3.3.3).
    static func decode(_ text: UnsafeBufferPointer<UInt8>, isAttribute: Bool) throws(WellFormedXMLReader.Unsupported)
        -> [UInt8]
    {
        var isSound = true
        // No reference is shorter than what it stands for.
        let decoded = [UInt8](unsafeUninitializedCapacity: text.count) { target, count in
            guard let start = target.baseAddress else { return }
            var index = 0
            while index < text.count, isSound {
                let end = text.place(of: UInt8(ascii: "&"), from: index) ?? text.count
                copy(UnsafeBufferPointer(rebasing: text[index..<end]), isAttribute, to: start, &count)
                index = end
                guard end < text.count else { break }
                guard let (scalar, length) = reference(in: text, at: end) else {
                    isSound = false
                    break
                }
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    start[count] = byte
                    count += 1
                }
                index += length
            }
        }
        guard isSound else { throw WellFormedXMLReader.Unsupported() }
        return decoded
    }

    /// Copies characters with line ends as line feeds, or with white space as spaces.
    private static func copy(
        _ text: UnsafeBufferPointer<UInt8>, _ isAttribute: Bool, to target: UnsafeMutablePointer<UInt8>,
        _ count: inout Int
    ) {
        guard isAttribute || text.place(of: carriageReturn, from: 0) != nil else {
            if let start = text.baseAddress { memcpy(target + count, start, text.count) }
            count += text.count
            return
        }
        var isAfterReturn = false
        for byte in text {
            if !(isAfterReturn && byte == 0x0A) {
                target[count] = byte.isBlank ? (isAttribute ? 0x20 : byte == carriageReturn ? 0x0A : byte) : byte
                count += 1
            }
            isAfterReturn = byte == carriageReturn
        }
    }

    /// Returns the character of a reference at an offset, and the length of the reference.
    private static func reference(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> (Unicode.Scalar, Int)? {
        let end = min(text.count, start + longestReference)
        var index = start + 1
        // The letters of a name are compared as a number.
        var letters: UInt64 = 0
        while index < end, text[index] != UInt8(ascii: ";") {
            letters = letters << 8 | UInt64(text[index])
            index += 1
        }
        guard index < end else { return nil }
        let length = index + 1 - start
        switch letters {
        case 0x6C74: return ("<", length)
        case 0x6774: return (">", length)
        case 0x61_6D70: return ("&", length)
        case 0x7175_6F74: return ("\"", length)
        case 0x6170_6F73: return ("'", length)
        default: return scalar(String(decoding: text[(start + 1)..<index], as: UTF8.self)).map { ($0, length) }
        }
    }

    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        guard reference.hasPrefix("#") else { return nil }
        let isHexadecimal = reference.hasPrefix("#x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.allSatisfy({ isHexadecimal ? $0.isHexDigit : $0.isDigit }),
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Windows1252.character)
        else { return nil }
        let isAllowed =
            scalar.value >= 0x20
            ? scalar.value & 0xFFFE != 0xFFFE || scalar.value > 0xFFFF : [9, 10, 13].contains(scalar.value)
        return isAllowed ? scalar : nil
    }
}
