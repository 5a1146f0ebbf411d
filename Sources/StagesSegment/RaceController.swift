import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import Platform
import RaceCentre
import Races
import TerminalUI

/// Updates followed races in the background: those that are due, or all if the user requests it.
@MainActor
package final class RaceController {
    private let library: Library
    private let service: RaceFollowService
    private let status: StatusController
    private let settings: Settings
    private let clock: @Sendable () -> Instant
    private var timer: Task<Void, Never>?
    /// Waits until something that is held back may be shown.
    private var release: Task<Void, Never>?
    private var isRunning = false
    private var waiting: ReloadService.Reason?
    private var livePages = 0
    private let paneFocus: PaneFocus
    private let isPaneShown: @Sendable () async -> Bool
    /// Whether a check follows once the pane gets focus.
    private(set) var isAwaitingFocus = false
    private var nextUpdate: Instant?
    /// The longest interval between checks for due races, and while a live page is shown.
    private static let (interval, liveInterval) = (Duration.seconds(60), Duration.seconds(15))

    /// Presents questions to the user and follows the races that the user accepts.
    private weak var router: (any DashboardRouter)?
    private let alerts: RaceAlerts
    private let tracks: TrackService

    package init(
        library: Library, settings: Settings, status: StatusController, paneFocus: PaneFocus,
        clock: @escaping @Sendable () -> Instant, notify: @escaping ExternalPrograms.Notify,
        isPaneShown: @escaping @Sendable () async -> Bool = { true }, router: (any DashboardRouter)? = nil
    ) {
        self.library = library
        self.isPaneShown = isPaneShown
        self.router = router
        service = RaceFollowService(library: library, clock: clock)
        tracks = TrackService(library: library, clock: clock)
        alerts = RaceAlerts(library: library, settings: settings, paneFocus: paneFocus, clock: clock, notify: notify)
        self.paneFocus = paneFocus
        self.settings = settings
        self.clock = clock
        self.status = status
    }

    /// Starts checking for due races.
    package func begin() {
        timer?.cancel()
        timer = Task { [weak self] in
            while !Task.isCancelled {
                await self?.lookForTerminal()
                if let self, !self.settings.isQuiet(at: self.clock()) { await self.update(.timer) }
                await self?.showWhatIsDue()
                guard let pause = self?.pause else { return }
                try? await Clock.sleep(for: pause)
            }
        }
    }

    /// The pause until the next check. If several panes are open, the first one that checks makes the requests.
    private var pause: Duration {
        let longest = livePages > 0 ? RaceController.liveInterval : RaceController.interval
        let now = clock()
        guard let nextUpdate, nextUpdate > now else { return longest }
        return min(longest, .seconds(nextUpdate.seconds(since: now)))
    }

    /// Who would see new data. Without a report of the terminal the user may be looking.
    var audience: RaceAudience {
        if paneFocus.mayBeSeen { return livePages > 0 ? .livePage : .dashboard }
        return alerts.areWanted ? .notifications : .nobody
    }

    /// Finds out whether a terminal still shows the pane, because only then live data are requested often.
    private func lookForTerminal() async {
        paneFocus.isShown = livePages > 0 ? await isPaneShown() : true
    }

    /// Checks for due races once the pane gets focus, because nothing is requested without it.
    private func awaitFocus() {
        guard !isAwaitingFocus else { return }
        isAwaitingFocus = true
        paneFocus.onReturn { [weak self] in
            guard let self else { return }
            isAwaitingFocus = false
            if timer != nil { begin() }
        }
    }

    package func end() {
        timer?.cancel()
        timer = nil
        release?.cancel()
    }

    /// Shows what was held back and is due, notifies the user, and waits for the next.
    func showWhatIsDue() async {
        await report { [library, clock] in try await library.releaseHeldStages(at: clock()) }
        if let problem = await status.attempt({ try await alerts.look() }) ?? nil { status.show(failure: problem) }
        awaitRelease()
    }

    /// Works in the background, and reports why it failed unless it did so for the same reason the last time.
    private func report<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async -> Value? {
        await status.attempt { try await Task.detached(priority: .utility) { try await work() }.value }
    }

    private func awaitRelease() {
        release?.cancel()
        let next: Instant
        do throws(LibraryError) {
            guard let known = try library.races.nextRelease() else { return }
            next = known
        } catch {
            return status.show(failure: error)
        }
        // If the instant has passed, for example because the library was locked, the next attempt is a second later.
        let seconds = next.seconds(since: clock()).limited(1, Int64(LiveDelay.longest))
        release = Task { [weak self] in
            do { try await Clock.sleep(for: .seconds(seconds)) } catch { return }
            await self?.showWhatIsDue()
        }
    }

    /// Called when a live page appears. Groups are only requested while one is shown.
    func livePageAppeared() {
        livePages += 1
        // The next check would be up to a minute away.
        if timer != nil { begin() }
    }

    func livePageDisappeared() { livePages = max(0, livePages - 1) }

    /// Updates the followed races. Lists observe the library and show the changes.
    package func update(_ reason: ReloadService.Reason) async {
        // A request of the user during an automatic update runs afterwards.
        guard !isRunning else {
            if reason != .timer { waiting = reason }
            return
        }
        isRunning = true
        // A user who requests an update sees it.
        service.audience = reason == .timer ? audience : max(audience, .dashboard)
        if paneFocus.hasFocus == false { awaitFocus() }
        defer {
            isRunning = false
            if let reason = waiting {
                waiting = nil
                Task { await update(reason) }
            }
        }
        let (service, tracks) = (service, tracks)
        defer { Task { await report { _ = try await tracks.fetchMissing() } } }
        let updates = await report { try await service.update(reason: reason) }
        nextUpdate = updates?.compactMap(\.subscription.nextFetch).filter { $0 > clock() }.min()
        guard reason != .timer else { return }
        awaitRelease()
        for update in updates ?? [] {
            if let error = update.error { status.show(failure: "\(update.subscription.raceID): \(error)") }
        }
        // Only one question is shown at a time. The next reload asks the next one.
        for update in updates ?? [] {
            guard case .shrunk(let kept, let previous) = update.result else { continue }
            return confirmShrunkRace(update.subscription, kept, of: previous)
        }
    }

    /// Asks whether to accept a document that has lost most of its race, which may be an error of the server.
    private func confirmShrunkRace(_ race: RaceSubscription, _ kept: Int, of previous: Int) {
        let name =
            status.attempt { try library.races.race(race.raceID) }.flatMap { $0.map { "\($0.race) \($0.year)" } }
            ?? race.name
        let alert = AlertController(
            title: "Accept the shorter race?",
            message: DisplayText("\(name) now has only \(kept) of \(previous) stages. Nothing was changed yet."),
            cancel: "Keep", confirm: "Accept"
        ) { [weak self] in Task { await self?.router?.followRace(at: race.address) } }
        alert.details = [DisplayText(race.shownAddress)]
        router?.present(alert)
    }

    /// Requests the calendar of a season from Wikidata.
    ///
    /// - Returns: The number of races.
    package func updateCalendar(year: Int) async throws -> Int {
        let service = service
        return try await Task.detached { try await service.updateCalendar(year: year) }.value
    }

    /// Requests the past winners of a race from Wikidata.
    ///
    /// - Returns: The number of winners.
    package func updateWinners(of series: WikidataItem) async throws -> Int {
        let service = service
        return try await Task.detached { try await service.updateWinners(of: series) }.value
    }

    /// Reads the race at an address.
    package func read(_ address: String) async throws -> FollowedRace {
        let service = service
        return try await Task.detached { try await service.read(address) }.value
    }
}
