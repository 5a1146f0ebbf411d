import CommonTesting
import Foundation
import LibraryTesting
import ModelCore
import Testing

/// What stands alone: hours, sizes, a look into a library.
@Suite(.serialized) struct SmallThings {
    @Test func quietHoursGoOverMidnight() {
        setenv("TZ", "UTC", 1)
        tzset()
        /// Friday 20 November 2026 at an hour and a minute, UTC.
        func at(_ hour: Int64, _ minute: Int64 = 0) -> Int64 { 1_795_132_800 + hour * 3600 + minute * 60 }
        let night = QuietHours("22:30-6:45")
        #expect([at(22, 30), at(23), at(0), at(6, 44)].allSatisfy { night?.contain($0) == true })
        #expect([at(6, 45), at(12), at(22, 29)].allSatisfy { night?.contain($0) == false })
        #expect(QuietHours("9-17")?.contain(at(9)) == true && QuietHours("9-17")?.contain(at(17)) == false)
        for wrong in ["", "22", "22-", "-7", "25-7", "22:60-7", "a-b", "1-2-3", "24:01-3", "none"] {
            #expect(QuietHours(wrong) == nil, "\(wrong)")
        }
    }

    @Test func sizesAreReadAtAGlance() {
        let sizes: [(Int64, String)] = [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345, "12.3 kB"), (999_949, "999 kB"),
            (4_100_000, "4.1 MB"),
            (913_215_488, "913 MB"), (1_234_567_890, "1.2 GB"), (5_000_000_000_000, "5.0 TB"),
        ]
        for (bytes, text) in sizes { #expect(ByteCount.text(bytes) == text) }
    }

    /// A status line leaves the library's files as they are, to the last byte of the log beside them.
    @Test func aLookWritesNothing() async throws {
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
        let before = try files()
        do {
            let glance = try #require(Library(glancingAt: path))
            #expect(try glance.unreadCount() == 0)
            #expect(try glance.subscriptions().count == 1)
            await #expect(throws: ChangeFailure.self) { try await glance.changes.perform(.set("a", "b")) }
        }
        #expect(try files() == before)
    }

    @Test func aLibraryIsCompacted() async throws {
        let folder = TemporaryFolder()
        let library = try Library(path: folder.url.path + "/library.sqlite")
        for number in 1...40 { _ = try await library.follow("https://\(number).example/feed") }
        let feeds = try library.subscriptions()
        try await library.changes.perform(.several(feeds.map { .unsubscribe($0.id, now: 0) }))
        #expect(try library.subscriptions().isEmpty)
        try await library.changes.perform(.emptyTrash(age: -1))
        let storage = try library.storage()
        #expect(storage.total > 0 && storage.entries == 0)
        _ = try await library.compact()
        #expect(try library.storage().free == 0)
        #expect(try LibraryCheck.run(library) == [])
    }
}
