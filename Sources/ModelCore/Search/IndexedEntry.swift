import FeedParsing

/// What the full-text index takes of an entry, and what searches go by beside it.
struct IndexedEntry: Sendable {
    /// Its text, plain, and no more of it than ``mostBytes``.
    let body: String
    /// Characters of the body, for how long it takes to read.
    let characters: Int
    /// What it has beside its text (``SearchTerm/Part``).
    let parts: Int

    /// Bytes of a text that the index takes.
    static let mostBytes = 64 << 10
    /// Bytes of markup that such a text is looked for in.
    private static let mostMarkup = mostBytes * 4

    init(html: String?, text: String?, parts: Int) {
        let plain = html.map { Markup.plainText(StoredEntry.limited($0, to: IndexedEntry.mostMarkup)) } ?? text ?? ""
        var body = StoredEntry.limited(plain, to: IndexedEntry.mostBytes)
        characters = body.withUTF8 { $0.count { $0 & 0xC0 != 0x80 } }
        self.body = body
        self.parts = parts
    }

    /// That of an entry as its feed gives it: the same that ``SearchTerm/Part`` says of one that is stored.
    init(_ entry: StoredEntry) {
        var parts: [SearchTerm.Part] = []
        if entry.author?.isEmpty == false { parts.append(.author) }
        if entry.hasDate { parts.append(.date) }
        if entry.link?.isEmpty == false { parts.append(.link) }
        let extras = entry.extras ?? ""
        if extras.containsFolded("\"comments\":") { parts.append(.comments) }
        if extras.containsFolded("\"image\":") || entry.html?.containsFolded("<img") == true { parts.append(.picture) }
        if extras.containsFolded("\"audio") || extras.containsFolded("\"video") { parts.append(.recording) }
        self.init(html: entry.html, text: entry.text, parts: parts.reduce(0) { $0 | $1.bit })
    }
}

extension String {
    /// Whether it has some ASCII characters in it, in capital or small letters.
    ///
    /// - Parameter needle: Characters in small letters, the first of which is none.
    fileprivate func containsFolded(_ needle: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            needle.withUTF8Buffer { needle in
                guard let first = needle.first else { return false }
                var index = 0
                while let found = bytes.place(of: first, from: index), bytes.count - found >= needle.count {
                    var length = 1
                    while length < needle.count, bytes[found + length].smallLetter == needle[length] { length += 1 }
                    if length == needle.count { return true }
                    index = found + 1
                }
                return false
            }
        }
    }
}

extension UInt8 {
    fileprivate var smallLetter: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
