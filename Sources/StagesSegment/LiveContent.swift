import LibraryKernel
import RaceModel
import Races

/// What the library has about a stage on its day, as far as the delay allows.
struct LiveContent {
    let delay: LiveDelay
    /// The instant that is shown.
    let now: Instant
    let report: LiveReport?
    let roster: LiveRoster
    let progress: StageProgress
    /// The ticker messages, latest first.
    let ticker: [TickerLine]
    /// The general classification with the gaps on the road.
    private(set) var onTheRoad: [Standing] = []
    let results: [Standing]
    /// The teams of a team time trial.
    private(set) var teams: [Standing] = []
    /// The times on the way of a time trial that is ridden.
    private(set) var splits: [SplitTimes] = []
    /// The places of the rider whom the user looks for.
    private(set) var places: [RiderPlace] = []
    /// The reason why the race can't be updated, or `nil`.
    private(set) var error: String?

    /// Reads what is known about a stage.
    ///
    /// - Parameters:
    ///   - clock: The current time.
    ///   - wanted: The rider whom the user looks for, as ``Rider/key``.
    init(_ stage: Stage, of race: String, in library: Library, at clock: Instant, wanted: String?) throws {
        let races = library.races
        delay = try races.delay()
        now = delay.shownInstant(at: clock)
        let lines = try races.ticker(of: stage.number, in: race)
        report = try races.live(of: stage.number, in: race)
        roster = try races.liveRoster(of: stage.number, in: race)
        progress = StageProgress(stage, ticker: lines, live: report, now: now)
        ticker = StageLiveText.told(lines, now: now)
        if let report, progress.phase == .underWay, report.freshness(at: now) != .old {
            onTheRoad = try races.virtualStandings(report, of: stage.number, in: race)
        }
        results = try races.standings(.results, of: stage.number, in: race)
        if stage.timeTrial == .ofTeams { teams = try races.standings(.stageTeams, of: stage.number, in: race) }
        if stage.isRunning == true { splits = try races.splits(of: stage.number, in: race) }
        if let wanted { places = try races.places(of: wanted, upTo: stage.number, in: race) }
        if progress.phase != .over, progress.phase != .cancelled {
            error = try races.subscriptions().first { $0.raceID == race }?.error
        }
    }
}
