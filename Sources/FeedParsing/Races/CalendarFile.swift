/// A calendar (iCalendar, RFC 5545), reduced to its events.
package struct CalendarFile: Sendable {
    /// An event with its properties by upper-case name. Of repeated properties the last one counts.
    package struct Event: Sendable {
        fileprivate(set) var properties: [String: String] = [:]

        /// Returns the value of a property, or `nil` if it is missing or empty.
        package subscript(_ name: String) -> String? { properties[name].flatMap { $0.isEmpty ? nil : $0 } }

        /// The first day, as `2026-05-31`, or `nil` if it is missing.
        package var day: String? {
            guard let start = self["DTSTART"]?.prefix(8), start.count == 8, start.allSatisfy(\.isNumber) else {
                return nil
            }
            return "\(start.prefix(4))-\(start.dropFirst(4).prefix(2))-\(start.dropFirst(6))"
        }
    }

    /// The name of the calendar (`X-WR-CALNAME`).
    package private(set) var name: String?
    /// The events in file order.
    package private(set) var events: [Event] = []

    /// Parses a calendar.
    ///
    /// - Parameter maximumEvents: The maximum number of events. Others are dropped.
    package init(_ text: String, maximumEvents: Int) {
        // A line that starts with white space continues the previous one (section 3.1).
        let unfolded = text.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
        var event: Event?
        // Components inside an event, such as alarms, have their own properties.
        var depth = 0
        for line in unfolded.split(separator: "\n") {
            guard let colon = line.firstIndex(where: { $0 == ":" }) else { continue }
            let key = line[..<colon].split(separator: ";").first.map { $0.uppercased() } ?? ""
            let value = CalendarFile.unescaped(CalendarFile.value(of: line, after: colon))
            switch (key, value.uppercased()) {
            case ("BEGIN", "VEVENT"):
                event = Event()
                depth = 0
            case ("BEGIN", _) where event != nil: depth += 1
            case ("END", "VEVENT"):
                if let event, events.count < maximumEvents { events.append(event) }
                event = nil
            case ("END", _) where event != nil: depth -= 1
            default:
                if event != nil, depth == 0 { event?.properties[key] = value }
                if event == nil, key == "X-WR-CALNAME" { name = value }
            }
        }
    }

    /// Returns the value after the name and its parameters, which may contain colons in quotation marks.
    private static func value(of line: Substring, after first: String.Index) -> Substring {
        guard line[..<first].contains("\"") else { return line[line.index(after: first)...] }
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ":", !isQuoted { return line[line.index(after: index)...] }
        }
        return ""
    }

    /// Returns the text of a value (section 3.3.11) with line ends as spaces.
    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("\\") else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character == "n" || character == "N" ? " " : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
