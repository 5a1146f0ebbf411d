/// The limits of what is imported from other programs' files, and how it is shown.
package enum ImportedText {
    /// The maximum length of an address, of a title (as in feeds), of a folder or tag, and of a query in bytes.
    package static let (maximumAddress, maximumTitle, maximumName, maximumQuery) = (8 << 10, 4 << 10, 1 << 10, 4 << 10)
    /// The maximum number of tags of a feed or entry, and of queries in a file.
    package static let (maximumTags, maximumQueries) = (100, 1000)
    /// The maximum size of a part of a message in bytes, and of a whole message.
    private static let (maximumPart, maximumMessage) = (200, 1000)

    /// Returns a part of a file for a message: shortened, and without the credentials of addresses.
    package static func shown(_ text: String) -> String { shown(text, maximum: maximumPart) }

    /// Returns a message, or a line of a file, that may contain several parts of files.
    package static func shown(message: String) -> String { shown(message, maximum: maximumMessage) }

    private static func shown(_ text: String, maximum: Int) -> String {
        // Credentials may begin before the end and extend beyond it.
        let head = limited(text, to: maximum + maximumAddress)
        let safe = withoutCredentials(head)
        return safe.utf8.count <= maximum && head.utf8.count == text.utf8.count
            ? safe : limited(safe, to: maximum) + "…"
    }

    /// Returns the first characters that fit into a number of bytes.
    package static func limited(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var head = text.utf8.prefix(bytes)
        // A byte of 10xxxxxx continues a character.
        while let next = text.utf8[head.endIndex...].first, next & 0xC0 == 0x80 { head = head.dropLast() }
        return String(Substring(head))
    }

    /// Whether the name of a setting or option is that of a secret.
    package static func isSecretive(_ name: String) -> Bool {
        let name = name.lowercased().replacing("authorization", with: "auth").replacing("author", with: "")
        let parts = [
            "passw", "passphrase", "token", "secret", "auth", "cookie", "credential", "apikey", "api-key", "api_key",
        ]
        return parts.contains { name.contains($0) }
    }

    /// Replaces what precedes the `@` in the authority of each address.
    package static func withoutCredentials(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let slashes = rest.indices.first(where: { rest[$0...].starts(with: "//".utf8) }) {
            let start = slashes + 2
            let authority = rest[start...].prefix { !"/?#\"'<>".utf8.contains($0) && $0 > 0x20 }
            result += rest[..<start]
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                result += "…".utf8
                rest = rest[at...]
            } else {
                rest = rest[start...]
            }
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}
