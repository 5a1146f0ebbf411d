import Synchronization

/// A reservation for a step that is being prepared and will be stored soon (``ChangeQueue/reserve()``).
package final class CommitReservation: Sendable {
    private let whenItEnds: @Sendable () -> Void
    private let isOver = Atomic(false)

    init(_ whenItEnds: @escaping @Sendable () -> Void) { self.whenItEnds = whenItEnds }

    deinit { end() }

    /// Marks the reserved step as delivered or abandoned.
    func end() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { whenItEnds() }
    }
}

struct OpenReservations: Sendable {
    private(set) var count = 0
    /// Whether a transaction remains open for them.
    private(set) var areAwaited = false

    mutating func add() { count += 1 }

    mutating func remove() { count -= 1 }

    /// Keeps a transaction open if there are reservations, and returns whether there are.
    mutating func beginWaiting() -> Bool {
        areAwaited = count > 0
        return areAwaited
    }

    /// Ends the wait of a transaction.
    mutating func endWaiting() { areAwaited = false }
}
