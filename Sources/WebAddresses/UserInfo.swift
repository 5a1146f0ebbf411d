import Foundation

/// The user name and password in an address, which don't affect where it leads.
package enum UserInfo {
    /// Returns an address without credentials and the equivalent header line (RFC 7617), or `nil` if there are none.
    ///
    /// The rest stays as written, because a feed is known by its address. The words of a program feed are not changed.
    package static func split(_ address: String) -> (address: String, authorization: String?) {
        guard !address.hasPrefix("exec:"), let written = WrittenAddress(address), let user = written.user else {
            return (address, nil)
        }
        let rest = written.scheme + "://" + written.hostAndPort + written.rest
        return (String(rest), authorization(encoded: String(user)))
    }

    /// Returns the header line for percent-encoded credentials, or `nil` if they are empty.
    package static func authorization(encoded user: String) -> String? {
        let decoded = user.removingPercentEncoding ?? user
        return decoded.isEmpty ? nil : authorization(decoded)
    }

    /// Returns the header line for a user name and password joined by a colon (RFC 7617).
    package static func authorization(_ pair: String) -> String {
        "Authorization: Basic " + Data(pair.utf8).base64EncodedString()
    }
}
