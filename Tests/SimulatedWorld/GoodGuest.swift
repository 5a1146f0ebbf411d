@testable import ModelCore
import Platform

/// When a feed may be requested, by an independent reading of the promises.
struct GoodGuest {
    /// The least number of seconds between automatic requests: an hour, less the tolerance of timers.
    static let refresh: Int64 = 59 * 60
    static let day: Int64 = 86_400

    var isFollowed = false
    var isGone = false
    /// The first second at which an automatic request is allowed.
    private(set) var earliest = Int64.min
    /// The second from which an automatic request is late.
    private(set) var latest = Int64.max
    private(set) var retryAfter = Int64.min
    private var failures = 0
    /// The second of the last request. A slow server may answer another much later.
    private var asked = Int64.min
    private var validity: Int64 = 0
    private var timeToLive: Int64 = 0
    /// The header fields that the next request must have, or `nil` if none are known.
    private var validators: [String: String]?

    /// Returns what is wrong with a request, and records that it was sent.
    mutating func request(_ reason: Caller.Reason, _ headers: [String: String], at second: Int64) -> String? {
        defer { (earliest, asked) = (max(earliest, second + 90), second) }
        if reason == .discovery { return nil }
        if !isFollowed { return "nobody follows the feed" }
        if second < retryAfter { return "the server asked to wait until \(retryAfter)" }
        if reason == .timer, second < earliest { return "the next automatic request is allowed at \(earliest)" }
        if isGone, reason != .insisting { return "the feed is gone" }
        for (name, value) in validators ?? [:] where headers[name] != value {
            return "\(name) is \(headers[name] ?? "missing"), not \(value)"
        }
        return nil
    }

    /// Records that a program has stored an answer.
    mutating func store(_ delivery: WorldSite.Delivery, of site: WorldSite, at second: Int64, clockError: Int64) {
        let stated = min(GoodGuest.day, Int64(site.freshness) * 60)
        var pause: Int64 = 0
        (retryAfter, isGone) = (Int64.min, false)
        switch delivery {
        case .whole, .unchanged:
            if case .whole = delivery {
                timeToLive = site.statesTimeToLive ? stated : 0
                validity = 0
            }
            if !site.statesTimeToLive, stated > 0 { validity = stated }
            failures = 0
            pause = max(validity, timeToLive)
            // A date in the future of a wrong clock isn't used.
            validators = site.hasDates && clockError < 0 ? nil : site.validators
        case .cut, .failure, .gone:
            failures += 1
            validity = 0
            pause = min(GoodGuest.day, 900 << Int64(min(failures - 1, 7)))
            if case .failure(let wait?) = delivery { retryAfter = asked + wait }
            if case .cut = delivery { validators = nil }
            if case .gone = delivery { isGone = true }
        }
        earliest = max(retryAfter, asked + max(GoodGuest.refresh, pause))
        latest = isGone ? .max : max(retryAfter, second + max(3600, pause))
    }

    /// Records that nobody knows what was stored, such as after a jump of the clock.
    ///
    /// - Parameter delay: The number of seconds from which a request is late.
    mutating func forget(at second: Int64, delay: Int64, forgetsValidators: Bool) {
        (earliest, retryAfter) = (.min, .min)
        if isFollowed, !isGone { latest = max(latest == .max ? 0 : latest, second + delay) }
        if forgetsValidators { validators = nil }
    }

    /// The second at which a pane asks next.
    var nextRequest: Int64 { latest == .max ? earliest : max(earliest, latest) }

    /// Whether an automatic request is late, by more than a number of minutes.
    func isLate(at second: Int64, minutes: Int) -> Bool {
        !isGone && latest != .max && second > latest.addingClamped(Int64(minutes) * 60)
    }

    /// Records that the program whose request is on its way was killed.
    mutating func loseRequest(at second: Int64) { earliest = .min }

    /// Records that the feed was added or restored.
    mutating func follow(at second: Int64) {
        (isFollowed, asked) = (true, second)
        latest = second + 3600
    }
}
