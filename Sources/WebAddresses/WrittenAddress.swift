/// An address as written, divided into its components without changing them (RFC 3986, section 3).
///
/// Unlike ``WebAddress`` it also divides texts that contain an address after other words, such as
/// `filter:program:https://a.example/`.
package struct WrittenAddress {
    /// The text before the first `://`.
    package let scheme: Substring
    /// User, host and port.
    package let authority: Substring
    /// Path, query and fragment.
    package let rest: Substring

    /// Divides a text at its first `://`. Returns `nil` if there is none.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let colon = WrittenAddress.mark(in: text.utf8) else { return nil }
        self.init(scheme: text[..<colon], Substring(text.utf8[colon...].dropFirst(3)), endsAtBackslash: false)
    }

    /// Divides the text after a scheme and its slashes.
    ///
    /// - Parameter endsAtBackslash: Whether a backslash ends the host, as in browsers.
    package init(afterSlashes text: some StringProtocol, endsAtBackslash: Bool = false) {
        self.init(scheme: "", Substring(text), endsAtBackslash: endsAtBackslash)
    }

    private init(scheme: Substring, _ text: Substring, endsAtBackslash: Bool) {
        self.scheme = scheme
        let authority = text.utf8.prefix {
            switch $0 {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): false
            case UInt8(ascii: "\\"): !endsAtBackslash
            default: true
            }
        }
        self.authority = Substring(authority)
        rest = text[authority.endIndex...]
    }

    private static func mark(in bytes: Substring.UTF8View) -> Substring.Index? {
        var rest = bytes
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...].dropFirst()
            if rest.starts(with: "//".utf8) { return colon }
        }
        return nil
    }

    /// The text after `://`.
    package var afterScheme: Substring { authority.base[authority.startIndex..<rest.endIndex] }

    /// User name and password, or `nil` if there is no `@`.
    package var user: Substring? {
        authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[..<$0] }
    }

    /// Host and port.
    package var hostAndPort: Substring {
        guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return authority }
        return Substring(authority.utf8[at...].dropFirst())
    }

    /// The host without a port.
    package var host: Substring { hostAndPort[..<portColon] }

    var port: Substring? {
        let colon = portColon
        return colon == hostAndPort.endIndex ? nil : Substring(hostAndPort.utf8[colon...].dropFirst())
    }

    /// The position of the colon before the port, or the end.
    private var portColon: Substring.Index {
        let bytes = hostAndPort.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            bytes[colon...].dropFirst().allSatisfy({ 0x30...0x39 ~= $0 })
        else { return bytes.endIndex }
        return colon
    }

    /// Whether all programs find the same host: a scheme, then a host without backslashes, spaces and control
    /// characters.
    package var isClear: Bool {
        WebAddress.schemeLength((scheme + ":").utf8) == scheme.utf8.count && !host.isEmpty
            && authority.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }

    /// Returns the last component of an address or a path before its query and fragment, such as the name of a file. It
    /// is the host of an address without a path.
    package static func lastComponent(of place: String) -> Substring {
        place.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    }

    /// Returns the host of an address with a port other than the default, or `nil` unless all programs find the same
    /// host.
    package static func authority(of address: String) -> String? {
        guard WrittenAddress(address)?.isClear == true else { return nil }
        return WebAddress(address)?.authority
    }
}
