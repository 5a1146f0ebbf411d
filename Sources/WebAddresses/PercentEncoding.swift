/// Percent-encoding for parts of an address that could contain anything (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The bytes that mean themselves in every part (RFC 3986, section 2.3).
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Returns a value with every reserved character encoded.
    package static func encoded(_ value: String) -> String {
        var text = ""
        for byte in value.utf8 {
            if unreserved.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += encoded(byte)
            }
        }
        return text
    }

    /// Returns a byte in hexadecimal after a percent sign.
    package static func encoded(_ byte: UInt8) -> String {
        (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
}
