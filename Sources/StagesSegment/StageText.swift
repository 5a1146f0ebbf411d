import DashboardFrame
import LibraryKernel
import RaceModel
import TerminalUI

/// The facts of a stage as text.
enum StageText {
    /// Returns a distance such as "209 km" or "8.4 km".
    static func distance(_ kilometres: Double) -> DisplayText {
        DisplayText(DecimalText.short(kilometres) + " km")
    }

    /// Returns the route and the race.
    ///
    /// - Parameters:
    ///   - hasRoute: Whether the route is shown.
    ///   - isPositionInBar: Whether the bar shows the position in the race, so that the text omits it.
    static func heading(
        _ race: Race, index: Int, hasRoute: Bool = true, isPositionInBar: Bool = false, isLinear: Bool = false
    ) -> [TextParagraph] {
        let name = DisplayText("\(race.race) \(race.year)")
        return (hasRoute ? [TextParagraph(route(race.stages[index].route, isLinear: isLinear), .heading)] : []) + [
            TextParagraph(isPositionInBar ? name : position(index, in: race) + " · " + name, .secondary), .blank,
        ]
    }

    /// Returns the facts of a stage, what is on its road, and the stages before and after it.
    static func facts(_ race: Race, index: Int, dates: DateText, isLinear: Bool = false) -> [TextParagraph] {
        let stage = race.stages[index]
        var rows: [(name: DisplayText, value: DisplayText)] = []
        func add(_ name: DisplayText, _ value: String?) {
            if let value { rows.append((name, DisplayText(value))) }
        }
        if let day = stage.day {
            rows.append(("Date", unbroken(DateText.longDay(day)) + "\u{A0}· " + unbroken(dates.distance(day))))
        }
        add("State", stage.status)
        if let start = stage.startInstant {
            let neutral = stage.neutralStart.map { DisplayText(" · neutral ") + DateText.clock($0) } ?? .empty
            rows.append(("Start", DateText.time(start) + neutral))
        }
        if let finish = stage.finishInstant { rows.append(("Finish", DateText.time(finish))) }
        if let distance = stage.distance {
            let neutral = stage.neutral.map { DisplayText(" · neutral ") + self.distance($0) } ?? .empty
            rows.append(("Distance", self.distance(distance) + neutral))
        }
        add("Type", stage.type)
        // A future stage has no result to hide.
        if StandingText.hidesResult(of: stage, today: dates.today) { add("Result", "hidden") }
        add("Winner", stage.winner)
        add("Leader", stage.leaderAfter)
        add("Weather", stage.weather)
        add("Broadcast", stage.broadcastURL)
        add("Live text", stage.liveURL)
        add("Data", race.source?.name)
        add("Jersey", race.leaderJersey)
        return TextParagraph.facts(rows) + way(stage) + neighbours(race, index: index, isLinear: isLinear)
    }

    /// Returns a position such as "Stage 15 of 21", also if the race lacks its first stages.
    static func position(_ index: Int, in race: Race) -> DisplayText {
        // With halves, the number of stages isn't the last one.
        let last = race.stages.last?.label.map { $0.prefix(while: \.isNumber) }.flatMap { Int($0) }
        let count = last ?? max(race.stages.map(\.number).max() ?? 0, race.stages.count)
        return DisplayText("Stage \(race.stages[index].name) of \(count)")
    }

    /// Returns a route, in words in screen-reader mode.
    static func route(_ route: String, isLinear: Bool) -> DisplayText {
        DisplayText(isLinear ? route.replacing(" → ", with: " to ") : route)
    }

    /// The width of the longest date.
    private static let longestUnbroken = 28

    /// Returns words that aren't wrapped.
    private static func unbroken(_ words: DisplayText) -> DisplayText {
        words.columns <= longestUnbroken ? DisplayText(words.string.replacing(" ", with: "\u{A0}")) : words
    }

    /// Returns climbs and sprints in order.
    private static func way(_ stage: Stage) -> [TextParagraph] {
        let climbs = (stage.climbs ?? []).map { climb in
            var words = [climb.name ?? "climb"]
            if let category = climb.category { words.append("category \(category)") }
            if let length = climb.length { words.append(distance(length).string) }
            if let gradient = climb.gradient { words.append("\(DecimalText.long(gradient)) %") }
            if let elevation = climb.elevation { words.append("\(Int(clamping: elevation)) m") }
            if let winner = climb.winner { words.append("won by \(winner)") }
            return (km: climb.km, words: words.map { unbroken(DisplayText($0)).string }.joined(separator: " · "))
        }
        let sprints = (stage.sprints ?? []).map { sprint in
            let place = sprint.name.map { " at \($0)" } ?? ""
            return (km: sprint.km, words: "sprint" + place + (sprint.winner.map { " · won by \($0)" } ?? ""))
        }
        let places = (climbs + sprints).sorted { $0.km < $1.km }
        guard !places.isEmpty else { return [] }
        return [.blank]
            + TextParagraph.facts(places.map { (DisplayText("km " + DecimalText.short($0.km)), DisplayText($0.words)) })
    }

    private static func neighbours(_ race: Race, index: Int, isLinear: Bool) -> [TextParagraph] {
        func line(_ mark: String, _ index: Int) -> TextParagraph? {
            guard race.stages.indices.contains(index) else { return nil }
            let stage = race.stages[index]
            let words = DisplayText("\(mark) \(stage.name) ") + route(stage.route, isLinear: isLinear)
            return TextParagraph(words, .secondary)
        }
        let (before, after) = isLinear ? ("before:", "next:") : ("‹", "›")
        let lines = [line(before, index - 1), line(after, index + 1)].compactMap { $0 }
        return lines.isEmpty ? [] : [.blank] + lines
    }
}
