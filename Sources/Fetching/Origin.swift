import Foundation

/// Where an address leads to: scheme, host and port (RFC 6454). Secrets belong to one and go to no other.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// The origin of an http or https address; `nil` for any other.
    package init?(_ address: String) {
        guard let end = address.range(of: "://") else { return nil }
        scheme = address[..<end.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var authority = UserInfo.authority(address[end.upperBound...])
        // Browsers end the host there, and libcurl does not: what belongs to an origin goes to none that is not plain.
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

    /// Whether another origin has the same host and port, regardless of http or https on their usual ports.
    package func isOnSameHost(as other: Origin) -> Bool {
        host == other.host && (port == other.port || isUsualPort && other.isUsualPort)
    }

    private var isUsualPort: Bool { port == (scheme == "https" ? 443 : 80) }

    /// Whether what belongs to this origin may be sent to another address: to the same origin, or to the same host by the safe
    /// way (https in place of http, each on its usual port).
    package func trusts(_ address: String) -> Bool {
        guard let other = Origin(address) else { return false }
        if other == self { return true }
        return host == other.host && scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    }
}

/// The user's name and password in an address, which are no part of where it leads.
package enum UserInfo {
    /// What stands before the path, the query and the fragment, as libcurl reads it.
    static func authority(_ rest: Substring) -> Substring { rest.prefix { !"/?#".contains($0) } }

    /// An address without them, and the header line that says the same (RFC 7617); `nil`: there are none.
    ///
    /// The words of a program that prints a feed are left as they are.
    package static func split(_ address: String) -> (address: String, authorization: String?) {
        guard !address.hasPrefix("exec:"), let end = address.range(of: "://") else { return (address, nil) }
        let authority = authority(address[end.upperBound...])
        guard let at = authority.lastIndex(of: "@") else { return (address, nil) }
        let user = String(authority[..<at])
        let rest = address[..<end.upperBound] + address[address.index(after: at)...]
        let decoded = user.removingPercentEncoding ?? user
        return (String(rest), decoded.isEmpty ? nil : authorization(decoded))
    }

    /// The header line for a name and a password with a colon between them (RFC 7617).
    package static func authorization(_ pair: String) -> String {
        "Authorization: Basic " + Data(pair.utf8).base64EncodedString()
    }
}
