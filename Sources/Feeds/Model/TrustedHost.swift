import WebAddresses

/// The host of a feed or page that the user has chosen, which may be in a private network.
package enum TrustedHost {
    /// Whether an address from outside may be in a private network. It may only on its document's own host, at the same
    /// port.
    ///
    /// - Parameter ownHost: The host of the feed or page that contains the address, or `nil` if that itself came from
    ///   outside.
    package static func mayBePrivate(_ url: String, ownHost: String?) -> Bool { ownHost != nil && of(url) == ownHost }

    /// Returns the host of an address with a port other than the default.
    package static func of(_ url: String) -> String? { WrittenAddress.authority(of: url) }
}
