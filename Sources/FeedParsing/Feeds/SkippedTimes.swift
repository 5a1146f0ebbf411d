/// The hours and days of the week, in UTC, in which a feed asks not to be fetched (RSS `skipHours`, `skipDays`).
package struct SkippedTimes: RawRepresentable, Hashable, Sendable {
    /// The hours 0 to 23 in the lowest bits, and from bit 24 the days from Monday to Sunday.
    package private(set) var rawValue: Int64

    package init(rawValue: Int64 = 0) { self.rawValue = rawValue }

    private static let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Adds an hour as written in a feed. Some feeds write midnight as 24.
    mutating func addHour(_ text: String) {
        guard let hour = Int(text), (0...24).contains(hour) else { return }
        rawValue |= 1 << Int64(hour % 24)
    }

    /// Adds a day as written in a feed, such as "Saturday".
    mutating func addDay(_ text: String) {
        guard let day = SkippedTimes.days.firstIndex(of: text.lowercased()) else { return }
        rawValue |= 1 << Int64(24 + day)
    }

    private func contains(_ instant: Instant) -> Bool {
        let day = CalendarDay(instant: instant)
        let hour = instant.seconds(since: day.midnight) / 3600
        return rawValue & (1 << hour | 1 << Int64(24 + day.weekday)) != 0
    }

    /// Returns the first instant from a given one on that isn't skipped.
    ///
    /// A feed that skips the whole week doesn't mean it, so nothing is skipped then.
    package func next(from instant: Instant) -> Instant {
        guard rawValue != 0 else { return instant }
        var next = instant
        for _ in 0...(7 * 24) {
            guard contains(next) else { return next }
            next += 3600 - next.seconds(since: CalendarDay(instant: next).midnight).limited(0, 86_399) % 3600
        }
        return instant
    }
}
