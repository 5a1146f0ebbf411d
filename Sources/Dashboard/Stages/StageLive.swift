import ModelCore
import TerminalUI

/// A stage on its day: the time to its start, then where the race is and what is told of it, then who has won; and the news of the hours
/// around it.
@MainActor
final class StageLive {
    private let context: DashboardContext
    private let race: Race
    private let stage: Stage
    let view = TextView()
    /// Where the race is, for the profile and the map.
    private(set) var progress: StageProgress
    /// Called when that may be elsewhere.
    var didChange: () -> Void = {}
    private var timer: Task<Void, Never>?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    /// Lines of the ticker that are shown, and entries, and how old those are at most.
    private static let (mostLines, mostNews, newsAge): (Int, Int, Int64) = (500, 5, 6 * 3600)

    init(_ race: Race, _ stage: Stage, context: DashboardContext) {
        self.race = race
        self.stage = stage
        self.context = context
        progress = StageProgress(stage, ticker: [], now: context.clock())
    }

    /// Whether there is something to see of the day: it is today, or its ticker is there.
    static func isDay(of stage: Stage, in race: Race, _ context: DashboardContext) -> Bool {
        if stage.day == context.dates.today { return true }
        return !context.read([]) { try $0.ticker(of: stage.number, in: race.id) }.isEmpty
    }

    /// Shows how it goes, from now on.
    func begin() {
        show()
        observations = [.races, .entries].map { part in
            context.library.observe(part) { [weak self] in self?.refresh.schedule { [weak self] in self?.show() } }
        }
        timer?.cancel()
        timer = Task { [weak self] in
            while !Task.isCancelled {
                // The countdown tells minutes: it is right as long as none has passed.
                try? await Task.sleep(for: .seconds(20))
                self?.show()
            }
        }
    }

    /// It stands in so many columns now.
    func fit(_ width: Int) {
        guard width != shownWidth else { return }
        shownWidth = width
        if timer != nil { show() }
    }

    private var shownWidth = 40

    func end() {
        timer?.cancel()
        timer = nil
        observations = []
    }

    private func show() {
        let now = context.clock()
        let ticker = context.read([]) { try $0.ticker(of: stage.number, in: race.id) }
        progress = StageProgress(stage, ticker: ticker, now: now)
        view.setParagraphs(paragraphs(ticker, now: now), keepsPlace: true)
        didChange()
    }

    private func paragraphs(_ ticker: [TickerLine], now: Int64) -> [TextParagraph] {
        var lines = [TextParagraph(headline(now), .strong)]
        if let bar { lines.append(TextParagraph(bar, .link)) }
        lines += result
        let told = ticker.filter { ($0.instant ?? .max) <= now }.suffix(StageLive.mostLines).reversed()
        if !told.isEmpty {
            lines.append(.blank)
            lines += TextParagraph.facts(
                told.map { line in
                    let km = line.km.map { DisplayText(" km " + DecimalText.short($0)) } ?? .empty
                    let time = line.instant.map(DateText.clock) ?? .empty
                    return (time + km, DisplayText(line.text))
                })
        }
        return lines + news(now)
    }

    private func headline(_ now: Int64) -> DisplayText {
        switch progress.phase {
        case .cancelled: return "The stage is cancelled."
        case .unknown: return "Today; the race does not tell when it starts."
        case .coming(let start):
            return DisplayText("Starts in \(StageLive.span(start - now)), at ") + DateText.time(start)
        case .underWay:
            var words = ["Under way"]
            if let left = progress.kilometresToGo { words.append("\(DecimalText.short(left)) km to go") }
            let end = progress.finish.map { DisplayText(" · finish about ") + DateText.time($0) } ?? .empty
            return DisplayText(words.joined(separator: " · ")) + end
        case .over:
            if stage.isCovered {
                return DisplayText("It is over; its result is hidden: \(context.key(.lookAtStage)) shows it.")
            }
            return stage.winner.map { DisplayText("\($0) has won.") } ?? "It is over; the result is not there yet."
        }
    }

    /// `2 h 14 min`, `9 min`.
    private static func span(_ seconds: Int64) -> String {
        let minutes = (seconds + 59) / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// How much of the way is ridden, as a line.
    private var bar: DisplayText? {
        guard let km = progress.km, let distance = stage.distance, distance > 0, !view.symbols.isLinear,
            view.traits.capabilities.hasUnicode
        else { return nil }
        let width = max(8, min(40, shownWidth - 3))
        let ridden = Int(clamping: (km / distance * Double(width)).rounded()).limited(0, width)
        let left = String(repeating: "─", count: max(0, width - ridden))
        return DisplayText(String(repeating: "━", count: ridden) + left)
    }

    private var result: [TextParagraph] {
        let first = context.read([]) { try $0.standings(.results, of: stage.number, in: race.id) }.prefix(5)
        guard !first.isEmpty else { return [] }
        return [.blank]
            + TextParagraph.facts(
                first.map { standing in
                    let gap = standing.gap.flatMap { $0 > 0 ? " · +" + RaceTime.text($0) : nil } ?? ""
                    return (DisplayText(String(standing.place)), DisplayText(standing.name + gap))
                })
    }

    private func news(_ now: Int64) -> [TextParagraph] {
        guard let query = context.library.newsQuery(of: stage, in: race) else { return [] }
        let rows = context.read([]) { try $0.entries(in: .search(query), limit: StageLive.mostNews) }
            .filter { now - $0.sortDate < StageLive.newsAge }
        guard !rows.isEmpty else { return [] }
        return [.blank, TextParagraph("News", .heading)]
            + TextParagraph.facts(rows.map { (context.dates.short($0.sortDate), DisplayText($0.title)) })
    }
}
