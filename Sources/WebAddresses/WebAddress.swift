/// An address with a hierarchy (`scheme://host/path`), parsed as browsers do and stored in normal form, so that each
/// address has only one form.
///
/// Web addresses follow the URL standard (url.spec.whatwg.org). Others, such as `file` and `gemini`, have an opaque
/// host and only `/` as a separator. Addresses without a hierarchy (`mailto:`, `data:`) are only recognised by their
/// ``scheme(of:)``.
package struct WebAddress: Hashable, Sendable {
    /// The scheme in lower case.
    package let scheme: String
    /// The user name and password as written before the `@`, percent-encoded, or `nil` if there are none.
    package internal(set) var user: String?
    /// The host: lower-case ASCII, an IPv4 address, or an IPv6 address in brackets. `nil` without an authority.
    package internal(set) var host: String?
    /// The port, or `nil` for the scheme's default.
    var port: Int?
    /// The segments of the path without the slashes before them, percent-encoded.
    package internal(set) var segments: [String] = []
    package internal(set) var query: String?
    package internal(set) var fragment: String?

    init(scheme: String) { self.scheme = scheme }

    /// Parses an address.
    ///
    /// - Parameter base: The address to which a relative reference refers.
    /// - Returns: `nil` for a text that a browser couldn't open, and for one without a hierarchy.
    package init?(_ text: String, base: WebAddress? = nil) {
        guard let address = AddressParser.parse(text, base: base) else { return nil }
        self = address
    }

    /// The address in normal form: ASCII without spaces and control characters.
    package var text: String {
        var text = scheme + ":"
        if host != nil { text += "//" + (user.map { $0 + "@" } ?? "") + authority }
        return text + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// The path with its leading slash, percent-encoded.
    package var path: String {
        segments.isEmpty && !isWeb ? "" : "/" + segments.joined(separator: "/")
    }

    /// The host with a port other than the default.
    package var authority: String { (host ?? "") + (port.map { ":\($0)" } ?? "") }

    /// The host as an IP address, or `nil` for a name.
    package var ip: IPAddress? { host.flatMap { IPAddress(host: $0) } }

    /// Whether the scheme is http or https.
    package var isWeb: Bool { WebAddress.isWeb(scheme: scheme) }

    /// The port to connect to, or `nil` for schemes other than http and https.
    var effectivePort: Int? { port ?? WebAddress.defaultPort(of: scheme) }

    /// The same address without user name and password.
    package var withoutUser: WebAddress {
        var address = self
        address.user = nil
        return address
    }
}

// MARK: Schemes

extension WebAddress {
    /// Whether a text begins with a scheme and a colon.
    package static func hasScheme(_ text: String) -> Bool { schemeLength(text.utf8) != nil }

    /// Returns the lower-case scheme of an address of any kind, or `nil` if the text has none.
    ///
    /// Ignores the same characters as browsers, so that `java\nscript:` is recognised.
    package static func scheme(of text: String) -> String? {
        let text = AddressParser.cleaned(text)
        return schemeLength(text.utf8).flatMap { String(text.utf8.prefix($0))?.lowercased() }
    }

    /// Whether a text is an http or https address, valid or not.
    package static func isWeb(_ text: String) -> Bool { scheme(of: text).map { isWeb(scheme: $0) } ?? false }

    /// Returns the text with `https://` before it unless it has a scheme and a host already.
    package static func completed(_ typed: String) -> String {
        WrittenAddress(typed) == nil ? "https://" + typed : typed
    }

    /// Returns a text that is the same for all spellings of an address: a web address in normal form without its
    /// fragment, and anything else as it is.
    package static func identity(of address: String) -> String {
        guard isWeb(address), var url = WebAddress(address) else { return address }
        url.fragment = nil
        return url.text
    }

    /// Whether an address contains only characters that need no percent-encoding.
    package static func isEncoded(_ address: String) -> Bool {
        address.utf8.allSatisfy { byte in
            let isSeparator = byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            return byte < 0x80 && (isSeparator || !AddressPart.isUnusual[Int(byte)])
        }
    }

    static func isWeb(scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    static func defaultPort(of scheme: String) -> Int? { scheme == "https" ? 443 : scheme == "http" ? 80 : nil }

    static func schemeLength(_ bytes: some Sequence<UInt8>) -> Int? {
        var count = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: ":"): return count > 0 ? count : nil
            case 0x41...0x5A, 0x61...0x7A: count += 1
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if count == 0 { return nil }
                count += 1
            default: return nil
            }
        }
        return nil
    }
}

// MARK: Links

extension WebAddress {
    /// Returns the trimmed link, absolute if there is a base, or `nil` if it is empty or a web address that no browser
    /// could open.
    ///
    /// Web addresses are normalised; absolute addresses of other schemes stay as written, except for a scheme of mail
    /// that is there twice.
    package static func resolve(_ link: String, base: String?) -> String? {
        resolve(link) { base.flatMap { WebAddress($0) } }
    }

    /// Returns the trimmed link, absolute if there is a base, as the method for a text as base does.
    package static func resolve(_ link: String, base: WebAddress?) -> String? { resolve(link) { base } }

    private static func resolve(_ link: String, base: () -> WebAddress?) -> String? {
        if isInNormalForm(link) { return link }
        let trimmed = AddressParser.trimmed(link)
        guard !trimmed.isEmpty else { return nil }
        if let scheme = scheme(of: trimmed) {
            if scheme == "mailto" { return withoutRepeatedScheme(trimmed) }
            return isWeb(scheme: scheme) ? WebAddress(trimmed, base: base())?.text : trimmed
        }
        if beginsWithHost(trimmed) { return WebAddress("https://" + trimmed)?.text ?? trimmed }
        guard let base = base() else { return trimmed }
        return WebAddress(trimmed, base: base)?.text ?? (base.isWeb ? nil : trimmed)
    }

    /// Whether a link without a scheme begins with a host, such as `www.example.org/page`.
    private static func beginsWithHost(_ link: String) -> Bool {
        let host = link.utf8.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 2 && labels[0].count == 3
            && labels[0].allSatisfy { $0 | 0x20 == UInt8(ascii: "w") } && labels.allSatisfy { !$0.isEmpty }
    }

    /// Returns `mailto:a@b.example` for `mailto:mailto:a@b.example`.
    private static func withoutRepeatedScheme(_ link: String) -> String {
        let scheme = "mailto:"
        var rest = link[...]
        while rest.prefix(2 * scheme.count).lowercased() == scheme + scheme { rest = rest.dropFirst(scheme.count) }
        return String(rest)
    }

    /// Whether an address is obviously a web address in normal form, as most are. Others may be as well.
    static func isInNormalForm(_ link: String) -> Bool {
        var link = link
        return link.withUTF8 { bytes in
            var rest = bytes[...]
            let isSecure = rest.starts(with: "https://".utf8)
            guard isSecure || rest.starts(with: "http://".utf8) else { return false }
            rest = rest.dropFirst(isSecure ? 8 : 7)
            let host = rest.prefix { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") || $0 == dot }
            rest = rest.dropFirst(host.count)
            if rest.first == UInt8(ascii: ":") {
                let digits = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
                let port = digits.prefix(6).reduce(0) { $0 * 10 + Int($1 - 0x30) }
                guard digits.first.map({ $0 != 0x30 }) ?? false, port <= 65_535, port != (isSecure ? 443 : 80) else {
                    return false
                }
                rest = rest.dropFirst(1 + digits.count)
            }
            guard !host.isEmpty, rest.first == UInt8(ascii: "/") else { return false }
            guard !mayEndInNumber(host) || isDottedDecimal(host) else { return false }
            return isNormalPath(rest)
        }
    }

    /// Whether the last label of a host begins with a digit, so that the host may be an IPv4 address.
    private static func mayEndInNumber(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let name = host.last == dot ? host.dropLast() : host
        let label = name.lastIndex(of: dot).map { name[($0 + 1)...] } ?? name
        return label.first.map { 0x30...0x39 ~= $0 } ?? true
    }

    /// Whether a host is four numbers from 0 to 255 without leading zeros.
    private static func isDottedDecimal(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var (numbers, digits, value) = (1, 0, 0)
        for byte in host {
            if byte == dot {
                guard digits > 0 else { return false }
                (numbers, digits, value) = (numbers + 1, 0, 0)
            } else {
                guard 0x30...0x39 ~= byte, digits == 0 || value > 0 else { return false }
                (digits, value) = (digits + 1, value * 10 + Int(byte - 0x30))
                guard value <= 255 else { return false }
            }
        }
        return numbers == 4 && digits > 0
    }

    private static func isNormalPath(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // A dot after a slash, or a percent sign in place of one, may change the path.
        var last = UInt8(ascii: "/")
        for (index, byte) in zip(path.indices, path) {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                return path[(index + 1)...].allSatisfy { $0 > 0x20 && $0 < 0x7F && !AddressPart.isUnusual[Int($0)] }
            case dot where last == UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "\\"): return false
            default: guard byte > 0x20, byte < 0x7F, !AddressPart.isUnusual[Int(byte)] else { return false }
            }
            last = byte
        }
        return true
    }

    private static let dot = UInt8(ascii: ".")
}
