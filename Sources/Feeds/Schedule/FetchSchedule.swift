import FeedParsing
import Foundation

/// What decides when a feed is fetched again.
struct FetchTiming: Hashable, Sendable {
    var lastFetched: Instant?
    /// Until then the last response is valid, or the pause after failures lasts.
    var nextFetch: Instant?
    /// Until then the server asks clients to wait.
    var notBefore: Instant?
    var isGone = false
    /// The minimum number of minutes between automatic reloads that the user chose for the feed.
    var interval: Int?
    /// When the feed asks not to be fetched.
    var skippedTimes = SkippedTimes()
    /// When a program began to reload the feed, or `nil` if none does.
    var claimed: Instant?

    /// Returns the timing without what a clock that was ahead has left. Its waits would become believable, and hold for a
    /// day, as the right time comes closer to them.
    fileprivate func believable(at now: Instant) -> FetchTiming {
        guard let lastFetched, lastFetched > now + FetchSchedule.clockStep else { return self }
        var timing = self
        (timing.lastFetched, timing.nextFetch, timing.notBefore) = (nil, nil, nil)
        return timing
    }
}

/// Decides when to fetch a feed again, based on what the user, the server and the feed ask for and on previous
/// failures.
package enum FetchSchedule {
    /// The maximum delay of a feed in seconds.
    static let longest: Int64 = 86_400
    /// The pause after the first failure in seconds.
    private static let firstPause: Int64 = 15 * 60
    /// The number of seconds for which a running program's claim of a feed holds. It is longer than any transfer, and
    /// short, because a suspended program doesn't end its claims.
    private static let claimTime: Int64 = 90
    /// The number of seconds by which a clock may have been set back. A fetch further ahead comes from a wrong clock.
    static let clockStep: Int64 = 300

    /// Whether a stored instant still delays a feed. An instant beyond the maximum delay comes from a wrong clock and
    /// is ignored.
    package static func holds(_ instant: Instant?, now: Instant) -> Bool {
        instant.map { $0 > now && $0 <= now + longest } ?? false
    }

    /// Returns the reason why something is not fetched now, or `nil` if it may be.
    package static func heldBack(notBefore: Instant?, nextFetch: Instant?, _ reason: ReloadReason, now: Instant)
        -> String?
    {
        if holds(notBefore, now: now) { return "the server asked to wait" }
        if reason == .timer, holds(nextFetch, now: now) { return "not due yet" }
        return nil
    }

    /// Returns the reason why a feed is not fetched now, or `nil` if it is. All reloads of feeds follow this rule.
    ///
    /// - Parameter refresh: The number of seconds between automatic reloads.
    static func heldBack(_ feed: FetchTiming, _ reason: ReloadReason, refresh: Int64, now: Instant) -> String? {
        let feed = feed.believable(at: now)
        if feed.isGone, reason != .insisting { return "gone (410); reload this feed alone to retry" }
        if let reason = heldBack(notBefore: feed.notBefore, nextFetch: feed.nextFetch, reason, now: now) {
            return reason
        }
        guard reason == .timer else { return nil }
        if due(feed, refresh: refresh, now: now) > now { return "not due yet" }
        let isClaimed = feed.claimed.map { now.seconds(since: $0).magnitude < claimTime } ?? false
        return isClaimed ? "another program reloads it" : nil
    }

    /// Returns the instant of the next automatic reload, which may have passed.
    ///
    /// The feed is due once all of these have passed since the last fetch: the interval of automatic reloads, the feed's
    /// own interval, the validity of the last response, the pause after failures, the server's wait, and the times that
    /// the feed asks to skip.
    ///
    /// - Parameter refresh: The number of seconds between automatic reloads.
    static func due(_ feed: FetchTiming, refresh: Int64, now: Instant) -> Instant {
        let feed = feed.believable(at: now)
        var due = Instant.distantPast
        if let last = feed.lastFetched {
            due = last + max(refresh, Int64(feed.interval ?? 0).multipliedClamped(by: 60))
        }
        for instant in [feed.nextFetch, feed.notBefore] {
            if let instant, holds(instant, now: now) { due = max(due, instant) }
        }
        let allowed = feed.skippedTimes.next(from: max(due, now))
        return allowed > now ? allowed : due
    }

    /// Returns the instant until which a response is valid: the maximum of HTTP's caching (RFC 9111, section 4.2.1) and
    /// the feed's ttl.
    package static func next(headers: [String: String], ttlMinutes: Int?, now: Instant) -> Instant? {
        var pause = freshness(headers, now: now)
        if let ttlMinutes, ttlMinutes > 0 { pause = max(pause, min(Int64(clamping: ttlMinutes), longest) * 60) }
        return pause > 0 ? now + min(pause, longest) : nil
    }

    /// Whether a response says for how long it is valid.
    static func statesValidity(_ headers: [String: String]) -> Bool {
        headers["cache-control"] != nil || headers["expires"] != nil
    }

    /// Returns the number of seconds for which a response is valid.
    private static func freshness(_ headers: [String: String], now: Instant) -> Int64 {
        let control = (headers["cache-control"]?.lowercased() ?? "").split(separator: ",").map {
            $0.split(separator: "=").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"")) }
        }
        // With a value, it concerns only the header fields that the value names.
        if control.contains(where: { $0 == ["no-cache"] || $0.first == "no-store" }) { return 0 }
        let ages = control.filter { $0.count == 2 && $0[0] == "max-age" }.map { seconds($0[1]) ?? 0 }
        if let age = ages.max() { return age }
        guard let expires = headers["expires"].flatMap(DateParser.parse) else { return 0 }
        // The server's clock may differ.
        return expires.seconds(since: headers["date"].flatMap(DateParser.parse) ?? now)
    }

    /// Returns a number of seconds. One that is too large means as long as possible (RFC 9111, section 1.2.2).
    private static func seconds(_ text: String) -> Int64? { Double(text).map { Int64(clamping: $0) } }

    /// Returns the instant of the next automatic try after a number of failures in a row.
    package static func retry(failures: Int, now: Instant) -> Instant {
        now + min(longest, firstPause << Int64(min(max(0, failures - 1), 7)))
    }

    /// Whether a response comes from a time that is far ahead of this computer's clock, so that the dates of its entries
    /// can't be believed yet.
    static func isClockBehind(_ headers: [String: String], now: Instant) -> Bool {
        headers["date"].flatMap(DateParser.parse).map { $0 > now + longest } ?? false
    }

    /// Returns the date of the last change for the next request, or `nil` if a server's clock is wrong: with a date in
    /// the future, nothing would ever be newer.
    static func lastModified(_ header: String?, now: Instant) -> String? {
        guard let header, let date = DateParser.parse(header), date > now + longest else { return header }
        return nil
    }

    /// Returns the instant until which a server asks clients to wait after 429 and 503, in seconds or as a date (RFC
    /// 9110, section 10.2.3).
    package static func retryAfter(_ header: String?, now: Instant) -> Instant? {
        guard let text = header?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        let instant = seconds(text).map { now + $0.limited(0, longest) } ?? DateParser.parse(text)
        return instant.map { min($0, now + longest) }.flatMap { $0 > now ? $0 : nil }
    }
}
