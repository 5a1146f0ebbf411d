/// A 64-bit FNV-1a hash, which is the same in every run, unlike Swift's own.
///
/// - Source: RFC 9923.
package struct FNVHash {
    @inlinable package var value: UInt64 { state }
    @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    /// Adds a byte, or a larger value at once.
    @inlinable @inline(__always)
    package mutating func combine(_ part: UInt64) { state = (state ^ part) &* 0x100_0000_01B3 }

    /// Adds bytes.
    package mutating func combine(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(UInt64(byte)) } }

    /// Folds the upper bits into the lower ones, which spreads parts larger than a byte.
    @inlinable @inline(__always)
    package mutating func spread() { state ^= state >> 29 }
}
