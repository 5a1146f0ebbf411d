/// The origin of an address: scheme, host and port (RFC 6454). Credentials belong to one origin and are sent to no
/// other.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    let port: Int

    /// Creates the origin of an http or https address. Returns `nil` for any other, and for one in which programs may
    /// find different hosts.
    package init?(_ address: String) {
        guard WrittenAddress(address)?.isClear == true, let address = WebAddress(address) else { return nil }
        self.init(address)
    }

    /// Creates the origin of a parsed address. Returns `nil` unless it is an http or https address.
    package init?(_ address: WebAddress) {
        guard address.isWeb, let host = address.host, let port = address.effectivePort else { return nil }
        (scheme, self.host, self.port) = (address.scheme, host, port)
    }

    /// Whether another origin has the same host and port, treating http and https on their default ports as equal.
    package func isOnSameHost(as other: Origin) -> Bool {
        host == other.host && (port == other.port || isUsualPort && other.isUsualPort)
    }

    private var isUsualPort: Bool { port == WebAddress.defaultPort(of: scheme) }

    /// Whether the credentials of this origin may be sent to an address: the same origin, or the same host with https
    /// instead of http on default ports.
    package func trusts(_ address: String) -> Bool {
        guard let other = Origin(address) else { return false }
        if other == self { return true }
        return host == other.host && scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    }
}
