import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import RaceModel
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Observers of a part of the library are notified of its changes by this and other programs, and of nothing else.
@Suite(.timeLimit(.minutes(5))) struct NotifiesObservers {
    private static let parts: [LibraryPart] = [
        .subscriptions, .entries, .search, .races, .spoilers, .downloads, .played, .accounts,
    ]

    /// The parts that were notified.
    @MainActor
    private func heard(of library: Library, _ body: () async throws -> Void) async throws -> Set<LibraryPart> {
        let heard = Mutex<Set<LibraryPart>>([])
        let observations = NotifiesObservers.parts.map { part in
            library.observe(part) { heard.withLock { _ = $0.insert(part) } }
        }
        try await body()
        // Earlier notifications come first.
        for _ in 0..<3 { await Task { @MainActor in }.value }
        return withExtendedLifetime(observations) { heard.withLock { $0 } }
    }

    @Test @MainActor func notifiesOfEachChange() async throws {
        let fixture = try await ManyKinds()
        let library = fixture.library
        let entry = try library.entries.lastID()
        let race = Race(race: "R", year: 2026, stages: [Stage(number: 1, start: "A", finish: "B")])
        let points = (0..<3).map { Track.Point(distance: Double($0), height: 5) }
        let a = fixture.feeds["a"] ?? 0
        for (change, parts) in [
            (.mark(.read, true, entries: [entry], wholeStories: false, now: 1), [.entries, .subscriptions]),
            (.mark(.starred, true, entries: [entry], wholeStories: false, now: 1), [.entries]),
            (.mark(.starred, true, entries: [entry], wholeStories: false, now: 1), []),
            (.tagEntries([entry], adding: ["n"], removing: []), [.entries, .subscriptions]),
            (.rename(a, title: "N"), [.subscriptions]), (.move(a, folder: nil), [.subscriptions]),
            (.tag(a, ["n"]), [.subscriptions]), (.collapseGroup(.tag("n"), true), [.subscriptions]),
            (.orderGroups([.tag("n")]), [.subscriptions]), (.saveSearch(name: "S", query: "s"), [.subscriptions]),
            (.sortSearch(1, .feed), [.subscriptions]), (.storeReadingPosition(entry, "1:2"), [.entries]),
            (.queueDownload(url: "u", title: "T", allowsPrivateHost: false, now: 1), [.downloads]),
            (.storePlaybackPosition("u", PlayedEnclosure(position: 5, duration: 9), now: 1), [.played]),
            (.storeRace(race, isBundled: false), [.races]),
            (.storeTrack(Track(points: points), race: "r-2026", stage: 1), [.races]),
            (.hideResults(true, race: "r-2026"), [.races, .spoilers]),
            (.revealStage(1, race: "r-2026", true), [.races, .spoilers]),
            (.reveal(entry: entry), [.spoilers]), (.removeRace("r-2026"), [.races]),
            (.delete(entries: [entry], now: 1), [.entries, .subscriptions]),
        ] as [(Change, Set<LibraryPart>)] {
            let heard = try await heard(of: library) { try await library.changes.perform(change) }
            #expect(
                heard.isSuperset(of: parts) && heard.subtracting(parts).isSubset(of: [.spoilers, .search, .races]),
                "\(change): \(heard)")
            if parts.isEmpty { #expect(heard.isEmpty) }
        }
        // A released observation receives nothing.
        let calls = Mutex(0)
        do { _ = library.observe(.subscriptions) { calls.withLock { $0 += 1 } } }
        try await library.changes.perform(.rename(a, title: "M"))
        for _ in 0..<3 { await Task { @MainActor in }.value }
        #expect(calls.withLock { $0 } == 0)
    }

    /// Observers of one table learn which rows have changed, unless they are many, and of each transaction once.
    @Test @MainActor func namesChangedRows() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        let feed = ParsedFeed((0..<80).map { number in ParsedEntry(id: "\(number)", title: "T") })
        let stored = feed
        try await library.store(stored, in: id, record: FetchRecord(date: 1))
        let entries = try library.entries.list(EntryQuery(.all))
        let heard = Mutex<[Set<EntryID>?]>([])
        let observation = library.observeRows(of: .marks) { (rows: Set<EntryID>?) in
            heard.withLock { $0.append(rows) }
        }
        try await library.setMark(.read, true, entries: Array(entries[..<2]), now: 1)
        library.notifyObservers()
        for _ in 0..<3 { await Task { @MainActor in }.value }
        #expect(heard.withLock { $0 } == [Set(entries[..<2])])
        try await library.setMark(.starred, true, in: .all, now: 1)
        library.notifyObservers()
        #expect(heard.withLock { $0 } == [Set(entries[..<2]), nil])
        try await library.changes.perform(.storeReadingPosition(entries[0], "1:2"))
        try await library.changes.perform(.rename(id, title: "N"))
        library.notifyObservers()
        #expect(heard.withLock { $0.count } == 2)
        withExtendedLifetime(observation) {}
    }

    /// The list of feeds is notified of a column that a later migration adds, but not of what only reloads use.
    @Test @MainActor func notifiesTheListOfFeedsOfNewColumns() async throws {
        let library = try await Library.following("https://a.example/").library
        try library.execute("ALTER TABLE subscription ADD COLUMN new_column INTEGER")
        let calls = Mutex(0)
        let observation = library.observe(.feedList) { calls.withLock { $0 += 1 } }
        for (assignment, count) in [
            ("title = 'T'", 1), ("new_column = 1", 2), ("unread_count = 1", 2), ("etag = 'e', next_fetch = 1", 2),
            ("etag = 'f', last_fetched = 1", 3),
        ] {
            try library.execute("UPDATE subscription SET \(assignment)")
            library.notifyObservers()
            #expect(calls.withLock { $0 } == count, "\(assignment)")
        }
        withExtendedLifetime(observation) {}
    }

    /// Background indexing notifies observers of the index but not of lists.
    @Test @MainActor func notifiesOfTheIndex() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        let feed = ParsedFeed([ParsedEntry(id: "1", title: "T")])
        let stored = feed
        let first = try await heard(of: library) {
            try await library.store(stored, in: id, record: FetchRecord(date: 1))
        }
        #expect(first == [.entries, .subscriptions, .search])
        let second = try await heard(of: library) { try await library.indexAll() }
        #expect(second == [.search])
    }

    /// Two programs on one library: each is notified of the other's changes, and of its own as its own.
    @Test @MainActor func notifiesOfOtherPrograms() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("l.sqlite")
        let (mine, other) = (try Library(path: path), try Library(path: path))
        let id = try await mine.follow("https://a.example/")
        let replaced = Mutex(0)
        let changed = Mutex(0)
        let seen = Mutex(0)
        let watch = try #require(
            ExternalChanges(of: mine, replaced: { replaced.withLock { $0 += 1 } }) { changed.withLock { $0 += 1 } })
        let observation = mine.observe(.subscriptions) { seen.withLock { $0 += 1 } }
        for round in 0..<3 {
            let before = (changed.withLock { $0 }, seen.withLock { $0 })
            try await other.changes.perform(.rename(id, title: "Other \(round)"))
            #expect(await eventually { changed.withLock { $0 } > before.0 && seen.withLock { $0 } > before.1 })
            #expect(try mine.feeds.feed(id)?.title == "Other \(round)")
        }
        // A program's own changes are reported at once, and not again as another program's.
        let before = (changed.withLock { $0 }, seen.withLock { $0 })
        for round in 0..<3 { try await mine.changes.perform(.rename(id, title: "Mine \(round)")) }
        #expect(await eventually { seen.withLock { $0 } >= before.1 + 3 })
        try await other.changes.perform(.rename(id, title: "Last"))
        #expect(await eventually { changed.withLock { $0 } > before.0 })
        #expect(replaced.withLock { $0 } == 0 && !mine.store.wasReplaced)
        #expect(ExternalChanges(of: try Library(path: nil)) == nil)
        withExtendedLifetime((watch, observation)) {}
    }

    /// Another program's change is noticed while it is only in the log.
    @Test @MainActor func notifiesOfChangesInTheLog() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("l.sqlite")
        do {
            let library = try Library(path: path)
            try await library.follow("https://a.example/")
            #expect(library.changes.drain() == .stored)
        }
        let other = try DatabaseQueue(path: path)
        try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let library = try Library(path: path)
        let changed = Mutex(0)
        let made = ExternalChanges(of: library, changed: { changed.withLock { $0 += 1 } })
        let watch = try #require(made)
        try await other.write { try $0.execute(sql: "UPDATE subscription SET custom_title = 'Other'") }
        #expect(await eventually { changed.withLock { $0 } > 0 })
        #expect(try library.feeds.all().map(\.title) == ["Other"])
        withExtendedLifetime(watch) {}
    }

    @Test func watchesDirectories() async throws {
        let folder = TemporaryFolder()
        let names = Mutex<Set<String>>([])
        let queue = DispatchQueue(label: "watch")
        #expect(DirectoryWatch([], on: queue) { _ in } == nil)
        #expect(DirectoryWatch(["/no/such/folder"], on: queue) { _ in } == nil)
        let watch = try #require(
            DirectoryWatch(["/no/such/folder", folder.url.path], on: queue) { new in
                names.withLock { $0.formUnion(new) }
            })
        for action in ["written", "moved", "deleted"] {
            let path = folder.path(action)
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            #expect(await eventually { names.withLock { $0.contains(action) } }, "\(action)")
            names.withLock { $0 = [] }
            switch action {
            case "moved": try FileManager.default.moveItem(atPath: path, toPath: path + "-there")
            case "deleted": try FileManager.default.removeItem(atPath: path)
            default: try Data("y".utf8).write(to: URL(fileURLWithPath: path))
            }
            #expect(await eventually { names.withLock { $0.contains(action) } }, "\(action)")
        }
        #expect(await eventually { names.withLock { $0.contains("deleted") } })
        withExtendedLifetime(watch) {}
    }
}
