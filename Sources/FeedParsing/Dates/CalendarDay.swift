/// A day without a time, such as a stage's.
package struct CalendarDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01: no further from it than ``farthest``, so that days can be counted and made into instants.
    package let number: Int64

    /// Ten million days, which is some 27,000 years.
    private static let farthest: Int64 = 10_000_000

    /// Makes a day of its number, or the nearest one that there is.
    package init(number: Int64) { self.number = number.limited(-CalendarDay.farthest, CalendarDay.farthest) }

    /// The day of an instant, in UTC.
    package init(instant: Int64) {
        self.init(number: (instant >= 0 ? instant : instant.subtractingClamped(86_399)) / 86_400)
    }

    /// `nil` for a day that does not exist.
    package init?(year: Int, month: Int, day: Int) {
        guard let instant = DateParser.instant(year: year, month: month, day: day) else { return nil }
        self.init(instant: instant)
    }

    /// Reads `2010-05-08`; `nil` for anything else, and for days that do not exist.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]),
            let instant = DateParser.instant(year: year, month: month, day: day)
        else { return nil }
        self.init(instant: instant)
    }

    /// `2010-05-08`.
    package var text: String { String(Timestamp.rfc3339(number * 86_400).prefix(10)) }

    /// Year, month and day.
    package var components: (year: Int, month: Int, day: Int) {
        let (year, month, day) = Timestamp.civil(number)
        return (Int(year), Int(month), Int(day))
    }

    package var year: Int { components.year }

    /// 0 for Monday to 6 for Sunday.
    package var weekday: Int { Int(((number + 3) % 7 + 7) % 7) }

    /// Earlier days come first.
    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
}
