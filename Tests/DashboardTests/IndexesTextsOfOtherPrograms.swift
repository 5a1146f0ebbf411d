import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// An open dashboard indexes the entries of a reload in the shell.
@MainActor
@Suite struct IndexesTextsOfOtherPrograms {
    @Test func indexesAfterTheOtherProgramFinished() async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let library = try Library(path: folder.path("l.sqlite"))
        let index = IndexController(library: library, pause: .milliseconds(50))
        let watch = ExternalChanges(of: library, changed: { Task { @MainActor in index.startAfterRest() } })
        let other = try Library(path: folder.path("l.sqlite"))
        let id = try await other.follow("https://a.example/feed")
        var feed = ParsedFeed(format: .json)
        var entry = ParsedEntry()
        entry.id = "1"
        entry.contentText = "Gravel"
        feed.entries = [entry]
        try await other.store(feed, in: id, record: FetchRecord(date: 1_800_000_000))
        let query = try SearchQuery("gravel")
        for _ in 0..<2000 where try library.search.unreadCount(of: query) == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try library.search.unreadCount(of: query) == 1)
        #expect(try library.search.unindexedCount() == 0)
        withExtendedLifetime(watch) {}
    }
}
