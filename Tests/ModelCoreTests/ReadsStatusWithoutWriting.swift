import CommonTesting
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import Testing

/// Opening a library for a quick look without changing it, and its disk usage.
@Suite struct ReadsStatusWithoutWriting {
    /// A status line leaves the library's files unchanged, including the log.
    @Test func readingWritesNothing() async throws {
        let folder = TemporaryFolder()
        let path = folder.url.path + "/library.sqlite"
        #expect(Library(glancingAt: path) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        let library = try Library(path: path)
        _ = try await library.follow("https://one.example/feed")
        func files() throws -> [String: Data] {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { !$0.hasSuffix("-shm") }
                .reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: folder.url.path + "/" + $1) }
        }
        // The library may checkpoint once meanwhile, which moves its log into the file.
        var wrote: [Bool] = []
        for _ in 0..<3 where wrote.last != false {
            let before = try files()
            let glance = try #require(Library(glancingAt: path))
            #expect(try glance.feeds.unreadCount() == 0)
            #expect(try glance.feeds.all().count == 1)
            await #expect(throws: ChangeFailure.self) { try await glance.changes.perform(.set("a", "b")) }
            wrote.append(try files() != before)
        }
        #expect(wrote.last == false)
    }

    @Test func compactsALibrary() async throws {
        let folder = TemporaryFolder()
        let library = try Library(path: folder.url.path + "/library.sqlite")
        for number in 1...40 { _ = try await library.follow("https://\(number).example/feed") }
        let feeds = try library.feeds.all()
        try await library.changes.perform(.several(feeds.map { .unsubscribe($0.id) }))
        #expect(try library.feeds.all().isEmpty)
        try await library.changes.perform(EmptyTrash(age: -1))
        let storage = try library.storage()
        #expect(storage.total > 0 && storage.entries == 0)
        _ = try await library.compact()
        #expect(try library.storage().free == 0)
        #expect(try LibraryCheck.run(library) == [])
    }
}
