import FeedParsing

/// An entry as it is stored: identified, dated, and within the limits.
struct StoredEntry {
    let guid: String
    let title: String
    let author: String?
    let html: String?
    let text: String?
    /// What comes beside the text, as it is stored.
    let extras: String?
    let sortDate: Int64
    let hasDate: Bool
    /// Tells whether anything that is shown has changed.
    let fingerprint: Int64
    /// The tag of its language in small letters, or its feed's (RFC 5646).
    let language: String?
    /// The same for entries of several feeds that are about one page; `nil` where no address tells.
    let story: Int64?

    init(_ entry: ParsedEntry, of feed: ParsedFeed, now: Int64) {
        title = StoredEntry.limited(entry.title ?? StoredEntry.firstWords(entry), to: 4 << 10)
        // What an entry does not say of its author its feed does (RFC 4287, section 4.1.2).
        let authors = entry.authors.isEmpty ? feed.authors : entry.authors
        author =
            authors.isEmpty
            ? nil : authors.prefix(5).compactMap { $0.name ?? $0.email ?? $0.url }.joined(separator: ", ")
        html = entry.contentHTML.map { StoredEntry.limited($0, to: StoredEntry.mostHTML) }
        text = entry.contentText ?? (entry.contentHTML == nil ? entry.summary : nil)
        extras = EntryExtras(entry)?.stored
        language = (entry.language ?? feed.language).map { StoredEntry.limited($0.lowercased(), to: 35) }
        var guid = entry.id ?? entry.link ?? ""
        if guid.isEmpty { guid = "title:" + title + "/" + (entry.published?.text ?? "") }
        if guid.utf8.count > 1024 { guid = "digest:" + String(StoredEntry.digest([guid]), radix: 16) }
        self.guid = guid
        let address = entry.address ?? entry.id
        story = address.flatMap(StoredEntry.story)
        // Dates before 1970 and after tomorrow are not trusted for the order.
        let date = entry.published?.instant ?? entry.updated?.instant
        if let date, date >= 0, date <= now + 86_400 {
            sortDate = date
            hasDate = true
        } else {
            sortDate = now
            hasDate = false
        }
        fingerprint = StoredEntry.digest(
            [
                title, html ?? "", text ?? "", (entry.isExternalLinkOwn ? entry.address : entry.link) ?? "",
                author ?? "", entry.published?.text ?? "",
            ]
                + (extras.map { [$0] } ?? []))
    }

    /// The number of an address, however it is written.
    static func story(of address: String) -> Int64? { storyAddress(address).map { digest([$0]) } }

    /// An address without what differs between the ways to it: scheme, `www.`, fragment, marks of campaigns, the last slash.
    static func storyAddress(_ link: String) -> String? {
        let bytes = link.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            link[..<colon].lowercased().hasPrefix("http")
        else { return nil }
        var rest = Substring(bytes[bytes.index(colon, offsetBy: 3)...].prefix { $0 != UInt8(ascii: "#") })
        if rest.prefix(4).lowercased() == "www." {
            rest = rest.dropFirst(4)
        }
        let parts = rest.split(separator: "?", maxSplits: 1)
        guard var page = parts.first.map(String.init) else { return nil }
        while page.hasSuffix("/") { page.removeLast() }
        // A site's front page is no story.
        guard page.contains("/") || parts.count > 1 else { return nil }
        let fields = (parts.count > 1 ? parts[1].split(separator: "&") : []).filter { field in
            !field.hasPrefix("utm_") && !["ref", "source", "fbclid"].contains(field.prefix { $0 != "=" })
        }
        return fields.isEmpty ? page : page + "?" + fields.joined(separator: "&")
    }

    /// The beginning of the text stands for a missing title.
    private static func firstWords(_ entry: ParsedEntry) -> String {
        let source = entry.contentText ?? entry.summary ?? entry.contentHTML ?? ""
        let text = Markup.plainText(String(source.prefix(2000)))
        guard !text.isEmpty else { return entry.link ?? "(no title)" }
        return text.count > 80 ? String(text.prefix(79)) + "…" : text
    }

    /// Bytes of a text's HTML that are kept.
    static let mostHTML = 2 << 20

    static func limited(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        return String(decoding: Array(text.utf8.prefix(bytes)), as: UTF8.self)
    }

    /// FNV-1a over the texts, eight bytes at a time, each text closed by its length.
    private static func digest(_ texts: [String]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ value: UInt64) {
            hash = (hash ^ value) &* 0x100_0000_01B3
            hash ^= hash >> 29
        }
        for var text in texts {
            text.withUTF8 { bytes in
                let raw = UnsafeRawBufferPointer(bytes)
                var index = 0
                while index + 8 <= raw.count {
                    mix(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
                    index += 8
                }
                while index < raw.count {
                    mix(UInt64(raw[index]))
                    index += 1
                }
                mix(UInt64(raw.count))
            }
        }
        return Int64(bitPattern: hash)
    }
}
