/// Holds values back for a while, so that nothing appears before a broadcast that comes later than the data.
///
/// It counts from the instants at which responses came. Everything live passes through one delay: the page, the ticker,
/// the status line, notifications and results.
package struct LiveDelay<Value: Sendable>: Sendable {
    private var values: [(at: Instant, value: Value)] = []

    /// The delay in seconds, from 0 to 300.
    package var seconds: Int64 {
        didSet { seconds = seconds.limited(0, longestLiveDelay) }
    }

    /// The maximum number of values that are kept.
    private static var most: Int { 1024 }

    package init(seconds: Int64 = 0) { self.seconds = seconds.limited(0, longestLiveDelay) }

    /// Adds the value of a response.
    ///
    /// - Parameter now: The instant of the response. A clock that was set back doesn't let values overtake others.
    package mutating func receive(_ value: Value, at now: Instant) {
        values.append((max(now, values.last?.at ?? now), value))
        // A longer delay needs older values: those that were shown at most five minutes ago.
        if let shown = values.lastIndex(where: { $0.at <= now - longestLiveDelay }), shown > 0 {
            values.removeFirst(shown)
        }
        // Of too many the one before the newest is left out: it would have been shown for the shortest time.
        if values.count > LiveDelay.most { values.remove(at: values.count - 2) }
    }

    /// Returns the newest value that may be shown, or `nil` if none may.
    package func value(at now: Instant) -> Value? {
        let limit = now - seconds
        return values.last { $0.at <= limit }?.value
    }

    /// Returns the instant at which the next value may be shown, or `nil` if none is held back.
    package func nextChange(after now: Instant) -> Instant? {
        let limit = now - seconds
        return values.first { $0.at > limit }.map { $0.at + seconds }
    }

    /// Returns the instant to which the shown state belongs, for ages and for messages that carry their own time.
    package func shownInstant(at now: Instant) -> Instant { now - seconds }
}

/// The longest delay in seconds.
package let longestLiveDelay: Int64 = 300
