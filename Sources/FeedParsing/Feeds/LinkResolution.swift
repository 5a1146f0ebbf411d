import Foundation

/// Makes links in feeds absolute: web addresses by the URL standard, others by RFC 3986, section 5.
package enum LinkResolution {
    /// Returns the trimmed link, absolute if there is a base, or `nil` if it is empty.
    package static func resolve(_ link: String, base: String?) -> String? {
        let trimmed = link.trimmingBlanks
        guard !trimmed.isEmpty else { return nil }
        if let address = WebAddress.resolve(trimmed, base: base) { return address }
        // A web address that no browser could open is invalid.
        if WebAddress.isAbsolute(trimmed) { return nil }
        if hasScheme(trimmed) { return trimmed }
        guard let base, let baseURL = URL(string: base) else { return trimmed }
        if let url = URL(string: trimmed, relativeTo: baseURL) { return url.absoluteString }
        let escaped = trimmed.addingPercentEncoding(withAllowedCharacters: allowed)
        return escaped.flatMap { URL(string: $0, relativeTo: baseURL)?.absoluteString } ?? trimmed
    }

    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%")

    static func hasScheme(_ link: String) -> Bool {
        var count = 0
        for byte in link.utf8 {
            switch byte {
            case UInt8(ascii: ":"): return count > 0
            case 0x41...0x5A, 0x61...0x7A: count += 1
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if count == 0 { return false }
                count += 1
            default: return false
            }
        }
        return false
    }
}

extension String {
    /// The string without white space at both ends.
    var trimmingBlanks: String {
        let bytes = utf8
        guard let first = bytes.first, let last = bytes.last else { return self }
        if !FeedParser.isBlank(first), !FeedParser.isBlank(last) { return self }
        guard let start = bytes.firstIndex(where: { !FeedParser.isBlank($0) }),
            let end = bytes.lastIndex(where: { !FeedParser.isBlank($0) })
        else { return "" }
        return String(self[start...end])
    }

    /// The string, or `nil` if it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}
