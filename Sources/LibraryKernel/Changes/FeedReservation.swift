import Synchronization

/// A reservation for a feed that is being fetched and will be stored soon (``ChangeQueue/announceFeed()``).
package final class FeedReservation: Sendable {
    private let whenItEnds: @Sendable () -> Void
    private let isOver = Mutex(false)

    init(_ whenItEnds: @escaping @Sendable () -> Void) { self.whenItEnds = whenItEnds }

    deinit { end() }

    /// Marks the reserved feed as delivered or abandoned.
    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { whenItEnds() }
    }
}
