import Fetching
import WebAddresses

/// An address that the user typed, with its credentials as header lines.
package struct TypedAddress: Sendable {
    package let address: String
    /// The header lines, which are only for the address's own origin.
    package let headers: [String]

    package init(_ text: String, headers: [String] = []) {
        let (address, authorization) = UserInfo.split(text)
        self.address = address
        self.headers = headers + [authorization].compactMap { $0 }
    }

    /// Returns the header lines for an address found from this one. Another server gets none.
    package func headers(for url: String) -> [String] { trusts(url) ? headers : [] }

    /// Whether an address found from this one is on the same host, at any port, and so may be equally private.
    func isOnSameHost(_ url: String) -> Bool {
        if url == address { return true }
        guard let own = Origin(address), let other = Origin(url) else { return false }
        return own.host == other.host
    }

    /// Whether the credentials of this address may be sent to another.
    package func trusts(_ url: String) -> Bool { url == address || Origin(address)?.trusts(url) == true }
}
