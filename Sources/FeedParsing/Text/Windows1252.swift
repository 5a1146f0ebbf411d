/// The characters of windows-1252 where Unicode has control characters (C1).
///
/// Nobody writes these controls: a reference such as `&#146;` means the apostrophe of windows-1252, as in HTML, and so
/// does the control itself, where a program took windows-1252 for Latin-1.
package enum Windows1252 {
    /// Returns the character that a numeric reference such as `&#8217;` stands for.
    static func character(_ number: UInt32) -> Unicode.Scalar? { Unicode.Scalar(characters[number] ?? number) }

    /// Returns UTF-8 with the characters in place of the controls, or `nil` if it contains none.
    package static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var (result, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
        while let place = bytes.place(of: 0xC2, from: index), place + 1 < bytes.count {
            index = place + 2
            guard let character = characters[UInt32(bytes[place + 1])].flatMap(Unicode.Scalar.init).flatMap(UTF8.encode)
            else { continue }
            result += bytes[copied..<place]
            result += character
            copied = index
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    private static let characters: [UInt32: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x2C6,
        0x89: 0x2030, 0x8A: 0x160, 0x8B: 0x2039, 0x8C: 0x152, 0x8E: 0x17D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C,
        0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x98: 0x2DC, 0x99: 0x2122, 0x9A: 0x161, 0x9B: 0x203A,
        0x9C: 0x153, 0x9E: 0x17E, 0x9F: 0x178,
    ]
}
