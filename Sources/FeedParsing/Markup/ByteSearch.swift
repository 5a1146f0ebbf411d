import Platform

extension UnsafeBufferPointer<UInt8> {
    /// The first place of a byte from another place on, found by the C library in large steps.
    package func place(of byte: UInt8, from start: Int) -> Int? {
        guard let baseAddress, start < count else { return nil }
        let base = UnsafeRawPointer(baseAddress)
        return memchr(base + start, Int32(byte), count - start).map { base.distance(to: UnsafeRawPointer($0)) }
    }
}

extension [UInt8] {
    /// The first place of a byte from another place on.
    func place(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.place(of: byte, from: start) }
    }
}
