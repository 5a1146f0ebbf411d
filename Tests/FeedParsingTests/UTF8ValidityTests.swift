import Testing

@testable import FeedParsing

/// Validity of UTF-8, compared to the standard library.
@Suite struct UTF8ValidityTests {
    /// The bytes at which validity changes, in each of four positions.
    private static let first: [UInt8] = Array(0x7E...0xFF)
    private static let second: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE2, 0xFF]
    private static let rest: [UInt8] = [0x41, 0x7F, 0x80, 0xBF, 0xC0]

    private func check(_ bytes: [UInt8]) {
        let validity = bytes.withUnsafeBufferPointer { UTF8Validity($0) }
        let text = String(validating: bytes, as: UTF8.self)
        guard validity.isUTF8 == (text != nil), !validity.isUTF8 || validity.isASCII == bytes.allSatisfy({ $0 < 0x80 }),
            String(utf8: bytes).utf8.elementsEqual(String(decoding: bytes, as: UTF8.self).utf8)
        else {
            Issue.record("\(bytes)")
            return
        }
    }

    @Test func agreesWithTheStandardLibrary() {
        for first in Self.first {
            check([first])
            for second in Self.second {
                check([first, second])
                for third in Self.rest {
                    check([first, second, third])
                    for fourth in Self.rest { check([first, second, third, fourth]) }
                }
            }
        }
    }

    /// At every position in ASCII, which is checked in steps of eight bytes.
    @Test(arguments: ["ï", "峠", "🏔", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"])
    func findsInvalidBytesInEveryPosition(letter: String) {
        for before in 0...9 {
            for after in [0, 1, 6, 7, 8, 9, 15, 16, 17] {
                let text = Array(
                    (String(repeating: "a", count: before) + letter + String(repeating: "b", count: after)).utf8)
                check(text)
                for broken in 0..<text.count {
                    for byte: UInt8 in [0x41, 0x80, 0xC3, 0xED, 0xF4, 0xFF] {
                        var bytes = text
                        bytes[broken] = byte
                        check(bytes)
                    }
                }
            }
        }
        check(Array(String(repeating: letter, count: 100).utf8))
        check([])
    }
}
