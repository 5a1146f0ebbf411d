import DashboardFrame
import Feeds
import ModelCore

/// What screens with feeds use: reloading, syncing and finding feeds, and the services of their entries.
@MainActor
package final class FeedServices {
    package let entries: EntryServices
    package let reloads: ReloadController
    package let syncs: SyncController
    package let discovery = FeedDiscovery()
    private let updateOthers: @MainActor (ReloadService.Reason) async -> Void

    /// - Parameter updateOthers: Called by a reload of all feeds to update the rest, such as followed races.
    package init(
        entries: EntryServices, reloads: ReloadController, syncs: SyncController,
        updateOthers: @escaping @MainActor (ReloadService.Reason) async -> Void
    ) {
        self.entries = entries
        self.reloads = reloads
        self.syncs = syncs
        self.updateOthers = updateOthers
    }

    package var access: LibraryAccess { entries.access }

    /// Reloads feeds. Feeds of accounts are synced instead.
    ///
    /// - Parameters:
    ///   - subscriptions: The feeds, or `nil` for all feeds and accounts.
    ///   - answer: What looking for a new feed has brought, which is stored instead of fetching it.
    package func reload(
        _ subscriptions: [SubscriptionRow]? = nil, reason: ReloadService.Reason = .user, answer: FirstAnswer? = nil
    ) {
        guard let all = subscriptions ?? access.read(nil, { try $0.feeds.all() }) else { return }
        if subscriptions == nil { Task { [updateOthers] in await updateOthers(reason) } }
        let accounts = subscriptions.map { Array(Set($0.compactMap(\.account))) }
        let hasAccounts = accounts.map { !$0.isEmpty } ?? access.read(false) { try $0.accounts.hasAny() }
        if hasAccounts { syncs.start(accounts, .whole) }
        let own = all.filter(\.isReadHere)
        let answers = answer.map { answer in Dictionary(own.map { ($0.id, answer) }) { $1 } } ?? [:]
        if !own.isEmpty || !hasAccounts { reloads.start(own, reason: reason, answers: answers) }
    }

    /// Reloads the feeds that are due. Races and accounts have timers of their own.
    ///
    /// - Parameter isAllowed: Whether an automatic reload may start now.
    package func reloadWhatIsDue(if isAllowed: @autoclosure () -> Bool) {
        let minutes = access.settings[.reloadMinutes]
        let due = access.read([]) { [clock = access.clock] in try $0.feeds.due(refresh: minutes, now: clock()) }
        if !due.isEmpty, isAllowed() { reloads.start(due, reason: .timer, refresh: minutes) }
    }
}
