import FeedParsing
import Feeds
import WebAddresses

/// Reads a race from a CSV table (RFC 4180): a heading with the keys of a race file, then a row for each stage.
enum RaceTable {
    static func read(_ text: String, name: String) throws(RaceFileError) -> Race {
        let table = SeparatedValues(text)
        guard table.headings.isSuperset(of: ["number", "start", "finish"]) else {
            throw RaceFileError(problems: [
                "the first line must name the columns, with number, start and finish among them"
            ])
        }
        var stages: [Stage] = []
        var problems: [String] = []
        var raceName = name
        var year: Int?
        for row in table.rows {
            // The race can be named on each row, or on the first only.
            if stages.isEmpty { raceName = row["race"] ?? raceName }
            if let text = row["year"] {
                guard let number = Int(text), year == nil || year == number else {
                    problems.append("line \(row.line): year is '\(text)'")
                    continue
                }
                year = number
            }
            guard let number = row["number"].flatMap({ Int($0) }) else {
                problems.append("line \(row.line): number is '\(row["number"] ?? "")'")
                continue
            }
            guard let start = row["start"], let finish = row["finish"] else {
                problems.append("line \(row.line): start or finish is missing")
                continue
            }
            let distance = row["distance_km"].map { $0.replacing(",", with: ".") }
            if let distance, Double(distance) == nil {
                problems.append("line \(row.line): distance_km is '\(distance)'")
            }
            stages.append(
                Stage(
                    number: number, date: row["date"], start: start, finish: finish,
                    distance: distance.flatMap { Double($0) },
                    type: row["type"], winner: row["winner"], leaderAfter: row["leader_after"],
                    imageURL: row["image_url"], articleURL: row["article_url"]))
            if stages.count > RaceCheck.mostStages {
                throw RaceFileError(problems: ["stages: more than \(RaceCheck.mostStages)"])
            }
        }
        guard problems.isEmpty else { throw RaceFileError(problems: Array(problems.prefix(20))) }
        guard !stages.isEmpty else { throw RaceFileError(problems: ["no stages found"]) }
        return Race(race: raceName, year: year ?? RaceTable.year(of: stages), stages: stages)
    }

    /// Returns the year of the first stage with a date.
    static func year(of stages: [Stage]) -> Int {
        stages.lazy.compactMap(\.day).first?.components.year ?? 0
    }
}

/// Reads a race from a calendar (RFC 5545): an event for each stage, with the route in its summary.
enum RaceCalendar {
    static func read(_ text: String, name: String) throws(RaceFileError) -> Race {
        let calendar = CalendarFile(text, maximumEvents: 10 * RaceCheck.mostStages)
        var stages = calendar.events.compactMap(stage)
        if stages.count > RaceCheck.mostStages {
            throw RaceFileError(problems: ["stages: more than \(RaceCheck.mostStages)"])
        }
        guard !stages.isEmpty else {
            throw RaceFileError(problems: ["the calendar has no events with a date and a summary"])
        }
        stages.sort { $0.date < $1.date }
        var numbered = stages.map(\.stage)
        for index in numbered.indices { numbered[index].number = index + 1 }
        return Race(race: calendar.name ?? name, year: RaceTable.year(of: numbered), stages: numbered)
    }

    private static func stage(_ event: CalendarFile.Event) -> (date: String, stage: Stage)? {
        guard let date = event.day, CalendarDay(date) != nil, let summary = event["SUMMARY"] else { return nil }
        var route = summary
        // In "Stage 4: Alberobello - Lecce" the route follows the colon.
        if let colon = route.firstIndex(of: ":") { route = String(route[route.index(after: colon)...]) }
        var towns = [route]
        for dash in [" → ", " – ", " — ", " - ", " > "] where route.contains(dash) {
            towns = route.split(separator: dash, maxSplits: 1).map(String.init)
            break
        }
        let names = towns.map { Markup.collapseSpaces($0) }
        var stage = Stage(number: 0, date: date, start: names.first ?? summary, finish: names.last ?? summary)
        if let url = event["URL"], WebAddress.isWeb(url) { stage.articleURL = url }
        return (date, stage)
    }
}
