import Foundation

/// The origin of an address: scheme, host and port (RFC 6454). Credentials belong to one origin and are sent to no
/// other.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Creates the origin of an http or https address. Returns `nil` for any other.
    package init?(_ address: String) {
        guard let end = address.range(of: "://") else { return nil }
        scheme = address[..<end.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var authority = UserInfo.authority(address[end.upperBound...])
        // Browsers end the host at a backslash, but libcurl doesn't, so such an address has no origin.
        guard !authority.contains("\\") else { return nil }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        var port = scheme == "https" ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            port = Int(authority[authority.index(after: colon)...]) ?? port
            authority = authority[..<colon]
        }
        guard !authority.isEmpty else { return nil }
        host = authority.lowercased()
        self.port = port
    }

    /// Whether another origin has the same host and port, treating http and https on their default ports as equal.
    package func isOnSameHost(as other: Origin) -> Bool {
        host == other.host && (port == other.port || isUsualPort && other.isUsualPort)
    }

    private var isUsualPort: Bool { port == (scheme == "https" ? 443 : 80) }

    /// Whether the credentials of this origin may be sent to an address: the same origin, or the same host with https
    /// instead of http on default ports.
    package func trusts(_ address: String) -> Bool {
        guard let other = Origin(address) else { return false }
        if other == self { return true }
        return host == other.host && scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    }
}

/// The user name and password in an address, which don't affect where it leads.
package enum UserInfo {
    /// Returns the part before path, query and fragment, as libcurl determines it.
    static func authority(_ rest: Substring) -> Substring { rest.prefix { !"/?#".contains($0) } }

    /// Returns an address without credentials and the equivalent header line (RFC 7617), or `nil` if there are none.
    ///
    /// The words of a program feed are not changed.
    package static func split(_ address: String) -> (address: String, authorization: String?) {
        guard !address.hasPrefix("exec:"), let end = address.range(of: "://") else { return (address, nil) }
        let authority = authority(address[end.upperBound...])
        guard let at = authority.lastIndex(of: "@") else { return (address, nil) }
        let user = String(authority[..<at])
        let rest = address[..<end.upperBound] + address[address.index(after: at)...]
        let decoded = user.removingPercentEncoding ?? user
        return (String(rest), decoded.isEmpty ? nil : authorization(decoded))
    }

    /// Returns the header line for a user name and password joined by a colon (RFC 7617).
    package static func authorization(_ pair: String) -> String {
        "Authorization: Basic " + Data(pair.utf8).base64EncodedString()
    }
}
