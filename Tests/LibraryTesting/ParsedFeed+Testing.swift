import FeedParsing
import LibraryKernel

@testable import Feeds

extension ParsedEntry {
    /// Creates an entry with these values and no others.
    package init(
        id: String? = nil, title: String? = nil, link: String? = nil, html: String? = nil, text: String? = nil,
        date: Instant? = nil
    ) {
        self.init()
        (self.id, self.title, self.link, contentHTML, contentText) = (id, title, link, html, text)
        published = date.map { ParsedDate(instant: $0, text: "") }
    }
}

extension ParsedFeed {
    /// Creates a feed of entries.
    package init(_ entries: [ParsedEntry], title: String? = nil) {
        self.init(format: .rss)
        (self.entries, self.title) = (entries, title)
    }
}

extension Library {
    /// Stores a feed document with these entries.
    @discardableResult
    package func store(_ entries: [ParsedEntry], in id: FeedID, at date: Instant = 1) async throws -> StoredChanges {
        try await store(ParsedFeed(entries), in: id, record: FetchRecord(date: date))
    }
}
