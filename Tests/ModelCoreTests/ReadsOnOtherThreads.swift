import CommonTesting
import Dispatch
import Feeds
import Foundation
import GRDB
import LibraryTesting
import Synchronization
import Testing

@testable import LibraryKernel
@testable import ModelCore

/// Background reads: results in time and late, parts, and cancellation.
@MainActor
@Suite struct ReadsOnOtherThreads {
    private let library: Library

    init() throws { library = try Library(path: nil) }

    /// What a read has handed over.
    private final class Found {
        var values: [Int] = []
        var isWhole = false
    }

    @Test func handsOverResultsInTimeOrLate() async {
        let found = Found()
        let inTime = library.read(waiting: .seconds(30)) { _, _ in
            Thread.isMainThread ? -1 : 1
        } then: {
            found.values.append((try? $0.value.get()) ?? 0)
        }
        #expect(found.values == [1])
        let gate = DispatchSemaphore(value: 0)
        let late = library.read(waiting: .milliseconds(1)) { _, _ in
            gate.wait()
            return 2
        } then: {
            found.values.append((try? $0.value.get()) ?? 0)
        }
        #expect(found.values == [1])
        gate.signal()
        #expect(await eventually { found.values == [1, 2] })
        withExtendedLifetime((inTime, late)) {}
    }

    @Test func handsOverErrors() {
        struct Failure: Error {}
        var problem: (any Error)?
        let read = library.read(waiting: .seconds(30)) { _, _ -> Int in
            throw Failure()
        } then: {
            if case .failure(let error) = $0.value { problem = error }
        }
        #expect(problem is Failure)
        withExtendedLifetime(read) {}
    }

    /// Whoever waits gets the whole; otherwise each part comes when it is there.
    @Test func handsOverParts() async {
        let found = Found()
        let waiting = library.read(waiting: .seconds(30)) { _, part in
            part(1)
            return 2
        } then: {
            found.values.append((try? $0.value.get()) ?? 0)
            found.isWhole = $0.isWhole
        }
        #expect(found.values == [2] && found.isWhole)
        let gate = DispatchSemaphore(value: 0)
        let read = library.read(waiting: .milliseconds(1)) { _, part in
            part(3)
            gate.wait()
            return 4
        } then: {
            found.values.append((try? $0.value.get()) ?? 0)
            found.isWhole = $0.isWhole
        }
        #expect(await eventually { found.values == [2, 3] && !found.isWhole })
        gate.signal()
        #expect(await eventually { found.values == [2, 3, 4] && found.isWhole })
        withExtendedLifetime((waiting, read)) {}
    }

    /// Whoever receives a part can read the library itself, even if the background read was cancelled meanwhile.
    @Test func readsOnItsOwnAccountWithParts() async throws {
        let (library, gate) = (library, DispatchSemaphore(value: 0))
        var read: BackgroundRead?
        var counts: [Int?] = []
        read = library.read(waiting: .milliseconds(1)) { _, part in
            gate.wait()
            part(1)
            return 2
        } then: { _ in
            read = nil
            counts.append(try? library.entries.list(EntryQuery(.all)).count)
        }
        gate.signal()
        #expect(await eventually { counts == [0] })
        #expect(read == nil)
    }

    /// An endless query ends when its read is released, and the connection can be used again.
    @Test func endsQueriesThatNobodyNeeds() async throws {
        let marks = Marks()
        do {
            let read = library.read(waiting: .zero) { library, _ in
                defer { marks.ended.store(true, ordering: .sequentiallyConsistent) }
                marks.begun.store(true, ordering: .sequentiallyConsistent)
                return try library.read { db in
                    try Int.fetchOne(
                        db,
                        sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
                }
            } then: { _ in
                marks.used.store(true, ordering: .sequentiallyConsistent)
            }
            #expect(await eventually { marks.begun.load(ordering: .sequentiallyConsistent) })
            withExtendedLifetime(read) {}
        }
        #expect(await eventually { marks.ended.load(ordering: .sequentiallyConsistent) })
        for _ in 0..<20 { await Task.yield() }
        let isUsed = marks.used.load(ordering: .sequentiallyConsistent)
        #expect(!isUsed)
        #expect(try library.entries.list(EntryQuery(.all)).isEmpty)
    }

    private final class Marks: Sendable {
        let begun = Atomic(false)
        let ended = Atomic(false)
        let used = Atomic(false)
    }
}
