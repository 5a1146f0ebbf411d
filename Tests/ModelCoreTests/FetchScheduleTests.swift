import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

@Suite struct FetchScheduleTests {
    @Test(
        arguments: [
            (["cache-control": "max-age=3600"], nil, 3600), (["cache-control": "public, max-age=60"], 30, 1800),
            (["cache-control": "no-cache, max-age=3600"], nil, nil), ([:], 60, 3600), ([:], 0, nil), ([:], nil, nil),
            (["cache-control": "max-age=99999999"], nil, 86_400), ([:], Int.max, 86_400),
            (["cache-control": "max-age=99999999999999999999"], nil, 86_400),
            (["cache-control": "max-age=\"60\""], nil, 60), (["cache-control": "max-age=soon, max-age=-1"], nil, nil),
            (["cache-control": "no-cache=\"Set-Cookie, X\", max-age=60"], nil, 60),
        ] as [([String: String], Int?, Int64?)])
    func respectsCachingAndTTL(headers: [String: String], ttl: Int?, pause: Int64?) {
        #expect(FetchSchedule.next(headers: headers, ttlMinutes: ttl, now: 1000) == pause.map { Instant(1000) + $0 })
    }

    @Test func pausesLongerAfterFailures() {
        let pauses = (1...12).map { FetchSchedule.retry(failures: $0, now: 0) }
        #expect(pauses.prefix(3) == [900, 1800, 3600])
        #expect(pauses == pauses.sorted())
        #expect(pauses.last == 86_400)
    }

    @Test(
        arguments: [
            ("120", 1120), ("0", nil), ("-5", nil), ("99999999", 87_400), ("Thu, 01 Jan 1970 00:20:00 GMT", 1200),
            ("Thu, 01 Jan 1970 00:00:10 GMT", nil), ("soon", nil), ("", nil), ("120.9", 1120), ("nan", nil),
            ("99999999999999999999999", 87_400), ("-99999999999999999999999", nil),
        ] as [(String, Instant?)])
    func readsRetryAfterInSecondsOrAsADate(text: String, instant: Instant?) {
        #expect(FetchSchedule.retryAfter(text, now: 1000) == instant)
    }
    /// Waits that were stored while the clock was ahead don't hold once the clock is right, even if they end within a
    /// day.
    @Test(
        arguments: [
            (0, true), (-60, true), (FetchSchedule.clockStep, true), (FetchSchedule.clockStep + 1, false),
            (43_200, false),
            (10 * 86_400, false),
        ] as [(Int64, Bool)])
    func waitsOfAWrongClockDontHold(fetchedAhead: Int64, isHeldBack: Bool) {
        let now: Instant = 1_790_000_000
        let waits: [FetchTiming] = [
            FetchTiming(lastFetched: now + fetchedAhead), FetchTiming(nextFetch: now + 43_300),
            FetchTiming(notBefore: now + 43_300),
        ]
        for var timing in waits {
            timing.lastFetched = now + fetchedAhead
            let reason = FetchSchedule.heldBack(timing, .timer, refresh: 3600, now: now)
            #expect((reason != nil) == isHeldBack, "\(timing)")
        }
    }
}
