import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import WebAddresses

/// A race that a directory lists.
package struct ListedRace: Hashable, Sendable, Codable {
    package var name: String
    /// The first day, as `2026-05-08`.
    package var start: String?
    package var end: String?
    package var kind: String?
    package var country: String?
    /// The address at which to follow the race.
    package var address: String

    /// The text that searches match.
    var words: String {
        RaceDirectory.folded(
            ([name, kind, country] + [start?.prefix(4).description]).compactMap { $0 }.joined(separator: " "))
    }
}

/// A page of a directory of races (`races.json`; its schema is `Assets/races.schema.json`).
package struct RaceDirectory: Hashable, Sendable {
    package var title: String?
    package var races: [ListedRace]
    /// The address of the next page.
    package var next: String?

    /// The maximum number of races in all pages, and of pages.
    static let (mostRaces, mostPages) = (20_000, 200)

    /// Reads and validates a page.
    ///
    /// - Parameter address: The page's address, to resolve relative ones in it.
    package static func read(_ data: Data, at address: String) throws(RaceFileError) -> RaceDirectory {
        var (directory, document) = try RaceReader.readDirectory(Array(data))
        var problems: [(line: Int?, sentence: String)] = []
        func fail(_ index: Int, _ key: String, _ words: String) {
            problems.append(
                (document.line(at: ["races", "\(index)", key]), "races, item \(index + 1), \(key): \(words)"))
        }
        if directory.races.count > mostRaces { throw RaceFileError(problems: ["races: more than \(mostRaces)"]) }
        for (index, race) in directory.races.enumerated() {
            if race.name.isEmpty || race.name.utf8.count > 1000 { fail(index, "name", "expected 1 to 1000 bytes") }
            for (key, text) in [("kind", race.kind), ("country", race.country)] where text?.utf8.count ?? 0 > 1000 {
                fail(index, key, "longer than 1000 bytes")
            }
            for (key, day) in [("start", race.start), ("end", race.end)] {
                if let day, CalendarDay(day) == nil { fail(index, key, "'\(day.prefix(60))' is not a date") }
            }
            if let start = race.start, let end = race.end, end < start { fail(index, "end", "before the start") }
            guard let whole = WebAddress.resolve(race.address, base: address), RaceSource.address(whole) != nil,
                whole.utf8.count <= 8 << 10
            else {
                fail(index, "address", "not a web address")
                continue
            }
            directory.races[index].address = whole
        }
        guard problems.isEmpty else { throw RaceFileError(byLine: problems) }
        directory.next = directory.next.flatMap { WebAddress.resolve($0, base: address) }
        return directory
    }

    /// Reads a page from a file, where relative addresses can't be resolved. Returns `nil` if the file is not a
    /// directory.
    package static func read(ifDirectory data: Data) throws(RaceFileError) -> RaceDirectory? {
        RaceReader.isDirectory(Array(data)) ? try read(data, at: "https://directory.invalid/") : nil
    }

    /// Returns a text without accents and in lower case, as searches compare it.
    static func folded(_ text: String) -> String {
        text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
    }
}

/// A directory of races that the user follows.
package struct DirectorySubscription: Codable, Hashable, Sendable {
    package var address: String
    package var title: String
    package var etag: String?
    package var lastModified: String?
    package var nextFetch: Instant?
    package var notBefore: Instant?
    package var failures = 0
    package var lastSuccess: Instant?
    /// The reason why the last update failed, as a sentence.
    package var error: String?

    package init(address: String, title: String) {
        self.address = address
        self.title = title
    }

    init(_ row: Row) throws {
        address = try row.at("address")
        title = try row.at("title")
        etag = try row.at("etag")
        lastModified = try row.at("last_modified")
        nextFetch = try row.at("next_fetch")
        notBefore = try row.at("not_before")
        failures = try row.at("failures")
        lastSuccess = try row.at("last_success")
        error = try row.at("error")
    }
}

extension RaceStore {
    /// Returns the directories that the user follows.
    package func directories() throws(LibraryError) -> [DirectorySubscription] {
        try store.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM race_directory ORDER BY title").map {
                try DirectorySubscription($0)
            }
        }
    }

    /// Returns the number of races that a directory lists.
    package func listedCount(of directory: String) throws(LibraryError) -> Int {
        try store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM listed_race WHERE directory = ?", arguments: [directory])
                ?? 0
        }
    }
}
