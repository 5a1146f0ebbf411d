import Platform

/// The queries that the terminal has not answered yet, in the order in which they were sent.
///
/// Each query ends with a request for the device attributes (DA1). Terminals answer in order, so each answer ends the
/// oldest query and no other.
struct PendingQueries {
    enum Subject: Hashable {
        /// The terminal's colours.
        case colors
        /// The pictures that it can show.
        case graphics
        /// Whether anybody receives the output.
        case presence
    }

    private var sent: [(subject: Subject, at: ContinuousClock.Instant)] = []
    private var hasAnswered = false
    /// The instant of the first question for a presence since which nothing has arrived.
    private(set) var presenceAskedAt: ContinuousClock.Instant?

    /// The time after which an answer counts as lost, for example because another program has read it.
    private static let lossTime = Duration.seconds(30)
    /// The time within which a terminal shows its presence, even over a slow connection.
    private static let presenceTime = Duration.seconds(5)

    /// Adds a query that was just sent.
    mutating func add(_ subject: Subject, at now: ContinuousClock.Instant = .now) {
        sent.removeAll { $0.at.duration(to: now) > PendingQueries.lossTime }
        sent.append((subject, now))
    }

    /// Ends the oldest query, and returns its subject, or `nil` if no answer is pending.
    mutating func endOldest() -> Subject? {
        guard !sent.isEmpty else { return nil }
        hasAnswered = true
        return sent.removeFirst().subject
    }

    /// Forgets all queries, because another program may have read their answers.
    mutating func removeAll() { (sent, presenceAskedAt) = ([], nil) }

    mutating func terminalDidSend() { presenceAskedAt = nil }

    /// Starts a question for the terminal's presence, unless it may be one that answers no query.
    ///
    /// - Returns: Whether to ask, and whether the terminal has sent something since the last question.
    mutating func askForPresence(at now: ContinuousClock.Instant = .now) -> (asks: Bool, isPresent: Bool) {
        guard hasAnswered else { return (false, true) }
        let isPresent = presenceAskedAt.map { $0.duration(to: now) < PendingQueries.presenceTime } ?? true
        presenceAskedAt = presenceAskedAt ?? now
        add(.presence, at: now)
        return (true, isPresent)
    }
}
