import FeedParsing
import Feeds
import LibraryKernel

/// Syncs with servers that provide lists of entries.
extension SyncService {
    /// Fetches a complete list. If a page is missing, the list is discarded.
    ///
    /// - Parameter before: The number of entries in previous lists.
    /// - Returns: The number of entries in this list.
    func fetch(_ list: RemoteList, _ account: Account, _ server: any ListServer, after before: Int) async throws
        -> Int
    {
        var count = try await fetchOnce(list, account.id, server, after: before)
        // A list that is suddenly empty is fetched again before it is trusted.
        if count == 0, try library.accounts.hasMarked(list, in: account.id) {
            count = try await fetchOnce(list, account.id, server, after: before)
        }
        return count
    }

    /// Fetches labels and their entries: once a day, on request, or in each sync if there are any.
    ///
    /// - Returns: The labels, or `nil` if they were not requested.
    func fetchLabels(_ account: Account, _ server: any ListServer, after before: Int, isAsked: Bool)
        async throws -> RemoteLabels?
    {
        guard account.kind.hasLabels else { return nil }
        let isKnown = account.hasLater || account.hasLabels
        guard try isAsked || isKnown || isFullSyncDue(account) || library.accounts.hasSentLabels(in: account.id) else {
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

    /// Returns the server's labels, or `nil` if its answer is unusable, because a sync doesn't need labels.
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
            guard seen.count < SyncService.maximumPages, count <= SyncService.maximumEntries - before else {
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

    func fetchEntries(
        _ account: AccountID, _ server: any ListServer, _ progress: @Sendable (SyncProgress) async -> Void
    ) async throws -> Int {
        var added = 0
        var state = SyncProgress(fetched: 0, total: try await perform(.noteMissing, account).count)
        while true {
            let asked = try await perform(.nextMissing(maximum: SyncService.entriesAtOnce), account).sync.missing
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
                subscription: subscription,
                feed: PreparedFeed(feed, record: FetchRecord(date: now), compressing: true, hasFixedIDs: true),
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
}
