import FeedParsing
import WebAddresses

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
        let year = numbered.lazy.compactMap(\.day).first?.year ?? 0
        return Race(race: title(calendar.name ?? name, year: year), year: year, stages: numbered)
    }

    /// Returns the name of a race without the year at its end, which tappa's own calendars have.
    private static func title(_ name: String, year: Int) -> String {
        let end = " \(year)"
        return name.hasSuffix(end) && name.count > end.count ? String(name.dropLast(end.count)) : name
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
