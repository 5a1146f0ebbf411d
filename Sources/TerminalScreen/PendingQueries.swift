import Platform

/// The queries that the terminal has not answered yet, in the order in which they were sent.
///
/// Each query ends with a request for the device attributes (DA1). Terminals answer in order, so each answer ends the
/// oldest query and no other.
struct PendingQueries {
    /// What a query is about.
    enum Subject: Hashable {
        /// The terminal's colours.
        case colors
        /// The pictures that it can show.
        case graphics
    }

    private var sent: [(subject: Subject, at: ContinuousClock.Instant)] = []

    /// The time after which an answer counts as lost, for example because another program has read it.
    private static let lossTime = Duration.seconds(30)

    /// Adds a query that was just sent.
    mutating func add(_ subject: Subject, at now: ContinuousClock.Instant = .now) {
        sent.removeAll { $0.at.duration(to: now) > PendingQueries.lossTime }
        sent.append((subject, now))
    }

    /// Ends the oldest query.
    ///
    /// - Returns: Its subject, or `nil` if no answer is pending.
    mutating func endOldest() -> Subject? { sent.isEmpty ? nil : sent.removeFirst().subject }

    /// Forgets all queries, because another program may have read their answers.
    mutating func removeAll() { sent = [] }
}
