import Platform

/// Applies queued work in transactions. Steps such as the feeds of a reload share one.
///
/// In a shared transaction, SQLite writes the pages that all steps change only once.
struct GroupCommit {
    struct Done {
        var work: QueuedWork
        var result: Result<Receipt, LibraryError>
    }

    /// An error for work that the program could not store before quitting. It is in the journal and must not be stored
    /// twice.
    private struct Abandoned: Error {}

    /// The maximum time to collect steps in one transaction. A change of the user ends it immediately.
    private static let longest = Duration.milliseconds(100)

    let store: Store
    let kinds: ChangeKinds
    /// Returns the next step for the transaction, or `nil` to commit it. Waits until the given time for reserved steps.
    let next: (ContinuousClock.Instant) -> QueuedWork?
    /// Called before the commit. Returns false if the program has given up waiting for it.
    let mayCommit: () -> Bool

    /// Applies work in a transaction, together with any waiting steps. If a shared transaction fails, each step gets
    /// its own.
    func run(_ first: QueuedWork, _ permit: borrowing WritePermit, alone: Bool = false) -> [Done] {
        var taken = [first]
        do throws(LibraryError) {
            // What the user did is shown as done once it is on the disk.
            return try store.write(permit, isDurable: first.change != nil) { db in
                let end = Stopwatch.now + GroupCommit.longest
                var done: [Done] = []
                let parts = TransactionParts()
                while let work = taken[done.count...].first {
                    let transaction = LibraryTransaction(db, kinds, id: work.id, parts: parts)
                    let receipt =
                        switch work.work {
                        case .change(let change): try transaction.apply(change)
                        case .maintenance(let maintenance): try transaction.apply(maintenance)
                        }
                    done.append(Done(work: work, result: .success(receipt)))
                    if !alone, work.sharesCommit, let next = next(end) { taken.append(next) }
                }
                try parts.finish(db)
                // From this point on, quitting waits for the commit.
                guard mayCommit() else { throw Abandoned() }
                return done
            }
        } catch {
            if taken.count > 1, !error.isTransient {
                var done: [Done] = []
                for work in taken { done += run(work, permit, alone: true) }
                return done
            }
            return taken.map { Done(work: $0, result: .failure(error)) }
        }
    }
}
