/// Percent-encoding for parts of an address that could contain anything (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The bytes that mean themselves in every part (RFC 3986, section 2.3).
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Returns a value with every reserved character encoded.
    package static func encoded(_ value: String) -> String { encoded(value.utf8, except: unreserved.contains) }

    /// Returns a byte in hexadecimal after a percent sign.
    package static func encoded(_ byte: UInt8) -> String { encoded(CollectionOfOne(byte)) { _ in false } }

    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encoded(_ bytes: some Sequence<UInt8>, except stays: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if stays(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
