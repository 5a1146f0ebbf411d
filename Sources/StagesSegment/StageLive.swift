import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import Platform
import RaceModel
import Races
import TerminalUI

/// The live page of a stage: the time until its start, then its progress, groups and ticker, then its winner, and news
/// of the last hours.
@MainActor
final class StageLive {
    private let services: RaceServices
    private let access: LibraryAccess
    private let race: Race
    private let stage: Stage
    /// The profile on which the race is shown.
    private let elevation: StageProfile?
    let view = TextView()
    /// The position of the race, for profile and map.
    private(set) var progress: StageProgress
    /// The positions of the groups, for profile and map.
    private(set) var marks: [LiveMark] = []
    private let didChange: () -> Void
    private var timer: Task<Void, Never>?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    /// The reports since the page was opened.
    private var history = LiveHistory()
    private var roster = LiveRoster()
    /// The newest entries about the stage.
    private var news: [EntryRow] = []
    private lazy var newsReading = RepeatedRead<[EntryRow]>(
        access: access,
        { [weak self] in
            guard let self, let query = SearchQuery(newsOf: self.stage, in: self.race) else { return nil }
            let list = self.access.settings.query(.search(query))
            return { library, _ in try library.entries.rows(in: list, limit: StageLiveText.maximumNews) }
        },
        then: { [weak self] rows, _ in
            guard let self, rows != self.news else { return }
            self.news = rows
            self.show()
        })
    /// The rider whom the user looks for, as ``Rider/key``.
    private var wanted: String?

    /// - Parameters:
    ///   - showRider: Shows a rider's page.
    ///   - didChange: Called when the position may have changed.
    init(
        _ race: Race, _ stage: Stage, elevation: StageProfile?, services: RaceServices,
        showRider: @escaping (_ key: String) -> Void,
        didChange: @escaping () -> Void
    ) {
        self.didChange = didChange
        self.race = race
        self.stage = stage
        self.elevation = elevation
        self.services = services
        access = services.access
        progress = StageProgress(stage, ticker: [], now: access.clock())
        // The key finds riders instead.
        view.isFindEnabled = false
        view.maximumColumns = StageLive.maximumColumns
        view.colorOfLink = { [weak view] link in
            LiveScene.color(of: link, in: race.jerseys ?? [], on: view?.knownGround)
        }
        view.onFollow = { [weak self] link, _ in
            guard let self, let index = LiveScene.rider(of: link), self.roster.riders.indices.contains(index) else {
                return
            }
            showRider(self.roster.riders[index].key)
        }
    }

    /// The maximum width of the text.
    private static let maximumColumns = 120

    /// Whether a stage has a live page: it is today, or has a ticker.
    static func isDay(of stage: Stage, in race: Race, _ services: RaceServices) -> Bool {
        let ticker = services.access.read([]) { try $0.races.ticker(of: stage.number, in: race.id) }
        let today = services.appearance.dates.today
        return StageLiveText.hasPage(stage, today: today, now: services.access.clock(), hasTicker: !ticker.isEmpty)
    }

    /// Starts updating the page.
    func begin() {
        if timer == nil { services.races.livePageAppeared() }
        show()
        newsReading.start()
        observations = [
            access.library.observe(.races) { [weak self] in self?.refresh.schedule { [weak self] in self?.show() } },
            access.library.observe(.entries) { [weak self] in self?.newsReading.start() },
        ]
        timer?.cancel()
        // The countdown shows minutes, so it needs no update in between. A replay can be faster.
        let pause = services.replay == nil ? 20 : 1
        timer = Task { [weak self] in
            while !Task.isCancelled {
                try? await Clock.sleep(for: .seconds(pause))
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
                    "Seconds, 0 to \(LiveDelay.longest). Delays groups, ticker, results, notifications and the status line."
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

    /// Whether the page shows that live data are delayed.
    var isDelayed: Bool {
        services.replay == nil && access.read(LiveDelay(seconds: 0)) { try $0.races.delay() }.seconds > 0
    }

    /// Changes the delay by some seconds.
    func changeDelay(by seconds: Int) {
        let delay = access.read(LiveDelay(seconds: 0)) { try $0.races.delay() }
        access.changes.submit(.delayLive(LiveDelay(seconds: delay.seconds + seconds), now: access.clock()))
    }

    /// Adapts the content to a size.
    func fit(_ size: Size) {
        guard size != Size(width: shownWidth, height: shownHeight) else { return }
        (shownWidth, shownHeight) = (size.width, size.height)
        if timer != nil { show() }
    }

    private var (shownWidth, shownHeight) = (40, 20)

    func end() {
        if timer != nil { services.races.livePageDisappeared() }
        timer?.cancel()
        timer = nil
        observations = []
    }

    /// Adopts reports, wanted rider and reading position of an earlier page of the stage, which it replaces.
    func adopt(_ other: StageLive) {
        history = other.history
        wanted = other.wanted
        view.restore(other.view.place)
    }

    // MARK: Riders

    /// Whether there are riders to find.
    var canFind: Bool { !roster.riders.isEmpty }

    /// Asks for a rider to show above the groups.
    func findRider(from presenter: ViewController) {
        let roster = roster
        presenter.present(
            TextPromptViewController(
                title: "Find rider", message: "Name or number; empty shows no rider",
                validate: { text in
                    let isKnown = text.isEmpty || !roster.riders(matching: text, limit: 1).isEmpty
                    return isKnown ? nil : DisplayText("No rider matches '\(text)'.")
                },
                complete: { text in
                    roster.riders(matching: text, limit: 6).map { ($0.name, DisplayText($0.name)) }
                }
            ) { [weak self] text in
                guard let self else { return }
                self.wanted = roster.riders(matching: text, limit: 1).first?.key
                self.show()
                self.view.restore(TextView.Place(paragraph: 0, offset: 0))
            })
    }

    // MARK: Content

    private func show() {
        let delay = access.read(LiveDelay(seconds: 0)) { try $0.races.delay() }
        let now = delay.shownInstant(at: access.clock())
        let ticker = access.read([]) { try $0.races.ticker(of: stage.number, in: race.id) }
        let report = access.read(nil) { try $0.races.live(of: stage.number, in: race.id) }
        roster = access.read(LiveRoster()) { try $0.races.liveRoster(of: stage.number, in: race.id) }
        if let report { history.add(report) }
        progress = StageProgress(stage, ticker: ticker, live: report, now: now)
        let scene = report.flatMap { progress.phase == .over ? nil : makeScene($0, now: now) }
        marks = scene.map { StageLiveText.marks($0, of: stage.distance) } ?? []
        view.setParagraphs(paragraphs(ticker, report, delay, scene, now: now), keepsPlace: true)
        didChange()
    }

    private var columns: Int { max(1, min(StageLive.maximumColumns, shownWidth - (shownWidth >= 20 ? 3 : 0))) }

    private func makeScene(_ report: LiveReport, now: Instant) -> LiveScene {
        let capabilities = view.traits.capabilities
        return LiveScene(
            report: report, history: history, roster: roster, jerseys: race.jerseys ?? [], now: now, columns: columns,
            isLinear: view.symbols.isLinear, hasUnicode: capabilities.hasUnicode,
            hasColors: capabilities.colors > .none, wanted: wanted)
    }

    /// - Parameter now: The instant that is shown.
    private func paragraphs(
        _ ticker: [TickerLine], _ report: LiveReport?, _ delay: LiveDelay, _ scene: LiveScene?, now: Instant
    ) -> [TextParagraph] {
        let key = access.status.key(StageCommands.revealStage)
        let headline = StageLiveText.headline(progress, of: stage, now: now, key: key, columns: columns)
        var lines = [TextParagraph(headline, .strong)]
        if let hidden = StageLiveText.hidden(progress, of: stage, key: key) { lines.append(TextParagraph(hidden)) }
        if let notice = notice(delay) { lines.append(TextParagraph(notice, .secondary)) }
        if let problem { lines.append(TextParagraph(problem, .failure)) }
        lines += profileLines
        let told = StageLiveText.told(ticker, now: now)
        lines += StageLiveText.newer(told, than: scene)
        if columns < StageLiveText.narrow, let scene, scene.report.freshness(at: now) != .old,
            !view.symbols.isLinear, !scene.groups.isEmpty
        {
            // In a narrow pane the groups come first.
            let road = StageLiveText.bar(scene, of: stage.distance, hasAge: true)
            let groups = StageLiveText.groups(scene, hasHeading: road.isEmpty)
            // In the narrowest ones the caption comes last.
            let first = columns < StageLiveText.tiny ? 1 : road.count
            let parts = [found(scene), Array(road.prefix(first)), groups, Array(road.dropFirst(first))]
            lines += parts.flatMap { $0 } + ahead(report) + section(onTheRoad(scene)) + result
        } else {
            let road = scene.map { StageLiveText.bar($0, of: stage.distance) } ?? []
            if !road.isEmpty { lines += road } else if let bar { lines.append(TextParagraph(bar)) }
            lines += ahead(report) + section(found(scene)) + result
            if let scene { lines += section(StageLiveText.groups(scene)) + section(onTheRoad(scene)) }
            if scene?.groups.isEmpty ?? true, progress.phase != .over {
                lines += section(StageLiveText.wearers(scene ?? makeScene(LiveReport(), now: now)))
            }
        }
        lines += section(StageLiveText.withdrawals(roster, of: stage.number))
        lines += section(self.told(told))
        return lines + newsLines(access.clock())
    }

    /// The profile with the groups, or the first rider, where the race is under way. Low panes have no space for it.
    private var profileLines: [TextParagraph] {
        let rows = shownHeight >= 30 ? 4 : shownHeight >= 16 ? 2 : shownHeight >= 10 ? 1 : 0
        guard let elevation, rows > 0, progress.phase == .underWay, !view.symbols.isLinear,
            view.traits.capabilities.hasUnicode
        else { return [] }
        return StageLiveText.profile(elevation, marks, km: progress.km, size: Size(width: columns, height: rows))
    }

    /// What comes next on the road, and the conditions.
    private func ahead(_ report: LiveReport?) -> [TextParagraph] {
        var lines = StageLiveText.next(after: progress.km, on: stage).map { [TextParagraph($0)] } ?? []
        if progress.phase == .underWay, let conditions = StageLiveText.conditions(report, of: stage) {
            lines.append(TextParagraph(conditions, .secondary))
        }
        return lines
    }

    /// The general classification with the gaps on the road.
    private func onTheRoad(_ scene: LiveScene) -> [TextParagraph] {
        guard progress.phase == .underWay, scene.report.freshness(at: scene.now) != .old else { return [] }
        let rows = access.read([]) {
            try $0.races.virtualStandings(scene.report, of: stage.number, in: race.id)
        }
        return StageLiveText.onTheRoad(rows, scene)
    }

    /// The rider whom the user looks for.
    private func found(_ scene: LiveScene?) -> [TextParagraph] {
        guard let wanted else { return [] }
        let places = access.read([]) { try $0.races.places(of: wanted, upTo: stage.number, in: race.id) }
        return StageLiveText.rider(wanted, places, roster, scene, columns: columns)
    }

    /// Returns paragraphs after an empty line, or nothing if there are none.
    private func section(_ paragraphs: [TextParagraph]) -> [TextParagraph] {
        paragraphs.isEmpty ? [] : [.blank] + paragraphs
    }

    private func told(_ lines: [TickerLine]) -> [TextParagraph] {
        StageLiveText.ticker(
            lines, columns: columns, isLinear: view.symbols.isLinear, hasUnicode: view.traits.capabilities.hasUnicode)
    }

    /// Returns a notice if the page doesn't show the present, because it is delayed or replayed.
    private func notice(_ delay: LiveDelay) -> DisplayText? {
        guard let replay = services.replay else { return StageLiveText.words(of: delay, columns: columns) }
        return StageLiveText.words(of: replay, key: access.status.key(StageCommands.pauseReplay), columns: columns)
    }

    /// Why the race can't be updated, during its stage, or `nil`.
    private var problem: DisplayText? {
        guard services.replay == nil, progress.phase != .over, progress.phase != .cancelled else { return nil }
        let error = access.read([]) { try $0.races.subscriptions() }.first { $0.raceID == race.id }?.error
        return error.map { DisplayText("Not up to date: \($0).") }
    }

    /// A bar that shows how much of the distance was covered.
    private var bar: DisplayText? {
        guard !view.symbols.isLinear, view.traits.capabilities.hasUnicode else { return nil }
        return StageLiveText.bar(progress.km, of: stage.distance, columns: shownWidth - 3)
    }

    private var result: [TextParagraph] {
        let first = access.read([]) { try $0.races.standings(.results, of: stage.number, in: race.id) }
        guard stage.isRunning != true else {
            let splits = access.read([]) { try $0.races.splits(of: stage.number, in: race.id) }
            return section(StageLiveText.trial(first, splits))
        }
        guard !first.isEmpty else { return [] }
        return [.blank] + TextParagraph.facts(StageLiveText.result(first))
    }

    private func newsLines(_ now: Instant) -> [TextParagraph] {
        let rows = news.filter { StageLiveText.isNews($0.sortDate, now: now) }
        guard !rows.isEmpty else { return [] }
        return [.blank, TextParagraph("News", .heading)]
            + TextParagraph.facts(rows.map { (services.appearance.dates.short($0.sortDate), DisplayText($0.title)) })
    }
}
