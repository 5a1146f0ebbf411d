import LibraryKernel
import WebAddresses

/// A warning to show before opening a link whose text may be misleading.
package struct LinkCaution: Hashable, Sendable {
    /// The warning as a sentence.
    package var reason: String
    /// The host that the link opens, as written; empty if there is none.
    package var host: String

    /// Compares the text of a link with its address.
    ///
    /// - Returns: `nil` if they agree, and the address is an ordinary web address.
    package init?(words: String, url: String) {
        guard WebAddress.isWeb(url) else {
            host = ""
            reason = "This isn't a web page: the address begins with '\(WebAddress.scheme(of: url) ?? ""):'."
            return
        }
        guard let address = WebAddress(url), let name = address.host else {
            host = ""
            reason = "No browser can open this address."
            return
        }
        // A trailing dot is the DNS root.
        host = name.hasSuffix(".") ? String(name.dropLast()) : name
        let readable = LinkCaution.readable(host)
        if address.user != nil {
            reason = "The address contains a user name that looks like a host. The real host is '\(readable)'."
        } else if LinkCaution.mixesScripts(readable) {
            reason =
                "The host mixes scripts, so letters may not be what they seem: '\(readable)' is '\(host)'."
        } else if let named = LinkCaution.hostNamed(in: words), !LinkCaution.isSame(named, host) {
            reason = "The text says '\(named)', but the link leads to '\(readable)'."
        } else {
            return nil
        }
    }

    /// Returns the host if the words are an address or host.
    ///
    /// With a scheme any host counts. Without one the words may be the name of a file ("main.rs") or program
    /// ("ASP.NET").
    private static func hostNamed(in words: String) -> String? {
        var text = words.trimmingPrefix { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        let address = WrittenAddress(text).flatMap { isScheme($0.scheme) ? $0.afterScheme : nil }
        var host = WrittenAddress(afterSlashes: address ?? text, endsAtBackslash: true).host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) } })
        else { return nil }
        if address != nil { return host }
        guard labels.count > 1, let last = labels.last, last.count >= 2, last.allSatisfy(\.isLetter),
            labels.first == "www" || !files.contains(String(last))
        else { return nil }
        return host
    }

    private static func isScheme(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-") }
    }

    /// File extensions that look like top-level domains.
    private static let files: Set<String> = [
        "html", "htm", "php", "pdf", "png", "jpg", "jpeg", "gif", "txt", "md", "zip", "gz", "js", "json", "py", "rs",
        "swift",
        "sh", "xml", "mp3", "mp4", "csv", "cpp", "java", "rb", "yml", "yaml", "toml", "exe", "net", "core",
    ]

    /// Whether two hosts are equal or one contains the other, such as `www.a.example` and `a.example`.
    private static func isSame(_ named: String, _ host: String) -> Bool {
        [host, readable(host)].contains { host in
            host == named || host.hasSuffix("." + named) || named.hasSuffix("." + host)
        }
    }

    /// Returns the host with its labels decoded (RFC 3492).
    private static func readable(_ host: String) -> String {
        host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.hasPrefix("xn--") ? Punycode.decode(label.dropFirst(4)) ?? String(label) : String(label)
        }.joined(separator: ".")
    }

    /// Whether a label contains letters of several scripts with similar letters.
    private static func mixesScripts(_ host: String) -> Bool {
        host.split(separator: ".").contains { label in
            var found: Set<Int> = []
            for scalar in label.unicodeScalars {
                switch scalar.value {
                case 0x61...0x7A, 0xC0...0x24F: found.insert(0)
                case 0x370...0x3FF: found.insert(1)
                case 0x400...0x52F: found.insert(2)
                case 0x530...0x58F: found.insert(3)
                default: break
                }
            }
            return found.count > 1
        }
    }
}
