import Foundation

/// Makes absolute addresses of the links in a feed: those of the web by the URL standard, others by RFC 3986, section 5.
package enum LinkResolution {
    /// The link without white space at its ends, and absolute if there is a base; `nil` when nothing is left of it.
    package static func resolve(_ link: String, base: String?) -> String? {
        let trimmed = link.trimmingBlanks
        guard !trimmed.isEmpty else { return nil }
        if let address = WebAddress.resolve(trimmed, base: base) { return address }
        // One that no browser could open is none.
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
    /// The string without white space at its ends.
    var trimmingBlanks: String {
        let bytes = utf8
        guard let first = bytes.first, let last = bytes.last else { return self }
        if !FeedParser.isBlank(first), !FeedParser.isBlank(last) { return self }
        guard let start = bytes.firstIndex(where: { !FeedParser.isBlank($0) }),
            let end = bytes.lastIndex(where: { !FeedParser.isBlank($0) })
        else { return "" }
        return String(self[start...end])
    }

    /// `nil` when the string has nothing but white space.
    var nonEmpty: String? { isEmpty ? nil : self }
}
