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

    /// Adds bytes, eight at a time, and then their number.
    package mutating func combineWords(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index &+ 8 <= bytes.count {
            combineWord(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index &+= 8
        }
        while index < bytes.count {
            combineWord(UInt64(bytes[index]))
            index &+= 1
        }
        combineWord(UInt64(bytes.count))
    }

    /// Adds a value larger than a byte, and folds the upper bits of the hash into the lower ones, which spreads it.
    @inline(__always)
    private mutating func combineWord(_ word: UInt64) {
        combine(word)
        value ^= value >> 29
    }
}
