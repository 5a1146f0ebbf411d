import FeedParsing
import Foundation

/// Decides when to fetch a feed again, based on what the server and the feed ask for and on previous failures.
package enum FetchSchedule {
    /// The maximum delay of a feed in seconds.
    static let longest: Int64 = 86_400
    /// The pause after the first failure in seconds.
    private static let firstPause: Int64 = 15 * 60

    /// Whether a stored instant still delays a feed. An instant beyond the maximum delay comes from a wrong clock and
    /// is ignored.
    package static func holds(_ instant: Instant?, now: Instant) -> Bool {
        instant.map { $0 > now && $0 <= now + longest } ?? false
    }

    /// Returns the reason why something is not fetched now, or `nil` if it may be.
    package static func heldBack(notBefore: Instant?, nextFetch: Instant?, _ reason: ReloadService.Reason, now: Instant)
        -> String?
    {
        guard reason != .insisting else { return nil }
        if holds(notBefore, now: now) { return "the server asked to wait" }
        if reason == .timer, holds(nextFetch, now: now) { return "not due yet" }
        return nil
    }

    /// Returns the instant of the next automatic reload after a response (RFC 9111's max-age, RSS's ttl).
    package static func next(headers: [String: String], ttlMinutes: Int?, now: Instant) -> Instant? {
        var pause: Int64 = 0
        let control = headers["cache-control"]?.lowercased() ?? ""
        if !control.contains("no-cache"), !control.contains("no-store") {
            for part in control.split(separator: ",") {
                let pair = part.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
                if pair.count == 2, pair[0] == "max-age", let seconds = Int64(pair[1]) { pause = max(pause, seconds) }
            }
        }
        if let ttlMinutes, ttlMinutes > 0 { pause = max(pause, min(Int64(clamping: ttlMinutes), longest) * 60) }
        return pause > 0 ? now + min(pause, longest) : nil
    }

    /// Returns the instant of the next automatic try after a number of failures in a row.
    package static func retry(failures: Int, now: Instant) -> Instant {
        now + min(longest, firstPause << Int64(min(max(0, failures - 1), 7)))
    }

    /// Returns the instant until which a server asks clients to wait after 429 and 503, in seconds or as a date (RFC
    /// 9110, section 10.2.3).
    package static func retryAfter(_ header: String?, now: Instant) -> Instant? {
        guard let text = header?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        let instant = Int64(text).map { now + max(0, min($0, longest)) } ?? DateParser.parse(text)
        return instant.map { min($0, now + longest) }.flatMap { $0 > now ? $0 : nil }
    }
}
