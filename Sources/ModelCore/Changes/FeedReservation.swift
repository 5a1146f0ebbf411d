import Synchronization

/// A feed that is being read and is to be stored in a moment (``ChangeQueue/announceFeed()``).
package final class FeedReservation: Sendable {
    private let whenItEnds: @Sendable () -> Void
    private let isOver = Mutex(false)

    init(_ whenItEnds: @escaping @Sendable () -> Void) { self.whenItEnds = whenItEnds }

    deinit { end() }

    /// It is here, or will not come.
    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { whenItEnds() }
    }
}
