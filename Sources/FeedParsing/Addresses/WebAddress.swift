/// Normalises web addresses as browsers do (the URL standard, url.spec.whatwg.org, for http and https), so that each
/// address has only one form.
enum WebAddress {
    /// The components of an address.
    private struct Parts {
        var scheme: String
        /// User, host and port, with a lower-case host and without a default port.
        var authority: String
        /// The segments without the slashes before them.
        var path: [String]
        var query: String?
        var fragment: String?

        var text: String {
            scheme + "://" + authority + "/" + path.joined(separator: "/") + (query.map { "?" + $0 } ?? "")
                + (fragment.map { "#" + $0 } ?? "")
        }
    }

    /// Whether a text is a web address with its scheme, valid or not.
    static func isAbsolute(_ link: String) -> Bool {
        let scheme = scheme(of: cleaned(link)).scheme
        return scheme == "http" || scheme == "https"
    }

    /// Returns an absolute address in normal form, or `nil` if it isn't a web address.
    ///
    /// - Parameter base: The web address to which a relative one refers, or `nil` if there is none.
    static func resolve(_ link: String, base: String?) -> String? {
        if isInItsForm(link) { return link }
        let text = cleaned(link)
        let (scheme, rest) = scheme(of: text)
        if let scheme {
            guard scheme == "http" || scheme == "https" else { return nil }
            // `http:page` on a page with http is a relative address.
            if let base = base.flatMap({ absolute($0) }), base.scheme == scheme, !rest.hasPrefix("//") {
                return relative(rest, to: base)?.text
            }
            return parse(scheme, rest)?.text
        }
        guard let base = base.flatMap({ absolute($0) }) else { return nil }
        return relative(text[...], to: base)?.text
    }

    /// Whether an address is obviously in normal form, as most are. Others may be as well.
    private static func isInItsForm(_ link: String) -> Bool {
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
            // A dot after a slash, or a percent sign in place of one, may change the path.
            var last = UInt8(ascii: "/")
            for (index, byte) in zip(rest.indices, rest) {
                switch byte {
                case UInt8(ascii: "?"), UInt8(ascii: "#"):
                    let tail = rest[(index + 1)...]
                    return tail.allSatisfy { $0 > 0x20 && $0 < 0x7F && !unusual[Int($0)] }
                case dot where last == UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "\\"): return false
                default: guard byte > 0x20, byte < 0x7F, !unusual[Int(byte)] else { return false }
                }
                last = byte
            }
            return true
        }
    }

    private static let dot = UInt8(ascii: ".")
    /// The characters that are percent-encoded in some component.
    private static let unusual: [Bool] = {
        let signs = Part.path.signs.union(Part.query.signs).union(Part.fragment.signs)
        return (0..<0x80).map { signs.contains($0) }
    }()

    private static func absolute(_ address: String) -> Parts? {
        let text = cleaned(address)
        let (scheme, rest) = scheme(of: text)
        guard let scheme, scheme == "http" || scheme == "https" else { return nil }
        return parse(scheme, rest)
    }

    /// Returns a text without control characters and spaces at its ends, and without tabs and line breaks anywhere.
    private static func cleaned(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        guard scalars.contains(where: { $0.value == 9 || $0.value == 10 || $0.value == 13 }) else {
            return String(scalars)
        }
        return String(String.UnicodeScalarView(scalars.filter { $0.value != 9 && $0.value != 10 && $0.value != 13 }))
    }

    private static func scheme(of text: String) -> (scheme: String?, rest: Substring) {
        guard LinkResolution.hasScheme(text), let colon = text.firstIndex(of: ":") else { return (nil, text[...]) }
        return (text[..<colon].lowercased(), text[text.index(after: colon)...])
    }

    private static func isSlash(_ character: Character) -> Bool { character == "/" || character == "\\" }
    private static func startsWithSlash(_ text: Substring) -> Bool { text.first.map(isSlash) ?? false }

    // MARK: Parsing

    private static func parse(_ scheme: String, _ rest: Substring) -> Parts? {
        let text = rest.drop(while: isSlash)
        let authority = text.prefix { !isSlash($0) && $0 != "?" && $0 != "#" }
        guard let authority = normalized(authority, scheme) else { return nil }
        var parts = Parts(scheme: scheme, authority: authority, path: [])
        take(text.dropFirst(text.prefix { !isSlash($0) && $0 != "?" && $0 != "#" }.count), into: &parts, after: [])
        return parts
    }

    private static func relative(_ text: Substring, to base: Parts) -> Parts? {
        if let first = text.first, let second = text.dropFirst().first, isSlash(first), isSlash(second) {
            return parse(base.scheme, text)
        }
        var parts = base
        parts.fragment = nil
        switch text.first {
        case nil: break
        case "#": parts.fragment = encoded(text.dropFirst(), .fragment)
        case "?":
            parts.path = base.path
            take(text, into: &parts, after: nil)
        case let first? where isSlash(first): take(text, into: &parts, after: [])
        default: take(text, into: &parts, after: base.path.dropLast())
        }
        return parts
    }

    /// Parses path, query and fragment.
    ///
    /// - Parameter folder: The segments before a relative path, or `nil` to leave the path unchanged.
    private static func take(_ text: Substring, into parts: inout Parts, after folder: ArraySlice<String>?) {
        var rest = text
        var fragment: Substring?
        if let hash = rest.firstIndex(of: "#") {
            fragment = rest[rest.index(after: hash)...]
            rest = rest[..<hash]
        }
        var query: Substring?
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let folder { parts.path = path(rest, after: folder) }
        parts.query = query.map { encoded($0, .query) }
        parts.fragment = fragment.map { encoded($0, .fragment) }
    }

    /// Returns the segments of a path with `.` and `..` resolved.
    private static func path(_ text: Substring, after folder: ArraySlice<String>) -> [String] {
        let text = startsWithSlash(text) ? text.dropFirst() : text
        var segments = Array(folder)
        let parts = text.split(omittingEmptySubsequences: false, whereSeparator: isSlash)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part.lowercased().replacing("%2e", with: ".") {
            case ".": if isLast { segments.append("") }
            case "..":
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(encoded(part, .path))
            }
        }
        return segments
    }

    /// Returns user, host and port, or `nil` if the host is missing or invalid.
    private static func normalized(_ authority: Substring, _ scheme: String) -> String? {
        var user = ""
        var host = authority
        if let at = authority.lastIndex(of: "@") {
            user = encoded(authority[..<at], .user) + "@"
            host = authority[authority.index(after: at)...]
        }
        var port = ""
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            let digits = host[host.index(after: colon)...]
            guard let number = digits.isEmpty ? 0 : Int(digits), number <= 65_535, digits.allSatisfy(\.isASCII) else {
                return nil
            }
            let standard = scheme == "https" ? 443 : 80
            if !digits.isEmpty, number != standard { port = ":\(number)" }
            host = host[..<colon]
        }
        var name = host.lowercased()
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            // Internationalised names have an ASCII form.
            guard let ascii = Punycode.host(name) else { return nil }
            name = ascii
        }
        guard !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 || "<>\"^`{|}%\\".utf8.contains($0) }) else {
            return nil
        }
        return user + name + port
    }

    // MARK: Encoding

    /// The components of an address, each with its own set of percent-encoded characters.
    private enum Part {
        case user, path, query, fragment

        var signs: Set<UInt8> {
            switch self {
            case .user: Part.userSigns
            case .path: Part.pathSigns
            case .query: Part.querySigns
            case .fragment: Part.fragmentSigns
            }
        }

        private static let fragmentSigns = Set(" \"<>`".utf8)
        private static let querySigns = Set(" \"#<>'".utf8)
        private static let pathSigns = Set(" \"#<>?^`{}".utf8)
        private static let userSigns = Set(" \"#<>?^`{}/:;=@[\\]|".utf8)
    }

    /// Returns a component with invalid characters percent-encoded. Encoded ones stay.
    private static func encoded(_ text: Substring, _ part: Part) -> String {
        let signs = part.signs
        // A colon separates user name and password.
        func stays(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte < 0x7F && (!signs.contains(byte) || part == .user && byte == UInt8(ascii: ":"))
        }
        if text.utf8.allSatisfy(stays) { return String(text) }
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            if stays(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
