/// Whether bytes are valid UTF-8.
struct UTF8Validity: Equatable {
    /// Whether they are well-formed (The Unicode Standard, table 3-7).
    private(set) var isUTF8 = true
    private(set) var isASCII = true

    /// Checks bytes, ASCII in steps of eight.
    ///
    /// The standard library checks single bytes if there are other letters among them, which takes four times as long.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index < raw.count {
            if index &+ 8 <= raw.count {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let others = word & 0x8080_8080_8080_8080
                if others == 0 {
                    index &+= 8
                    continue
                }
                index &+= others.trailingZeroBitCount &>> 3
            } else if raw[index] < 0x80 {
                index &+= 1
                continue
            }
            isASCII = false
            let length = UTF8Validity.lengthOfCharacter(at: index, raw)
            guard length > 0 else {
                isUTF8 = false
                return
            }
            index &+= length
        }
    }

    /// Whether bytes are ASCII, in steps of eight.
    static func areASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index &+ 8 <= raw.count {
            if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            index &+= 8
        }
        while index < raw.count {
            if raw[index] >= 0x80 { return false }
            index &+= 1
        }
        return true
    }

    /// Returns the length of a non-ASCII character, or 0 if it is invalid.
    @inline(__always)
    private static func lengthOfCharacter(at index: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        let first = bytes[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard (0xC2...0xF4).contains(first), index &+ length <= bytes.count else { return 0 }
        // Excludes overlong forms, surrogates, and values above U+10FFFF.
        let minimum: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let maximum: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard (minimum...maximum).contains(bytes[index &+ 1]) else { return 0 }
        if length > 2, bytes[index &+ 2] & 0xC0 != 0x80 { return 0 }
        if length > 3, bytes[index &+ 3] & 0xC0 != 0x80 { return 0 }
        return length
    }
}

extension String {
    /// Creates a string from UTF-8 with invalid parts replaced, like `String(decoding:as:)`, in a third of the time for
    /// long texts.
    init(utf8 bytes: [UInt8]) {
        let validity = bytes.withUnsafeBufferPointer { UTF8Validity($0) }
        if validity.isUTF8 {
            self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: validity.isASCII))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }

    /// Creates a string from bytes that are known to be valid UTF-8, without checking them again.
    init(valid bytes: [UInt8]) {
        let isASCII = bytes.withUnsafeBufferPointer { UTF8Validity.areASCII($0) }
        self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
    }
}
