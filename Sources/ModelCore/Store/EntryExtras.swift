import FeedParsing
import Foundation

/// A file attached to an entry, such as an episode, a video or a document.
package struct Enclosure: Codable, Hashable, Sendable {
    package var url: String
    package var mediaType: String?
    /// The size in bytes.
    package var size: Int64?
    /// The duration in seconds.
    package var duration: Double?
}

/// What a feed supplies with an entry besides its text.
package struct EntryExtras: Codable, Hashable, Sendable {
    /// The address of the entry's picture.
    package var image: String?
    package var enclosures: [Enclosure]?
    /// The address of the entry's comments.
    package var comments: String?
    /// The address of another page: the one that the entry is about, or one that discusses it.
    package var external: String?
    package var tags: [String]?
}

extension EntryExtras {
    /// The maximum length of an address in bytes. Longer ones are dropped, since a truncated address leads elsewhere.
    private static let maximumAddress = 8 << 10
    private static let maximumTag = 200

    /// Creates the extras of an entry, or returns `nil` if it has none.
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

    /// The stored form: JSON, identical for equal extras.
    var stored: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the stored form. Missing or unreadable text gives empty extras.
    init(stored text: String?) {
        let read = text.flatMap { try? JSONDecoder().decode(EntryExtras.self, from: Data($0.utf8)) }
        self = read ?? EntryExtras()
    }
}
