import FeedParsing

/// Writes races as calendars for other programs (RFC 5545).
///
/// An event lasts from a stage's start to its end if both are known, otherwise the whole day.
package enum RaceCalendarWriter {
    /// - Parameter now: The time stamp of all events.
    package static func write(_ race: Race, now: Instant) -> String {
        let stamp = instant(now)
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//tappa//races//EN", "CALSCALE:GREGORIAN",
            "X-WR-CALNAME:" + escaped("\(race.race) \(race.year)"),
        ]
        for stage in race.stages {
            guard let day = stage.day else { continue }
            lines += [
                "BEGIN:VEVENT", "UID:\(race.id)-\(stage.number)@tappa", "DTSTAMP:" + stamp,
                "SUMMARY:" + escaped("\(race.race) \(stage.name): \(stage.route)"),
            ]
            if let start = stage.startInstant {
                let finish = stage.finishInstant ?? start + longest
                lines += ["DTSTART:" + instant(start), "DTEND:" + instant(max(finish, start + 60))]
            } else {
                lines += [
                    "DTSTART;VALUE=DATE:" + date(day), "DTEND;VALUE=DATE:" + date(CalendarDay(number: day.number + 1)),
                ]
            }
            if stage.isCancelled { lines.append("STATUS:CANCELLED") }
            let distance = stage.distance.map { $0 == $0.rounded() ? "\(Int(clamping: $0)) km" : "\($0) km" }
            let words = [distance, stage.type].compactMap { $0 }.joined(separator: ", ")
            if !words.isEmpty { lines.append("DESCRIPTION:" + escaped(words)) }
            if let url = stage.articleURL { lines.append("URL:" + url.filter { !$0.isNewline }) }
            if let place = stage.startPlace, place.count == 2 { lines.append("GEO:\(place[0]);\(place[1])") }
            lines.append("END:VEVENT")
        }
        lines.append("END:VCALENDAR")
        return lines.map(folded).joined()
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The assumed duration in seconds of a stage without a known end.
    private static let longest: Int64 = 5 * 3600

    /// Returns a time in UTC (section 3.3.5).
    private static func instant(_ instant: Instant) -> String {
        let day = CalendarDay(instant: instant)
        return date(day) + "T" + time(instant.seconds(since: day.midnight)) + "Z"
    }

    private static func date(_ day: CalendarDay) -> String { day.text.filter { $0 != "-" } }

    private static func time(_ seconds: Int64) -> String {
        digits(seconds / 3600, 2) + digits(seconds / 60 % 60, 2) + digits(seconds % 60, 2)
    }

    /// Returns a text with its special characters escaped (section 3.3.11).
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if character.isNewline {
                result += "\\n"
            } else {
                if "\\;,".contains(character) { result += "\\" }
                result.append(character)
            }
        }
    }

    /// Returns a line folded at 75 bytes without splitting characters (section 3.1).
    private static func folded(_ line: String) -> String {
        var (result, length) = ("", 0)
        for scalar in line.unicodeScalars {
            let size = scalar.utf8.count
            if length + size > 75 {
                result += "\r\n "
                length = 1
            }
            result.unicodeScalars.append(scalar)
            length += size
        }
        return result + "\r\n"
    }
}
