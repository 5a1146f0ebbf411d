import FeedParsing
import FeedServers
import Feeds
import Fetching
import Foundation
import LibraryKernel
import Synchronization

/// The progress of a sync.
package struct SyncProgress: Hashable, Sendable {
    /// The number of fetched entries.
    package var fetched: Int
    /// The number of entries to fetch, known once the lists were fetched.
    package var total: Int
}

/// The outcome of a sync.
package enum SyncOutcome: Hashable, Sendable {
    /// The sync succeeded, with the numbers of new entries and accepted marks.
    case done(added: Int, sent: Int)
    /// The sync did not run, because another program is syncing the account or it is not due.
    case heldBack(String)
    /// The sync failed. Nothing is lost, and pending changes are sent by the next one.
    case failed(String)

    /// Another program is syncing the account.
    package static let otherProgram = SyncOutcome.heldBack("another program is syncing it")
}

/// Syncs accounts with their servers: sends pending changes, applies the server's lists, then fetches new entries.
package final class SyncService: Sendable {
    /// The extent of a sync.
    package enum Extent: Hashable, Sendable {
        /// Only sends pending changes.
        case send
        /// Everything, requested by the user.
        case whole
        /// Everything if it is due. Pauses after failures apply, and a sync by another program counts.
        case timer
    }

    private let library: Library
    private let fetcher: Fetcher
    private let clock: @Sendable () -> Instant
    private let fullTexts: FullTextService
    /// Identifies this program among others that sync the same library.
    private let owner = UUID().uuidString
    private let servers = Mutex<[AccountID: (account: Account, server: any FeedServer)]>([:])

    /// The number of seconds between automatic syncs.
    package static let interval: Int64 = 15 * 60
    /// The number of seconds after which a lock counts as abandoned by its program.
    private static let lockTime: Int64 = 150
    /// The number of entries in one request.
    private static let entriesAtOnce = 250
    /// The maximum number of individually rejected marks before a sync ends.
    private static let mostRefusals = 20
    /// The maximum number of pages of a list.
    private static let mostPages = 200
    /// The maximum number of entries in all lists or changes of a server.
    private static let mostEntries = 250_000
    private static let endless = ServerError.unreadable("the server's list never ends")

    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
        fullTexts = FullTextService(library: library, fetcher: fetcher)
    }

    /// Syncs all accounts, one after the other.
    package func syncAll(
        _ extent: Extent, report: @escaping @Sendable (Account, SyncOutcome) async -> Void = { _, _ in }
    ) async throws(LibraryError) {
        for account in try library.accounts.all(now: clock()) where !Task.isCancelled {
            await report(account, await sync(account, extent))
        }
    }

    /// Syncs one account. Cancelling the task leaves only complete steps behind.
    @discardableResult
    package func sync(
        _ account: Account, _ extent: Extent, progress: @escaping @Sendable (SyncProgress) async -> Void = { _ in }
    ) async -> SyncOutcome {
        let start = clock()
        do {
            guard let present = try library.accounts.account(account.id, now: start) else {
                return .heldBack("it was removed")
            }
            if let reason = SyncService.heldBack(present, extent, now: start) { return .heldBack(reason) }
            guard try await renewLock(account.id) else { return .otherProgram }
            do {
                let outcome = try await run(present, extent, progress)
                try await finish(account.id, extent, error: nil, note: outcome.note)
                if extent != .send { await fullTexts.fetch(ofAccount: account.id) }
                return .done(added: outcome.added, sent: outcome.sent)
            } catch {
                let server = error as? ServerError
                if server == .cancelled || error is CancellationError {
                    try await finish(account.id, .send, error: present.error, note: nil)
                    return .heldBack("stopped")
                }
                let sentence = "\(error)"
                let next = SyncService.nextTry(
                    after: present.failures, server, asksAgain: library.secrets.isIndirect(present.secret), now: clock()
                )
                try await finish(account.id, extent, error: sentence, note: nil, nextTry: next)
                return .failed(sentence)
            }
        } catch {
            return .failed("\(error)")
        }
    }

    // MARK: Steps

    private func perform(_ step: SyncStep, _ account: AccountID) async throws -> Receipt {
        try await library.changes.perform(ApplySyncStep(step: step, account: account, rules: library.newEntryRules))
    }

    private func renewLock(_ account: AccountID) async throws -> Bool {
        let now = clock()
        return try await perform(.lock(owner: owner, now: now, until: now + SyncService.lockTime), account).count > 0
    }

    private func finish(_ account: AccountID, _ extent: Extent, error: String?, note: String?, nextTry: Instant? = nil)
        async throws
    {
        let isWhole = extent != .send && error == nil
        let end = SyncEnd(now: clock(), error: error, note: note, nextTry: nextTry, isWhole: isWhole)
        _ = try await perform(.finish(owner: owner, end), account)
    }

    private struct LostLock: Error, CustomStringConvertible {
        var description: String { "another program has taken over the sync" }
    }

    private func run(
        _ account: Account, _ extent: Extent, _ progress: @escaping @Sendable (SyncProgress) async -> Void
    ) async throws -> (added: Int, sent: Int, note: String?) {
        let server = server(of: account)
        try await sendOperations(account.id, server)
        let sent = try await sendMarks(account.id, server)
        guard extent != .send else { return (0, sent, nil) }

        let vanished = try await perform(
            .storeSubscriptions(try await server.subscriptions(), now: clock()), account.id
        ).sync.vanished
        let left = vanished.counted("feed; it was", "feeds; they were")
        let note = vanished > 0 ? "the server lacks \(left) kept on this machine" : nil
        _ = try await perform(.beginLists, account.id)
        if let server = server as? any ChangeServer {
            return (try await fetchChanges(account, server, progress), sent, note)
        }
        guard let server = server as? any ListServer else { return (0, sent, note) }
        let labels: RemoteLabels?
        do {
            var count = 0
            for list in RemoteList.everywhere { count += try await fetch(list, account, server, after: count) }
            labels = try await fetchLabels(account, server, after: count)
        } catch {
            // Incomplete lists are useless and may be large.
            _ = try? await perform(.beginLists, account.id)
            throw error
        }
        _ = try await perform(.applyLists(hasLater: labels?.hasLater ?? false, now: clock()), account.id)
        let added = try await fetchEntries(account.id, server, progress)
        // New entries get their labels as well.
        if let labels { _ = try await perform(.applyLabels(labels, now: clock()), account.id) }
        return (
            added, sent, try note ?? SyncService.note(waitingLabels: library.accounts.waitingLabels(in: account.id))
        )
    }

    /// Returns a warning about tags that the server can't store.
    static func note(waitingLabels labels: [String]) -> String? {
        guard let first = labels.first else { return nil }
        guard labels.count > 1 else { return "'\(first)' stays on this machine until the server has such a label" }
        let others = (labels.count - 1).counted("other tag")
        return "'\(first)' and \(others) stay on this machine until the server has such labels"
    }

    // MARK: Sending

    private func sendOperations(_ account: AccountID, _ server: any FeedServer) async throws {
        while let (number, operation) = try await perform(.claimOperation, account).sync.operation {
            var remote: String?
            var refusal: String?
            do throws(ServerError) {
                remote = try await server.perform(operation)
            } catch {
                // The user must look at rejected changes. The sync continues with the others.
                guard case .refused(let reason) = error else { throw error }
                // A feed that no longer exists there need not be unfollowed.
                if case .unsubscribe = operation {} else { refusal = "rejected by the server: \(reason)" }
            }
            _ = try await perform(.noteOperation(number, remote: remote, error: refusal), account)
        }
    }

    private func sendMarks(_ account: AccountID, _ server: any FeedServer) async throws -> Int {
        var (sent, refusals) = (0, 0)
        while let marks = try await perform(.claimMarks(most: server.mostAtOnce), account).sync.marks {
            guard !marks.ids.isEmpty else { continue }
            guard try await renewLock(account) else { throw LostLock() }
            do {
                try await server.send(marks.mark, marks.value, marks.ids)
            } catch ServerError.refused(let reason) {
                // Each rejected mark is retried alone and then waits for the user, so that it delays no other. If all
                // are rejected, more requests are pointless.
                _ = try await perform(.markRefused(marks.numbers), account)
                if marks.numbers.count == 1 { refusals += 1 }
                guard refusals < SyncService.mostRefusals else { throw ServerError.refused(reason) }
                continue
            }
            // A server that reports changes is trusted. Other servers confirm with their next lists.
            let step =
                server is any ChangeServer
                ? SyncStep.markConfirmed(marks.numbers) : .markSent(marks.numbers, now: clock())
            sent += try await perform(step, account).count
        }
        return sent
    }

    // MARK: Lists

    /// Fetches a complete list. If a page is missing, the list is discarded.
    ///
    /// - Parameter before: The number of entries in previous lists.
    /// - Returns: The number of entries in this list.
    private func fetch(_ list: RemoteList, _ account: Account, _ server: any ListServer, after before: Int) async throws
        -> Int
    {
        var count = try await fetchOnce(list, account.id, server, after: before)
        // A list that is suddenly empty is fetched again before it is trusted.
        if count == 0, try library.accounts.hasMarked(list, in: account.id) {
            count = try await fetchOnce(list, account.id, server, after: before)
        }
        return count
    }

    /// Fetches labels and their entries: once a day, or in each sync if there are any.
    ///
    /// - Returns: The labels, or `nil` if they were not requested.
    private func fetchLabels(_ account: Account, _ server: any ListServer, after before: Int) async throws
        -> RemoteLabels?
    {
        guard account.kind.hasLabels else { return nil }
        let isKnown = account.hasLater || account.hasLabels
        guard try isKnown || isFullSyncDue(account) || library.accounts.hasSentLabels(in: account.id) else {
            return nil
        }
        guard let labels = try await SyncService.labels(server) else {
            _ = try await perform(.noteLabelsAsked(now: clock()), account.id)
            return nil
        }
        var count = before
        if labels.hasLater { count += try await fetchOnce(.later, account.id, server, after: count) }
        // An entry may have several labels, so they count towards the same limit.
        for label in labels.names { count += try await fetch(.label(label), account, server, after: count) }
        return labels
    }

    /// Returns the labels of a server, or `nil` if its answer is unusable. A server without labels still works.
    private static func labels(_ server: any ListServer) async throws(ServerError) -> RemoteLabels? {
        do throws(ServerError) {
            return try await server.labels()
        } catch {
            switch error {
            case .unreadable, .noAPI, .refused: return nil
            default: throw error
            }
        }
    }

    private func fetchOnce(_ list: RemoteList, _ account: AccountID, _ server: any ListServer, after before: Int)
        async throws -> Int
    {
        var continuation: String?
        var seen: Set<String> = []
        var count = 0
        repeat {
            try Task.checkCancellation()
            let page = try await server.ids(list, continuation: continuation)
            count += page.ids.count
            guard seen.count < SyncService.mostPages, count <= SyncService.mostEntries - before else {
                throw SyncService.endless
            }
            _ = try await perform(.addToList(list, page.ids), account)
            continuation = page.continuation
            if let next = continuation, !seen.insert(next).inserted {
                throw ServerError.unreadable("the server's list starts again from the beginning")
            }
            guard try await renewLock(account) else { throw LostLock() }
        } while continuation != nil
        return count
    }

    // MARK: Entries

    private func fetchEntries(
        _ account: AccountID, _ server: any ListServer, _ progress: @Sendable (SyncProgress) async -> Void
    ) async throws -> Int {
        var added = 0
        var state = SyncProgress(fetched: 0, total: try await perform(.noteMissing, account).count)
        while true {
            let asked = try await perform(.nextMissing(most: SyncService.entriesAtOnce), account).sync.missing
            guard !asked.isEmpty else { return added }
            try Task.checkCancellation()
            let entries = try await contents(asked, server)
            let now = clock()
            let feeds = await Task.detached { SyncService.prepared(entries, now: now) }.value
            added += try await perform(.storeEntries(feeds, asked: asked, now: now), account).sync.stored.added
            guard try await renewLock(account) else { throw LostLock() }
            state.fetched += asked.count
            await progress(state)
        }
    }

    // MARK: Changes

    /// The number of seconds after which everything is fetched again, although changes would suffice.
    private static let fullInterval: Int64 = 24 * 3600

    private func isFullSyncDue(_ account: Account) -> Bool {
        let now = clock()
        return account.lastFullSync.map { now.seconds(since: $0) >= SyncService.fullInterval || now < $0 } ?? true
    }

    /// Applies changes since the last sync or, the first time and once a day, everything that is unread or starred.
    private func fetchChanges(
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
            guard page.last == nil || page.last != after, count <= SyncService.mostEntries else {
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
                guard page.last == nil || page.last != before, count <= SyncService.mostEntries else {
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
    private func changes(_ server: any ChangeServer, since: Int64, after: String?) async throws(ServerError)
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

    /// Fetches contents of entries, in two halves if they are large. An entry beyond all limits counts as missing.
    private func contents(_ ids: [String], _ server: any ListServer) async throws(ServerError) -> [RemoteEntry] {
        do throws(ServerError) {
            return try await server.entries(ids)
        } catch {
            guard error == .tooLarge else { throw error }
            guard ids.count > 1 else { return [] }
            let middle = ids.count / 2
            let first = try await contents(Array(ids[..<middle]), server)
            return try await first + contents(Array(ids[middle...]), server)
        }
    }

    static func prepared(_ entries: [RemoteEntry], now: Instant) -> [PreparedRemoteFeed] {
        Dictionary(grouping: entries, by: \.subscription).map { subscription, entries in
            var feed = ParsedFeed(format: .json)
            feed.entries = entries.map(parsed)
            return PreparedRemoteFeed(
                subscription: subscription, feed: PreparedFeed(feed, record: FetchRecord(date: now)),
                ids: entries.map(\.id))
        }
    }

    private static func parsed(_ remote: RemoteEntry) -> ParsedEntry {
        var entry = ParsedEntry()
        entry.id = "greader:" + remote.id
        entry.link = remote.link
        entry.title = remote.title.map { Markup.plainText($0) }.flatMap { $0.isEmpty ? nil : $0 }
        entry.contentHTML = remote.html
        if let author = remote.author { entry.authors = [ParsedAuthor(name: Markup.plainText(author))] }
        func date(_ instant: Instant) -> ParsedDate {
            let isSound = (0...4_102_444_800).contains(instant)
            let words = isSound ? Timestamp.rfc3339(instant) : "\(instant)"
            return ParsedDate(instant: isSound ? instant : nil, text: words)
        }
        entry.published = remote.published.map(date)
        entry.updated = remote.updated.map(date)
        entry.enclosures = remote.enclosures.map { ParsedEnclosure(url: $0.url, mediaType: $0.type, size: $0.size) }
        return entry
    }

    // MARK: Servers

    private func server(of account: Account) -> any FeedServer {
        servers.withLock { servers in
            if let (known, server) = servers[account.id], known.address == account.address,
                known.user == account.user, known.secret == account.secret
            {
                return server
            }
            let server = SyncService.server(of: account, library, fetcher)
            servers[account.id] = (account, server)
            return server
        }
    }

    private static func server(of account: Account, _ library: Library, _ fetcher: Fetcher) -> any FeedServer {
        let (secret, address) = (account.secret, account.address)
        return account.kind.server(
            ServerAccess(
                base: address, user: account.user, fetcher: fetcher,
                authorization: library.secrets.authorization(of: secret),
                password: { try library.secrets.password(of: secret, for: address) },
                keep: { library.secrets.keep(authorization: $0, of: secret) }))
    }
}
