/// Parses addresses byte by byte, so that a combining character after a slash doesn't hide the slash.
enum AddressParser {
    private struct Slashes {
        /// Whether a backslash separates too, as in web addresses.
        var includesBackslash: Bool

        func contains(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || includesBackslash && byte == UInt8(ascii: "\\")
        }
    }

    static func parse(_ text: String, base: WebAddress?) -> WebAddress? {
        let text = cleaned(text)
        guard let length = WebAddress.schemeLength(text.utf8) else {
            return base.flatMap { relative(text[...], to: $0) }
        }
        let colon = text.utf8.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
        let scheme = text[..<colon].lowercased()
        let rest = text[colon...].utf8.dropFirst()
        if WebAddress.isWeb(scheme: scheme) {
            // `http:page` on a page with http is a relative reference.
            if let base, base.scheme == scheme, !rest.starts(with: "//".utf8) {
                return relative(Substring(rest), to: base)
            }
            let slashes = Slashes(includesBackslash: true)
            return withAuthority(scheme, Substring(rest.drop { slashes.contains($0) }))
        }
        if rest.starts(with: "//".utf8) { return withAuthority(scheme, Substring(rest.dropFirst(2))) }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        var address = WebAddress(scheme: scheme)
        take(Substring(rest), into: &address, after: [])
        return address
    }

    /// Returns a text without control characters and spaces at its ends, and without tabs and line breaks anywhere.
    static func cleaned(_ text: String) -> String {
        let text = trimmed(text)
        guard text.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 }) else { return text }
        return String(decoding: text.utf8.filter { $0 != 9 && $0 != 10 && $0 != 13 }, as: UTF8.self)
    }

    /// Returns a text without control characters and spaces at its ends.
    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last else { return text }
        if first > 0x20, last > 0x20 { return text }
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }) else {
            return ""
        }
        return String(Substring(bytes[start...end]))
    }

    // MARK: Parts

    private static func withAuthority(_ scheme: String, _ text: Substring) -> WebAddress? {
        var address = WebAddress(scheme: scheme)
        let written = WrittenAddress(afterSlashes: text, endsAtBackslash: address.isWeb)
        guard let host = address.isWeb ? HostName.normal(written.host) : HostName.opaque(written.host) else {
            return nil
        }
        address.host = host
        if let user = written.user, !user.isEmpty { address.user = AddressPart.user.encoded(user) }
        if let digits = written.port, !digits.isEmpty {
            guard let port = Int(digits), port <= 65_535 else { return nil }
            address.port = port == WebAddress.defaultPort(of: scheme) ? nil : port
        }
        if address.isWeb || !written.rest.isEmpty { take(written.rest, into: &address, after: []) }
        return address
    }

    private static func relative(_ text: Substring, to base: WebAddress) -> WebAddress? {
        let slashes = Slashes(includesBackslash: base.isWeb)
        let bytes = text.utf8
        if bytes.prefix(2).count == 2, bytes.prefix(2).allSatisfy(slashes.contains) {
            let rest = base.isWeb ? bytes.drop { slashes.contains($0) } : bytes.dropFirst(2)
            return withAuthority(base.scheme, Substring(rest))
        }
        var address = base
        address.fragment = nil
        switch bytes.first {
        case nil: break
        case UInt8(ascii: "#"): address.fragment = AddressPart.fragment.encoded(Substring(bytes.dropFirst()))
        case UInt8(ascii: "?"): take(text, into: &address, after: nil)
        case let first? where slashes.contains(first): take(text, into: &address, after: [])
        default: take(text, into: &address, after: base.segments.dropLast())
        }
        return address
    }

    /// Parses path, query and fragment.
    ///
    /// - Parameter folder: The segments before a relative path, or `nil` to leave the path unchanged.
    private static func take(_ text: Substring, into address: inout WebAddress, after folder: ArraySlice<String>?) {
        var rest = text
        let fragment = cut(&rest, at: UInt8(ascii: "#"))
        let query = cut(&rest, at: UInt8(ascii: "?"))
        if let folder {
            address.segments = path(rest, after: folder, Slashes(includesBackslash: address.isWeb))
        }
        address.query = query.map { AddressPart.query.encoded($0) }
        address.fragment = fragment.map { AddressPart.fragment.encoded($0) }
    }

    /// Shortens a text to what is before a mark, and returns what is after it.
    private static func cut(_ text: inout Substring, at mark: UInt8) -> Substring? {
        guard let place = text.utf8.firstIndex(of: mark) else { return nil }
        defer { text = text[..<place] }
        return Substring(text.utf8[place...].dropFirst())
    }

    /// Returns the segments of a path with `.` and `..` resolved.
    private static func path(_ text: Substring, after folder: ArraySlice<String>, _ slashes: Slashes) -> [String] {
        var bytes = text.utf8
        if let first = bytes.first, slashes.contains(first) { bytes = bytes.dropFirst() }
        var segments = Array(folder)
        let parts = bytes.split(omittingEmptySubsequences: false, whereSeparator: slashes.contains)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch dots(part) {
            case 1: if isLast { segments.append("") }
            case 2:
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(AddressPart.path.encoded(Substring(part)))
            }
        }
        return segments
    }

    /// Returns 1 for `.` and 2 for `..`, also percent-encoded, otherwise 0.
    private static func dots(_ segment: Substring.UTF8View) -> Int {
        guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%") else { return 0 }
        switch Substring(segment).lowercased().replacing("%2e", with: ".") {
        case ".": return 1
        case "..": return 2
        default: return 0
        }
    }
}
