import Foundation

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
        guard !trimmed.isEmpty, trimmed != "https://" else {
            return .failure(Problem(description: "Enter an address."))
        }
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
        if address.lowercased().hasPrefix("feed://") { address = "https://" + address.dropFirst(7) }
        if address.lowercased().hasPrefix("feed:") { address = String(address.dropFirst(5)) }
        if !address.contains("://") { address = "https://" + address }
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased() else {
            return .failure(Problem(description: "'\(trimmed)' is not an address"))
        }
        guard ["http", "https", "file"].contains(scheme), scheme == "file" || url.host()?.isEmpty == false else {
            return .failure(Problem(description: "'\(trimmed)' is not an http, https or file address"))
        }
        return .success(url.absoluteString)
    }
}
