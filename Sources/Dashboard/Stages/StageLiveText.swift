import ModelCore
import TerminalUI

/// What the live page of a stage says.
enum StageLiveText {
    /// Lines of the ticker, riders of the result and entries that are shown.
    static let (mostLines, mostPlaces, mostNews) = (500, 5, 5)
    /// The seconds after which an entry is no news any more.
    private static let newsAge: Int64 = 6 * 3600

    /// Whether a stage has a live page: on its day, or once it has a ticker.
    static func hasPage(_ stage: Stage, today: CalendarDay, hasTicker: Bool) -> Bool { stage.day == today || hasTicker }

    /// The sentence at the top.
    ///
    /// - Parameter key: The key that shows a hidden result.
    static func headline(_ progress: StageProgress, of stage: Stage, now: Int64, key: String) -> DisplayText {
        switch progress.phase {
        case .cancelled: return "The stage was cancelled."
        case .unknown: return "Today. The start time is unknown."
        case .coming(let start):
            return DisplayText("Starts in \(span(start - now)), at ") + DateText.time(start)
        case .underWay:
            var words = ["Under way"]
            if let left = progress.kilometresToGo { words.append("\(DecimalText.short(left)) km to go") }
            let end = progress.finish.map { DisplayText(" · finish about ") + DateText.time($0) } ?? .empty
            return DisplayText(words.joined(separator: " · ")) + end
        case .over:
            if stage.isSpoiler { return DisplayText("Finished. \(key) reveals the result.") }
            return stage.winner.map { DisplayText("\($0) won.") } ?? "Finished. No result yet."
        }
    }

    /// `2 h 14 min`, `9 min`; a minute that has begun counts.
    static func span(_ seconds: Int64) -> String {
        let minutes = (seconds + 59) / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// How much of the way is ridden, as a line; `nil` where that is not known.
    static func bar(_ km: Double?, of distance: Double?, columns: Int) -> DisplayText? {
        guard let km, let distance, distance > 0 else { return nil }
        let width = columns.limited(8, 40)
        let ridden = Int(clamping: (km / distance * Double(width)).rounded()).limited(0, width)
        return DisplayText(
            String(repeating: "━", count: ridden) + String(repeating: "─", count: max(0, width - ridden)))
    }

    /// The lines of a ticker that are not of the future, the latest first.
    static func told(_ ticker: [TickerLine], now: Int64) -> [TickerLine] {
        ticker.filter { ($0.instant ?? .max) <= now }.suffix(mostLines).reversed()
    }

    /// The first riders of a result, each with the gap.
    static func result(_ standings: [Standing]) -> [(name: DisplayText, value: DisplayText)] {
        standings.prefix(mostPlaces).map { standing in
            let gap = standing.gap.flatMap { $0 > 0 ? " · +" + RaceTime.text($0) : nil } ?? ""
            return (DisplayText(String(standing.place)), DisplayText(standing.name + gap))
        }
    }

    /// Whether an entry of a date is news.
    static func isNews(_ date: Int64, now: Int64) -> Bool { now - date < newsAge }
}
