import FeedParsing

/// Dates and instants as race centres write them.
package enum CentreTime {
    /// Returns the number of days from 1970-01-01 of a text that begins with a date such as `2026-07-04`, or `nil`.
    static func day(_ text: String) -> Int64? {
        CalendarDay(String(decoding: text.utf8.prefix(10), as: UTF8.self))?.number
    }

    /// Returns the date as `2026-07-04`. Years outside 1 to 9999 are limited.
    static func text(ofDay day: Int64) -> String { CalendarDay(number: day.limited(-719_162, 2_932_896)).text }

    /// Returns the seconds after midnight of a time such as `13:25:00`, or `nil`.
    static func seconds(_ text: String) -> Int64? {
        let parts = text.prefix { $0 != "." }.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hours = digits(parts[0]), let minutes = digits(parts[1]),
            let seconds = parts.count == 3 ? digits(parts[2]) : 0, hours < 30, minutes < 60, seconds < 61
        else { return nil }
        return Int64(hours * 3600 + minutes * 60 + seconds)
    }

    /// Returns the instant of a text such as `2026-07-18T14:24:07+02:00` with its offset from UTC in seconds, or `nil`.
    ///
    /// Instants before 1970 and after 2199 are nobody's.
    package static func instant(_ text: String) -> (instant: Instant, offset: Int)? {
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
        let instant = Instant(day * 86_400 + seconds - Int64(offset))
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

    /// Returns an instant as `2026-07-18 14:24`.
    static func minute(_ instant: Instant, offset: Int) -> String {
        let text = text(instant, offset: offset)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// Returns an instant as `2026-07-18T14:24:07+02:00`.
    package static func text(_ instant: Instant, offset: Int = 0) -> String {
        let local = (instant + Int64(offset)).limited(-62_135_596_800, 253_402_300_799)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let size = abs(offset) / 60
        let zone = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60)
        return Timestamp.rfc3339(local).dropLast() + zone
    }

    private static func digits(_ text: some StringProtocol) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

/// The time zones of stages.
///
/// It knows Europe's zones and their common rule for summer time, because the zone database isn't part of every system
/// and reading it is no business of a function on values.
enum RaceZone {
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
    static func offset(_ zone: String, onDay day: Int64) -> Int? {
        guard let hours = hours[zone] else { return nil }
        let year = CalendarDay(number: day).year
        guard let first = lastSunday(ofMonth: 3, year), let last = lastSunday(ofMonth: 10, year) else { return nil }
        return (hours + (day >= first && day < last ? 1 : 0)) * 3600
    }

    /// Returns the last Sunday of a month with 31 days.
    private static func lastSunday(ofMonth month: Int, _ year: Int) -> Int64? {
        CalendarDay(year: year, month: month, day: 31).map { $0.number - Int64(($0.weekday + 1) % 7) }
    }
}
