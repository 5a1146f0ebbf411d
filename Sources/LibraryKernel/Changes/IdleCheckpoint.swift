import Dispatch
import Synchronization

/// Moves the write-ahead log into the library file after a period without changes. The file then contains the whole
/// library.
final class IdleCheckpoint: Sendable {
    /// The number of idle seconds.
    private static let rest = 3

    private let store: Store
    private let thread: DispatchQueue
    private let number = Mutex(0)

    /// - Parameter thread: The queue on which changes are stored.
    init(_ store: Store, on thread: DispatchQueue) {
        self.store = store
        self.thread = thread
    }

    /// Schedules a checkpoint and cancels the previous one.
    func schedule() {
        let current = number.withLock { number in
            number += 1
            return number
        }
        thread.run(after: .seconds(IdleCheckpoint.rest)) { [weak self] in
            guard let self, self.number.withLock({ $0 == current }) else { return }
            self.store.rest()
        }
    }
}
