import Foundation
import GRDB
import Testing

@testable import Feeds
@testable import LibraryKernel

/// Identifiers of rows have types, but files and commands contain plain numbers.
@Suite struct IdentifiesRows {
    @Test func encodesIdentifiersAsNumbers() throws {
        let entries: [EntryID] = [7, -1, EntryID(rawValue: .max)]
        let encoded = try JSONEncoder().encode(entries)
        #expect(String(decoding: encoded, as: UTF8.self) == "[7,-1,9223372036854775807]")
        #expect(try JSONDecoder().decode([EntryID].self, from: encoded) == entries)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([EntryID].self, from: Data("[\"7\"]".utf8)) }
    }

    @Test func readsAndWritesDecimalDigits() {
        for number in [0, 1, -1, Int64.max, .min] { #expect(FeedID("\(number)")?.rawValue == number) }
        for text in ["", "x", "1x", " 1", "1.0", "9223372036854775808"] { #expect(FeedID(text) == nil, "\(text)") }
        #expect("\(FeedID(rawValue: 42))" == "42")
    }

    @Test func sortsByNumber() {
        #expect(([30, 4, -1, 200] as [EntryID]).sorted().map(\.rawValue) == [-1, 4, 30, 200])
    }

    @Test func storesIdentifiersAsIntegers() throws {
        let row = try DatabaseQueue().read { db in
            try Row.fetchOne(db, sql: "SELECT ?1, typeof(?1), NULL", arguments: [EntryID(rawValue: 9)])
        }
        let columns = try #require(row)
        let (entry, type, missing): (EntryID, String, EntryID?) = try (columns.at(0), columns.at(1), columns.at(2))
        #expect(entry == 9 && type == "integer" && missing == nil)
        #expect(throws: (any Error).self) { try columns.at(1) as EntryID }
    }
}
