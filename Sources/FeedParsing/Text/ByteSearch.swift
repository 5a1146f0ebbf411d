import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Returns the next offset of a byte, which the C library finds quickly.
    package func place(of byte: UInt8, from start: Int) -> Int? {
        guard let baseAddress, start < count else { return nil }
        let base = UnsafeRawPointer(baseAddress)
        return memchr(base + start, Int32(byte), count - start).map { base.distance(to: UnsafeRawPointer($0)) }
    }
}

extension [UInt8] {
    /// Returns the next offset of a byte.
    func place(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.place(of: byte, from: start) }
    }
}
