import DashboardFrame
import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// The text of a stage's live page.
enum StageLiveText {
    /// The maximum numbers of ticker messages, results and entries.
    static let (maximumLines, maximumPlaces, maximumNews) = (500, 5, 5)
    /// The width below which the headline is abbreviated and the groups come before everything else.
    static let narrow = 44
    /// The width below which the caption of the bar comes after the groups.
    static let tiny = 30
    /// The age in seconds after which an entry is no longer news.
    private static let newsAge: Int64 = 6 * 3600

    /// Whether a stage has a live page: on its day, or if it has a ticker.
    static func hasPage(_ stage: Stage, today: CalendarDay, now: Instant, hasTicker: Bool) -> Bool {
        stage.isToday(at: now, local: today) || hasTicker
    }

    /// Returns the headline.
    ///
    /// - Parameters:
    ///   - key: The key that reveals a hidden result.
    ///   - columns: The width. Without enough space there are only distance and gap, such as "47 km · P +1:24".
    static func headline(
        _ progress: StageProgress, of stage: Stage, now: Instant, key: String, columns: Int = .max
    ) -> DisplayText {
        switch progress.phase {
        case .cancelled: return "The stage was cancelled."
        case .unknown: return "Today. The start time is unknown."
        case .coming(let start):
            return DisplayText("Starts in \(span(start.seconds(since: now))), at ") + DateText.time(start)
        case .underWay:
            let left = progress.kilometresToGo.map { DecimalText.short($0) + " km" }
            let brief = [left, progress.pelotonGap.map { "P +" + RaceTime.text($0) }].compactMap { $0 }
            let sentences = [sentence(progress, isComplete: true), sentence(progress, isComplete: false)]
            let fitting = sentences.first { $0.columns <= columns }
            if columns >= narrow, let fitting { return fitting }
            if brief.isEmpty { return fitting ?? sentences[1] }
            let words = DisplayText(brief.joined(separator: " · "))
            let finish = progress.finish.map { DisplayText(" · finish ") + DateText.clock($0) } ?? .empty
            return words.columns + finish.columns <= columns ? words + finish : words
        case .over:
            if stage.isSpoiler { return DisplayText("Finished. \(key) reveals the result.") }
            return stage.winner.map { DisplayText("\($0) won.") } ?? "Finished. No result yet."
        }
    }

    /// Returns the headline of a stage that is being ridden, in words.
    ///
    /// - Parameter isComplete: Whether it says that the stage is under way, and the zone of the expected finish.
    private static func sentence(_ progress: StageProgress, isComplete: Bool) -> DisplayText {
        var words = isComplete || progress.kilometresToGo == nil ? ["Under way"] : []
        if let left = progress.kilometresToGo { words.append("\(DecimalText.short(left)) km to go") }
        if let gap = progress.pelotonGap { words.append("peloton +\(RaceTime.text(gap))") }
        if let gap = progress.leaderGap { words.append("leader +\(RaceTime.text(gap))") }
        let end: DisplayText? = progress.finish.map { finish in
            isComplete ? " · finish about " + DateText.time(finish) : " · finish " + DateText.clock(finish)
        }
        return DisplayText(words.joined(separator: " · ")) + (end ?? .empty)
    }

    /// Returns a sentence about what is hidden of a stage that is being ridden, or `nil`.
    ///
    /// - Parameter key: The key that reveals it.
    static func hidden(_ progress: StageProgress, of stage: Stage, key: String) -> DisplayText? {
        guard stage.isSpoiler, progress.phase == .underWay else { return nil }
        return DisplayText("Live data are hidden. \(key) reveals them.")
    }

    /// Returns a sentence about the delay, or `nil` without one.
    static func words(of delay: LiveDelay, columns: Int = .max) -> DisplayText? {
        guard delay.seconds > 0 else { return nil }
        let seconds = "delayed by \(delay.seconds) s"
        return DisplayText(columns < narrow ? "D" + seconds.dropFirst() : "Everything live is \(seconds).")
    }

    /// Returns the instant and state of a replay in words.
    ///
    /// - Parameter key: The key that resumes it.
    static func words(of replay: ReplayClock, key: String, columns: Int) -> DisplayText {
        let (time, isWide) = (DateText.clock(replay.now), columns >= narrow)
        if replay.isOver { return isWide ? "The replay is over." : "Replay over" }
        guard replay.isPaused else {
            let speed = replay.speed != 1 && columns >= tiny ? ", speed " + DecimalText.short(replay.speed) : ""
            return DisplayText("Replay at ") + time + DisplayText(speed)
        }
        return DisplayText("Paused at ") + time + (isWide ? DisplayText(". \(key) resumes the replay.") : .empty)
    }

    /// Returns the delay that a user has typed, or `nil` if it is not valid.
    static func delay(_ text: String) -> LiveDelay? {
        Int(text).flatMap { LiveDelay(seconds: $0).seconds == $0 ? LiveDelay(seconds: $0) : nil }
    }

    /// Returns the next climb or sprint after a position, such as "Next: Télégraphe in 12 km, 11.9 km at 7.1 %", in
    /// which numbers aren't separated from their units.
    ///
    /// - Parameter km: The position of the first group, in kilometres from the start.
    static func next(after km: Double?, on stage: Stage) -> DisplayText? {
        guard let km else { return nil }
        let climbs = (stage.climbs ?? []).map { climb -> (km: Double, words: String) in
            let length = climb.length.map { ", \(DecimalText.short($0))\u{A0}km" } ?? ""
            let gradient = climb.gradient.map { "\u{A0}at\u{A0}\(DecimalText.short($0))\u{A0}%" } ?? ""
            return (climb.km, "\(climb.name ?? "a climb")|\(length)\(length.isEmpty ? "" : gradient)")
        }
        let sprints = (stage.sprints ?? []).map { sprint in (km: sprint.km, words: "\(sprint.name ?? "a sprint")|") }
        guard let next = (climbs + sprints).filter({ $0.km > km }).min(by: { $0.km < $1.km }) else { return nil }
        let parts = next.words.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let distance = DecimalText.short(((next.km - km) * 10).rounded() / 10)
        return DisplayText("Next: \(parts[0]) in \(distance)\u{A0}km\(parts.count > 1 ? String(parts[1]) : "")")
    }

    /// Returns a duration such as "2 h 14 min" or "9 min", rounded up to minutes.
    static func span(_ seconds: Int64) -> String {
        let minutes = (seconds + 59) / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Returns a bar that shows how much of the distance was covered, or `nil` if it is unknown.
    static func bar(_ km: Double?, of distance: Double?, columns: Int) -> DisplayText? {
        guard let km, let distance, distance > 0 else { return nil }
        let width = columns.limited(8, 40)
        let ridden = Int(clamping: (km / distance * Double(width)).rounded()).limited(0, width)
        return DisplayText(
            String(repeating: "━", count: ridden) + String(repeating: "─", count: max(0, width - ridden)))
    }

    /// Returns the ticker messages that are not in the future, latest first.
    static func told(_ ticker: [TickerLine], now: Instant) -> [TickerLine] {
        ticker.filter { ($0.instant ?? .distantFuture) <= now }.suffix(maximumLines).reversed()
    }

    /// Returns the first riders of a result with their gaps.
    static func result(_ standings: [Standing]) -> [(name: DisplayText, value: DisplayText)] {
        standings.prefix(maximumPlaces).map { standing in
            let gap = standing.gap.flatMap { $0 > 0 ? " · +" + RaceTime.text($0) : nil } ?? ""
            return (DisplayText(String(standing.place)), DisplayText(standing.name + gap))
        }
    }

    static func isNews(_ date: Instant, now: Instant) -> Bool { now.seconds(since: date) < newsAge }
}
