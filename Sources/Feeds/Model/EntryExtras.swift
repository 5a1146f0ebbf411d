import FeedParsing
import Foundation
import LibraryKernel

/// A file that a feed attaches to an entry, such as audio, video or a document.
package struct Enclosure: Codable, Hashable, Sendable {
    package var url: String
    package var mediaType: String?
    /// The size in bytes.
    package var size: Int64?
    /// The duration in seconds.
    package var duration: Double?

    /// Whether it is a page that plays a video, so that there is no file to download.
    package var isPlayerPage: Bool { mediaType?.lowercased() == ParsedEnclosure.pageType }

    /// Whether it is audio or video.
    package var isMedia: Bool { MediaType.isMedia(MediaType.plain(mediaType)) }

    /// Whether only the server knows if it is audio or video.
    package var isUnknown: Bool { MediaType.isUnknown(mediaType, address: url) }
}

/// The data of an entry other than its text, such as files and tags.
package struct EntryExtras: Codable, Hashable, Sendable {
    /// The address of the picture that represents the whole entry.
    package var image: String?
    package var enclosures: [Enclosure]?
    /// The address of the comments page.
    package var comments: String?
    /// The address of a related page, such as the page that the entry links to or a page that discusses it.
    package var external: String?
    package var tags: [String]?
}

extension EntryExtras {
    /// The first file that is audio or video, or one of which only the server knows.
    package var media: Enclosure? {
        enclosures?.first(where: \.isMedia) ?? enclosures?.first(where: \.isUnknown)
    }

    /// The maximum length of an address in bytes.
    ///
    /// Longer addresses are dropped, because a truncated address would lead elsewhere.
    private static let maximumAddress = 8 << 10
    private static let maximumTag = 200

    /// Creates the extras of a parsed entry, or returns `nil` if it has none.
    init?(_ entry: ParsedEntry) {
        func address(_ text: String?) -> String? {
            text.flatMap { $0.utf8.count <= EntryExtras.maximumAddress ? $0 : nil }
        }
        let enclosures = entry.enclosures.compactMap { file in
            address(file.url).map {
                Enclosure(
                    url: $0, mediaType: MediaType.resolved(file.mediaType, address: $0), size: file.size,
                    duration: file.duration)
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

    /// The JSON text for the database.
    ///
    /// Equal extras always have equal texts.
    var stored: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Decodes the text from the database. A missing or unreadable text results in empty extras.
    package init(stored text: String?) {
        let read = text.flatMap { try? JSONDecoder().decode(EntryExtras.self, from: Data($0.utf8)) }
        self = read ?? EntryExtras()
        // Libraries may contain types from before they were resolved.
        enclosures = enclosures?.map { file in
            var file = file
            file.mediaType = MediaType.resolved(file.mediaType, address: file.url)
            return file
        }
    }
}
