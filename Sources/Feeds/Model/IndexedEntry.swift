import FeedParsing
import LibraryKernel

/// The data of an entry for the full-text index and for other conditions of searches.
struct IndexedEntry: Sendable {
    /// The plain text, at most ``maximumBytes`` long, as it is stored.
    let text: StoredText
    /// The number of characters in the text, for its reading time.
    let characters: Int
    /// What the entry contains beside its text (``IndexedPart``).
    let parts: Int

    /// The maximum length of an indexed text in bytes.
    static let maximumBytes = 64 << 10
    /// The maximum length in bytes of the markup from which the text is extracted.
    private static let maximumMarkup = maximumBytes * 4

    /// Creates the data of a stored entry.
    ///
    /// - Parameters:
    ///   - html: The HTML from the feed.
    ///   - fullHTML: The HTML from the entry's page. Unless it is empty, its text is indexed instead.
    ///   - text: The plain text, which is indexed if there is no HTML.
    ///   - parts: The parts except pictures in the HTML.
    init(html: String?, fullHTML: String? = nil, text: String?, parts: Int) {
        let source = fullHTML?.isEmpty == false ? fullHTML : html
        let plain =
            source.map { Markup.plainText(StoredEntry.limited($0, to: IndexedEntry.maximumMarkup)) } ?? text ?? ""
        var body = StoredEntry.limited(plain, to: IndexedEntry.maximumBytes)
        characters = body.withUTF8 { $0.count { $0 & 0xC0 != 0x80 } }
        self.text = StoredText(body, effort: .normal).compressed()
        let hasPicture = html?.containsFolded("<img") == true
        self.parts = hasPicture ? parts | IndexedPart.picture.bit : parts
    }

    /// Creates the data of an entry from a feed. It equals what ``IndexedPart`` computes for a stored one.
    init(_ entry: StoredEntry) throws {
        var parts: [IndexedPart] = []
        if entry.author?.isEmpty == false { parts.append(.author) }
        if entry.hasDate { parts.append(.date) }
        if entry.link?.isEmpty == false { parts.append(.link) }
        let extras = entry.extras ?? ""
        if extras.containsFolded("\"comments\":") { parts.append(.comments) }
        if extras.containsFolded("\"image\":") { parts.append(.picture) }
        if extras.containsFolded("\"audio") || extras.containsFolded("\"video") { parts.append(.media) }
        self.init(html: try entry.html?.text(), text: try entry.text?.text(), parts: parts.reduce(0) { $0 | $1.bit })
    }
}

extension String {
    /// Whether the text contains some ASCII characters, ignoring case.
    ///
    /// - Parameter needle: The characters in lower case. The first must not be a letter.
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
