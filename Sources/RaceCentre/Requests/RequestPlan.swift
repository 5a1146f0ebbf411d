import FeedParsing

/// What happened to a request.
package enum RequestOutcome: Hashable, Sendable {
    /// A response with this status. `isEmpty` says that it contained no records (204 or `[]`), and `retryAfter` is the
    /// number of seconds that the server asks clients to wait.
    case response(status: Int, isEmpty: Bool = false, retryAfter: Int64? = nil)
    /// There was no response, or one that could not be read.
    case failed
}

/// Who would see new data.
package enum RaceAudience: Int, Hashable, Sendable, Comparable {
    /// No pane has focus.
    case nobody
    /// No pane has focus, but the user wants notifications.
    case notifications
    /// A pane has focus.
    case dashboard
    /// A pane with focus shows the live page.
    case livePage

    package static func < (left: RaceAudience, right: RaceAudience) -> Bool { left.rawValue < right.rawValue }
}

/// What the plan must know to decide what is due.
package struct RequestContext: Sendable {
    /// The stages, or none before they were read.
    var stages: [CentreStage]
    var audience: RaceAudience
    /// The kilometres that the head of today's stage has to go, and the instant of which they are.
    package var kmToGo: Double?
    package var kmToGoAt: Instant?

    package init(
        stages: [CentreStage] = [], audience: RaceAudience = .notifications, kmToGo: Double? = nil,
        kmToGoAt: Instant? = nil
    ) {
        self.stages = stages
        self.audience = audience
        self.kmToGo = kmToGo
        self.kmToGoAt = kmToGoAt
    }
}

/// Decides which documents of a race centre to request, and when.
///
/// It is a value without a clock: callers pass instants, ask
/// ``next(at:in:)``, and report each outcome with ``record(_:of:at:jitter:)``. It can be stored, so that a server's wish
/// holds after a restart.
package struct RequestPlan: Hashable, Sendable, Codable {
    /// What to do next.
    package enum Step: Hashable, Sendable {
        case request(Endpoint)
        case wait(until: Instant)
    }

    /// The history of a document's requests.
    struct Entry: Hashable, Sendable, Codable {
        /// The last request, and the last one that was answered.
        var tried: Instant
        var succeeded: Instant?
        var isEmpty = false
        var failures = 0
        /// Why the last request failed, in words, if it did so for a reason that the user should know.
        var reason: String?
        /// Whether the library has something of the document, or `nil` if it was never compared.
        var isStored: Bool?
        /// The factor for the next pause, from 0.9 to 1.1.
        var jitter: Double
    }

    var limitPerHour: Int
    /// The offset from UTC of the time zone in which a day ends, in seconds.
    var offset: Int
    private(set) var entries: [Endpoint: Entry] = [:]
    private var recent: [Instant] = []
    /// The instant before which the server wants no request.
    private(set) var notBefore: Instant?
    /// The end of the day on which the server refused requests, and its status.
    private(set) var offUntil: Instant?
    private(set) var refusal: Int?

    /// The number of seconds between two requests.
    static let spacing: Int64 = 2
    /// The longest wait that is decided at once, because the context may change.
    static let longestWait: Int64 = 3600
    /// The longest pause that a server can ask for.
    private static let longestPause: Int64 = 7 * 86_400

    package init(limitPerHour: Int = 400, offset: Int = 7200) {
        self.limitPerHour = max(1, limitPerHour)
        self.offset = offset
    }

    /// Whether the numbers are possible. Those of a stored plan can come from anybody.
    package var isSound: Bool {
        limitPerHour > 0 && (-86_400...86_400).contains(offset)
            && entries.values.allSatisfy { (0...100).contains($0.failures) }
    }

    /// Returns the plan without what a clock that was ahead has left: requests that are still to come, and pauses longer
    /// than any.
    package func believable(at now: Instant) -> RequestPlan {
        var plan = self
        let latest = now + RequestPlan.longestWait
        plan.entries = entries.filter { max($0.value.tried, $0.value.succeeded ?? now) <= latest }
        plan.recent.removeAll { $0 > latest }
        func isBelievable(_ end: Instant?) -> Bool { end.map { $0 <= now + RequestPlan.longestPause } ?? true }
        if !isBelievable(notBefore) { plan.notBefore = nil }
        if !isBelievable(offUntil) { (plan.offUntil, plan.refusal) = (nil, nil) }
        return plan
    }

    // MARK: Deciding

    /// Returns the document to request now, or the instant until which nothing is due.
    package func next(at now: Instant, in context: RequestContext) -> Step {
        if let pause = pause(at: now) { return .wait(until: pause) }
        var soonest = now + RequestPlan.longestWait
        for wish in RequestWish.wishes(at: now, in: context, entries: entries) {
            let due = due(wish, at: now)
            if due <= now { return .request(wish.endpoint) }
            soonest = min(soonest, due)
        }
        return .wait(until: soonest)
    }

    /// Returns the documents that are due, the most important first. Pauses and the hourly limit are not considered.
    package func due(at now: Instant, in context: RequestContext) -> [Endpoint] {
        RequestWish.wishes(at: now, in: context, entries: entries).filter { due($0, at: now) <= now }.map(\.endpoint)
    }

    /// Returns the end of a pause that holds for all requests, or `nil`.
    private func pause(at now: Instant) -> Instant? {
        var ends = [offUntil, notBefore, recent.last.map { $0 + RequestPlan.spacing }]
        if requests(at: now) >= limitPerHour, recent.count >= limitPerHour {
            ends.append(recent[recent.count - limitPerHour] + 3600)
        }
        return ends.compactMap { $0 }.max().flatMap { $0 > now ? $0 : nil }
    }

    /// Whether the limit, the server's wish or its refusal allow no request for a while.
    package func isPaused(at now: Instant) -> Bool { pause(at: now).map { $0 > now + RequestPlan.spacing } ?? false }

    private func due(_ wish: RequestWish, at now: Instant) -> Instant {
        guard let entry = entries[wish.endpoint] else { return now }
        guard entry.failures == 0 else {
            let pause = min(wish.retry << Int64(min(entry.failures - 1, 6)), max(3600, wish.retry))
            return entry.tried + pause
        }
        guard let succeeded = entry.succeeded else { return .distantFuture }
        if let since = wish.since, succeeded < since { return since }
        guard let pause = wish.pause else { return .distantFuture }
        return succeeded + Int64(clamping: Double(pause) * entry.jitter)
    }

    // MARK: Recording

    /// Records the outcome of a request.
    ///
    /// Status 403 and 429 end all requests until the next day, and until `retryAfter` if that is later. Other errors
    /// make the document's pauses longer.
    ///
    /// - Parameter jitter: A random factor for the next pause.
    package mutating func record(
        _ outcome: RequestOutcome, of endpoint: Endpoint, at now: Instant, jitter: Double = .random(in: 0.9...1.1)
    ) {
        count(at: now)
        var entry = entries[endpoint] ?? Entry(tried: now, jitter: jitter)
        (entry.tried, entry.jitter) = (now, jitter)
        if case .response(let status, let isEmpty, let retryAfter) = outcome {
            wait(status, retryAfter, at: now)
            if (200..<300).contains(status) || status == 304 {
                (entry.succeeded, entry.failures, entry.reason) = (now, 0, nil)
                if status != 304 { entry.isEmpty = isEmpty }
                entries[endpoint] = entry
                return
            }
        }
        entry.failures = min(entry.failures + 1, 100)
        entries[endpoint] = entry
    }

    private mutating func count(at now: Instant) {
        recent.removeAll { $0 <= now - 3600 || $0 > now }
        recent.append(now)
        // Requests that somebody made in spite of the limit must not make the list grow.
        if recent.count > limitPerHour { recent.removeFirst(recent.count - limitPerHour) }
    }

    private mutating func wait(_ status: Int, _ retryAfter: Int64?, at now: Instant) {
        let wish = retryAfter.map { now + $0.limited(0, RequestPlan.longestPause) }
        if let wish { notBefore = max(notBefore ?? wish, wish) }
        guard status == 403 || status == 429 else { return }
        let today = CalendarDay(instant: now + Int64(offset))
        let midnight = (today + 1).midnight - Int64(offset)
        (offUntil, refusal) = (max(midnight, wish ?? midnight), status)
    }

    /// Counts the requests that another plan has recorded for the same race centre, and adopts its limit and the
    /// server's wishes.
    package mutating func adopt(_ other: RequestPlan) {
        limitPerHour = min(limitPerHour, other.limitPerHour)
        recent = Array(Set(recent).union(other.recent).sorted().suffix(limitPerHour))
        if let wish = other.notBefore { notBefore = max(notBefore ?? wish, wish) }
        guard let end = other.offUntil, end > offUntil ?? .distantPast else { return }
        (offUntil, refusal) = (end, other.refusal)
    }

    /// Forgets when a document was requested, so that it is due again.
    package mutating func forget(_ endpoint: Endpoint) { entries[endpoint] = nil }

    /// Notes why a document could not be read.
    package mutating func note(_ reason: String, of endpoint: Endpoint) { entries[endpoint]?.reason = reason }

    /// Notes whether the library has something of a document that was read.
    mutating func note(isStored: Bool, of endpoint: Endpoint) { entries[endpoint]?.isStored = isStored }

    /// Whether the plan says that a document with content was read.
    func claims(_ endpoint: Endpoint) -> Bool {
        entries[endpoint].map { $0.succeeded != nil && !$0.isEmpty && $0.isStored != false } ?? false
    }

    // MARK: Status

    /// Returns how often requests of a document have failed since the last that was answered.
    func failures(of endpoint: Endpoint) -> Int { entries[endpoint]?.failures ?? 0 }

    /// Returns the instant at which a document was last answered, or `nil` if it never was.
    package func lastAnswer(of endpoint: Endpoint) -> Instant? { entries[endpoint]?.succeeded }

    func requests(at now: Instant) -> Int {
        recent.count { $0 > now - 3600 && $0 <= now }
    }

    /// Returns why there are no requests until the end of a day, or `nil` if the server hasn't refused any.
    package func refusalWords(at now: Instant) -> String? {
        guard let offUntil, offUntil > now, let refusal else { return nil }
        return
            "off until \(CentreTime.minute(offUntil, offset: offset)), because the server refused a request (\(refusal))"
    }

    /// Returns the state in words, such as "41 requests in the last hour, at most 400".
    package func status(at now: Instant) -> String {
        let count = requests(at: now)
        let words = "\(count.counted("request")) in the last hour, at most \(limitPerHour)"
        if let reason = refusalWords(at: now) { return "\(words); \(reason)" }
        if let notBefore, notBefore > now { return "\(words); the server asked to wait" }
        return words
    }
}
