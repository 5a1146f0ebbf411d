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
        stages.sort { $0.date == $1.date ? $0.order < $1.order : $0.date < $1.date }
        let numbered = numbered(stages)
        let year = numbered.lazy.compactMap(\.day).first?.year ?? 0
        var race = Race(race: title(calendar.name ?? name, year: year), year: year, stages: numbered)
        if !restDays.isEmpty { race.restDays = Set(restDays).sorted() }
        return race
    }

    /// Numbers stages in the order of their days: by their own numbers, and others by those around them. If a number is
    /// not unique, all are counted, and halves of a stage make the others keep their numbers as labels.
    private static func numbered(_ stages: [CalendarEvent]) -> [Stage] {
        var numbers = stages.map(\.number)
        for (index, next) in zip(numbers.indices, numbers.indices.dropFirst()) where numbers[next] == nil {
            numbers[next] = numbers[index].map { $0 + 1 }
        }
        for (index, next) in zip(numbers.indices, numbers.indices.dropFirst()).reversed() where numbers[index] == nil {
            numbers[index] = numbers[next].map { $0 - 1 }
        }
        let known = numbers.compactMap { $0 }
        let isSound = known.count == stages.count && Set(known).count == known.count && known.allSatisfy { $0 >= 0 }
        if isSound { return zip(stages, known).map { $0.stage(number: $1) } }
        let first = known.first == 0 ? 0 : 1
        let halves = labels(of: stages, known)
        return stages.enumerated().map { $1.stage(number: first + $0, label: halves?[$0]) }
    }

    /// Returns the labels of stages some of which are halves: `3a`, `3b`, `4`. Numbers that repeat for another reason are
    /// no labels, and neither is the letter of an ordinal such as the Italian `2a tappa`.
    private static func labels(of stages: [CalendarEvent], _ numbers: [Int]) -> [String]? {
        guard numbers.count == stages.count, numbers == numbers.sorted(), (numbers.first ?? 0) >= 0 else { return nil }
        var labels: [String] = []
        for (number, halves) in Dictionary(grouping: zip(numbers, stages), by: \.0).sorted(by: { $0.key < $1.key }) {
            let stages = halves.map(\.1)
            let own = stages.map(\.half)
            let areNamed = Set(own).count == own.count && !own.contains("")
            let letters = areNamed ? own : ["a", "b", "c", "d"]
            guard stages.count <= letters.count, areNamed || Set(stages.map(\.date)).count == 1 else { return nil }
            labels += stages.count == 1 ? ["\(number)"] : zip(stages, letters).map { "\(number)\($1)" }
        }
        return labels
    }

    /// Returns the name of a race without the year at its end, which tappa's own calendars have.
    private static func title(_ name: String, year: Int) -> String {
        let end = " \(year)"
        return name.hasSuffix(end) && name.count > end.count ? String(name.dropLast(end.count)) : name
    }
}
