import Feeds
import LibraryKernel
import Platform
import Synchronization

/// Fills the full-text index for commands that search.
struct IndexFilling {
    let library: Library

    init(_ library: Library) { self.library = library }

    /// Indexes all entries that are not in the full-text index, or throws if that can't be stored.
    ///
    /// A read-only library is searched as it is; the entries that are left out are reported.
    func complete() throws {
        if let readOnlyReason = library.readOnlyReason {
            if let note = try unindexedNote(because: readOnlyReason) { printError(note) }
            return
        }
        let count = try library.search.unindexedCount()
        if count > 20_000, isatty(STDERR_FILENO) == 1 {
            printError("tappa: indexing \(count.countedEntries) (only once) …")
        }
        while try library.carryOut(IndexSome()).count > 0 {}
    }

    /// Indexes the newest entries for a short time, so that a search answers at once.
    ///
    /// - Parameter limit: The time in which the last batch should end. One batch is indexed in any case.
    /// - Returns: A message about the entries that are not indexed, or `nil` if all are.
    func advance(_ limit: Duration = .milliseconds(200)) throws(LibraryError) -> String? {
        if let readOnlyReason = library.readOnlyReason { return try unindexedNote(because: readOnlyReason) }
        guard try library.search.unindexedCount() > 0 else { return nil }
        let end = Stopwatch.now + limit
        // Another program may be writing for long. The search doesn't wait for it.
        let result = Result {
            try runBlocking(atMost: limit + .milliseconds(300)) { try await indexNewest(until: end) }
        }
        guard case .failure(let failure) = result else { return try unindexedNote(because: nil) }
        return try unindexedNote(because: "\(failure)")
    }

    /// Indexes batches of entries, the newest first, until none is left or the next batch would end too late.
    func indexNewest(until end: ContinuousClock.Instant) async throws(ChangeFailure) {
        var start = Stopwatch.now
        while try await library.changes.perform(IndexSome()).count > 0 {
            let now = Stopwatch.now
            // The next batch takes about as long as the last one.
            guard now + start.duration(to: now) < end else { return }
            start = now
        }
    }

    /// Returns a message about the entries that a search doesn't find because they are not indexed.
    ///
    /// - Parameter reason: Why they can't be indexed, or `nil` if there was no time for it.
    private func unindexedNote(because reason: String?) throws(LibraryError) -> String? {
        let count = try library.search.unindexedCount()
        guard count > 0 else { return nil }
        let left = "tappa: \(count.counted("entry is", "entries are"))"
        if let reason { return "\(left) not indexed and not searched: \(reason)" }
        return "\(left) not indexed yet and not searched; --wait indexes all entries first"
    }
}

/// Indexes new entries while a reload in the shell waits for servers.
///
/// A batch starts only after a pause in which no feed has started or ended, so indexing takes no time from feeds that
/// are being read or stored.
final class IdleIndexer: Sendable {
    private let library: Library
    private let pause: Duration
    private let lastActivity = Mutex(Stopwatch.now)

    /// - Parameter pause: The time without activity after which indexing starts.
    init(library: Library, pause: Duration = .milliseconds(300)) {
        self.library = library
        self.pause = pause
    }

    /// Notes that a feed has started or ended.
    func noteActivity() { lastActivity.withLock { $0 = Stopwatch.now } }

    /// Indexes in pauses until the task is cancelled. A batch that has begun then isn't awaited.
    func start() -> Task<Void, Never> {
        Task(priority: .utility) {
            while !Task.isCancelled {
                let rest = Stopwatch.now.duration(to: lastActivity.withLock { $0 } + pause)
                if rest > .zero {
                    try? await Clock.sleep(for: rest)
                    continue
                }
                // An error is reported by the changes of the reload, or by the next search.
                guard let count = try? await library.changes.perform(IndexSome()).count else { return }
                if count == 0 { noteActivity() }
            }
        }
    }
}
