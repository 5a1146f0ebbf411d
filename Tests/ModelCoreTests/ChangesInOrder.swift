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

/// The order of changes: which come first, which wait, which are rejected, and what happens to them at the end.
@Suite struct ChangesInOrder {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    /// The finished changes in order, with their failures.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }

        func add(_ name: String, _ result: Result<Receipt, ChangeFailure>) {
            switch result {
            case .success: add(name)
            case .failure(let failure): add("\(name): \(failure)")
            }
        }
    }

    private func library(_ path: String?) async throws -> (Library, FeedID) {
        let library = try Library(path: path)
        return (library, try await library.follow("https://a.example/"))
    }

    /// Blocks a queue until something is done: completions run between two changes.
    private func hold(_ library: Library, _ id: FeedID, _ body: () async throws -> Void) async throws {
        let isHeld = Mutex(false)
        let isReleased = DispatchSemaphore(value: 0)
        library.changes.submit(.rename(id, title: "held")) { _ in
            isHeld.withLock { $0 = true }
            _ = isReleased.wait(timeout: .now() + 60)
        }
        #expect(await eventually { isHeld.withLock { $0 } })
        defer { isReleased.signal() }
        try await body()
    }

    private func submit(_ library: Library, _ id: FeedID, _ name: String, _ log: Log) {
        library.changes.submit(.rename(id, title: name)) { log.add(name, $0) }
    }

    private func submitUpkeep(_ library: Library, _ id: FeedID, _ name: String, _ log: Log) async {
        let before = library.changes.pending
        Task {
            do throws(ChangeFailure) {
                log.add(name, .success(try await library.changes.perform(NoteUnchanged(id, nextFetch: nil, date: 5))))
            } catch { log.add(name, .failure(error)) }
        }
        #expect(await eventually { library.changes.pending > before || log.all.contains { $0.hasPrefix(name) } })
    }

    @Test func storesUserChangesFirst() async throws {
        let (library, id) = try await library(nil)
        let log = Log()
        try await hold(library, id) {
            await submitUpkeep(library, id, "maintenance", log)
            for name in ["one", "two", "three"] { submit(library, id, name, log) }
        }
        #expect(await eventually { log.all.count == 4 })
        #expect(log.all == ["one", "two", "three", "maintenance"])
        #expect(try library.feeds.feed(id)?.title == "three")
    }

    /// Results of a reload are stored after the user's changes, however long they wait.
    @Test func storesFeedsAfterTheUsersChanges() async throws {
        let (library, id) = try await library(nil)
        let feed = ParsedFeed([ParsedEntry(id: "1", title: "T")])
        let prepared = PreparedFeed(feed, record: FetchRecord(date: 5))
        let log = Log()
        try await hold(library, id) {
            Task {
                let receipt = try? await library.changes.perform(StoreFeed(prepared, in: id))
                log.add("added \(receipt?.stored.added ?? -1)")
            }
            #expect(await eventually { library.changes.pending == 1 })
            library.changes.submit(.unsubscribe(id)) { log.add("unsubscribed", $0) }
        }
        #expect(await eventually { log.all.count == 2 })
        #expect(Set(log.all) == ["unsubscribed", "added 0"])
    }

    @Test func identifiesChanges() async throws {
        let (library, id) = try await library(nil)
        let name = UUID()
        let receipt = try await library.changes.perform(.rename(id, title: "Mine"), id: name)
        #expect(receipt.id == name)
        #expect(try await library.changes.perform(.undo(name)).count == 1)
        #expect(try library.feeds.feed(id)?.title == "https://a.example/")
    }

    @Test func withdrawsPendingChanges() async throws {
        let (library, id) = try await library(nil)
        let (log, other) = (Log(), UUID())
        try await hold(library, id) {
            submit(library, id, "one", log)
            library.changes.submit(.rename(id, title: "other"), id: other) { log.add("other", $0) }
            submit(library, id, "two", log)
            #expect(library.changes.pending == 3)
            #expect(library.changes.withdraw(other) && !library.changes.withdraw(other))
            #expect(!library.changes.withdraw(UUID()) && library.changes.pending == 2)
        }
        #expect(await eventually { log.all.count == 2 })
        #expect(log.all == ["one", "two"])
    }

    /// A change is stored completely or not at all, and the next ones continue.
    @Test func storesChangesAtomically() async throws {
        let (library, id) = try await library(nil)
        try library.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON subscription WHEN NEW.url = 'https://no.example/'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let feeds = ["https://b.example/", "https://no.example/"].map { NewSubscription(url: $0) }
        for change in [
            Change.subscribe(feeds, now: 1), .several([.rename(id, title: "N"), .subscribe([feeds[1]], now: 1)]),
        ] {
            let failure = await #expect(throws: ChangeFailure.self) { try await library.changes.perform(change) }
            #expect(failure?.description.contains("refused") == true && failure?.error != nil)
            // Maintenance for the whole run doesn't wait for a change that can never succeed.
            let log = Log()
            library.changes.submit(change) { log.add("change", $0) }
            #expect(await eventually { log.all.first?.contains("refused") == true })
            #expect(try library.feeds.all().map(\.title) == ["https://a.example/"])
        }
        #expect(try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM undo_step") } == 1)
        #expect(try await library.changes.perform(.rename(id, title: "N")).count == 1)
    }

    // MARK: Other programs

    @Test func waitsForABusyLibrary() async throws {
        let (library, id) = try await library(path)
        let news = Mutex<[ChangeQueue.Waiting]>([])
        library.changes.observe { waiting in news.withLock { $0.append(waiting) } }
        let other = try OtherProgram.lock(path)
        let failure = await #expect(throws: ChangeFailure.self) {
            try await library.changes.perform(.rename(id, title: "N"), patience: .seconds(0.1))
        }
        #expect(failure?.error == .busy && failure?.description == "the library is locked by another program")
        let log = Log()
        submit(library, id, "one", log)
        submit(library, id, "two", log)
        #expect(
            await eventually {
                news.withLock { $0.last } == .init(count: 2, delayReason: "the library is locked by another program")
            })
        #expect(log.all.isEmpty && library.changes.pending == 2)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(await eventually { log.all.count == 2 && news.withLock { $0.last } == .init() })
        #expect(log.all == ["one", "two"])
        #expect(try library.feeds.feed(id)?.title == "two")
    }

    @Test func succeedsOnceTheLibraryIsFree() async throws {
        let (library, id) = try await library(path)
        let isTold = Mutex(false)
        library.changes.observe { waiting in isTold.withLock { $0 = $0 || waiting.delayReason != nil } }
        let other = try OtherProgram.lock(path)
        async let receipt = library.changes.perform(.rename(id, title: "N"), patience: .seconds(60))
        #expect(await eventually { isTold.withLock { $0 } })
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await receipt.count == 1)
        #expect(try library.feeds.feed(id)?.title == "N")
    }

    // MARK: The end

    /// A change being stored when the program ended is in the journal and isn't stored twice.
    @Test func neverStoresAJournaledChangeTwice() async throws {
        let (library, id) = try await library(path)
        let isHeld = Mutex(false)
        let isReleased = DispatchSemaphore(value: 0)
        try library.store.onWriter { db in
            db.add(
                function: DatabaseFunction("hold", argumentCount: 0) { _ in
                    isHeld.withLock { $0 = true }
                    _ = isReleased.wait(timeout: .now() + 60)
                    return nil
                })
            try db.execute(
                sql: "CREATE TEMP TRIGGER hold AFTER UPDATE OF custom_title ON subscription BEGIN SELECT hold(); END")
        }
        let log = Log()
        submit(library, id, "one", log)
        #expect(await eventually { isHeld.withLock { $0 } })
        #expect(library.changes.drain(within: 0.1) == .kept(1))
        isReleased.signal()
        #expect(await eventually { library.changes.pending == 0 && !log.all.isEmpty })
        #expect(try library.feeds.feed(id)?.title == "https://a.example/")
        #expect(try Library(path: path).feeds.feed(id)?.title == "one")
    }

    /// At the end the user's changes are stored, maintenance is dropped, and later changes are rejected.
    @Test func storesTheUsersChangesAtTheEnd() async throws {
        let (library, id) = try await library(path)
        let log = Log()
        let ending = Mutex<Leaving?>(nil)
        let slow = Mutex(0)
        var isSlow = false
        try await hold(library, id) {
            await submitUpkeep(library, id, "maintenance", log)
            submit(library, id, "one", log)
            Thread.detachNewThread {
                let leaving = library.changes.drain(within: 60) { slow.withLock { $0 += 1 } }
                ending.withLock { $0 = leaving }
            }
            // From then on maintenance is rejected, but changes are still accepted.
            var tries = 0
            while tries < 10_000, !log.all.contains("try \(tries): tappa is quitting") {
                tries += 1
                await submitUpkeep(library, id, "try \(tries)", log)
            }
            submit(library, id, "two", log)
            // A delay beyond a moment is reported once and waited for.
            #expect(await eventually { slow.withLock { $0 } == 1 })
            #expect(ending.withLock { $0 } == nil)
        }
        #expect(await eventually { ending.withLock { $0 } != nil })
        #expect(ending.withLock { $0 } == .stored)
        #expect(log.all.filter { !$0.hasPrefix("try") }.sorted() == ["maintenance: tappa is quitting", "one", "two"])
        submit(library, id, "late", log)
        #expect(log.all.last == "late: tappa is quitting")
        #expect(library.changes.drain { isSlow = true } == .stored && !isSlow)
        #expect(try Library(path: path).feeds.feed(id)?.title == "two")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).allSatisfy {
                !$0.contains("waiting")
            })
    }

    @Test(arguments: [true, false]) func keepsOrReportsUnstoredChanges(isInFile: Bool) async throws {
        let (library, id) = try await library(isInFile ? path : nil)
        let log = Log()
        let isSlow = Mutex(0)
        try await hold(library, id) {
            await submitUpkeep(library, id, "maintenance", log)
            for name in ["one", "two"] { submit(library, id, name, log) }
            library.changes.submit(.storeReadingPosition(1, "1:1")) { log.add("place", $0) }
            let leaving = library.changes.drain(within: 0.8) { isSlow.withLock { $0 += 1 } }
            let names = ["a new name", "a new name", "a reading position"]
            #expect(leaving == (isInFile ? .kept(3) : .lost(names, reason: "the library is in memory only")))
            #expect(isSlow.withLock { $0 } == 1)
        }
        // None of them is stored in addition to the journal.
        #expect(await eventually { library.changes.pending == 0 })
        #expect(try library.feeds.feed(id)?.title == "held")
        guard isInFile else { return }
        let next = try Library(path: path)
        #expect(try next.notices == ["stored 3 changes of the previous run"] && next.feeds.feed(id)?.title == "two")
        #expect(try Library(path: path).notices == [])
    }

    /// Journals are applied in the order in which they were written; invalid ones are quarantined under a descriptive
    /// name.
    @Test func replaysJournalsInOrder() async throws {
        let (library, id) = try await library(path)
        let identity = try #require(library.store.identity)
        #expect(library.changes.drain() == .stored)
        func write(_ names: [String], _ age: Int, to library: String = identity) throws -> String {
            let items = names.map { Journal.Item(id: UUID(), change: .rename(id, title: $0)) }
            let journal = Journal(library: library, items: items)
            try journal.write(beside: path)
            let file = path + ".waiting-" + journal.id.uuidString
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(2_000_000_000 - age))], ofItemAtPath: file)
            return file
        }
        var status = stat()
        let newest = try write(["newest"], 1)
        #expect(stat(newest, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let oldest = try write(["oldest"], 9)
        let middle = try write(["middle", "then"], 5)
        let stranger = try write(["stranger"], 0, to: "another")
        let broken = path + ".waiting-" + UUID().uuidString
        try Data("{".utf8).write(to: URL(fileURLWithPath: broken))
        let unreadable = path + ".waiting-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: unreadable, withIntermediateDirectories: false)
        for name in [".waiting-none", ".waiting-\(UUID()).part"] {
            try Data().write(to: URL(fileURLWithPath: path + name))
        }
        let invalid = [broken, stranger, unreadable]
        #expect(try Journal.files(beside: path).filter { !invalid.contains($0) } == [oldest, middle, newest])
        #expect(Library(glancingAt: path) == nil)
        let next = try Library(path: path)
        #expect(try next.feeds.feed(id)?.title == "newest")
        #expect(
            Set(next.notices) == [
                "stored 1 change of the previous run", "stored 2 changes of the previous run",
                "\(stranger) belongs to another library and was moved aside",
                "\(broken) is damaged and was moved aside",
                "the changes of a previous run are not stored yet: \(unreadable) is a directory",
            ] && next.notices.count == 6)
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.url.path)
        #expect(names.count { $0.hasSuffix(".not-taken") } == 2 && names.contains { $0.hasSuffix(".waiting-none") })
        // It is stored once it can be read.
        #expect(try Journal.files(beside: path) == [unreadable])
        try FileManager.default.removeItem(atPath: unreadable)
        #expect(try Journal.files(beside: path).isEmpty && Library(glancingAt: path) != nil)
        // Each change can be undone as if it had been stored then.
        #expect(
            try next.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM undo_step WHERE explanation LIKE 'renaming %'")
            } == 4)
    }

    /// A change that could neither be stored nor journaled is reported with the reason.
    @Test func reportsLostChanges() async throws {
        let (library, id) = try await library(path)
        let log = Log()
        try await hold(library, id) {
            submit(library, id, "one", log)
            try FileManager.default.removeItem(at: temporary.url)
            guard case .lost(let names, let reason) = library.changes.drain(within: 0.1) else {
                Issue.record("it was stored")
                return
            }
            #expect(
                names == ["a new name"] && reason.hasPrefix("can't write ")
                    && reason.hasSuffix("No such file or directory"), "\(reason)")
        }
    }

    /// After a few seconds without changes, the library file alone is complete.
    @Test func checkpointsTheLogWhenIdle() async throws {
        let (library, id) = try await library(path)
        try await library.changes.perform(.rename(id, title: "at rest"))
        let copy = temporary.path("copy")
        #expect(
            await eventually {
                try? FileManager.default.removeItem(atPath: copy)
                try? FileManager.default.copyItem(atPath: path, toPath: copy)
                return (try? Library(path: copy).feeds.feed(id)?.title) == "at rest"
            })
        withExtendedLifetime(library) {}
    }

    /// A journaled change that was stored after all isn't stored again.
    @Test func storesNothingOfAJournalTwice() async throws {
        let (library, id) = try await library(path)
        let stored = try await library.changes.perform(.rename(id, title: "stored"))
        try await library.changes.perform(.rename(id, title: "later"))
        let journal = Journal(
            library: "",
            items: [
                .init(id: stored.id, change: .rename(id, title: "stored")),
                .init(id: UUID(), change: .saveSearch(name: "S", query: "s")),
                .init(id: UUID(), change: .collapseGroup(.tag("t"), true)),
            ])
        for _ in 0..<2 {
            try library.changes.restoreJournal(journal)
            #expect(try library.feeds.groupPlaces()(.tag("t"))?.isClosed != nil)
            try await library.changes.perform(.collapseGroup(.tag("t"), false))
        }
        try library.changes.restoreJournal(journal)
        #expect(try library.feeds.groupPlaces()(.tag("t"))?.isClosed == false)
        #expect(try library.feeds.feed(id)?.title == "later" && library.search.saved().map(\.name) == ["S"])
    }
    /// Another program may write for longer than SQLite waits while a journal is stored.
    @Test func waitsForAnotherProgramBeforeStoringAJournal() async throws {
        let (library, id) = try await library(path)
        let other = try DatabaseQueue(path: path)
        let journal = Journal(library: "", items: [.init(id: UUID(), change: .rename(id, title: "journaled"))])
        let (changes, isLocked) = (library.changes, Semaphore())
        let holder = Thread {
            try? other.inDatabase { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                isLocked.signal()
                // Longer than SQLite waits for a lock.
                Stopwatch.pause(for: .milliseconds(400))
                try db.execute(sql: "ROLLBACK")
            }
        }
        holder.start()
        #expect(isLocked.wait(atMost: .seconds(60)))
        try changes.restoreJournal(journal)
        #expect(try library.feeds.feed(id)?.title == "journaled")
    }
}
