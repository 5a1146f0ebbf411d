import Fetching

/// An address as the user typed it: where it leads, and the header lines that its name and password are sent as.
package struct TypedAddress: Sendable {
    package let address: String
    /// For the address's own origin alone.
    package let headers: [String]

    package init(_ text: String, headers: [String] = []) {
        let (address, authorization) = UserInfo.split(text)
        self.address = address
        self.headers = headers + [authorization].compactMap { $0 }
    }

    /// The header lines for an address that was found from here: none for another server.
    package func headers(for url: String) -> [String] { trusts(url) ? headers : [] }

    /// Whether an address that was found from here is on the same host, at whatever port, so that it may be as private as this one.
    package func isOnSameHost(_ url: String) -> Bool {
        if url == address { return true }
        guard let own = Origin(address), let other = Origin(url) else { return false }
        return own.host == other.host
    }

    /// Whether what was typed for this address is for another one too.
    package func trusts(_ url: String) -> Bool { url == address || Origin(address)?.trusts(url) == true }
}
