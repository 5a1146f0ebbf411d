import FeedParsing
import GRDB
import ModelCore
import RaceCentre
import RaceModel

@testable import Feeds
@testable import LibraryKernel
@testable import Races

/// Shortcuts for tests that use a library, all through its queue.
extension Library {
    /// Follows a feed.
    @discardableResult
    package func follow(_ url: String, folder: String? = nil, tags: [String] = []) async throws -> FeedID {
        let new = NewSubscription(url: url, folder: folder, tags: tags)
        return try await changes.perform(.subscribe([new], now: 1)).subscriptions[0].id
    }

    /// Returns a library in memory with a feed.
    package static func following(
        _ url: String, folder: String? = nil, tags: [String] = []
    ) async throws -> (library: Library, id: FeedID) {
        let library = try Library(path: nil)
        return (library, try await library.follow(url, folder: folder, tags: tags))
    }

    /// Returns a library in memory with a race.
    package static func storing(_ race: Race) async throws -> Library {
        let library = try Library(path: nil)
        try await library.store(race)
        return library
    }

    @discardableResult
    package func store(_ feed: ParsedFeed, in id: FeedID, record: FetchRecord) async throws -> StoredChanges {
        try await changes.perform(StoreFeed(PreparedFeed(feed, record: record), in: id)).stored
    }

    /// Stores a feed document with entries of these titles and identifiers, and applies rules to the new ones.
    package func store(_ titles: [String], in id: FeedID, rules: [Rule]) async throws {
        let parsed = ParsedFeed(titles.map { ParsedEntry(id: $0, title: $0) })
        let prepared = PreparedFeed(parsed, record: FetchRecord(date: 1_700_000_000))
        try await changes.perform(StoreFeed(prepared, in: id, rules: rules))
    }

    /// Stores the calendar of a season.
    package func storeCalendar(_ races: [CalendarRace], year: Int) async throws {
        try await changes.perform(StoreCalendar(races: races, year: year, known: knownRaces, received: 1))
    }

    package func store(_ race: Race) async throws {
        try await changes.perform(.storeRace(race, isBundled: false))
    }

    @discardableResult
    package func setMark(
        _ mark: EntryMark, _ value: Bool, entries: [EntryID], wholeStories: Bool = false, now: Instant
    ) async throws -> Receipt {
        try await changes.perform(.mark(mark, value, entries: entries, wholeStories: wholeStories, now: now))
    }

    @discardableResult
    package func setMark(
        _ mark: EntryMark, _ value: Bool, in scope: EntryScope, mergesDuplicates: Bool = false, now: Instant
    ) async throws -> Receipt {
        let last = try entries.lastID()
        return try await changes.perform(
            .markAll(mark, value, scope, upTo: last, mergesDuplicates: mergesDuplicates, now: now))
    }

    @discardableResult
    package func undo(_ receipt: Receipt, now: Instant = 1) async throws -> Receipt {
        try await changes.perform(.undo(receipt.id))
    }

    @discardableResult
    package func retain(days: Int, entries: Int, now: Instant) async throws -> Int {
        try await changes.perform(
            Change(RetainEntries(days: days, entries: entries, isConfirmed: true, now: now))
        ).count
    }

    package func indexAll() async throws {
        while try await changes.perform(IndexSome()).count > 0 {}
    }

    /// Executes SQL past the queue of changes.
    package func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try store.onWriter { try $0.execute(sql: sql, arguments: arguments) }
    }

    package func markPrepared() async throws { try await changes.perform(MarkPrepared(.feeds)) }
}

extension Settings {
    /// Stores a value as the dashboard does and applies it.
    package func set(_ value: String?, for name: String, in library: Library) async throws {
        try await library.changes.perform(.set(name, value))
        use(value, for: name)
    }
}
