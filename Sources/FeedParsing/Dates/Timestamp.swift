/// Instants as text.
package enum Timestamp {
    /// Returns an instant in UTC in RFC 3339 format.
    package static func rfc3339(_ instant: Instant) -> String {
        let (days, seconds) = instant.seconds.quotientAndRemainderFloored(by: 86_400)
        let (year, month, day) = civil(days)
        let yearText = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
        return "\(yearText)-\(two(month))-\(two(day))T\(time(seconds))Z"
    }

    /// Returns an instant in UTC in RFC 822 format.
    package static func rfc822(_ instant: Instant) -> String {
        let (days, seconds) = instant.seconds.quotientAndRemainderFloored(by: 86_400)
        let (year, month, day) = civil(days)
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekday = weekdays[Int(((days + 3) % 7 + 7) % 7)]
        return "\(weekday), \(two(day)) \(months[Int(month) - 1]) \(year) \(time(seconds)) GMT"
    }

    private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// Returns the time of a day's second, such as `09:05:00`.
    private static func time(_ seconds: Int64) -> String {
        "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// Returns year, month and day for a number of days since 1970-01-01.
    static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainderFloored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainderFloored(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
