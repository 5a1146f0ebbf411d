import Platform

/// How often a query service may be asked: a few times a day, and not before the instant that it has asked for.
///
/// It is a value without a clock that can be stored, so that a server's wish holds after a restart.
package struct QueryAllowance: Hashable, Sendable, Codable {
    private var recent: [Instant] = []
    /// The instant before which the service wants no request.
    private(set) var notBefore: Instant?

    static let maximumPerDay = 12
    /// The pauses in seconds after status 429, after 403, and after any other failure.
    static let (pauseOfLimit, pauseOfRefusal, pauseOfFailure): (Int64, Int64, Int64) = (3600, 86_400, 60)
    private static let day: Int64 = 86_400
    /// The longest wait that a service can ask for.
    private static let longestWait: Int64 = 7 * 86_400

    package init() {}

    /// Returns the instant of the next possible request, or `nil` if one is possible now.
    package func next(at now: Instant) -> Instant? {
        var next = notBefore ?? now
        let requests = requests(at: now)
        if requests.count >= QueryAllowance.maximumPerDay {
            next = max(next, requests[requests.count - QueryAllowance.maximumPerDay] + QueryAllowance.day)
        }
        return next > now ? next : nil
    }

    private func requests(at now: Instant) -> [Instant] {
        recent.filter { $0 > now - QueryAllowance.day && $0 <= now }
    }

    /// Returns the state in words, such as "3 requests in the last day, at most 12".
    package func status(at now: Instant) -> String {
        let count = requests(at: now).count
        let words =
            "\(count.counted("request")) in the last day, at most \(QueryAllowance.maximumPerDay)"
        guard let next = next(at: now) else { return words }
        return "\(words); the next at \(QueryAllowance.time(next))"
    }

    /// Returns an instant as `2026-11-20 14:00 UTC`.
    package static func time(_ instant: Instant) -> String {
        CentreTime.text(instant).dropLast(4).replacing("T", with: " ") + " UTC"
    }

    /// Records a request.
    ///
    /// - Parameters:
    ///   - status: The status of the response, or `nil` if none arrived.
    ///   - retryAfter: The number of seconds that the service asks to wait.
    package mutating func record(status: Int?, retryAfter: Int64?, at now: Instant) {
        recent = requests(at: now).suffix(max(0, QueryAllowance.maximumPerDay - 1)) + [now]
        let pause: Int64? =
            switch status {
            case .some(200..<300): nil
            case 429: QueryAllowance.pauseOfLimit
            case 403: QueryAllowance.pauseOfRefusal
            default: QueryAllowance.pauseOfFailure
            }
        let wish = retryAfter.map { $0.limited(0, QueryAllowance.longestWait) }
        notBefore = [wish, pause].compactMap { $0 }.max().map { now + $0 }
    }
}
