/// A day without a time, such as that of a stage.
package struct CalendarDay: Hashable, Comparable, Sendable {
    /// The number of days since 1970-01-01, limited to ``farthest``, so that calculations with days and instants can't
    /// overflow.
    package let number: Int64

    /// Ten million days, which is about 27,000 years.
    private static let farthest: Int64 = 10_000_000

    /// Creates the day with a number, or the nearest possible one.
    package init(number: Int64) { self.number = number.limited(-CalendarDay.farthest, CalendarDay.farthest) }

    /// Creates the day of an instant in UTC.
    package init(instant: Instant) {
        let seconds = instant.seconds
        self.init(number: (seconds >= 0 ? seconds : seconds.subtractingClamped(86_399)) / 86_400)
    }

    /// Creates a day, or returns `nil` if it doesn't exist.
    package init?(year: Int, month: Int, day: Int) {
        guard let instant = DateParser.instant(year: year, month: month, day: day) else { return nil }
        self.init(instant: instant)
    }

    /// Parses a date such as `2010-05-08`. Returns `nil` for anything else, and for days that don't exist.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The date as `2010-05-08`.
    package var text: String { String(Timestamp.rfc3339(midnight).prefix(10)) }

    /// The beginning of the day in UTC.
    package var midnight: Instant { Instant(number * 86_400) }

    /// Year, month and day.
    package var components: (year: Int, month: Int, day: Int) {
        let (year, month, day) = Timestamp.civil(number)
        return (Int(year), Int(month), Int(day))
    }

    package var year: Int { components.year }

    /// The day of the week from 0 for Monday to 6 for Sunday.
    package var weekday: Int { Int(((number + 3) % 7 + 7) % 7) }

    /// Returns the day that many days later.
    package static func + (day: CalendarDay, days: Int64) -> CalendarDay {
        CalendarDay(number: day.number.addingClamped(days))
    }

    /// Returns the day that many days earlier.
    package static func - (day: CalendarDay, days: Int64) -> CalendarDay {
        CalendarDay(number: day.number.subtractingClamped(days))
    }

    /// Earlier days come first.
    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
}
