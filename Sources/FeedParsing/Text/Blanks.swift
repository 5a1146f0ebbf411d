/// The kinds of characters in ASCII.
extension UInt8 {
    /// Whether the byte is a space, a tab or a line break.
    @inline(__always) var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

    @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    @inline(__always) var isLetter: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
    var isHexDigit: Bool { isDigit || self | 0x20 >= 0x61 && self | 0x20 <= 0x66 }
}
