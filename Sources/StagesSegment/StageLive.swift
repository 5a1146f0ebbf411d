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
    /// What was read last, or `nil` before the page has begun.
    private var content: LiveContent?
    /// The positions of the groups, for profile and map.
    private(set) var marks: [LiveMark] = []
    private let didChange: () -> Void
    private var timer: Task<Void, Never>?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    /// The reports since the page was opened.
    private var history = LiveHistory()
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
        showRider: @escaping (_ key: String) -> Void, didChange: @escaping () -> Void
    ) {
        self.didChange = didChange
        self.race = race
        self.stage = stage
        self.elevation = elevation
        self.services = services
        access = services.access
        // The key finds riders instead.
        view.isFindEnabled = false
        view.maximumColumns = StageLive.maximumColumns
        view.colorOfLink = { [weak view] link in
            LiveScene.color(of: link, in: race.jerseys ?? [], on: view?.knownGround)
        }
        view.onFollow = { [weak self] link, _ in
            guard let self, let index = LiveScene.rider(of: link) else { return }
            let riders = self.content?.roster.riders ?? []
            if riders.indices.contains(index) { showRider(riders[index].key) }
        }
    }

    private static let maximumColumns = 120

    /// The position of the race in kilometres from the start, for profile and map.
    var kilometre: Double? { content?.progress.km }

    /// Whether a stage has a live page: it is today, or has a ticker.
    static func isDay(of stage: Stage, in race: Race, _ services: RaceServices) -> Bool {
        let ticker = services.access.read([]) { try $0.races.ticker(of: stage.number, in: race.id) }
        let today = services.appearance.dates.today
        return StageLiveText.hasPage(stage, today: today, now: services.access.clock(), hasTicker: !ticker.isEmpty)
    }

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

    // MARK: Delay

    /// The delay, whose changes the content may not contain yet.
    private var delay: LiveDelay { access.read(LiveDelay(seconds: 0)) { try $0.races.delay() } }

    func askForDelay(_ presenter: ViewController) {
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
    var isDelayed: Bool { services.replay == nil && (content?.delay.seconds ?? 0) > 0 }

    func changeDelay(by seconds: Int) {
        access.changes.submit(.delayLive(LiveDelay(seconds: delay.seconds + seconds), now: access.clock()))
    }

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

    var canFind: Bool { content?.roster.riders.isEmpty == false }

    /// Asks for a rider to show above the groups.
    func findRider(from presenter: ViewController) {
        guard let roster = content?.roster else { return }
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

    var size = Size(width: 40, height: 20) {
        didSet {
            if size != oldValue, timer != nil { show() }
        }
    }

    private func show() {
        let new = access.read(content) {
            try LiveContent(stage, of: race.id, in: $0, at: access.clock(), wanted: wanted)
        }
        guard let content = new else { return }
        self.content = content
        if let report = content.report { history.add(report) }
        let capabilities = view.traits.capabilities
        let scene = LiveScene(
            report: content.report.flatMap { content.progress.phase == .over ? nil : $0 } ?? LiveReport(),
            history: history, roster: content.roster, jerseys: race.jerseys ?? [], now: content.now,
            columns: max(1, min(StageLive.maximumColumns, size.width - (size.width >= 20 ? 3 : 0))),
            isLinear: view.symbols.isLinear, hasUnicode: capabilities.hasUnicode,
            hasColors: capabilities.colors > .none, wanted: wanted)
        marks = StageLiveText.marks(scene, of: stage.distance)
        let page = LivePage(
            stage: stage, content: content, scene: scene, marks: marks, elevation: elevation, size: size,
            revealKey: access.status.key(StageCommands.revealStage))
        view.setParagraphs(page.paragraphs(notices: notices(content, scene.columns), news: newsLines), keepsPlace: true)
        didChange()
    }

    /// The lines that say that the page doesn't show the present, because it is delayed, replayed or not up to date.
    private func notices(_ content: LiveContent, _ columns: Int) -> [TextParagraph] {
        if let replay = services.replay {
            let key = access.status.key(StageCommands.pauseReplay)
            return [TextParagraph(StageLiveText.words(of: replay, key: key, columns: columns), .secondary)]
        }
        let delay = StageLiveText.words(of: content.delay, columns: columns).map { TextParagraph($0, .secondary) }
        let problem = content.error.map { TextParagraph(DisplayText("Not up to date: \($0)."), .failure) }
        return [delay, problem].compactMap { $0 }
    }

    private var newsLines: [TextParagraph] {
        let now = access.clock()
        let rows = news.filter { StageLiveText.isNews($0.sortDate, now: now) }
        guard !rows.isEmpty else { return [] }
        return [TextParagraph("News", .heading)]
            + TextParagraph.facts(rows.map { (services.appearance.dates.short($0.sortDate), DisplayText($0.title)) })
    }
}
