/// A calendar (iCalendar, RFC 5545), as far as its events go.
package struct CalendarFile: Sendable {
    /// An event: the values of its properties by their names, in capitals; of several of one name the last.
    package struct Event: Sendable {
        package fileprivate(set) var properties: [String: String] = [:]

        /// The value of a property; `nil` where there is none, or nothing in it.
        package subscript(_ name: String) -> String? { properties[name].flatMap { $0.isEmpty ? nil : $0 } }

        /// The day on which it begins, as `2026-05-31`; `nil` where that is not told.
        package var day: String? {
            guard let start = self["DTSTART"]?.prefix(8), start.count == 8, start.allSatisfy(\.isNumber) else {
                return nil
            }
            return "\(start.prefix(4))-\(start.dropFirst(4).prefix(2))-\(start.dropFirst(6))"
        }
    }

    /// The calendar's name (`X-WR-CALNAME`).
    package private(set) var name: String?
    /// The events in the order of the file.
    package private(set) var events: [Event] = []

    /// Reads a calendar.
    ///
    /// - Parameter maximumEvents: Events beyond so many are left out.
    package init(_ text: String, maximumEvents: Int) {
        // Long lines go on in the next one after a blank (section 3.1).
        let unfolded = text.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
        var event: Event?
        // What lies inside an event, such as an alarm, has properties of its own.
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

    /// What stands behind the name and its parameters, whose values may have colons in quotation marks.
    private static func value(of line: Substring, after first: String.Index) -> Substring {
        guard line[..<first].contains("\"") else { return line[line.index(after: first)...] }
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ":", !isQuoted { return line[line.index(after: index)...] }
        }
        return ""
    }

    /// The text of a value (section 3.3.11); a line end is a blank here.
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
