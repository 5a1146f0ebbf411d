import ModelCore

/// What screens with feeds use: reloading, syncing and finding feeds, and the services of their entries.
@MainActor
final class FeedServices {
    let entries: EntryServices
    let reloads: ReloadController
    let syncs: SyncController
    let discovery = FeedDiscovery()
    private let updateOthers: @MainActor (ReloadService.Reason) async -> Void

    /// - Parameter updateOthers: Called by a reload of all feeds to update the rest, such as followed races.
    init(
        entries: EntryServices, reloads: ReloadController, syncs: SyncController,
        updateOthers: @escaping @MainActor (ReloadService.Reason) async -> Void
    ) {
        self.entries = entries
        self.reloads = reloads
        self.syncs = syncs
        self.updateOthers = updateOthers
    }

    var access: LibraryAccess { entries.access }

    /// Reloads feeds. Feeds of accounts are synced instead.
    ///
    /// - Parameter subscriptions: The feeds, or `nil` for all feeds and accounts.
    func reload(_ subscriptions: [SubscriptionRow]? = nil, reason: ReloadService.Reason = .user) {
        guard let all = subscriptions ?? access.read(nil, { try $0.feeds.all() }) else { return }
        // Automatic updates of races have their own timer.
        if subscriptions == nil, reason != .timer { Task { [updateOthers] in await updateOthers(reason) } }
        let accounts = subscriptions.map { Array(Set($0.compactMap(\.account))) }
        let hasAccounts = accounts.map { !$0.isEmpty } ?? access.read(false) { try $0.accounts.hasAny() }
        if hasAccounts { syncs.start(accounts, reason == .timer ? .timer : .whole) }
        let own = all.filter(\.isReadHere)
        if !own.isEmpty || !hasAccounts { reloads.start(own, reason: reason) }
    }
}
