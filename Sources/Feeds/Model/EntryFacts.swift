import FeedParsing
import LibraryKernel
import WebAddresses

/// The parts of an entry that identify it (``EntryIdentity``).
struct EntryFacts: Hashable, Sendable {
    /// The identifier, or its replacement if the feed has none.
    var id: String
    /// The normalized address of the entry's page.
    var page: String?
    /// Whether the address belongs to this entry alone, unlike that of a site's front page.
    var hasOwnPage = true
    var title: String
    /// Whether the feed has a title for the entry.
    var hasTitle = true
    var date: Instant?
    /// A digest of the text, or `nil` if it is empty.
    var content: Int64?
    /// Whether several entries of the feed have this identifier, so that it identifies none of them.
    var sharesID = false
}

extension EntryFacts {
    /// - Parameters:
    ///   - home: The normalized address of the feed's home page, which isn't the page of an entry.
    ///   - readsText: Whether the text matters.
    init(_ entry: StoredEntry, home: String?, readsText: Bool = true) {
        self.init(
            guid: entry.guid, link: entry.link, home: home, title: entry.title,
            date: entry.hasDate ? entry.sortDate : nil,
            text: readsText ? (try? (entry.html ?? entry.text)?.text()) ?? nil : nil)
        hasTitle = entry.hasTitle
    }

    /// - Parameter guid: The identifier in the library.
    init(guid: String, link: String?, home: String?, title: String, date: Instant?, text: String?) {
        id = EntryFacts.id(of: guid)
        sharesID = id.utf8.count < guid.utf8.count
        page = link.map(EntryFacts.page)
        hasOwnPage = page != nil && page != home && link.flatMap(StoredEntry.comparableAddress) != nil
        self.title = title
        self.date = date
        content = text.flatMap { $0.isEmpty ? nil : StoredEntry.digest([$0]) }
    }

    /// Returns the identifier in the feed of an entry with an identifier in the library.
    static func id(of guid: String) -> String {
        guid.utf8.firstIndex(of: EntryFacts.separator).map { String(guid[..<$0]) } ?? guid
    }

    /// Returns an address in a form that is equal for spellings of the same address.
    static func page(of link: String) -> String {
        let link = WebAddress.isWeb(link) ? WebAddress.resolve(link, base: nil as WebAddress?) ?? link : link
        guard let address = StoredEntry.comparableAddress(link) else { return link }
        return address + (link.firstIndex(of: "#").map { String(link[$0...]) } ?? "")
    }

    /// The identifier in a form that is equal for spellings of the same address.
    var normalizedID: String { EntryFacts.normalizedID(id) }

    static func normalizedID(_ id: String) -> String {
        WebAddress.isWeb(id) ? EntryFacts.page(of: id) : id.lowercased()
    }

    func isNewer(than other: EntryFacts) -> Bool {
        guard let date else { return false }
        return other.date.map { $0 < date } ?? true
    }

    /// The page without its host, or `nil` for the front page.
    var path: Substring? {
        guard let page, let slash = page.firstIndex(of: "/") else { return nil }
        return page[slash...].dropFirst().isEmpty ? nil : page[slash...]
    }

    /// Separates a shared identifier from what distinguishes its entries. Identifiers of feeds don't contain it.
    private static let separator: UInt8 = 0x1F
    /// The identifiers in the library of entries that share an identifier are between it and its text with this end.
    static let lastSuffix = "\u{1F}g"

    /// The identifier in the library of one of several entries that share an identifier.
    var distinctGUID: String {
        let parts = hasTitle ? [page ?? "", title] : [page ?? "", ""]
        let own = page == nil || !hasTitle ? [date.map(String.init) ?? "", content.map(String.init) ?? ""] : []
        let digest = UInt64(bitPattern: StoredEntry.digest(parts + own))
        return id + "\u{1F}" + String(digest, radix: 16)
    }
}
