import FeedParsing
import LibraryKernel

/// An entry in its stored form, with an ID, a sort date and limited lengths.
package final class StoredEntry: Sendable {
    package let guid: String
    /// Whether another program or a server identifies its entries, so that an entry with another identifier is another.
    let hasFixedID: Bool
    /// The address of the page that the entry is about.
    package let link: String?
    package let title: String
    /// Whether the feed has a title for the entry.
    let hasTitle: Bool
    let author: String?
    let html, text: StoredText?
    /// The ``EntryExtras`` as JSON text.
    let extras: String?
    /// The publication and update dates from the feed.
    package let published, updated: ParsedDate?
    let sortDate: Instant
    let hasDate: Bool
    /// A digest of everything that tappa shows, to detect changes.
    let fingerprint: Int64
    /// The language tag of the entry or its feed, in lowercase (RFC 5646).
    let language: String?
    /// A digest that is equal for entries of different feeds about the same page. `nil` if no address identifies the
    /// page.
    package let duplicateKey: Int64?

    /// - Parameters:
    ///   - compressing: Whether to compress the texts now rather than when they are stored.
    ///   - hasFixedID: Whether an entry with another identifier is another.
    init(
        _ entry: ParsedEntry, of feed: ParsedFeed, now: Instant, compressing: Bool = false, hasFixedID: Bool = false
    ) {
        self.hasFixedID = hasFixedID
        hasTitle = entry.title != nil
        title = StoredEntry.limited(entry.title ?? StoredEntry.firstWords(entry), to: 4 << 10)
        // An entry without authors has the authors of its feed (RFC 4287, section 4.1.2).
        let authors = entry.authors.isEmpty ? feed.authors : entry.authors
        author =
            authors.isEmpty
            ? nil : authors.prefix(5).compactMap { $0.name ?? $0.email ?? $0.url }.joined(separator: ", ")
        let html = entry.contentHTML.map { StoredEntry.limited($0, to: StoredEntry.maximumHTML) }
        let text = entry.contentText ?? (entry.contentHTML == nil ? entry.summary : nil)
        self.html = html.map { compressing ? StoredText($0).compressed() : StoredText($0) }
        self.text = text.map { compressing ? StoredText($0).compressed() : StoredText($0) }
        extras = EntryExtras(entry)?.stored
        language = (entry.language ?? feed.language).map { StoredEntry.limited($0.lowercased(), to: 35) }
        var guid = entry.id ?? entry.link ?? ""
        if guid.isEmpty { guid = "title:" + title + "/" + (entry.published?.text ?? "") }
        if guid.utf8.count > 1024 { guid = "digest:" + String(StoredEntry.digest([guid]), radix: 16) }
        self.guid = guid
        link = entry.address
        duplicateKey = (link ?? entry.id).flatMap(StoredEntry.duplicateKey)
        (published, updated) = (entry.published, entry.updated)
        // Dates before 1970 or more than a day in the future are not used for sorting.
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

    /// Creates the same entry with another identifier.
    init(_ other: StoredEntry, guid: String) {
        self.guid = guid
        hasFixedID = other.hasFixedID
        link = other.link
        (title, hasTitle) = (other.title, other.hasTitle)
        author = other.author
        (html, text) = (other.html, other.text)
        extras = other.extras
        (published, updated) = (other.published, other.updated)
        (sortDate, hasDate) = (other.sortDate, other.hasDate)
        fingerprint = other.fingerprint
        language = other.language
        duplicateKey = other.duplicateKey
    }

    /// Returns the digest of a normalized address.
    static func duplicateKey(of address: String) -> Int64? { comparableAddress(address).map { digest([$0]) } }

    /// Returns an address without the parts that vary between links to the same page, or `nil` if it doesn't identify a
    /// page.
    ///
    /// Removes the scheme, `www.`, the fragment, campaign parameters and trailing slashes.
    static func comparableAddress(_ link: String) -> String? {
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
            // Entries that link to the front page of a site are not duplicates.
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

    /// Returns the first words of the text as a replacement for a missing title.
    private static func firstWords(_ entry: ParsedEntry) -> String {
        let source = entry.contentText ?? entry.summary ?? entry.contentHTML ?? ""
        let text = FirstWords.of(html: source, maximum: 400)
        guard !text.isEmpty else { return entry.link ?? "(no title)" }
        return text.count > 80 ? String(text.prefix(79)) + "…" : text
    }

    /// The maximum size of an entry's HTML in bytes.
    static let maximumHTML = 2 << 20

    package static func limited(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        return String(decoding: Array(text.utf8.prefix(bytes)), as: UTF8.self)
    }

    /// Returns the FNV-1a digest of texts and their lengths.
    static func digest(_ texts: [String]) -> Int64 {
        var hash = FNVHash()
        for var text in texts { text.withUTF8 { hash.combineWords(UnsafeRawBufferPointer($0)) } }
        return Int64(bitPattern: hash.value)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes at an index equal a lowercase ASCII text, ignoring case.
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
