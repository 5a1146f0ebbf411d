import Platform
import ModelCore
import TerminalUI

/// Dates as people read them, in the user's time zone and language (`LC_TIME`).
///
/// The C library formats them: a formatter of Foundation would load its tables before the first screen.
struct DateText {
    /// How lists show dates.
    enum Style: String {
        case relative
        case day
        case iso
    }

    let style: Style
    /// The present, in seconds since 1970.
    let now: Int64

    /// A date in a list.
    func short(_ instant: Int64) -> DisplayText {
        let instant = DateText.known(instant)
        switch style {
        case .iso: return DateText.format("%Y-%m-%d %H:%M", instant)
        case .day: return DateText.format(\.dayAndYear, instant)
        case .relative: break
        }
        let age = now - instant
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

    /// What a date stands under in a list: a day of this week, a month, a month and its year.
    func heading(_ instant: Int64) -> DisplayText {
        let days = today.number - DateText.localDay(DateText.known(instant)).number
        switch days {
        case ..<0: return "Upcoming"
        case 0: return "Today"
        case 1: return "Yesterday"
        case 2...6: return DateText.format("%A", instant)
        default:
            let sameYear = DateText.format("%Y", instant) == DateText.format("%Y", now)
            return sameYear ? DateText.format("%B", instant) : DateText.format(\.month, instant)
        }
    }

    /// A day with its weekday: `Wednesday 16 November 2011`.
    static func longDay(_ instant: Int64) -> DisplayText { format(\.longWeekday, instant) }

    /// A time of the day: `21:05`.
    static func clock(_ instant: Int64) -> DisplayText { format(\.time, instant) }

    /// A time with its zone: `21:05 CET`.
    static func time(_ instant: Int64) -> DisplayText { format(DatePatterns.ofTheUser.time + " %Z", instant) }

    /// A day and a time on one short line: `18 Nov 2011, 08:12`.
    static func dayAndTime(_ instant: Int64) -> DisplayText {
        format(\.dayAndYear, instant) + ", " + format(\.time, instant)
    }

    /// `Fri 21 May`, for a day without a time.
    static func shortDay(_ day: CalendarDay) -> DisplayText {
        format(\.weekday, day.number * 86_400 + 43_200, isUTC: true)
    }

    /// `May 2010`, for a day.
    static func month(_ day: CalendarDay) -> DisplayText { format(\.month, day.number * 86_400 + 43_200, isUTC: true) }

    /// `Friday 21 May 2010`, for a day without a time.
    static func longDay(_ day: CalendarDay) -> DisplayText {
        format(\.longWeekday, day.number * 86_400 + 43_200, isUTC: true)
    }

    /// How long ago or until: `15 years ago`, `in 3 days`.
    func distance(_ instant: Int64) -> DisplayText {
        let age = now - DateText.known(instant)
        guard abs(age) >= 60 else { return "now" }
        let words = DateText.duration(abs(age))
        return age >= 0 ? words + " ago" : "in " + words
    }

    /// A span of time: `3 days`, `2 hours`.
    static func duration(_ seconds: Int64) -> DisplayText {
        let units: [(Int64, String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (604_800, "week"), (86_400, "day"), (3600, "hour"),
            (60, "minute"),
        ]
        guard let (length, name) = units.first(where: { seconds >= $0.0 }) else { return "less than a minute" }
        let count = seconds / length
        return DisplayText("\(count) \(name)\(count == 1 ? "" : "s")")
    }

    /// How far a day is from today: `today`, `tomorrow`, `3 days ago`.
    func distance(_ day: CalendarDay) -> DisplayText {
        let days = day.number - today.number
        switch days {
        case 0: return "today"
        case 1: return "tomorrow"
        case -1: return "yesterday"
        default: return distance(now + days * 86_400)
        }
    }

    /// The day of the present in the user's time zone.
    var today: CalendarDay { DateText.localDay(now) }

    /// An instant of the years 1 to 9999, or the nearest one to it: servers and other programs write any number.
    private static func known(_ instant: Int64) -> Int64 { instant.limited(-62_135_596_800, 253_402_300_799) }

    /// The day of an instant in the user's time zone.
    private static func localDay(_ instant: Int64) -> CalendarDay {
        let instant = known(instant)
        var seconds = time_t(instant)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let local = instant + Int64(parts.tm_gmtoff)
        return CalendarDay(number: (local - (local % 86_400 + 86_400) % 86_400) / 86_400)
    }

    private static func format(
        _ pattern: KeyPath<DatePatterns, String> & Sendable, _ instant: Int64, isUTC: Bool = false
    ) -> DisplayText {
        format(DatePatterns.ofTheUser[keyPath: pattern], instant, isUTC: isUTC)
    }

    private static func format(_ pattern: String, _ instant: Int64, isUTC: Bool = false) -> DisplayText {
        var seconds = time_t(known(instant))
        var parts = tm()
        if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        var buffer = [CChar](repeating: 0, count: 128)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return DisplayText(String(decoding: buffer[..<count].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
    }
}
