/// Dates and instants as race centres write them.
package enum CentreTime {
    /// Returns the number of days from 1970-01-01 to a date, or `nil` if it doesn't exist.
    package static func day(year: Int, month: Int, day: Int) -> Int64? {
        guard RaceBounds.years.contains(year), (1...12).contains(month), day >= 1, day <= length(month, of: year) else {
            return nil
        }
        // Days of the era's 400 years, which begin in March (Howard Hinnant's "days from civil").
        let year = month <= 2 ? year - 1 : year
        let (era, inEra) = (year / 400, year % 400)
        let inYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return Int64(era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + inYear - 719_468)
    }

    private static func length(_ month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the year, month and day of a number of days from 1970-01-01. Years outside 1 to 9999 are limited.
    package static func date(ofDay day: Int64) -> (year: Int, month: Int, day: Int) {
        let days = Int(clamping: day.limited(-719_162, 2_932_896)) + 719_468
        let (era, inEra) = (days / 146_097, days % 146_097)
        let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let isNext = month >= 10
        return (era * 400 + year + (isNext ? 1 : 0), month + (isNext ? -9 : 3), inYear - (153 * month + 2) / 5 + 1)
    }

    /// Returns the number of days of a text that begins with a date such as `2026-07-04`, or `nil`.
    package static func day(_ text: String) -> Int64? {
        let date = text.utf8.prefix(10)
        let parts = String(decoding: date, as: UTF8.self).split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 10, parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            let year = digits(parts[0]), let month = digits(parts[1]), let day = digits(parts[2])
        else { return nil }
        return self.day(year: year, month: month, day: day)
    }

    /// Returns the date as `2026-07-04`.
    package static func text(ofDay day: Int64) -> String {
        let date = date(ofDay: day)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }

    /// Returns the seconds after midnight of a time such as `13:25:00`, or `nil`.
    package static func seconds(_ text: String) -> Int64? {
        let parts = text.prefix { $0 != "." }.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hours = digits(parts[0]), let minutes = digits(parts[1]),
            let seconds = parts.count == 3 ? digits(parts[2]) : 0, hours < 30, minutes < 60, seconds < 61
        else { return nil }
        return Int64(hours * 3600 + minutes * 60 + seconds)
    }

    /// Returns the instant of a text such as `2026-07-18T14:24:07+02:00` with its offset from UTC in seconds, or `nil`.
    ///
    /// Instants before 1970 and after 2199 are nobody's.
    package static func instant(_ text: String) -> (seconds: Int64, offset: Int)? {
        guard let day = day(text) else { return nil }
        let rest = text.utf8.dropFirst(10)
        guard let first = rest.first, first == UInt8(ascii: "T") || first == 0x20 else { return nil }
        let time = rest.dropFirst().prefix {
            $0 != UInt8(ascii: "Z") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-")
        }
        let zone = rest.dropFirst(1 + time.count)
        guard let seconds = seconds(String(decoding: time, as: UTF8.self)),
            let offset = offset(String(decoding: zone, as: UTF8.self))
        else { return nil }
        let instant = day * 86_400 + seconds - Int64(offset)
        return RaceBounds.instants.contains(instant) ? (instant, offset) : nil
    }

    /// Returns the seconds of `+02:00`, `-0130` or `Z`.
    private static func offset(_ text: String) -> Int? {
        guard text != "Z" else { return 0 }
        let number = text.dropFirst().filter { $0 != ":" }
        guard number.utf8.count == 4, let value = digits(number[...]), value % 100 < 60, value < 1500 else {
            return nil
        }
        let seconds = value / 100 * 3600 + value % 100 * 60
        return text.hasPrefix("-") ? -seconds : seconds
    }

    /// Returns an instant as `2026-07-18T14:24:07+02:00`.
    package static func text(_ instant: Int64, offset: Int = 0) -> String {
        let local = instant.addingClamped(Int64(offset)).limited(-62_135_596_800, 253_402_300_799)
        let day = (local - ((local % 86_400) + 86_400) % 86_400) / 86_400
        let second = Int(clamping: local - day * 86_400)
        let size = abs(offset) / 60
        let zone = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + padded(size / 60, 2) + ":" + padded(size % 60, 2)
        return text(ofDay: day) + "T" + clock(second) + zone
    }

    /// Returns the seconds of a day as `14:24:07`.
    private static func clock(_ second: Int) -> String {
        padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
    }

    private static func digits(_ text: some StringProtocol) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

/// The time zones of stages.
///
/// It knows Europe's zones and their common rule for summer time, because the zone database isn't part of every system
/// and reading it is no business of a function on values.
package enum RaceZone {
    /// The offsets from UTC in winter, in hours.
    private static let hours: [String: Int] = [
        "Europe/London": 0, "Europe/Dublin": 0, "Europe/Lisbon": 0, "Atlantic/Canary": 0, "Europe/Paris": 1,
        "Europe/Madrid": 1, "Europe/Brussels": 1, "Europe/Amsterdam": 1, "Europe/Luxembourg": 1, "Europe/Berlin": 1,
        "Europe/Zurich": 1, "Europe/Rome": 1, "Europe/Monaco": 1, "Europe/Andorra": 1, "Europe/Copenhagen": 1,
        "Europe/Oslo": 1, "Europe/Stockholm": 1, "Europe/Vienna": 1, "Europe/Prague": 1, "Europe/Warsaw": 1,
        "Europe/Ljubljana": 1, "Europe/Zagreb": 1, "Europe/Budapest": 1, "Europe/San_Marino": 1, "Europe/Vaduz": 1,
        "Europe/Athens": 2, "Europe/Sofia": 2, "Europe/Bucharest": 2, "Europe/Helsinki": 2, "Europe/Tallinn": 2,
        "Europe/Riga": 2, "Europe/Vilnius": 2,
    ]

    /// Returns the offset from UTC in seconds at noon of a day, or `nil` for unknown zones.
    package static func offset(_ zone: String, onDay day: Int64) -> Int? {
        guard let hours = hours[zone] else { return nil }
        let year = CentreTime.date(ofDay: day).year
        guard let first = lastSunday(ofMonth: 3, year), let last = lastSunday(ofMonth: 10, year) else { return nil }
        return (hours + (day >= first && day < last ? 1 : 0)) * 3600
    }

    /// Returns the last Sunday of a month with 31 days.
    private static func lastSunday(ofMonth month: Int, _ year: Int) -> Int64? {
        // 1970-01-01 was a Thursday.
        CentreTime.day(year: year, month: month, day: 31).map { $0 - ((($0 + 4) % 7) + 7) % 7 }
    }
}
