import DashboardFrame
import LibraryKernel
import ModelCore
import RaceModel

/// Notifies the user of today's stages as set: the start, the last ten kilometres, the result, a new
/// leader, and what happens to favourite riders, each once.
@MainActor
final class RaceAlerts {
    private let library: Library
    private let settings: Settings
    private let paneFocus: PaneFocus
    private let clock: @Sendable () -> Instant
    private let notify: ExternalPrograms.Notify
    /// The events that were reported, or had happened before the first check.
    private var known: Set<Event>?
    private var winners: [Event: String] = [:]
    /// The leaders who keep the jersey after a stage, so that the race isn't read again at each check.
    private var unchanged: [Event: String] = [:]

    private enum Kind: Hashable, CaseIterable { case start, lastKilometres, result, correction, leader, favourite }

    private struct Event: Hashable {
        var race: String
        var stage: Int
        var kind: Kind
        /// The winner in a correction, or the news of a favourite.
        var words: String?
    }

    /// The remaining kilometres.
    private static let last = 10.0

    init(
        library: Library, settings: Settings, paneFocus: PaneFocus, clock: @escaping @Sendable () -> Instant,
        notify: @escaping ExternalPrograms.Notify
    ) {
        self.library = library
        self.settings = settings
        self.paneFocus = paneFocus
        self.clock = clock
        self.notify = notify
    }

    /// Checks what has happened since the last check.
    ///
    /// - Returns: An error message if the notification failed.
    /// - Throws: ``LibraryError`` if the stages can't be read.
    func look() async throws -> String? {
        let now = clock()
        let today = CalendarDay(instant: now).number
        let days = CalendarDay(number: today - 1)...CalendarDay(number: today + 1)
        var happened: [(event: Event, title: String, body: String)] = []
        let hasFavourites = try library.races.favourites().hasRiders
        for (race, name, stage) in try library.races.stages(on: days) {
            let progress = try library.races.progress(of: stage, in: race, now: now)
            func add(_ kind: Kind, _ body: String, words: String? = nil) {
                let event = Event(race: race, stage: stage.number, kind: kind, words: words)
                happened.append((event, "\(name), stage \(stage.name)", body))
            }
            if progress.phase == .underWay { add(.start, "has started: \(stage.route)") }
            if let left = progress.kilometresToGo, left <= RaceAlerts.last {
                add(.lastKilometres, "\(Int(clamping: left.rounded(.up))) km to go: \(stage.route)")
            }
            if let winner = stage.winner {
                let event = Event(race: race, stage: stage.number, kind: .result)
                add(.result, "\(winner) won: \(stage.route)")
                // Officials may change a result after it was published.
                if let first = winners.updateValue(winner, forKey: event), first != winner {
                    add(.correction, "Result corrected: \(winner) won: \(stage.route)", words: winner)
                }
            }
            if let words = try newLeader(after: stage, in: race) { add(.leader, words) }
            for words in hasFavourites ? try newsOfFavourites(stage, in: race, now: now) : [] {
                add(.favourite, words, words: words)
            }
        }
        let before = known
        // Another check may run while a notification is sent.
        known = (known ?? []).union(happened.map(\.event))
        guard let before, paneFocus.hasFocus != true, !settings.isQuiet(at: now) else { return nil }
        var problem: String?
        for (event, title, body) in happened where !before.contains(event) && wants(event.kind) {
            problem = await notify(title, body, .race(event.race, stage: event.stage)) ?? problem
        }
        return problem
    }

    /// Whether the user wants any of the notifications.
    var areWanted: Bool {
        let isAnySet = Kind.allCases.contains { $0 != .favourite && wants($0) }
        return isAnySet || (try? library.races.favourites().hasRiders) == true
    }

    private func wants(_ kind: Kind) -> Bool {
        switch kind {
        case .start: settings[.notifiesStart]
        case .lastKilometres: settings[.notifiesLastKilometres]
        case .result, .correction: settings[.notifiesResult]
        case .leader: settings[.notifiesLeader]
        // Who marks a rider wants the news.
        case .favourite: true
        }
    }

    /// Returns sentences about what happened to the user's favourites: attacks, crashes, withdrawals and wins.
    private func newsOfFavourites(_ stage: Stage, in race: String, now: Instant) throws -> [String] {
        let roster = try library.races.liveRoster(of: stage.number, in: race)
        guard !roster.favourites.isEmpty else { return [] }
        let shown = try library.races.delay().shownInstant(at: now)
        let ticker = StageLiveText.told(try library.races.ticker(of: stage.number, in: race), now: shown)
        let told = ticker.filter { line in
            let event = TickerEvent(line.kind)
            return (event == .attack || event?.isBad == true) && !roster.favourites(in: line.text).isEmpty
        }.map(\.text)
        let gone = roster.withdrawals.filter { $0.stage == stage.number && roster.favourites.contains($0.rider) }
            .map { "\(roster.name($0.rider)) \(StageLiveText.reason($0))" }
        // A team wins its time trial with all of its riders.
        let hasWon = stage.winner.map { winner in
            roster.favourites.contains { roster.name($0) == winner || roster.team($0) == winner }
        }
        let won = hasWon == true && !settings[.notifiesResult] ? ["\(stage.winner ?? "") won: \(stage.route)"] : []
        return told + gone + won
    }

    /// Returns a sentence about a leader's jersey that changes hands, or `nil` if it doesn't, spoilers are hidden, or it
    /// was reported.
    private func newLeader(after stage: Stage, in id: String) throws -> String? {
        let event = Event(race: id, stage: stage.number, kind: .leader)
        guard let leader = stage.leaderAfter, known?.contains(event) != true, unchanged[event] != leader,
            let race = try library.races.race(id),
            let before = race.stages.last(where: { $0.number < stage.number && !$0.isCancelled })?.leaderAfter
        else { return nil }
        guard before != leader else {
            unchanged[event] = leader
            return nil
        }
        let jersey = race.jerseys?.of(.general)?.name
        return "\(leader) takes the \(jersey ?? race.leaderJersey ?? "leader's jersey") from \(before)"
    }
}
