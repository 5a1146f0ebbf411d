/// What is to be told of a link before it is opened, since its words may promise something else.
package struct LinkCaution: Hashable, Sendable {
    /// Why, in a sentence.
    package var reason: String
    /// The host that is opened, as it is written; empty where there is none.
    package var host: String

    /// Looks at a link.
    ///
    /// - Returns: `nil` where the words and the address agree, and the address is a plain one of the web.
    package init?(words: String, url: String) {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else {
            host = ""
            reason = "It is no page of the web: its address begins with '\(scheme):'."
            return
        }
        let authority = LinkCaution.authority(url)
        host = LinkCaution.host(authority)
        let readable = LinkCaution.readable(host)
        if authority.contains("@") {
            reason = "A name stands before the host, as if it were one: the host is '\(readable)'."
        } else if LinkCaution.mixesScripts(readable) {
            reason =
                "The letters of the host are of several scripts, and may look like others: '\(readable)' is '\(host)'."
        } else if let named = LinkCaution.hostNamed(in: words), !LinkCaution.isSame(named, host) {
            reason = "Its words name '\(named)', but it leads to '\(readable)'."
        } else {
            return nil
        }
    }

    private static func authority(_ url: String) -> String {
        guard let start = url.range(of: "://") else { return "" }
        return String(url[start.upperBound...].prefix { !"/?#\\".contains($0) })
    }

    private static func host(_ authority: String) -> String {
        var host = authority[...]
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) {
            host = host[..<colon]
        }
        return host.lowercased()
    }

    /// The host in words that are an address or a host by themselves.
    private static func hostNamed(in words: String) -> String? {
        var text = words.trimmingPrefix { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        guard !text.contains(where: \.isWhitespace) else { return nil }
        if let start = text.range(of: "://") { text = text[start.upperBound...] }
        let host = host(String(text.prefix { !"/?#\\".contains($0) }))
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1,
            labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }),
            let last = labels.last, last.count >= 2, last.allSatisfy(\.isLetter), !files.contains(String(last))
        else { return nil }
        return host
    }

    /// Endings of files that look like those of hosts.
    private static let files: Set<String> = [
        "html", "htm", "php", "pdf", "png", "jpg", "jpeg", "gif", "txt", "md", "zip", "gz", "js", "json", "py", "rs",
        "swift",
        "sh", "xml", "mp3", "mp4", "csv", "cpp", "java", "rb", "yml", "yaml", "toml", "exe", "net", "core",
    ]

    /// A host and one within it belong together.
    private static func isSame(_ named: String, _ host: String) -> Bool {
        func plain(_ name: String) -> String { name.hasPrefix("www.") ? String(name.dropFirst(4)) : name }
        let (one, other) = (plain(named), plain(host))
        let readable = plain(readable(host))
        return one == other || one == readable || other.hasSuffix("." + one) || one.hasSuffix("." + other)
    }

    /// The host with its labels as people read them (RFC 3492).
    private static func readable(_ host: String) -> String {
        host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.hasPrefix("xn--") ? decoded(label.dropFirst(4)) ?? String(label) : String(label)
        }.joined(separator: ".")
    }

    private static func decoded(_ label: Substring) -> String? {
        let bytes = Array(label.utf8)
        guard bytes.count <= 63 else { return nil }
        let end = bytes.lastIndex(of: 0x2D) ?? 0
        var output = bytes[..<end].map { UInt32($0) }
        var (next, place, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        var index = end > 0 ? end + 1 : 0
        while index < bytes.count {
            let before = place
            var (weight, step): (UInt32, UInt32) = (1, 36)
            while true {
                guard index < bytes.count else { return nil }
                let byte = bytes[index] | 0x20
                index += 1
                let digit: UInt32
                switch byte {
                case 0x61...0x7A: digit = UInt32(byte) - 0x61
                case 0x30...0x39: digit = UInt32(byte) - 0x30 + 26
                default: return nil
                }
                let (added, overflow) = digit.multipliedReportingOverflow(by: weight)
                guard !overflow, place.addingReportingOverflow(added).overflow == false else { return nil }
                place += added
                let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
                if digit < threshold { break }
                let (larger, isTooLarge) = weight.multipliedReportingOverflow(by: 36 - threshold)
                guard !isTooLarge else { return nil }
                weight = larger
                step += 36
            }
            let count = UInt32(output.count + 1)
            var delta = before == 0 ? place / 700 : (place - before) / 2
            delta += delta / count
            var shift: UInt32 = 0
            while delta > 455 {
                delta /= 35
                shift += 36
            }
            bias = shift + 36 * delta / (delta + 38)
            guard next.addingReportingOverflow(place / count).overflow == false else { return nil }
            next += place / count
            place %= count
            guard Unicode.Scalar(next) != nil else { return nil }
            output.insert(next, at: Int(place))
            place += 1
        }
        var text = String.UnicodeScalarView()
        for value in output {
            guard let scalar = Unicode.Scalar(value) else { return nil }
            text.append(scalar)
        }
        return String(text)
    }

    /// Whether a label has letters of more than one of the scripts that are taken for each other.
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
