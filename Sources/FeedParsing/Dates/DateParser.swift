import Foundation

/// Parses dates in feeds: RFC 822 and 2822 with common errors, RFC 3339 and W3C's profile of ISO 8601, and C's asctime.
///
/// Anything that can't be parsed reliably gives `nil`, because a wrong date is worse than none.
package enum DateParser {
    /// Returns the instant of a date.
    package static func parse(_ text: String) -> Instant? {
        var text = withASCIIDigits(text).trimmingBlanks
        guard (1..<100).contains(text.utf8.count) else { return nil }
        return text.withUTF8 { bytes in
            if let instant = parseUsual(bytes) ?? parseEpoch(bytes) { return instant }
            if bytes.contains(UInt8(ascii: "/")), let instant = parseWithPlace(bytes) { return instant }
            if let week = parseWeek(bytes) { return week }
            return parseISO(bytes) ?? parseWords(bytes)
                ?? DateLanguages.parseEastAsian(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Returns a text with digits and minus signs of other scripts as those of ASCII.
    private static func withASCIIDigits(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    if scalar == "\u{2212}" { return "-" }
                    guard scalar.properties.generalCategory == .decimalNumber, !scalar.isASCII,
                        let value = scalar.properties.numericValue
                    else { return scalar }
                    return Unicode.Scalar(UInt8(clamping: 0x30 + Int(clamping: value)))
                }))
    }

    /// Parses seconds or milliseconds since 1970 from 2001 on, whose numbers can't be dates.
    private static func parseEpoch(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard bytes.count == 10 || bytes.count == 13, bytes.allSatisfy(\.isDigit) else { return nil }
        let number = bytes.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        let seconds = bytes.count == 13 ? number / 1000 : number
        return (1_000_000_000..<4_102_444_800).contains(seconds) ? Instant(seconds) : nil
    }

    /// Parses a date whose zone is in the IANA database: `30 Oct 2023 21:55 Europe/Rome`.
    private static func parseWithPlace(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        let text = String(decoding: bytes, as: UTF8.self)
        let isPart = { (character: Character) in character.isLetter || character == "_" }
        guard
            let place = text.split(whereSeparator: { " ()[]".contains($0) }).first(where: { word in
                let parts = word.split(separator: "/", omittingEmptySubsequences: false)
                return parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isPart) }
            }), let zone = TimeZone(identifier: String(place))
        else { return nil }
        let rest = text.replacing(place, with: "").replacing("[]", with: "").replacing("()", with: "").trimmingBlanks
        guard let local = parse(rest) else { return nil }
        if hasOffset(rest) { return local }
        // The offset at the instant that the local clock shows, not at the same time in UTC.
        let first = local - Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(local.seconds))))
        return local - Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(first.seconds))))
    }

    /// Whether an offset ends a date, which counts more than the name of the zone after it (RFC 9557).
    private static func hasOffset(_ text: String) -> Bool {
        text.contains(":") && (text.hasSuffix("Z") || text.dropLast(5).last.map { "+-".contains($0) } == true)
    }

    /// Returns the instant of a date in the proleptic Gregorian calendar, or `nil` if it doesn't exist.
    static func instant(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, offset: Int = 0
    ) -> Instant? {
        guard (1...12).contains(month), (1...9999).contains(year), (1...daysIn(month, of: year)).contains(day),
            (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            hour < 24 || (minute == 0 && second == 0), abs(offset) <= 18 * 3600
        else { return nil }
        return Instant(Int64(days(year, month, day)) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset))
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days since 1970-01-01. Years are counted from March, so that the leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    // MARK: RFC 3339

    /// Parses a date with a week's number, such as `2025-W06-3` or `2025W063T10:00Z` (ISO 8601). Returns `nil` for any
    /// other date, and an inner `nil` if there is no such day.
    private static func parseWeek(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant?? {
        var scanner = DateScanner(bytes: bytes)
        guard let year = scanner.number(digits: 4) else { return nil }
        _ = scanner.take("-")
        guard scanner.take("W") || scanner.take("w"), scanner.isAtDigit else { return nil }
        guard let week = scanner.number(digits: 2), year > 0 else { return .some(nil) }
        _ = scanner.take("-")
        let day = scanner.number(digits: 1) ?? 1
        let date = firstWeek(of: year) + Int64((week - 1) * 7 + day - 1) * 86_400
        let isInYear = date < firstWeek(of: year + 1)
        guard (1...53).contains(week), (1...7).contains(day), isInYear else { return .some(nil) }
        if scanner.isAtEnd { return date }
        guard let time = clock(after: &scanner) else { return .some(nil) }
        return date + time
    }

    /// Returns the first Monday of a year in weeks. The fourth of January is in the first week, and 1970 began on a
    /// Thursday.
    private static func firstWeek(of year: Int) -> Instant {
        let fourth = days(year, 1, 4)
        return Instant(Int64(fourth - ((fourth + 3) % 7 + 7) % 7) * 86_400)
    }

    /// Parses a time and a zone after a date, as the number of seconds from the beginning of the day in UTC.
    private static func clock(after scanner: inout DateScanner) -> Int64? {
        guard scanner.take("T") || scanner.take("t") || scanner.takeBlanks() else { return nil }
        guard let hour = scanner.number(digits: 1...2) else { return nil }
        var minute = 0
        var second = 0
        if scanner.take(":") || scanner.isAtDigit {
            guard let value = scanner.number(digits: 2) else { return nil }
            minute = value
            if scanner.take(":") || scanner.isAtDigit {
                guard let value = scanner.number(digits: 2) else { return nil }
                second = value
                if scanner.take(".") || scanner.take(",") { while scanner.isAtDigit { scanner.advance() } }
            }
        }
        scanner.takeBlanks()
        guard let offset = scanner.isAtEnd ? 0 : scanner.zone(), scanner.isAtEnd else { return nil }
        let time = instant(
            year: 1970, month: 1, day: 1, hour: hour, minute: minute, second: second == 60 ? 59 : second, offset: offset
        )
        return time?.seconds
    }

    /// Parses `2003-12-31T10:14:55.5-08:00` and every shorter profile down to the year, with or without hyphens.
    private static func parseISO(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        var scanner = DateScanner(bytes: bytes)
        guard let year = scanner.number(digits: 4) else { return nil }
        var month = 1
        var day = 1
        if scanner.take("-") {
            // Some feeds write months with three digits; without a day they are the day of the year.
            let start = scanner.index
            guard let value = scanner.number(digits: 1...3) else { return nil }
            if scanner.index - start == 3, !scanner.isAt("-") {
                guard let first = instant(year: year, month: 1, day: 1), value > 0,
                    value <= 337 + daysIn(2, of: year)
                else { return nil }
                let date = first + Int64(value - 1) * 86_400
                return scanner.isAtEnd ? date : clock(after: &scanner).map { date + $0 }
            }
            month = value
            if scanner.take("-") {
                guard let value = scanner.number(digits: 1...2) else { return nil }
                day = value
            }
        } else if let value = scanner.number(digits: 2) {
            month = value
            guard let value = scanner.number(digits: 2) else { return nil }
            day = value
        }
        guard let date = instant(year: year, month: month, day: day) else { return nil }
        if scanner.isAtEnd { return date }
        return clock(after: &scanner).map { date + $0 }
    }

    // MARK: RFC 822 and asctime

    /// Parses `Tue, 10 Jun 2003 04:00:00 GMT` or the same with `+0200`. Nearly all feeds use this format, so no other
    /// is tried first.
    private static func parseUsual(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard bytes.count > 20, bytes[3] == UInt8(ascii: ",") else { return nil }
        var scanner = DateScanner(bytes: bytes)
        scanner.index = 4
        guard scanner.take(" "), let day = scanner.number(digits: 1...2), scanner.take(" "),
            let month = scanner.shortMonth(), scanner.take(" "),
            let year = scanner.number(digits: 4), scanner.take(" "),
            let hour = scanner.number(digits: 2), scanner.take(":"),
            let minute = scanner.number(digits: 2), scanner.take(":"),
            let second = scanner.number(digits: 2), scanner.take(" ")
        else { return nil }
        var offset = 0
        if scanner.isAt("+") || scanner.isAt("-") {
            guard bytes.count - scanner.index == 5, let value = scanner.zone() else { return nil }
            offset = value
        } else {
            guard scanner.take("G"), scanner.take("M"), scanner.take("T") else { return nil }
        }
        guard scanner.isAtEnd else { return nil }
        return instant(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second == 60 ? 59 : second,
            offset: offset)
    }

    /// Parses words in nearly any order: a day, a month, a year, a time, a zone, and an optional weekday.
    private static func parseWords(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        var numbers: [(value: Int, digits: Int)] = []
        var month: Int?
        var monthPosition = 0
        var time: (hour: Int, minute: Int, second: Int)?
        var offset: Int?
        var isAfternoon: Bool?
        // In `30.10.23` and `Wed, 05 2 2025` the day comes first everywhere.
        var hasDayFirst = false
        var scanner = DateScanner(bytes: bytes)
        while true {
            scanner.skipSeparators(afterTime: time != nil)
            if scanner.isAtEnd { break }
            if scanner.isAtDigit {
                let start = scanner.index
                guard let value = scanner.number(digits: 1...9) else { return nil }
                let digits = scanner.index - start
                if time == nil, scanner.isAt(":") || month != nil && scanner.isAt("h") && scanner.isAtDigit(after: 1) {
                    guard let rest = scanner.timeAfterHour() else { return nil }
                    time = (value, rest.minute, rest.second)
                    continue
                }
                numbers.append((value, digits))
                if numbers.count == 1, scanner.isAt(".") || scanner.isAt(" "), scanner.isAtDigit(after: 1) {
                    hasDayFirst = true
                }
                if month == nil || monthPosition == 0, scanner.takeMonthSign() {
                    numbers.removeLast()
                    month = value
                    monthPosition = max(1, numbers.count)
                    guard digits <= 2 else { return nil }
                }
                scanner.skipOrdinal()
            } else if time != nil, scanner.isAt("+") || scanner.isAt("-") {
                guard let value = scanner.zone() else { return nil }
                offset = value
            } else if scanner.isAt("(") {
                // A comment, usually the zone's name.
                break
            } else {
                let word = scanner.word()
                if word.isEmpty {
                    scanner.advance()
                } else if DateLanguages.isBeforeMonth(word), month == nil || monthPosition == 0 {
                    month = nil
                    hasDayFirst = !numbers.isEmpty
                    if let value = scanner.monthInWords() { (month, monthPosition) = (value, numbers.count) }
                } else if word == "listopada", numbers.count == 1, scanner.isYearWithDot {
                    // October in Croatian, which writes a full stop after the year; November in Polish.
                    (month, monthPosition) = (10, 1)
                } else if month == nil || monthPosition == 0,
                    let value = DateNames.month(word, inAllLanguages: DateNames.zone(word) == nil)
                {
                    // A weekday that is also the beginning of a month, such as Tuesday in Romance languages, is the
                    // month.
                    month = value
                    monthPosition = numbers.count
                } else if word == "am" || word == "pm", time != nil {
                    isAfternoon = word == "pm"
                } else if time != nil || !numbers.isEmpty && word != "at", let zone = DateNames.zone(word) {
                    offset = (offset ?? 0) + zone
                } else if !DateNames.isFiller(word) {
                    // Between a day with its month and a time, no word changes the date. After a time it may be a zone,
                    // whose names are Latin.
                    let isBetween = month != nil && !numbers.isEmpty
                    let isHarmless = isBetween && (time == nil || word.utf8.contains { $0 >= 0x80 })
                    guard isHarmless || numbers.isEmpty && scanner.endsWeekday(word) else { return nil }
                    hasDayFirst = hasDayFirst || numbers.isEmpty
                } else if numbers.isEmpty, DateNames.isForeignFiller(word) {
                    hasDayFirst = true
                }
            }
        }
        // Before a date in numbers, it is a weekday after all, such as `mar` in Romance languages.
        if month != nil, monthPosition == 0, numbers.count == 3, [numbers[0].digits, numbers[2].digits].contains(4) {
            (month, hasDayFirst) = (nil, true)
        }
        return assemble(numbers, month, time, offset, isAfternoon, hasDayFirst: hasDayFirst)
    }

    private static func assemble(
        _ numbers: [(value: Int, digits: Int)], _ month: Int?, _ time: (hour: Int, minute: Int, second: Int)?,
        _ offset: Int?, _ isAfternoon: Bool?, hasDayFirst: Bool
    ) -> Instant? {
        var day: Int
        var year: Int
        var yearDigits: Int
        var monthValue: Int
        if let month {
            // Nov. 2020.
            if numbers.count == 1, numbers[0].digits == 4, time == nil {
                return instant(year: numbers[0].value, month: month, day: 1)
            }
            guard numbers.count >= 2 else { return nil }
            monthValue = month
            // 31 Dec 2003, Dec 31 2003, 2003 Dec 31.
            let (first, second) = numbers[0].digits >= 3 ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
            (day, year, yearDigits) = (first.value, second.value, second.digits)
        } else {
            guard numbers.count == 3 else { return nil }
            // 2006/09/15.
            if numbers[0].digits == 4 {
                return clock(
                    year: numbers[0].value, month: numbers[1].value, day: numbers[2].value, time, offset, isAfternoon)
            }
            // 12/31/2003; with a year of two digits only when the order is beyond doubt.
            let (first, second) = (numbers[0].value, numbers[1].value)
            let isCertain = hasDayFirst || first > 12 || second > 12
            guard numbers[2].digits == 4 || numbers[2].digits == 2 && isCertain else { return nil }
            let isDayFirst = hasDayFirst && second <= 12 || first > 12
            (day, monthValue) = isDayFirst ? (first, second) : (second, first)
            (year, yearDigits) = (numbers[2].value, numbers[2].digits)
        }
        if yearDigits <= 2 { year += year < 70 ? 2000 : 1900 }
        if yearDigits == 3 { year += 1900 }
        // Thailand counts from the Buddha's death.
        if (2400...2700).contains(year) { year -= 543 }
        return clock(year: year, month: monthValue, day: day, time, offset, isAfternoon)
    }

    private static func clock(
        year: Int, month: Int, day: Int, _ time: (hour: Int, minute: Int, second: Int)?, _ offset: Int?,
        _ isAfternoon: Bool?
    ) -> Instant? {
        var hour = time?.hour ?? 0
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        return instant(
            year: year, month: month, day: day, hour: hour, minute: time?.minute ?? 0,
            second: time?.second == 60 ? 59 : time?.second ?? 0, offset: offset ?? 0)
    }
}
