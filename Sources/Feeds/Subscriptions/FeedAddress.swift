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
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return .failure(Problem(description: "Enter an address.")) }
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
        var address = trimmed
        if WebAddress.scheme(of: address) == "feed" {
            let rest = address.dropFirst("feed:".count)
            address = (rest.hasPrefix("//") ? "https:" : "") + rest
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
        // A feed is known by its address, so a valid one stays as typed.
        return .success(WebAddress.isEncoded(address) ? address : url.text)
    }
}
