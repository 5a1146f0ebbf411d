import FeedParsing

/// An entry as it is stored: identified, dated, and within the limits.
struct StoredEntry {
    let guid: String
    let title: String
    let author: String?
    let html: String?
    let text: String?
    let sortDate: Int64
    let hasDate: Bool
    /// Tells whether anything that is shown has changed.
    let fingerprint: Int64

    init(_ entry: ParsedEntry, of feed: ParsedFeed, now: Int64) {
        title = StoredEntry.limited(entry.title ?? StoredEntry.firstWords(entry), to: 4 << 10)
        // What an entry does not say of its author its feed does (RFC 4287, section 4.1.2).
        let authors = entry.authors.isEmpty ? feed.authors : entry.authors
        author =
            authors.isEmpty
            ? nil : authors.prefix(5).compactMap { $0.name ?? $0.email ?? $0.url }.joined(separator: ", ")
        html = entry.contentHTML.map { StoredEntry.limited($0, to: 2 << 20) }
        text = entry.contentText ?? (entry.contentHTML == nil ? entry.summary : nil)
        var guid = entry.id ?? entry.link ?? ""
        if guid.isEmpty { guid = "title:" + title + "/" + (entry.published?.text ?? "") }
        if guid.utf8.count > 1024 { guid = "digest:" + String(StoredEntry.digest([guid]), radix: 16) }
        self.guid = guid
        // Dates before 1970 and after tomorrow are not trusted for the order.
        let date = entry.published?.instant ?? entry.updated?.instant
        if let date, date >= 0, date <= now + 86_400 {
            sortDate = date
            hasDate = true
        } else {
            sortDate = now
            hasDate = false
        }
        fingerprint = StoredEntry.digest([
            title, html ?? "", text ?? "", entry.link ?? "", author ?? "", entry.published?.text ?? "",
        ])
    }

    /// The beginning of the text stands for a missing title.
    private static func firstWords(_ entry: ParsedEntry) -> String {
        let source = entry.contentText ?? entry.summary ?? entry.contentHTML ?? ""
        let text = Markup.plainText(String(source.prefix(2000)))
        guard !text.isEmpty else { return entry.link ?? "(no title)" }
        return text.count > 80 ? String(text.prefix(79)) + "…" : text
    }

    static func limited(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        return String(decoding: Array(text.utf8.prefix(bytes)), as: UTF8.self)
    }

    /// FNV-1a over the texts, each closed by a byte that no text has.
    private static func digest(_ texts: [String]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return Int64(bitPattern: hash)
    }
}
