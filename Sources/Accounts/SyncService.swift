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
    static let otherProgram = SyncOutcome.heldBack("another program is syncing it")
}

/// Syncs accounts with their servers: sends pending changes, applies the server's lists, then fetches new entries.
package final class SyncService: Sendable {
    /// The extent of a sync.
    package enum Extent: Hashable, Sendable {
        /// Only sends pending changes.
        case send
        /// Everything, requested by the user. Only waits that the server asks for apply.
        case whole
        /// Everything if it is due. Pauses after failures apply, and a sync by another program counts.
        case timer
    }

    let library: Library
    private let fetcher: Fetcher
    let clock: @Sendable () -> Instant
    private let fullTexts: FullTextService
    /// Identifies this program among others that sync the same library.
    private let owner = UUID().uuidString
    private let servers = Mutex<[AccountID: (account: Account, server: any FeedServer)]>([:])

    /// The number of seconds between automatic syncs.
    package static let interval: Int64 = 15 * 60
    /// The number of seconds after which a lock counts as abandoned by its program.
    private static let lockTime: Int64 = 150
    /// The number of entries in one request.
    static let entriesAtOnce = 250
    /// The maximum number of individually rejected marks before a sync ends.
    private static let maximumRefusals = 20
    /// The maximum number of pages of a list.
    static let maximumPages = 200
    /// The maximum number of entries in all lists or changes of a server.
    static let maximumEntries = 250_000
    static let endless = ServerError.unreadable("the server's list never ends")

    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
        fullTexts = FullTextService(library: library, fetcher: fetcher, clock: clock)
    }

    /// Syncs all accounts, one after the other.
    package func syncAll(
        _ extent: Extent, isOccasion: Bool = false,
        report: @escaping @Sendable (Account, SyncOutcome) async -> Void = { _, _ in }
    ) async throws(LibraryError) {
        for account in try library.accounts.all(now: clock()) where !Task.isCancelled {
            await report(account, await sync(account, extent, isOccasion: isOccasion))
        }
    }

    /// Syncs one account. Cancelling the task leaves only complete steps behind.
    ///
    /// - Parameter isOccasion: Whether a start, a change or the end is an occasion to try a server again that was away.
    @discardableResult
    package func sync(
        _ account: Account, _ extent: Extent, isOccasion: Bool = false,
        progress: @escaping @Sendable (SyncProgress) async -> Void = { _ in }
    ) async -> SyncOutcome {
        let start = clock()
        do {
            guard let present = try library.accounts.account(account.id, now: start) else {
                return .heldBack("it was removed")
            }
            if let reason = SyncService.heldBack(present, extent, isOccasion: isOccasion, now: start) {
                return .heldBack(reason)
            }
            guard try await renewLock(account.id) else { return .otherProgram }
            do {
                let outcome = try await run(present, extent, asksForLabels: extent == .whole || isOccasion, progress)
                try await finish(account.id, extent, error: nil, note: outcome.note)
                if extent != .send { await fullTexts.fetch(ofAccount: account.id) }
                return .done(added: outcome.added, sent: outcome.sent)
            } catch {
                let isKnown = present.lastSync != nil
                let server = (error as? ServerError).map { isKnown ? $0.ofKnownServer : $0 }
                if server == .cancelled || error is CancellationError {
                    try await finish(account.id, .send, error: present.error, note: nil)
                    return .heldBack("stopped")
                }
                let asksAgain = library.secrets.isIndirect(present.secret)
                let sentence =
                    switch server {
                    case .passwordRefused? where isKnown && !asksAgain: Account.newPasswordError
                    case .noPassword(let reason)?: Account.noPassword(because: reason)
                    default: server?.description ?? "\(error)"
                    }
                let next = SyncService.nextTry(after: present.failures, server, asksAgain: asksAgain, now: clock())
                try await finish(account.id, extent, error: sentence, note: nil, nextTry: next)
                return .failed(sentence)
            }
        } catch {
            return .failed("\(error)")
        }
    }

    // MARK: Steps

    func perform(_ step: SyncStep, _ account: AccountID) async throws -> Receipt {
        try await library.changes.perform(ApplySyncStep(step: step, account: account, rules: library.rules))
    }

    func renewLock(_ account: AccountID) async throws -> Bool {
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

    struct LostLock: Error, CustomStringConvertible {
        var description: String { "another program has taken over the sync" }
    }

    private func run(
        _ account: Account, _ extent: Extent, asksForLabels: Bool,
        _ progress: @escaping @Sendable (SyncProgress) async -> Void
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
            labels = try await fetchLabels(account, server, after: count, isAsked: asksForLabels)
        } catch {
            // Incomplete lists are useless and may be large.
            _ = try? await perform(.beginLists, account.id)
            throw error
        }
        _ = try await perform(.applyLists(hasLater: labels?.hasLater ?? false, now: clock()), account.id)
        let dropped = try await dropMarksOfDeletedEntries(account.id, server)
        let added = try await fetchEntries(account.id, server, progress)
        // New entries get their labels as well.
        if let labels { _ = try await perform(.applyLabels(labels, now: clock()), account.id) }
        return (
            added, sent,
            try note ?? dropped ?? SyncService.note(waitingLabels: library.accounts.waitingLabels(in: account.id))
        )
    }

    /// Drops marks that the server's lists contradict because it no longer has their entries.
    ///
    /// - Returns: A sentence about them, or `nil` if there are none.
    private func dropMarksOfDeletedEntries(_ account: AccountID, _ server: any ListServer) async throws -> String? {
        guard
            let marks = try await perform(.contradictedMarks(maximum: SyncService.entriesAtOnce), account).sync.marks,
            !marks.ids.isEmpty
        else { return nil }
        guard let entries = try? await server.entries(Array(Set(marks.ids))) else { return nil }
        let present = Set(entries.map(\.id))
        let gone = zip(marks.numbers, marks.ids).filter { !present.contains($0.1) }.map(\.0)
        guard !gone.isEmpty else { return nil }
        _ = try await perform(.markConfirmed(gone), account)
        return gone.count.counted(
            "mark was dropped: the server no longer has its entry",
            "marks were dropped: the server no longer has their entries")
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
        while let marks = try await perform(.claimMarks(maximum: server.maximumAtOnce), account).sync.marks {
            guard !marks.ids.isEmpty else { continue }
            guard try await renewLock(account) else { throw LostLock() }
            do {
                try await server.send(marks.mark, marks.value, marks.ids)
            } catch ServerError.refused(let reason) {
                // Each rejected mark is retried alone and then waits for the user, so that it delays no other. If all
                // are rejected, more requests are pointless.
                _ = try await perform(.markRefused(marks.numbers), account)
                if marks.numbers.count == 1 { refusals += 1 }
                guard refusals < SyncService.maximumRefusals else { throw ServerError.refused(reason) }
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

    // MARK: Servers

    private func server(of account: Account) -> any FeedServer {
        let (secret, address, secrets) = (account.secret, account.address, library.secrets)
        return servers.withLock { servers in
            if let (known, server) = servers[account.id], known.address == address,
                known.user == account.user, known.secret == secret
            {
                return server
            }
            let server = account.kind.server(
                ServerAccess(
                    base: address, user: account.user, fetcher: fetcher,
                    authorization: secrets.authorization(of: secret),
                    password: { try secrets.password(of: secret, for: address) },
                    keep: { secrets.keep(authorization: $0, of: secret) }))
            servers[account.id] = (account, server)
            return server
        }
    }
}
