import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import Races
import TerminalUI

/// Tells the line above all segments what is current: the live stage, what is played, work that takes long, and accounts
/// without an accepted password.
@MainActor
final class AccessorySources {
    private let accessory: AccessoryController
    private let access: LibraryAccess
    private let dates: () -> DateText
    private weak var router: (any DashboardRouter)?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    private var workBegan: ContinuousClock.Instant?
    private let patience: Duration
    private let showShare: (Double?) -> Void
    /// The maximum width of titles, so that what follows them is visible in most panes.
    private static let longestTitle = 40

    /// - Parameters:
    ///   - patience: How long work takes before the line shows it.
    ///   - showShare: Shows the share of long work elsewhere, or `nil` at its end.
    init(
        _ accessory: AccessoryController, access: LibraryAccess, dates: @escaping () -> DateText,
        router: any DashboardRouter, patience: Duration, showShare: @escaping (Double?) -> Void
    ) {
        self.showShare = showShare
        self.accessory = accessory
        self.access = access
        self.dates = dates
        self.router = router
        self.patience = patience
        observations = [.races, .spoilers, .accounts, .played].map { part in
            access.library.observe(part) { [weak self] in self?.refresh.schedule { [weak self] in self?.update() } }
        }
        access.status.progressDidChange = { [weak self] in self?.showWork($0) }
        accessory.didChange = { [status = access.status] in status.isProgressElsewhere = $0 == .work }
    }

    /// Reads what is current. Times move on without a change of the library.
    func update() {
        accessory.show(liveStage, about: .race)
        accessory.show(played, about: .played)
        accessory.show(accountWithoutPassword, about: .account)
    }

    /// What a player plays in another pane, since it has the terminal of its own. A title that reveals a result is hidden.
    private var played: AccessoryController.Item? {
        let now = access.clock()
        let found = access.read(nil) { library -> (EntryRow, PlayedEnclosure)? in
            guard let playing = try library.downloads.playing(at: now) else { return nil }
            return try library.entries.row(playing.entry).map { ($0, playing.played) }
        }
        guard let (entry, played) = found else { return nil }
        let whole = played.duration.flatMap { $0 > 0 ? $0 : nil }
        let place = Place.entry(entry.id, in: nil)
        return AccessoryController.Item(
            content: .init(
                RowSign.played.before(
                    DisplayText(entry.title).truncated(to: AccessorySources.longestTitle) + " · ",
                    isLinear: access.settings[.linear])
                    + EntryArticle.clock(played.position)
                    + (whole.map { " of " + EntryArticle.clock($0) } ?? .empty),
                role: .accent, progress: whole.map { Double(played.position) / Double($0) }), identity: place.text
        ) { [weak router] in router?.open(place) }
    }

    /// The stage that is being ridden, as far as its delay and its hidden results allow.
    private var liveStage: AccessoryController.Item? {
        let (today, now) = (dates().today, access.clock())
        let found = access.read(nil) { library -> (NextStage, String, Int)? in
            let delay = try library.races.delay()
            guard let next = try library.races.nextStage(from: today, at: delay.shownInstant(at: now)), next.isToday
            else { return nil }
            let progress = try library.races.progress(of: next.stage, in: next.raceID, now: now)
            let isTrial = next.stage.timeTrial != nil && progress.phase == .underWay
            guard let words = isTrial ? "time trial under way" : progress.words else { return nil }
            return (next, words, delay.seconds)
        }
        guard let (next, words, delay) = found else { return nil }
        let late = delay > 0 ? " · \(delay) s delay" : ""
        let place = Place.race(next.raceID, stage: next.stage.number)
        return AccessoryController.Item(
            content: .init(DisplayText("\(next.raceName) · \(words)\(late)"), role: .accent), identity: place.text
        ) { [weak router] in router?.open(place) }
    }

    private var accountWithoutPassword: AccessoryController.Item? {
        let now = access.clock()
        let accounts = access.read([]) { try $0.accounts.all(now: now) }
        guard let account = accounts.first(where: \.needsPassword) else { return nil }
        return AccessoryController.Item(
            content: .init(DisplayText("\(account.name) needs its new password"), role: .failure),
            identity: account.name
        ) { [weak router] in router?.goToPlace(of: AccountCommands.syncAccount) }
    }

    /// Shows work that takes longer than a moment.
    private func showWork(_ progress: (done: Int, total: Int)?) {
        let measured = progress.flatMap { $0.total > 0 ? $0 : nil }
        guard measured != nil || access.status.importing != nil else {
            workBegan = nil
            showShare(nil)
            return accessory.show(nil, about: .work)
        }
        let began = workBegan ?? Clock.uptime
        workBegan = began
        let rest = patience - began.duration(to: Clock.uptime)
        guard rest <= .zero else {
            // An import reports nothing until its end.
            if measured == nil { showLater(after: rest) }
            return
        }
        let share = measured.map { Double($0.done) / Double($0.total) }
        showShare(share)
        let words = measured.map { DisplayText("\($0.done) of \($0.total) \(access.status.progressUnit)") }
        accessory.show(
            AccessoryController.Item(
                content: .init(words ?? access.status.importing ?? .empty, progress: share), identity: "work"
            ) { [weak router] in
                if measured == nil { router?.open(.segment(.feeds)) } else { router?.perform(FeedCommands.watchReload) }
            }, about: .work)
    }

    private func showLater(after rest: Duration) {
        Task { [weak self] in
            try? await Clock.sleep(for: rest)
            if let self { self.showWork(self.access.status.progress) }
        }
    }
}
