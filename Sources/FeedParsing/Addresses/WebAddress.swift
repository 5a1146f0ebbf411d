/// Addresses of the web as browsers read them (the URL standard, url.spec.whatwg.org, for http and https): one address, one
/// form, whatever way it is written in.
enum WebAddress {
    /// An address apart.
    private struct Parts {
        var scheme: String
        /// User, host and port, the host in lower case, a port that goes without saying left out.
        var authority: String
        /// Segments without the slashes before them.
        var path: [String]
        var query: String?
        var fragment: String?

        var text: String {
            scheme + "://" + authority + "/" + path.joined(separator: "/") + (query.map { "?" + $0 } ?? "")
                + (fragment.map { "#" + $0 } ?? "")
        }
    }

    /// Whether a text is an address of the web with its scheme, be it a sound one or not.
    static func isAbsolute(_ link: String) -> Bool {
        let scheme = scheme(of: cleaned(link)).scheme
        return scheme == "http" || scheme == "https"
    }

    /// An address made absolute and brought into its one form; `nil` when it is none of the web.
    ///
    /// - Parameter base: An address of the web that a relative one stands on; `nil`: there is none.
    static func resolve(_ link: String, base: String?) -> String? {
        if isInItsForm(link) { return link }
        let text = cleaned(link)
        let (scheme, rest) = scheme(of: text)
        if let scheme {
            guard scheme == "http" || scheme == "https" else { return nil }
            // `http:page` beside a page of http is a relative address.
            if let base = base.flatMap({ absolute($0) }), base.scheme == scheme, !rest.hasPrefix("//") {
                return relative(rest, to: base)?.text
            }
            return parse(scheme, rest)?.text
        }
        guard let base = base.flatMap({ absolute($0) }) else { return nil }
        return relative(text[...], to: base)?.text
    }

    /// Whether an address is seen at once to be in its one form, as most are; others may be as well.
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
            // A dot behind a slash, or a number where one may stand, can mean another path.
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
    /// Signs that are written as numbers in one part of an address or another.
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

    /// Without controls and blanks at its ends, and without tabs and line breaks wherever they stand.
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

    /// Reads path, query and fragment.
    ///
    /// - Parameter folder: The segments that a relative path stands behind; `nil` leaves the path as it is.
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

    /// The segments of a path, `.` and `..` taken for what they mean.
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

    /// User, host and port; `nil` where no host is named, or none can be so.
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
            // Names beyond ASCII have a form in ASCII.
            guard let ascii = Punycode.host(name) else { return nil }
            name = ascii
        }
        guard !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 || "<>\"^`{|}%\\".utf8.contains($0) }) else {
            return nil
        }
        return user + name + port
    }

    // MARK: Encoding

    /// The parts of an address, each with signs of its own that are written as numbers.
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

    /// Percent-encodes what may not stand in a part as it is; what is encoded already stays.
    private static func encoded(_ text: Substring, _ part: Part) -> String {
        let signs = part.signs
        // A colon between name and password parts them.
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
