import ModelCore
import TerminalUI

/// The live page of a stage: the time until its start, then its progress and ticker, then its winner, and news of the
/// last hours.
@MainActor
final class StageLive {
    private let services: RaceServices
    private let access: LibraryAccess
    private let race: Race
    private let stage: Stage
    let view = TextView()
    /// The position of the race, for profile and map.
    private(set) var progress: StageProgress
    private let didChange: () -> Void
    private var timer: Task<Void, Never>?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    /// The reports since the page was opened.
    private var history = LiveHistory()

    /// - Parameter didChange: Called when the position may have changed.
    init(_ race: Race, _ stage: Stage, services: RaceServices, didChange: @escaping () -> Void) {
        self.didChange = didChange
        self.race = race
        self.stage = stage
        self.services = services
        access = services.access
        progress = StageProgress(stage, ticker: [], now: access.clock())
    }

    /// Whether a stage has a live page: it is today, or has a ticker.
    static func isDay(of stage: Stage, in race: Race, _ services: RaceServices) -> Bool {
        let ticker = services.access.read([]) { try $0.races.ticker(of: stage.number, in: race.id) }
        return StageLiveText.hasPage(stage, today: services.appearance.dates.today, hasTicker: !ticker.isEmpty)
    }

    /// Starts updating the page.
    func begin() {
        if timer == nil { services.races.livePageAppeared() }
        show()
        observations = [.races, .entries].map { part in
            access.library.observe(part) { [weak self] in self?.refresh.schedule { [weak self] in self?.show() } }
        }
        timer?.cancel()
        timer = Task { [weak self] in
            while !Task.isCancelled {
                // The countdown shows minutes, so it needs no update in between.
                try? await Task.sleep(for: .seconds(20))
                self?.show()
            }
        }
    }

    /// Asks for the delay of everything live.
    func askForDelay(_ presenter: ViewController) {
        let delay = access.read(LiveDelay(seconds: 0)) { try $0.races.delay() }
        presenter.present(
            TextPromptViewController(
                title: "Delay live data",
                message: DisplayText(
                    "Seconds by which the broadcast comes later, 0 to \(LiveDelay.longest). Applies to groups, ticker, results, notifications and the status line."
                ),
                text: String(delay.seconds),
                validate: { text in
                    StageLiveText.delay(text) == nil
                        ? DisplayText("Enter a number from 0 to \(LiveDelay.longest).") : nil
                }
            ) { [access] text in
                guard let delay = StageLiveText.delay(text) else { return }
                access.changes.submit(
                    .delayLive(delay, now: access.clock()),
                    message: StageLiveText.words(of: delay) ?? "Live data are shown at once.")
            })
    }

    /// Adapts the content to a width.
    func fit(_ width: Int) {
        guard width != shownWidth else { return }
        shownWidth = width
        if timer != nil { show() }
    }

    private var shownWidth = 40

    func end() {
        if timer != nil { services.races.livePageDisappeared() }
        timer?.cancel()
        timer = nil
        observations = []
    }

    private func show() {
        let delay = access.read(LiveDelay(seconds: 0)) { try $0.races.delay() }
        let now = delay.shownInstant(at: access.clock())
        let ticker = access.read([]) { try $0.races.ticker(of: stage.number, in: race.id) }
        let report = access.read(nil) { try $0.races.live(of: stage.number, in: race.id) }
        if let report { history.add(report) }
        progress = StageProgress(stage, ticker: ticker, live: report, now: now)
        view.setParagraphs(paragraphs(ticker, report, delay, now: now), keepsPlace: true)
        didChange()
    }

    /// - Parameter now: The instant that is shown.
    private func paragraphs(_ ticker: [TickerLine], _ report: LiveReport?, _ delay: LiveDelay, now: Instant)
        -> [TextParagraph]
    {
        let headline = StageLiveText.headline(progress, of: stage, now: now, key: access.status.key(.revealStage))
        var lines = [TextParagraph(headline, .strong)]
        if let words = StageLiveText.words(of: delay) { lines.append(TextParagraph(words, .secondary)) }
        if let bar { lines.append(TextParagraph(bar, .link)) }
        if let next = StageLiveText.next(after: progress.km, on: stage) { lines.append(TextParagraph(next)) }
        lines += result
        if let report, progress.phase != .over {
            lines +=
                [.blank]
                + StageLiveText.groups(report, history, now: now, usesArrows: view.traits.capabilities.hasUnicode)
        }
        let told = StageLiveText.told(ticker, now: now)
        if !told.isEmpty {
            lines.append(.blank)
            lines += TextParagraph.facts(
                told.map { line in
                    let km = line.km.map { DisplayText(" km " + DecimalText.short($0)) } ?? .empty
                    let time = line.instant.map(DateText.clock) ?? .empty
                    return (time + km, DisplayText(line.text))
                })
        }
        return lines + news(access.clock())
    }

    /// A bar that shows how much of the distance was covered.
    private var bar: DisplayText? {
        guard !view.symbols.isLinear, view.traits.capabilities.hasUnicode else { return nil }
        return StageLiveText.bar(progress.km, of: stage.distance, columns: shownWidth - 3)
    }

    private var result: [TextParagraph] {
        let first = access.read([]) { try $0.races.standings(.results, of: stage.number, in: race.id) }
        guard !first.isEmpty else { return [] }
        return [.blank] + TextParagraph.facts(StageLiveText.result(first))
    }

    private func news(_ now: Instant) -> [TextParagraph] {
        guard let query = SearchQuery(newsOf: stage, in: race) else { return [] }
        let rows = access.read([]) {
            try $0.entries.rows(in: access.settings.query(.search(query)), limit: StageLiveText.mostNews)
        }
        .filter { StageLiveText.isNews($0.sortDate, now: now) }
        guard !rows.isEmpty else { return [] }
        return [.blank, TextParagraph("News", .heading)]
            + TextParagraph.facts(rows.map { (services.appearance.dates.short($0.sortDate), DisplayText($0.title)) })
    }
}
