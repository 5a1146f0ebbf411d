/// Base 64 encoding (RFC 4648) for sequences sent to the terminal.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var value = UInt32(bytes[start]) << 16
            if count > 1 { value |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { value |= UInt32(bytes[start + 2]) }
            for place in 0..<4 {
                result.append(place <= count ? digits[Int(value >> (18 - 6 * UInt32(place)) & 63)] : 0x3D)
            }
        }
        return result
    }
}
