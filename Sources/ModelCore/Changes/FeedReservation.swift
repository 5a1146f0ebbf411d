import Synchronization

/// A reservation for a feed that is being read and will be stored in a moment (``ChangeQueue/announceFeed()``).
package final class FeedReservation: Sendable {
    private let whenItEnds: @Sendable () -> Void
    private let isOver = Mutex(false)

    init(_ whenItEnds: @escaping @Sendable () -> Void) { self.whenItEnds = whenItEnds }

    deinit { end() }

    /// Marks the feed as stored or given up.
    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { whenItEnds() }
    }
}
