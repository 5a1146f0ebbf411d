import GRDB

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A library of ``ManyKinds`` in which each ``ChangeSample`` has something to change.
package struct SampleLibrary: Sendable {
    package let library: Library
    /// The feeds by letter.
    package let feeds: [String: FeedID]
    /// All entries by identifier.
    package let entries: [EntryID]

    /// Creates a library.
    package init(path: String? = nil) async throws {
        let library = try await ManyKinds(path: path).library
        for change in ChangeSamples.all.flatMap(\.preparation) { try await library.changes.perform(change) }
        try self.init(of: library)
    }

    /// Uses a library that was created like this earlier and didn't change since then.
    package init(of library: Library) throws {
        self.library = library
        let addresses = try library.feeds.all().map { ($0.url.dropFirst("https://".count).prefix(1), $0.id) }
        feeds = Dictionary(addresses.map { (String($0), $1) }) { first, _ in first }
        entries = try library.read { try EntryID.fetchAll($0, sql: "SELECT id FROM entry ORDER BY id") }
    }

    /// Returns the feed with a letter.
    package func feed(_ letter: String) -> FeedID { feeds[letter] ?? 0 }
}
