import Fetching
import Foundation
import LibraryKernel
import WebAddresses

/// Parses the address of a feed as people type it.
package enum FeedAddress {
    /// The reason why a text is not an address.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

    /// Returns the address with its scheme. A path becomes a `file:` address, and a name without a scheme an `https:`
    /// address.
    package static func read(_ text: String) -> Result<String, Problem> {
        var trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return .failure(Problem(description: "Enter an address.")) }
        // A link with the scheme of its page, unless there is such a file.
        if trimmed.hasPrefix("//"), access(trimmed, F_OK) != 0 { trimmed = "https:" + trimmed }
        if trimmed.hasPrefix("/") || trimmed.hasPrefix("./") || trimmed.hasPrefix("../") || trimmed.hasPrefix("~/") {
            let path = UserFile.expanded(trimmed)
            var status = stat()
            guard stat(path, &status) == 0 else {
                return .failure(Problem(description: "No such file: \(trimmed)"))
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                return .failure(
                    Problem(description: "\(trimmed) is a directory, pipe or device; give the path of a feed's file"))
            }
            return .success(URL(fileURLWithPath: path).standardized.absoluteString)
        }
        var address = repaired(trimmed)
        guard !hasOtherScheme(address) else {
            return .failure(Problem(description: "'\(trimmed)' is not an http, https or file address"))
        }
        address = WebAddress.completed(address)
        guard let url = WebAddress(address) else {
            return .failure(Problem(description: "'\(trimmed)' is not an address"))
        }
        guard url.scheme != "file" || LocalFile.path(of: address) != nil else {
            return .failure(Problem(description: "'\(trimmed)' is not the address of a file on this computer"))
        }
        guard url.scheme == "file" || Origin(address) != nil else {
            return .failure(Problem(description: "'\(trimmed)' is not an http, https or file address"))
        }
        return .success(WebAddress.isEncoded(address) ? normal(address) : url.text)
    }

    /// Returns a web address with its scheme, host and port in normal form, and anything else as it is.
    ///
    /// The rest of a valid address stays as written, because the server knows the feed by it.
    static func normal(_ address: String) -> String {
        guard let url = WebAddress(address), url.isWeb else { return address }
        guard WebAddress.isEncoded(address) else { return url.text }
        guard let written = WrittenAddress(address), written.user == nil else { return address }
        let start = url.text.prefix(url.scheme.count + 3 + url.authority.count)
        return String(start) + written.rest
    }

    /// The schemes by which links to feeds ask for a reader of feeds.
    private static let schemesOfFeeds = ["feed", "itpc", "pcast", "podcast", "rss"]

    /// Returns an address with one scheme of the web and two slashes behind it, instead of `https://https://a.example`,
    /// `http:/a.example` or `feed:https://a.example`.
    private static func repaired(_ text: String) -> String {
        var (scheme, rest, isFirst) = ("", text[...], true)
        while let next = WebAddress.scheme(of: String(rest)) {
            let behind = rest.dropFirst(next.count + 1)
            // What has no slashes may be a user with a password.
            guard isFirst || behind.hasPrefix("//"), !behind.hasPrefix("///") else { break }
            if next == "http" || next == "https" {
                scheme = next
            } else if schemesOfFeeds.contains(next) {
                if behind.hasPrefix("//"), scheme.isEmpty { scheme = "http" }
            } else {
                break
            }
            (rest, isFirst) = (behind.drop { $0 == "/" }, false)
        }
        guard !scheme.isEmpty else { return String(rest) }
        let repaired = "\(scheme)://\(rest)"
        return repaired.lowercased() == text.lowercased() ? text : repaired
    }

    /// Whether an address has a scheme that tappa can't fetch. A host with a port and a user with a password are none.
    private static func hasOtherScheme(_ address: String) -> Bool {
        guard let scheme = WebAddress.scheme(of: address), !["http", "https", "file"].contains(scheme) else {
            return false
        }
        let rest = address.dropFirst(scheme.count + 1)
        let digits = rest.prefix { ("0"..."9").contains($0) }
        let isPort = !digits.isEmpty && rest.dropFirst(digits.count).first.map { "/?#".contains($0) } ?? true
        let isUser = rest.contains("@") && !["mailto", "sip", "xmpp"].contains(scheme)
        return !isPort && !isUser
    }

    /// Whether an address without a known scheme in a list could be a feed's: a word alone is more likely something else.
    static func hasDomain(_ address: String) -> Bool {
        let schemes = ["http", "https", "file"] + schemesOfFeeds
        guard !schemes.contains(WebAddress.scheme(of: address) ?? ""),
            let host = WebAddress(WebAddress.completed(address))?.host
        else {
            return true
        }
        return host.contains(".") || host.contains(":") || host == "localhost"
    }
}
