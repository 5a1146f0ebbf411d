extension UInt8 {
    /// Whether the byte is a space, a tab or a line break in ASCII.
    @inline(__always) var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
