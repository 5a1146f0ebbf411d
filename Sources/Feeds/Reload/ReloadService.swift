import FeedParsing
import Fetching
import Foundation
import LibraryKernel
import Synchronization

/// The result of reloading one feed.
package struct ReloadOutcome: Sendable {
    /// The outcome.
    package enum Result: Sendable {
        case changed(StoredChanges)
        case unchanged
        case failed(String)
        /// The feed was not fetched, because it is gone for good or the server asks clients to wait.
        case heldBack(String)
    }

    /// A feed that was merged into the one that has its new address.
    package struct Merge: Sendable {
        package var feed: SubscriptionRow
        /// The feed that remains.
        package var into: SubscriptionRow
        package var change: Change
        package var receipt: Receipt

        /// What was done, such as "Merged A into B, whose address it has now".
        package var sentence: String {
            feed.title == into.title
                ? "Merged two feeds named \(into.title), which have one address now"
                : "Merged \(feed.title) into \(into.title), whose address it has now"
        }
    }

    package var subscription: SubscriptionRow
    package var result: Result
    /// What became of a feed that has moved to the address of another.
    package var merge: Merge?
    /// The errors in a feed that could be read nevertheless.
    package var problems: [FeedProblem]
    /// The duration of the transfer in seconds.
    package var seconds: Double

    /// Whether the feed was fetched, so that the result is stored.
    var wasFetched: Bool { if case .heldBack = result { false } else { true } }
}

/// Fetches feeds, parses them and stores new entries. It processes several feeds at once, each completely or not at
/// all.
package final class ReloadService: Sendable {
    let library: Library
    let fetcher: Fetcher
    let clock: @Sendable () -> Instant
    let fullTexts: FullTextService
    private let running = Mutex<[FeedID: Task<ReloadOutcome?, Never>]>([:])

    /// Creates a service.
    ///
    /// - Parameter clock: Returns the current time.
    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
        fullTexts = FullTextService(library: library, fetcher: fetcher, clock: clock)
    }

    /// The number of received bytes that wait to be parsed. While they are many, no other feed is fetched.
    let waitingBytes = Mutex(0)
    private static let fewBytes = 4 << 20
    /// Limits the bytes of documents that are parsed and stored at once. A parsed document takes several times its
    /// size.
    let readingLimiter = ByteLimiter(limit: 8 << 20)

    /// Who requested a reload.
    package typealias Reason = ReloadReason

    /// Reloads feeds and reports each as it completes. Cancelling the task leaves only complete feeds behind.
    ///
    /// - Parameters:
    ///   - subscriptions: The feeds, or `nil` for all.
    ///   - jobs: The maximum number of documents in transfer. With `nil` it is the number of hosts, up to 128, while
    ///     responses are quick, and up to 256 for feeds that were read before.
    ///   - reason: Who requested the reload, which decides what is held back.
    ///   - refresh: The number of minutes between automatic reloads.
    ///   - answers: What looking for new feeds has brought. These feeds are not fetched again.
    ///   - started: Called with each feed when it starts.
    ///   - report: Called with each outcome, in order of completion.
    /// - Throws: ``LibraryError``, such as ``LibraryError/readOnly(_:)`` for a read-only library.
    package func reload(
        _ subscriptions: [SubscriptionRow]? = nil, jobs: Int? = nil, reason: Reason = .user, refresh: Int = 0,
        answers: [FeedID: FirstAnswer] = [:],
        started: @escaping @Sendable (SubscriptionRow) async -> Void = { _ in },
        report: @escaping @Sendable (ReloadOutcome) async -> Void
    ) async throws(LibraryError) {
        // Results could not be stored, so nothing is fetched.
        if let reason = library.readOnlyReason { throw .readOnly(reason) }
        let all: [SubscriptionRow]
        // Servers fetch the feeds of accounts.
        if let subscriptions { all = subscriptions } else { all = try library.feeds.all() }
        let own = all.filter(\.isReadHere)
        var order = ReloadOrder(
            reason: reason, refresh: Int64(refresh).multipliedClamped(by: 60), start: clock(), answers: answers)
        let claim = Task { [order] in await self.claim(own.map(\.id), order) }
        // Another program may be fetching the same feeds. A user's reload goes ahead anyway.
        if reason == .timer { order.claimed = try await claim.value.get() }
        let stored = await reload(own, jobs: jobs, order, started: started, report: report)
        let left = ((try? await claim.value.get()) ?? []).subtracting(stored)
        if !left.isEmpty { _ = try? await library.changes.perform(ReleaseFeeds(feeds: left, start: order.start)) }
    }

    /// Claims feeds for a reload, and returns those that it may fetch.
    private func claim(_ feeds: [FeedID], _ order: ReloadOrder) async -> Result<Set<FeedID>, LibraryError> {
        do throws(ChangeFailure) {
            let receipt = try await library.changes.perform(ClaimFeeds(feeds: feeds, order: order))
            return .success(receipt.answer as? Set<FeedID> ?? [])
        } catch {
            return .failure(error.error ?? .rejected(error.description))
        }
    }

    /// Reloads feeds, and returns those whose result is stored.
    private func reload(
        _ own: [SubscriptionRow], jobs: Int?, _ order: ReloadOrder,
        started: @escaping @Sendable (SubscriptionRow) async -> Void,
        report: @escaping @Sendable (ReloadOutcome) async -> Void
    ) async -> Set<FeedID> {
        var stored: Set<FeedID> = []
        await withTaskGroup(of: Progress.self) { group in
            var limiter = HostLimiter(own, maximum: jobs)
            var progress: Progress?
            repeat {
                switch progress {
                case .arrived(let subscription, let task):
                    limiter.arrive(subscription)
                    group.addTask { .done(subscription, await self.finish(task, of: subscription)) }
                case .done(let subscription, let outcome):
                    if let outcome {
                        await report(outcome)
                        if outcome.wasFetched { stored.insert(subscription.id) }
                    }
                    limiter.finish(subscription, mayGrow: waitingBytes.withLock { $0 } < ReloadService.fewBytes)
                case nil: break
                }
                for (subscription, request) in nextRequests(&limiter, mayWait: !group.isEmpty) {
                    group.addTask {
                        await started(subscription)
                        return .arrived(subscription, await self.start(subscription, request, order))
                    }
                }
                progress = await group.next()
            } while progress != nil
        }
        return stored
    }

    /// Returns the requests of the feeds that may start now. They are read in one query.
    ///
    /// - Parameter mayWait: Whether another feed is in progress, so that feeds may start once it is done.
    private func nextRequests(_ limiter: inout HostLimiter, mayWait: Bool) -> [(
        SubscriptionRow, Result<StoredRequest?, LibraryError>
    )] {
        if mayWait, waitingBytes.withLock({ $0 }) >= ReloadService.fewBytes { return [] }
        var feeds: [SubscriptionRow] = []
        while !Task.isCancelled, let next = limiter.next() { feeds.append(next) }
        guard !feeds.isEmpty else { return [] }
        let requests = Result { () throws(LibraryError) in try library.feeds.requests(for: feeds.map(\.id)) }
        return feeds.map { feed in (feed, requests.map { $0[feed.id] }) }
    }

    /// Stops the reload of one feed. The others continue.
    package func cancel(_ subscription: FeedID) { running.withLock { $0[subscription] }?.cancel() }

    /// The progress of a feed: its document has arrived, or it is done.
    private enum Progress: Sendable {
        case arrived(SubscriptionRow, Task<ReloadOutcome?, Never>)
        case done(SubscriptionRow, ReloadOutcome?)
    }

    /// Starts reloading one feed in its own task, so that it can be stopped alone, and waits until its document has
    /// arrived.
    private func start(
        _ subscription: SubscriptionRow, _ request: Result<StoredRequest?, LibraryError>, _ order: ReloadOrder
    ) async -> Task<ReloadOutcome?, Never> {
        let arrival = OneShotSignal()
        let task = Task {
            defer { arrival.send() }
            return await self.reload(subscription, request, order) { arrival.send() }
        }
        running.withLock { $0[subscription.id] = task }
        await withTaskCancellationHandler {
            await arrival.wait()
        } onCancel: {
            task.cancel()
        }
        return task
    }

    /// Waits until a feed is stored.
    private func finish(_ task: Task<ReloadOutcome?, Never>, of subscription: SubscriptionRow) async -> ReloadOutcome? {
        defer { running.withLock { $0[subscription.id] = nil } }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if outcome == nil, !Task.isCancelled {
            return ReloadOutcome(subscription: subscription, result: .heldBack("stopped"), problems: [], seconds: 0)
        }
        return outcome
    }
}
