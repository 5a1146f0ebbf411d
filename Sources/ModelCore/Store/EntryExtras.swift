import FeedParsing
import Foundation

/// A file that a feed gives with an entry: a recording, a film, a document.
package struct Enclosure: Codable, Hashable, Sendable {
    package var url: String
    package var mediaType: String?
    /// Bytes.
    package var size: Int64?
    /// Seconds.
    package var duration: Double?
}

/// What a feed gives with an entry beside its text.
package struct EntryExtras: Codable, Hashable, Sendable {
    /// The picture of the entry as a whole.
    package var image: String?
    package var enclosures: [Enclosure]?
    /// Where the entry is discussed.
    package var comments: String?
    /// Another page beside the entry's own: the one that it is about, or where it is told of.
    package var external: String?
    package var tags: [String]?
}

extension EntryExtras {
    /// Addresses that are longer, in bytes, are left out: cut ones would lead elsewhere.
    private static let maximumAddress = 8 << 10
    private static let maximumTag = 200

    /// What was read of an entry; `nil` where that is nothing.
    init?(_ entry: ParsedEntry) {
        func address(_ text: String?) -> String? {
            text.flatMap { $0.utf8.count <= EntryExtras.maximumAddress ? $0 : nil }
        }
        let enclosures = entry.enclosures.compactMap { file in
            address(file.url).map {
                Enclosure(url: $0, mediaType: file.mediaType, size: file.size, duration: file.duration)
            }
        }
        let tags = entry.tags.filter { $0.utf8.count <= EntryExtras.maximumTag }
        self.init(
            image: address(entry.image), enclosures: enclosures.isEmpty ? nil : enclosures,
            comments: entry.commentsLink == entry.link ? nil : address(entry.commentsLink),
            external: entry.isExternalLinkOwn || entry.link == nil || entry.externalLink == entry.link
                ? nil : address(entry.externalLink),
            tags: tags.isEmpty ? nil : tags)
        if self == EntryExtras() { return nil }
    }

    /// As it is stored: JSON, always the same for the same.
    var stored: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What was stored; empty where that is nothing or cannot be read.
    init(stored text: String?) {
        let read = text.flatMap { try? JSONDecoder().decode(EntryExtras.self, from: Data($0.utf8)) }
        self = read ?? EntryExtras()
    }
}
