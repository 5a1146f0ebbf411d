import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Returns the next offset of a byte, which the C library finds quickly.
    package func place(of byte: UInt8, from start: Int) -> Int? {
        guard let baseAddress, start < count else { return nil }
        let base = UnsafeRawPointer(baseAddress)
        return memchr(base + start, Int32(byte), count - start).map { base.distance(to: UnsafeRawPointer($0)) }
    }

    /// Returns the next offset of an ASCII text.
    func place(of text: StaticString, from start: Int) -> Int? {
        var start = start
        while let place = place(of: text.utf8Start[0], from: start) {
            if have(text, at: place) { return place }
            start = place + 1
        }
        return nil
    }

    /// Whether the bytes contain an ASCII text.
    func contains(_ text: StaticString) -> Bool { place(of: text, from: 0) != nil }

    /// Whether the bytes at an offset are an ASCII text.
    @inline(__always)
    func have(_ text: StaticString, at offset: Int) -> Bool {
        guard offset + text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    /// Whether the bytes in two ranges of the same length are equal.
    func areEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        guard let baseAddress else { return true }
        return memcmp(baseAddress + first.lowerBound, baseAddress + second.lowerBound, first.count) == 0
    }
}

extension [UInt8] {
    /// Returns the next offset of a byte.
    func place(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.place(of: byte, from: start) }
    }

    /// Returns the next offset of an ASCII text.
    func place(of text: StaticString, from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.place(of: text, from: start) }
    }
}

extension String {
    /// Whether the text contains an ASCII character.
    func has(_ byte: UInt8) -> Bool {
        var text = self
        return text.withUTF8 { $0.place(of: byte, from: 0) != nil }
    }

    /// Whether the text contains the bytes of another one, whose search takes no longer for a longer one.
    func has(_ other: String) -> Bool {
        var (text, other) = (self, other)
        return text.withUTF8 { text in
            other.withUTF8 { other in
                // Knuth, Morris and Pratt's search, which visits each byte once.
                var borders = [0]
                func length(after length: Int, _ byte: UInt8) -> Int {
                    var length = length
                    while length > 0, length == other.count || other[length] != byte { length = borders[length - 1] }
                    return length < other.count && other[length] == byte ? length + 1 : length
                }
                for index in other.indices.dropFirst() {
                    borders.append(length(after: borders[index - 1], other[index]))
                }
                var found = 0
                for byte in text where found < other.count { found = length(after: found, byte) }
                return found == other.count
            }
        }
    }
}
