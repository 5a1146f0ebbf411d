import FeedParsing

/// An entry ready to be stored, with identity and dates, and within the size limits.
final class StoredEntry: Sendable {
    let guid: String
    /// The address of its page.
    let link: String?
    let title: String
    let author: String?
    let html: String?
    let text: String?
    /// The stored form of ``EntryExtras``.
    let extras: String?
    /// The dates that the entry supplies.
    let published, updated: ParsedDate?
    let sortDate: Int64
    let hasDate: Bool
    /// A digest of everything that is shown, to detect changes.
    let fingerprint: Int64
    /// The language tag of the entry or its feed, in lower case (RFC 5646).
    let language: String?
    /// A digest of the page's address, equal for entries of several feeds about one page; `nil` if no address
    /// identifies it.
    let story: Int64?

    init(_ entry: ParsedEntry, of feed: ParsedFeed, now: Int64) {
        title = StoredEntry.limited(entry.title ?? StoredEntry.firstWords(entry), to: 4 << 10)
        // An entry without authors has those of its feed (RFC 4287, section 4.1.2).
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
        link = entry.address
        story = (link ?? entry.id).flatMap(StoredEntry.story)
        (published, updated) = (entry.published, entry.updated)
        // Dates before 1970 and after tomorrow are not trusted for the order.
        let date = published?.instant ?? updated?.instant
        if let date, date >= 0, date <= now + 86_400 {
            sortDate = date
            hasDate = true
        } else {
            sortDate = now
            hasDate = false
        }
        fingerprint = StoredEntry.digest(
            [
                title, html ?? "", text ?? "", (entry.isExternalLinkOwn ? link : entry.link) ?? "",
                author ?? "", entry.published?.text ?? "",
            ]
                + (extras.map { [$0] } ?? []))
    }

    /// Returns the digest of an address, independent of its spelling.
    static func story(of address: String) -> Int64? { storyAddress(address).map { digest([$0]) } }

    /// Returns an address without the parts that differ between links to the same page: scheme, `www.`, fragment,
    /// campaign parameters and a final slash.
    static func storyAddress(_ link: String) -> String? {
        var link = link
        return link.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.has("://", at: colon),
                bytes.has("http", at: 0)
            else { return nil }
            var start = colon + 3
            if bytes.has("www.", at: start) { start += 4 }
            let rest = bytes[start...].prefix { $0 != UInt8(ascii: "#") }
            var page = rest.prefix { $0 != UInt8(ascii: "?") }
            let query = rest[page.endIndex...].dropFirst()
            while page.last == UInt8(ascii: "/") { page.removeLast() }
            // A site's front page is not a story.
            guard !page.isEmpty, page.contains(UInt8(ascii: "/")) || !query.isEmpty else { return nil }
            var address = Array(page)
            var joint = UInt8(ascii: "?")
            for field in query.split(separator: UInt8(ascii: "&")) {
                let name = field.prefix { $0 != UInt8(ascii: "=") }
                let isCampaign =
                    bytes.has("utm_", at: field.startIndex)
                    || campaignFields.contains {
                        name.count == $0.utf8CodeUnitCount && bytes.has($0, at: name.startIndex)
                    }
                if isCampaign { continue }
                address.append(joint)
                address += field
                joint = UInt8(ascii: "&")
            }
            return String(decoding: address, as: UTF8.self)
        }
    }

    private static let campaignFields: [StaticString] = ["ref", "source", "fbclid"]

    /// Returns the first words of the text, to replace a missing title.
    private static func firstWords(_ entry: ParsedEntry) -> String {
        let source = entry.contentText ?? entry.summary ?? entry.contentHTML ?? ""
        let text = Markup.plainText(String(source.prefix(2000)))
        guard !text.isEmpty else { return entry.link ?? "(no title)" }
        return text.count > 80 ? String(text.prefix(79)) + "…" : text
    }

    /// The maximum stored size of a text's HTML in bytes.
    static let mostHTML = 2 << 20

    static func limited(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        return String(decoding: Array(text.utf8.prefix(bytes)), as: UTF8.self)
    }

    /// Returns the FNV-1a digest of texts, eight bytes at a time. Each text ends with its length.
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

extension UnsafeBufferPointer<UInt8> {
    /// Whether the text at an offset matches lower-case ASCII, ignoring case.
    fileprivate func has(_ text: StaticString, at place: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= self.count else { return false }
        return text.withUTF8Buffer { text in
            (0..<count).allSatisfy { index in
                let byte = self[place + index]
                return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    ? byte | 0x20 == text[index] : byte == text[index]
            }
        }
    }
}
