import Platform
import RaceModel
import TerminalUI

/// Dates in words, in the user's time zone and language (`LC_TIME`).
///
/// The C library formats them, because Foundation's formatters would load their tables before the first screen.
package struct DateText: Equatable {
    /// The style of dates in lists.
    package enum Style: String {
        case relative
        case day
        case iso
    }

    package let style: Style
    /// The current time.
    package let now: Instant

    package init(style: Style, now: Instant) {
        self.style = style
        self.now = now
    }

    /// A heading over entries of about the same date.
    package enum Heading: Hashable {
        case upcoming, today, yesterday
        /// A day of this week.
        case day
        /// A month of this year.
        case month
        /// All of this year before this week, in lists with few entries.
        case thisYear
        /// Another year.
        case year
    }

    /// Returns a date for a list.
    ///
    /// - Parameter heading: The heading over the entry. The date doesn't repeat what it says.
    package func short(_ instant: Instant, under heading: Heading? = nil) -> DisplayText {
        let instant = DateText.known(instant)
        switch style {
        case .iso: return DateText.format("%Y-%m-%d %H:%M", instant)
        case .day: return DateText.format(heading == .year ? \.day : \.dayAndYear, instant)
        case .relative: break
        }
        switch heading {
        case .yesterday, .day: return DateText.format(\.time, instant)
        case .month: return DateText.format(\.dayOfMonth, instant)
        case .thisYear, .year: return DateText.format(\.day, instant)
        case .upcoming, .today, nil: break
        }
        let age = now.seconds(since: instant)
        switch age {
        case ..<0: return DateText.format(\.day, instant)
        case ..<60: return "now"
        case ..<3600: return DisplayText("\(age / 60) min")
        case ..<86_400: return DisplayText("\(age / 3600) h")
        case ..<(6 * 86_400): return DateText.format("%a " + DatePatterns.ofTheUser.time, instant)
        default:
            let sameYear = DateText.format("%Y", instant) == DateText.format("%Y", now)
            return DateText.format(sameYear ? \.day : \.dayAndYear, instant)
        }
    }

    /// Returns the heading for a date in a list.
    package func heading(_ instant: Instant, isSparse: Bool = false) -> DisplayText {
        let parts = DateText.parts(instant)
        return switch level(parts, isSparse: isSparse) {
        case .upcoming: "Upcoming"
        case .today: "Today"
        case .yesterday: "Yesterday"
        case .day: DateText.weekdays[parts.weekday]
        case .month: DateText.months[parts.month]
        case .thisYear: "Earlier this year"
        case .year: DateText.format("%Y", instant)
        }
    }

    /// Returns the kind of heading for a date in a list.
    ///
    /// - Parameter isSparse: Whether the list has few entries (``isSparse(_:over:)``), so that a month would head
    ///   only a few.
    package func level(_ instant: Instant, isSparse: Bool = false) -> Heading {
        level(DateText.parts(instant), isSparse: isSparse)
    }

    private func level(_ date: Parts, isSparse: Bool) -> Heading {
        let today = DateText.parts(now)
        switch today.day.number - date.day.number {
        case ..<0: return .upcoming
        case 0: return .today
        case 1: return .yesterday
        case 2...6: return .day
        default:
            guard date.year == today.year else { return .year }
            return isSparse ? .thisYear : .month
        }
    }

    /// Whether a number of entries over a number of seconds is less than four a month.
    package static func isSparse(_ count: Int, over seconds: Int64) -> Bool {
        Double(count) * 7.5 * 86_400 < Double(seconds)
    }

    /// Returns a day with its weekday, such as "Wednesday 16 November 2011".
    package static func longDay(_ instant: Instant) -> DisplayText { format(\.longWeekday, instant) }

    /// Returns a time of day, such as "21:05".
    package static func clock(_ instant: Instant) -> DisplayText { format(\.time, instant) }

    /// Returns a time with its zone, such as "21:05 CET".
    package static func time(_ instant: Instant) -> DisplayText { format(DatePatterns.ofTheUser.time + " %Z", instant) }

    /// Returns a short date and time, such as "18 Nov 2011, 08:12".
    package static func dayAndTime(_ instant: Instant) -> DisplayText {
        format(\.dayAndYear, instant) + ", " + format(\.time, instant)
    }

    /// Returns a day without a time, such as "Fri 21 May".
    package static func shortDay(_ day: CalendarDay) -> DisplayText {
        format(\.weekday, day.midnight + 43_200, isUTC: true)
    }

    /// Returns the month of a day, such as "May 2010".
    package static func month(_ day: CalendarDay) -> DisplayText { format(\.month, day.midnight + 43_200, isUTC: true) }

    /// Returns a day without a time, such as "Friday 21 May 2010".
    package static func longDay(_ day: CalendarDay) -> DisplayText {
        format(\.longWeekday, day.midnight + 43_200, isUTC: true)
    }

    /// Returns the distance of an instant from now, such as "15 years ago" or "in 3 days".
    package func distance(_ instant: Instant) -> DisplayText {
        let age = now.seconds(since: DateText.known(instant))
        guard abs(age) >= 60 else { return "now" }
        let words = DateText.duration(abs(age))
        return age >= 0 ? words + " ago" : "in " + words
    }

    /// Returns a duration, such as "3 days" or "2 hours".
    package static func duration(_ seconds: Int64) -> DisplayText {
        let units: [(Int64, String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (604_800, "week"), (86_400, "day"), (3600, "hour"),
            (60, "minute"),
        ]
        guard let (length, name) = units.first(where: { seconds >= $0.0 }) else { return "less than a minute" }
        return DisplayText(Int(clamping: seconds / length).counted(name))
    }

    /// Returns the distance of a day from today, such as "today", "tomorrow" or "3 days ago".
    package func distance(_ day: CalendarDay) -> DisplayText {
        let days = day.number - today.number
        switch days {
        case 0: return "today"
        case 1: return "tomorrow"
        case -1: return "yesterday"
        default: return distance(now + days * 86_400)
        }
    }

    /// The current day in the user's time zone.
    package var today: CalendarDay { DateText.parts(now).day }

    /// The offset of the user's time zone from UTC in seconds.
    package var zone: Int {
        var seconds = time_t(DateText.known(now).seconds)
        var parts = tm()
        // Notices that the system's time zone has changed.
        tzset()
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }

    /// Returns the nearest instant in the years 1 to 9999, since servers and other programs may supply any number.
    private static func known(_ instant: Instant) -> Instant { instant.limited(-62_135_596_800, 253_402_300_799) }

    private typealias Parts = (day: CalendarDay, weekday: Int, month: Int, year: Int32)

    /// Returns the day of an instant in the user's time zone, and its parts. Lists ask for them for each row at each
    /// layout.
    private static func parts(_ instant: Instant) -> Parts {
        let instant = known(instant)
        var seconds = time_t(instant.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let day = CalendarDay(instant: instant + Int64(parts.tm_gmtoff))
        return (day, min(6, max(0, Int(parts.tm_wday))), min(11, max(0, Int(parts.tm_mon))), parts.tm_year)
    }

    /// The names of the weekdays from Sunday, and of the months from January. 1 January 2023 was a Sunday.
    private static let weekdays = (0..<7).map { format("%A", Instant(1_672_574_400 + $0 * 86_400), isUTC: true) }
    private static let months = (0..<12).map { format("%B", Instant(1_673_697_600 + $0 * 2_629_746), isUTC: true) }

    private static func format(
        _ pattern: KeyPath<DatePatterns, String> & Sendable, _ instant: Instant, isUTC: Bool = false
    ) -> DisplayText {
        format(DatePatterns.ofTheUser[keyPath: pattern], instant, isUTC: isUTC)
    }

    private static func format(_ pattern: String, _ instant: Instant, isUTC: Bool = false) -> DisplayText {
        var seconds = time_t(known(instant).seconds)
        var parts = tm()
        if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        var buffer = [CChar](repeating: 0, count: 128)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return DisplayText(String(decoding: buffer[..<count].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
    }
}
