import FeedParsing

/// Reads a race from a table in CSV (RFC 4180): a heading with a race file's keys, then a line a stage.
enum RaceTable {
    static func read(_ text: String, name: String) throws(RaceFileError) -> Race {
        let rows = rows(text)
        guard let heading = rows.first?.fields.map({ $0.lowercased() }), heading.contains("number"),
            heading.contains("start"),
            heading.contains("finish")
        else {
            throw RaceFileError(problems: [
                "the first line has to name the columns, number, start and finish among them"
            ])
        }
        var stages: [Stage] = []
        var problems: [String] = []
        var raceName = name
        var year: Int?
        for row in rows.dropFirst() where row.fields.contains(where: { !$0.isEmpty }) {
            func value(_ key: String) -> String? {
                guard let column = heading.firstIndex(of: key), row.fields.indices.contains(column) else { return nil }
                return row.fields[column].isEmpty ? nil : row.fields[column]
            }
            // Said on each line, or on the first alone.
            if stages.isEmpty { raceName = value("race") ?? raceName }
            if let text = value("year") {
                guard let number = Int(text), year == nil || year == number else {
                    problems.append("line \(row.line): year is '\(text)'")
                    continue
                }
                year = number
            }
            guard let number = value("number").flatMap({ Int($0) }) else {
                problems.append("line \(row.line): number is '\(value("number") ?? "")'")
                continue
            }
            guard let start = value("start"), let finish = value("finish") else {
                problems.append("line \(row.line): start or finish is missing")
                continue
            }
            let distance = value("distance_km").map { $0.replacing(",", with: ".") }
            if let distance, Double(distance) == nil {
                problems.append("line \(row.line): distance_km is '\(distance)'")
            }
            stages.append(
                Stage(
                    number: number, date: value("date"), start: start, finish: finish,
                    distance: distance.flatMap { Double($0) },
                    type: value("type"), winner: value("winner"), leaderAfter: value("leader_after"),
                    imageURL: value("image_url"), articleURL: value("article_url")))
            if stages.count > RaceFile.maximumStages {
                throw RaceFileError(problems: ["stages: more than \(RaceFile.maximumStages)"])
            }
        }
        guard problems.isEmpty else { throw RaceFileError(problems: Array(problems.prefix(20))) }
        guard !stages.isEmpty else { throw RaceFileError(problems: ["there are no stages in it"]) }
        return Race(race: raceName, year: year ?? RaceTable.year(of: stages), stages: stages)
    }

    /// The year of the first stage with a date.
    static func year(of stages: [Stage]) -> Int {
        stages.lazy.compactMap(\.day).first?.components.year ?? 0
    }

    /// Fields between commas or semicolons, whichever the first line has more of; quotation marks keep both, and line ends.
    private static func rows(_ text: String) -> [(line: Int, fields: [String])] {
        let first = text.prefix { $0 != "\n" && $0 != "\r\n" }
        let separator: Character = first.count { $0 == ";" } > first.count { $0 == "," } ? ";" : ","
        var rows: [(line: Int, fields: [String])] = []
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var line = 1
        var start = 1
        func endField() {
            fields.append(Markup.foldBlanks(field))
            field = ""
        }
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                endField()
            } else if character == "\n" || character == "\r\n" {
                line += 1
                if isQuoted {
                    field += " "
                } else {
                    endField()
                    rows.append((start, fields))
                    fields = []
                    start = line
                }
            } else if character != "\u{FEFF}" {
                field.append(character)
            }
        }
        endField()
        if fields != [""] { rows.append((start, fields)) }
        return rows
    }
}

/// Reads a race from a calendar (RFC 5545): an event a stage, the route in its summary.
enum RaceCalendar {
    static func read(_ text: String, name: String) throws(RaceFileError) -> Race {
        // Long lines go on in the next one after a blank.
        let lines = text.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "").split(
            separator: "\n")
        var stages: [(date: String, stage: Stage)] = []
        var event: [String: String]?
        var raceName: String?
        for line in lines {
            if line == "BEGIN:VEVENT" {
                event = [:]
            } else if line == "END:VEVENT" {
                if let event, let stage = stage(event, number: stages.count + 1) { stages.append(stage) }
                event = nil
                if stages.count > RaceFile.maximumStages {
                    throw RaceFileError(problems: ["stages: more than \(RaceFile.maximumStages)"])
                }
            } else if let colon = line.firstIndex(of: ":") {
                let key = line[..<colon].split(separator: ";").first.map { $0.uppercased() } ?? ""
                let value = unescaped(line[line.index(after: colon)...])
                if event != nil { event?[key] = value } else if key == "X-WR-CALNAME" { raceName = value }
            }
        }
        guard !stages.isEmpty else {
            throw RaceFileError(problems: ["the calendar has no events with a day and a summary"])
        }
        stages.sort { $0.date < $1.date }
        var numbered = stages.map(\.stage)
        for index in numbered.indices { numbered[index].number = index + 1 }
        return Race(race: raceName ?? name, year: RaceTable.year(of: numbered), stages: numbered)
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\n", with: " ").replacing("\\N", with: " ").replacing("\\,", with: ",").replacing(
            "\\;", with: ";"
        )
        .replacing("\\\\", with: "\\")
    }

    private static func stage(_ event: [String: String], number: Int) -> (date: String, stage: Stage)? {
        guard let start = event["DTSTART"], start.count >= 8, let summary = event["SUMMARY"], !summary.isEmpty else {
            return nil
        }
        let digits = start.prefix(8)
        let date = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))"
        guard CalendarDay(date) != nil else { return nil }
        var route = summary
        // "Stage 4: Alberobello - Lecce" and its like: what stands before the colon is not the route.
        if let colon = route.firstIndex(of: ":") { route = String(route[route.index(after: colon)...]) }
        var towns = [route]
        for dash in [" → ", " – ", " — ", " - ", " > "] where route.contains(dash) {
            towns = route.split(separator: dash, maxSplits: 1).map(String.init)
            break
        }
        let names = towns.map { Markup.foldBlanks($0) }
        var stage = Stage(number: number, date: date, start: names.first ?? summary, finish: names.last ?? summary)
        if let url = event["URL"], url.hasPrefix("http") { stage.articleURL = url }
        return (date, stage)
    }
}
