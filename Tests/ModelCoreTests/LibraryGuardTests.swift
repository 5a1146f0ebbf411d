import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A library protects itself from simultaneous starts, foreign files, damage, wrong clocks, and being moved.
@Suite struct LibraryGuardTests {
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }
    private var path: String { temporary.path("l.sqlite") }

    private static func feed(_ count: Int) -> ParsedFeed {
        ParsedFeed(
            (0..<count).map { index in
                ParsedEntry(
                    id: "g\(index)", title: "Title \(index)", html: String(repeating: "words \(index) ", count: 60))
            })
    }

    private func filled(_ count: Int, _ commits: Commits = Commits()) async throws -> Library {
        let library = try Library(path: path) { $0.add(transactionObserver: commits, extent: .databaseLifetime) }
        let id = try await library.follow("https://a.example/")
        try await library.store(LibraryGuardTests.feed(count), in: id, record: FetchRecord(date: 1_790_000_000))
        return library
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: Opening

    /// Several starts create a library only once.
    @Test func createsTheLibraryOnceForManyStarts() async throws {
        for round in 0..<20 {
            let path = "\(path)-\(round)"
            let problems = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do { _ = try Library(path: path) } catch { return "\(error)" }
                        return nil
                    }
                }
                return await group.reduce(into: [String?]()) { $0.append($1) }.compactMap { $0 }
            }
            #expect(problems == [])
            let library = try Library(path: path)
            #expect(try library.read(LibrarySchema.current.isExact) && LibraryCheck.run(library) == [])
        }
    }

    /// A program goes on where another one, which migrates the same library, is ahead by one version each time.
    @Test(.timeLimit(.minutes(1))) func migratesBesideAnotherProgram() throws {
        let schema = LibrarySchema.current
        let versions = Mutex(schema.versions[...])
        let other = try DatabaseQueue(path: path)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            db.trace { event in
                guard "\(event)".hasPrefix("BEGIN IMMEDIATE"), let next = versions.withLock({ $0.popFirst() }) else {
                    return
                }
                #expect(throws: Never.self) { try schema.migrator.migrate(other, upTo: next) }
            }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try schema.migrate(queue)
        #expect(versions.withLock { $0.isEmpty })
        #expect(try queue.read(schema.isExact))
    }

    @Test func neverReusesIdentifiers() async throws {
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.current.migrate(old)
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO subscription (id, url, position, total_count, unread_count)
                        VALUES (7, 'https://a.example/', 1, 1, 1);
                    INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
                        VALUES (40, 7, 'g', 'T', 1, 1, 1);
                    INSERT INTO entry_content (entry_id, first_seen) VALUES (40, 1);
                    """)
        }
        try old.close()
        let library = try Library(path: path)
        let gone = try await library.changes.perform(.unsubscribe(7))
        let id = try await library.follow("https://b.example/")
        #expect(id == 8)
        try await library.store(LibraryGuardTests.feed(3), in: id, record: FetchRecord(date: 1_790_000_000))
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id).min() == 41)
        try await library.undo(gone)
        #expect(try library.feeds.all().map(\.total).sorted() == [1, 3])
        #expect(try library.entries.detail(of: 40)?.subscriptionID == 7)
        #expect(try LibraryPicture.integrity(of: library) == "ok")
    }

    @Test func leavesForeignDatabasesUnchanged() async throws {
        for (number, sql) in [
            "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')",
            "PRAGMA application_id = 77; CREATE TABLE subscription (id INTEGER)",
            "PRAGMA journal_mode = WAL; CREATE TABLE entry (id INTEGER); INSERT INTO entry VALUES (1)",
        ].enumerated() {
            let other = "\(path)-\(number)"
            let queue = try DatabaseQueue(path: other)
            try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: other))
            #expect { try Library(path: other) } throws: { "\($0)".contains("a database of another program") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
        }
    }

    @Test func quarantinesAnOrphanedLog() async throws {
        do {
            // A library without a checkpoint, as a crash leaves it.
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            }
            try LibrarySchema.current.migrate(queue)
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "INSERT INTO subscription (id, url, position) VALUES (1, 'https://a.example/', 1)")
                for id in 1...30 {
                    try db.execute(
                        sql: """
                            INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, fingerprint)
                                VALUES (1, 'g\(id)', 'T', 1, 1, 1);
                            INSERT INTO entry_content (entry_id, first_seen) VALUES (\(id), 1);
                            """)
                }
            }
            try FileManager.default.copyItem(atPath: path + "-wal", toPath: path + "-kept")
            try queue.close()
        }
        for isMissing in [true, false] {
            for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) }
            if !isMissing { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
            try FileManager.default.copyItem(atPath: path + "-kept", toPath: path + "-wal")
            let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            let library = try Library(path: path)
            #expect(library.notices.count == 1 && library.notices[0].contains("its remains were moved to"))
            #expect(try library.feeds.all().isEmpty)
            let aside = try #require(try names().first { $0.hasSuffix("-wal") && $0.contains(".damaged-") })
            let kept = folder.appendingPathComponent(aside)
            #expect(try Data(contentsOf: kept) == log)
            // The log alone contains the whole library.
            let target = path + "-new\(isMissing)"
            let found = try LibraryRecovery.recover(String(kept.path.dropLast(4)), into: target).tables
            #expect(found.first { $0.table == "entry" }?.rows == 30)
            #expect(try Library(path: target).entries.count(in: EntryQuery(.all)) == 30)
            for name in try names() where name.contains(".damaged-") {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
        }
    }

    @Test func makesFilesPrivate() async throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        chmod(path, 0o666)
        let library = try await filled(1)
        for name in ["", "-wal", "-shm"] {
            var status = stat()
            #expect(stat(path + name, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
        }
        let deep = folder.appendingPathComponent("a/b/l.sqlite").path
        _ = try Library(path: deep)
        var status = stat()
        #expect(stat(folder.appendingPathComponent("a/b").path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        withExtendedLifetime(library) {}
    }

    @Test func neverWritesToAMovedLibrary() async throws {
        let library = try await filled(3)
        let hearings = Mutex(0)
        let watch = try #require(ExternalChanges(of: library) { hearings.withLock { $0 += 1 } })
        try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
        #expect(await eventually { hearings.withLock { $0 } > 0 })
        #expect(hearings.withLock { $0 } > 0)
        #expect(library.store.wasReplaced)
        let failure = await #expect(throws: ChangeFailure.self) { try await library.follow("https://b.example/") }
        #expect(failure?.description.contains("moved or replaced") == true)
        withExtendedLifetime(watch) {}
    }

    // MARK: Leaving

    @Test func leavesASingleFileAtTheEnd() async throws {
        let library = try await filled(200)
        #expect(library.changes.drain() == .stored)
        try FileManager.default.copyItem(atPath: path, toPath: path + "-copy")
        #expect(try Library(path: path + "-copy").entries.count(in: EntryQuery(.all)) == 200)
        #expect(await (try? library.changes.perform(MarkPrepared(.feeds))) == nil)
    }

    /// Pending changes are in a journal at the end, and the next start stores them once.
    @Test func storesUnsavedChangesAtTheNextStart() async throws {
        let library = try await filled(3)
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 3).map(\.id)
        let other = try OtherProgram.lock(path)
        library.changes.submit(.mark(.starred, true, entries: [entries[0]], wholeStories: false, now: 1)) { _ in }
        library.changes.submit(.subscribe([NewSubscription(url: "https://b.example/")], now: 1)) { _ in }
        library.changes.submit(.delete(entries: [entries[2]], now: 1)) { _ in }
        #expect(library.changes.drain(within: 0.4) == .kept(3))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 0)
        let journal = try #require(try names().first { $0.contains(".waiting-") })
        let file = folder.appendingPathComponent(journal)
        let text = try Data(contentsOf: file)
        for round in 0..<2 {
            let next = try Library(path: path)
            #expect(next.notices == ["stored 3 changes of the previous run"])
            #expect(try next.entries.count(in: EntryQuery(.starred)) == 1)
            #expect(try next.feeds.all().map(\.total) == [2, 0])
            #expect(try !names().contains(journal))
            #expect(try LibraryPicture.faults(of: next) == [])
            // Killed before deleting the file: the journal is replayed without effect.
            if round == 0 { try text.write(to: file) }
        }
        // It belongs to another library.
        let stranger = folder.appendingPathComponent("o.sqlite").path
        try text.write(to: URL(fileURLWithPath: stranger + journal.dropFirst("l.sqlite".count)))
        let library2 = try Library(path: stranger)
        #expect(library2.notices.count == 1 && library2.notices[0].contains("belongs to another library"))
        #expect(try library2.feeds.all().isEmpty)
    }

    /// Previously stored changes don't affect the wait for pending ones.
    @Test func closingWaitsForAllChanges() async throws {
        let library = try await filled(3)
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 3).map(\.id)
        for round in 0..<20 {
            try await library.changes.perform(
                .mark(.read, round % 2 == 0, entries: [entries[1]], wholeStories: false, now: 1))
        }
        let other = try OtherProgram.lock(path)
        library.changes.submit(.mark(.starred, true, entries: [entries[0]], wholeStories: false, now: 1)) { _ in }
        let isWaiting = DispatchSemaphore(value: 0)
        library.changes.observe { if $0.delayReason != nil { isWaiting.signal() } }
        Thread.detachNewThread {
            _ = isWaiting.wait(timeout: .now() + 30)
            try? other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        }
        #expect(library.changes.drain() == .stored)
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 1)
    }

    @Test func queuesChangesForABusyLibrary() async throws {
        let library = try await filled(3)
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 3).map(\.id)
        let news = Mutex<[ChangeQueue.Waiting]>([])
        library.changes.observe { waiting in news.withLock { $0.append(waiting) } }
        let other = try OtherProgram.lock(path)
        let results = Mutex<[String]>([])
        func submit(_ entry: EntryID) -> UUID {
            let id = UUID()
            library.changes.submit(.mark(.starred, true, entries: [entry], wholeStories: false, now: 1), id: id) {
                result in
                results.withLock { $0.append((try? result.get()).map { "\($0.count)" } ?? "failed") }
            }
            return id
        }
        _ = submit(entries[0])
        let second = submit(entries[1])
        #expect(await eventually { news.withLock { !$0.isEmpty } })
        #expect(news.withLock { $0.first?.delayReason } == "the library is locked by another program")
        #expect(library.changes.withdraw(second))
        #expect(!library.changes.withdraw(second))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(await eventually { results.withLock { !$0.isEmpty } })
        #expect(results.withLock { $0 } == ["1"])
        #expect(try library.entries.count(in: EntryQuery(.starred)) == 1)
        #expect(await eventually { news.withLock { $0.last == ChangeQueue.Waiting() } })
    }

    /// Waiting feeds share a transaction; one that fails doesn't affect others.
    @Test func groupsFeedsThatFailIndependently() async throws {
        let library = try await filled(1)
        var ids: [FeedID] = []
        for index in 0..<9 { ids.append(try await library.follow("https://b.example/\(index)")) }
        let other = try OtherProgram.connect(to: path)
        try await other.write { [ids] db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON entry WHEN NEW.subscription_id = \(ids[4])
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        // Meanwhile all of them enter the queue.
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let added = try await withThrowingTaskGroup(of: (FeedID, Int?).self) { group in
            for id in ids {
                group.addTask {
                    let prepared = PreparedFeed(LibraryGuardTests.feed(3), record: FetchRecord(date: 1_790_000_000))
                    return (id, (try? await library.changes.perform(StoreFeed(prepared, in: id)))?.stored.added)
                }
            }
            #expect(await eventually { library.changes.pending == ids.count })
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            return try await group.reduce(into: [FeedID: Int?]()) { $0[$1.0] = $1.1 }
        }
        for id in ids { #expect(added[id] == .some(id == ids[4] ? nil : 3)) }
        #expect(try library.entries.count(in: EntryQuery(.all)) == 1 + 8 * 3)
    }

    /// Without obstacles there is one transaction.
    @Test func storesPendingChangesTogether() async throws {
        let commits = Commits()
        let library = try await filled(1, commits)
        var ids: [FeedID] = []
        for index in 0..<40 { ids.append(try await library.follow("https://b.example/\(index)")) }
        let before = commits.count
        let other = try OtherProgram.lock(path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask {
                    try await library.changes.perform(NoteUnchanged(id, nextFetch: nil, date: 1_790_000_000))
                }
            }
            #expect(await eventually { library.changes.pending == ids.count })
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try await group.waitForAll()
        }
        let stored = commits.count - before
        #expect((1...5).contains(stored), "\(stored)")
    }

    /// Feeds being stored wait for one that is being read, so that they share a transaction.
    @Test func storesAnnouncedChangesTogether() async throws {
        let commits = Commits()
        let library = try await filled(1, commits)
        let ids = try await [library.follow("https://b.example/1"), library.follow("https://b.example/2")]
        @Sendable func perform(_ id: FeedID, _ reservation: CommitReservation? = nil) async throws {
            // An equal value isn't written.
            let now = Instant(Int.random(in: 1_790_000_000...1_799_999_999))
            try await library.changes.perform(NoteUnchanged(id, nextFetch: nil, date: now), reservation)
        }
        var counts: [Int] = []
        // On a busy machine a reservation may come too late, but not every time.
        while counts.count < 20, counts.last != 1 {
            let before = commits.count
            let reservation = library.changes.reserve()
            async let first: Void = perform(ids[0])
            #expect(await eventually { library.changes.isKeptOpen || commits.count > before })
            try await perform(ids[1], reservation)
            try await first
            counts.append(commits.count - before)
        }
        #expect(counts.last == 1, "\(counts)")
        // Stored and abandoned feeds are no longer waited for.
        do { _ = library.changes.reserve() }
        #expect(library.changes.reservedSteps == 0)
    }

    /// Counts the transactions that change a library.
    ///
    /// It doesn't measure the write-ahead log, which is emptied when the library is idle.
    private final class Commits: TransactionObserver, Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { number.withLock { $0 += 1 } }
        func databaseDidRollback(_ db: Database) {}
    }

    // MARK: Damage

    @Test func reportsMissingColumns() throws {
        let library = try Library(path: nil)
        try library.read { db in
            let row = try #require(try Row.fetchOne(db, sql: "SELECT 1 AS one"))
            #expect(try row.at(0) == 1 && row.at("one") == 1)
            #expect(throws: (any Error).self) { let _: Int = try row.at(1) }
            #expect(throws: (any Error).self) { let _: Int = try row.at("two") }
        }
    }

    @Test func reportsValuesOfAnotherType() async throws {
        _ = try await filled(5)
        try OtherProgram.execute(
            """
            UPDATE entry SET sort_date = 'soon' WHERE id = 1;
            UPDATE entry SET title = x'ff00' WHERE id = 2;
            UPDATE subscription SET total_count = 'many';
            UPDATE entry_content SET first_seen = 'x' WHERE entry_id = 3;
            """, at: path)
        let library = try Library(path: path)
        for read in [
            { _ = try library.entries.rows(in: EntryQuery(.all), limit: 9) }, { _ = try library.feeds.all() },
            { _ = try library.entries.detail(of: 3) },
        ] as [() throws -> Void] {
            #expect { try read() } throws: { "\($0)".contains("partly damaged") }
        }
        let findings = try LibraryCheck.run(library)
        #expect(findings.contains("values of the wrong type in 2 rows of entry"))
        #expect(findings.contains("the counters of 1 feed are wrong"))
        let found = try LibraryRecovery.recover(path, into: path + "-new").tables
        // Replaced values are reported.
        #expect(found.filter(\.isPartial).map(\.table) == ["entry", "entry_content"])
        let new = try Library(path: path + "-new")
        #expect(try LibraryCheck.run(new) == [])
        #expect(try new.entries.count(in: EntryQuery(.all)) == 5)
        #expect(try new.entries.rows(in: EntryQuery(.all), limit: 9).count == 5)
    }

    /// Whatever bytes are destroyed, nothing traps and a recovery produces an intact library.
    @Test(arguments: 0..<12) func reportsDestroyedPagesAndReadsTheRest(round: Int) async throws {
        do { #expect(try await filled(400).changes.drain() == .stored) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var generator = SeededGenerator(seed: UInt64(round))
        for _ in 0..<(1 + round % 3) {
            // The first page locates all others: without it nothing can be read.
            let place = Int.random(in: 4096..<bytes.count - 5000, using: &generator)
            for index in place..<place + [1, 100, 5000][round % 3] {
                bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        for name in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) }
        if let library = try? Library(path: path) {
            _ = try? library.entries.rows(in: EntryQuery(.all), limit: 1000)
            _ = try? LibraryCheck.run(library)
            for entry in 1...400 { _ = try? library.entries.detail(of: EntryID(rawValue: Int64(entry))) }
        }
        guard (try? LibraryRecovery.recover(path, into: path + "-new")) != nil else { return }
        let new = try Library(path: path + "-new")
        #expect(try LibraryCheck.run(new) == [])
        #expect(try LibraryPicture.faults(of: new) == [])
    }

    // MARK: Clocks

    @Test func survivesAWrongClock() async throws {
        let now: Instant = 1_790_000_000
        #expect(FetchSchedule.holds(now + 3600, now: now))
        #expect(!FetchSchedule.holds(now - 1, now: now))
        #expect(!FetchSchedule.holds(now + 50 * 365 * 86_400, now: now))
        #expect(!FetchSchedule.holds(nil, now: now))
        let (library, id) = try await Library.following("https://a.example/")
        try await library.store(LibraryGuardTests.feed(2), in: id, record: FetchRecord(date: now))
        let entry = try library.entries.rows(in: EntryQuery(.all), limit: 1)[0].id
        try await library.setMark(.read, true, entries: [entry], now: now + 50 * 365 * 86_400)
        #expect(try library.entries.rows(in: EntryQuery(.unread(keepingReadSince: now)), limit: 9).count == 1)
        #expect(try library.entries.count(in: EntryQuery(.unread(keepingReadSince: now))) == 1)
    }

    @Test func restoresRemovedRows() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        func fail() async throws {
            try await library.changes.perform(NoteFailure(id, "gone", notBefore: nil, isGone: true, date: 1))
            #expect(try library.feeds.health(of: id)?.isGone == true)
        }
        try await fail()
        try await library.changes.perform(NoteUnchanged(id, nextFetch: nil, date: 2))
        #expect(try library.feeds.health(of: id)?.isGone == false)
        try await fail()
        try await library.store(LibraryGuardTests.feed(1), in: id, record: FetchRecord(date: 3))
        #expect(try library.feeds.health(of: id)?.isGone == false)
    }

    @Test func countsExpiredEntriesOnce() async throws {
        let (library, id) = try await Library.following("https://a.example/")
        try await library.store(LibraryGuardTests.feed(10), in: id, record: FetchRecord(date: 1_000_000))
        #expect(try await library.retain(days: 1, entries: 4, now: 1_000_000 + 5 * 86_400) == 10)
        #expect(try library.entries.count(in: EntryQuery(.all)) == 0)
    }
}
