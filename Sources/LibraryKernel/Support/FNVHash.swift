/// A 64-bit FNV-1a hash, which is the same in every run, unlike Swift's own.
///
/// - Source: RFC 9923.
package struct FNVHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds a byte, or a larger value at once.
    @inline(__always)
    package mutating func combine(_ part: UInt64) { value = (value ^ part) &* 0x100_0000_01B3 }

    /// Adds bytes.
    package mutating func combine(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(UInt64(byte)) } }

    /// Folds the upper bits into the lower ones, which spreads parts larger than a byte.
    @inline(__always)
    package mutating func spread() { value ^= value >> 29 }
}
