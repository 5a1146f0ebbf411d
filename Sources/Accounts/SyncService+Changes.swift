import Feeds
import LibraryKernel

/// Syncs with servers that report changes.
extension SyncService {
    /// The number of seconds after which everything is fetched again, although changes would suffice.
    private static let fullInterval: Int64 = 24 * 3600

    func isFullSyncDue(_ account: Account) -> Bool {
        let now = clock()
        return account.lastFullSync.map { now.seconds(since: $0) >= SyncService.fullInterval || now < $0 } ?? true
    }

    /// Applies changes since the last sync or, the first time and once a day, everything that is unread or starred.
    func fetchChanges(
        _ account: Account, _ server: any ChangeServer, _ progress: @Sendable (SyncProgress) async -> Void
    ) async throws -> Int {
        guard let since = account.changedSince, !isFullSyncDue(account) else {
            return try await fetchEverything(account, server, progress)
        }
        var (added, blocked, newest, told) = (0, 0, since, Instant(0))
        var after: String?
        var count = 0
        repeat {
            guard let page = try await changes(server, since: since, after: after) else {
                return try await fetchEverything(account, server, progress)
            }
            let taken = try await take(page, account.id)
            (added, blocked) = (added + taken.sync.stored.added, blocked + taken.sync.blocked)
            newest = max(newest, page.newest ?? since)
            told = page.told ?? 0
            count += max(1, page.entries.count)
            guard page.last == nil || page.last != after, count <= SyncService.maximumEntries else {
                throw SyncService.endless
            }
            after = page.last
        } while after != nil
        guard blocked == 0 else { return added }
        let next = SyncService.next(after: newest, told: told)
        _ = try await perform(.noteChangedSince(max(since, next), isWhole: false, now: clock()), account.id)
        return added
    }

    /// Returns the time from which to request changes in the next sync.
    ///
    /// While the second of the last change is recent, it may still bring others, so its changes are requested again.
    static func next(after newest: Instant, told: Instant) -> Instant {
        told >= newest + 60 ? newest + 1 : newest
    }

    private func fetchEverything(
        _ account: Account, _ server: any ChangeServer, _ progress: @Sendable (SyncProgress) async -> Void
    ) async throws -> Int {
        var (added, pages, count, newest, told) = (0, 0, 0, Instant(0), Instant(0))
        var state = SyncProgress(fetched: 0, total: 0)
        for list in RemoteList.everywhere {
            var before: String?
            repeat {
                let page = try await page(server, .list(list, before: before))
                added += try await take(page, account.id).sync.stored.added
                newest = max(newest, page.newest ?? 0)
                // The time of the first page, so that later changes are requested next time.
                if pages == 0 { told = page.told ?? 0 }
                pages += 1
                count += max(1, page.entries.count)
                guard page.last == nil || page.last != before, count <= SyncService.maximumEntries else {
                    throw SyncService.endless
                }
                before = page.last
                state.fetched += page.entries.count
                // The server doesn't report a total, so the known number grows.
                state.total = state.fetched + (before == nil ? 0 : SyncService.entriesAtOnce)
                await progress(state)
            } while before != nil
        }
        // Both lists are now complete: an entry in neither of them is read and not starred.
        let blocked = try await perform(.applyLists(hasLater: false, now: clock()), account.id).sync.blocked
        guard blocked == 0 else { return added }
        // A server without entries reports no time, so a day more is requested.
        let since = newest > 0 ? SyncService.next(after: newest, told: told) : max(0, clock() - 86_400)
        _ = try await perform(.noteChangedSince(since, isWhole: true, now: clock()), account.id)
        return added
    }

    /// Fetches a page of changes, or `nil` if they are too large together and don't come in pages.
    private func changes(_ server: any ChangeServer, since: Instant, after: String?) async throws(ServerError)
        -> ChangePage?
    {
        do throws(ServerError) {
            return try await page(server, .changed(since: since, after: after))
        } catch {
            guard error == .tooLarge, !server.pagesChanges else { throw error }
            return nil
        }
    }

    /// Fetches a page of entries, with fewer of them if they are large.
    private func page(_ server: any ChangeServer, _ query: ChangeQuery) async throws(ServerError) -> ChangePage {
        var limit = SyncService.entriesAtOnce
        while true {
            do throws(ServerError) {
                return try await server.entries(query, limit: limit)
            } catch {
                let isPaged = if case .list = query { true } else { server.pagesChanges }
                guard error == .tooLarge, limit > 1, isPaged else { throw error }
                limit /= 2
            }
        }
    }

    private func take(_ page: ChangePage, _ account: AccountID) async throws -> Receipt {
        try Task.checkCancellation()
        let now = clock()
        let feeds = await Task.detached { SyncService.prepared(page.entries.map(\.entry), now: now) }.value
        let receipt = try await perform(.applyChanges(page.entries, feeds, now: now), account)
        guard try await renewLock(account) else { throw LostLock() }
        return receipt
    }
}
