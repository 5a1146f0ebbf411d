import FeedParsing
import WebAddresses

/// Reads a race from a calendar (RFC 5545): an event for each stage, with the route in its summary.
enum RaceCalendar {
    static func read(_ text: String, name: String) throws(RaceFileError) -> Race {
        let calendar = CalendarFile(text, maximumEvents: 10 * RaceCheck.maximumStages)
        let events = calendar.events.compactMap(CalendarEvent.init)
        let restDays = events.filter(\.isRestDay).map(\.date)
        var stages = events.filter { !$0.isRestDay }
        // Numbers and routes show which events are stages; others are presentations and the like.
        if stages.contains(where: { $0.number != nil }) { stages.removeAll { $0.number == nil && !$0.hasRoute } }
        if stages.count > RaceCheck.maximumStages {
            throw RaceFileError(problems: ["stages: more than \(RaceCheck.maximumStages)"])
        }
        guard !stages.isEmpty else {
            throw RaceFileError(problems: ["the calendar has no events with a date and a summary"])
        }
        stages.sort { ($0.date, $0.number ?? 0) < ($1.date, $1.number ?? 0) }
        let numbered = zip(stages, numbers(of: stages)).map { $0.stage(number: $1) }
        let year = numbered.lazy.compactMap(\.day).first?.year ?? 0
        var race = Race(race: title(calendar.name ?? name, year: year), year: year, stages: numbered)
        if !restDays.isEmpty { race.restDays = Set(restDays).sorted() }
        return race
    }

    /// Returns the numbers of stages in the order of their days: their own, and for others those around them. If a number
    /// is not unique, as for halves of a stage, all are counted.
    private static func numbers(of stages: [CalendarEvent]) -> [Int] {
        var numbers = stages.map(\.number)
        for (index, next) in zip(numbers.indices, numbers.indices.dropFirst()) where numbers[next] == nil {
            numbers[next] = numbers[index].map { $0 + 1 }
        }
        for (index, next) in zip(numbers.indices, numbers.indices.dropFirst()).reversed() where numbers[index] == nil {
            numbers[index] = numbers[next].map { $0 - 1 }
        }
        let known = numbers.compactMap { $0 }
        let isSound = known.count == stages.count && Set(known).count == known.count && known.allSatisfy { $0 >= 0 }
        return isSound ? known : Array(1...stages.count)
    }

    /// Returns the name of a race without the year at its end, which tappa's own calendars have.
    private static func title(_ name: String, year: Int) -> String {
        let end = " \(year)"
        return name.hasSuffix(end) && name.count > end.count ? String(name.dropLast(end.count)) : name
    }
}
