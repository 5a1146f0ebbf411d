import FeedParsing
import Fetching
import Foundation
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

    package var subscription: SubscriptionRow
    package var result: Result
    /// The errors in a feed that could be read nevertheless.
    package var problems: [FeedProblem]
    /// The duration of the transfer in seconds.
    package var seconds: Double
}

/// Fetches feeds, parses them and stores new entries. It processes several feeds at once, each completely or not at
/// all.
package final class ReloadService: Sendable {
    private let library: Library
    private let fetcher: Fetcher
    private let clock: @Sendable () -> Int64
    private let fullTexts: FullTextService
    private let running = Mutex<[Int64: Task<ReloadOutcome?, Never>]>([:])

    /// Creates a service.
    ///
    /// - Parameter clock: Returns the current time in seconds since 1970.
    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Int64 = { Int64(clamping: Date().timeIntervalSince1970) }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
        fullTexts = FullTextService(library: library, fetcher: fetcher)
    }

    /// The number of received bytes that wait to be parsed, which limits how many more feeds are fetched.
    private let waitingBytes = Mutex(0)
    private static let fewBytes = 8 << 20
    /// Limits the bytes of documents that are parsed and stored at once. A parsed document takes several times its
    /// size.
    private let readingLimiter = ByteLimiter(limit: 16 << 20)

    /// Who requested a reload.
    package enum Reason: Hashable, Sendable {
        /// The user, for all feeds. Waits that servers ask for apply (Retry-After), and feeds gone for good (410) are
        /// skipped.
        case user
        /// The user, for this very feed, which is fetched in any case.
        case insisting
        /// A timer. Caching and pauses after failures also apply.
        case timer
    }

    /// Reloads feeds and reports each as it completes. Cancelling the task leaves only complete feeds behind.
    ///
    /// - Parameters:
    ///   - subscriptions: The feeds, or `nil` for all.
    ///   - jobs: The maximum number of documents in transfer. With `nil` it is the number of hosts, up to 128, while
    ///     responses are quick, and up to 256 for feeds that were read before.
    ///   - reason: Who requested the reload, which decides what is held back.
    ///   - started: Called with each feed when it starts.
    ///   - report: Called with each outcome, in order of completion.
    /// - Throws: ``LibraryError``, such as ``LibraryError/readOnly(_:)`` for a read-only library.
    package func reload(
        _ subscriptions: [SubscriptionRow]? = nil, jobs: Int? = nil, reason: Reason = .user,
        started: @escaping @Sendable (SubscriptionRow) async -> Void = { _ in },
        report: @escaping @Sendable (ReloadOutcome) async -> Void
    ) async throws(LibraryError) {
        // Results could not be stored, so nothing is fetched.
        if let reason = library.readOnlyReason { throw .readOnly(reason) }
        let all: [SubscriptionRow]
        // Servers fetch the feeds of accounts.
        if let subscriptions { all = subscriptions } else { all = try library.subscriptions() }
        let own = all.filter(\.isReadHere)
        await withTaskGroup(of: Progress.self) { group in
            var turns = HostLimiter(own, most: jobs)
            func begin() {
                var begun: [SubscriptionRow] = []
                while !Task.isCancelled, let next = turns.next() { begun.append(next) }
                guard !begun.isEmpty else { return }
                // One query for all feeds that start now.
                let ids = begun.map(\.id)
                let requests = Result { () throws(LibraryError) in try library.requests(for: ids) }
                for next in begun {
                    let request = requests.map { $0[next.id] }
                    group.addTask {
                        await started(next)
                        return .arrived(next, await self.begin(next, request, reason: reason))
                    }
                }
            }
            begin()
            while let progress = await group.next() {
                switch progress {
                case .arrived(let subscription, let task):
                    turns.arrive(subscription)
                    group.addTask { .done(subscription, await self.end(task, of: subscription)) }
                case .done(let subscription, let outcome):
                    if let outcome { await report(outcome) }
                    turns.finish(subscription, mayGrow: waitingBytes.withLock { $0 } < ReloadService.fewBytes)
                }
                begin()
            }
        }
    }

    /// Stops the reload of one feed. The others continue.
    package func cancel(_ subscription: Int64) { running.withLock { $0[subscription] }?.cancel() }

    /// The progress of a feed: its document has arrived, or it is done.
    private enum Progress: Sendable {
        case arrived(SubscriptionRow, Task<ReloadOutcome?, Never>)
        case done(SubscriptionRow, ReloadOutcome?)
    }

    /// Starts reloading one feed in its own task, so that it can be stopped alone, and waits until its document has
    /// arrived.
    private func begin(
        _ subscription: SubscriptionRow, _ request: Result<StoredRequest?, LibraryError>, reason: Reason
    ) async -> Task<ReloadOutcome?, Never> {
        let arrival = OneShotSignal()
        let task = Task {
            defer { arrival.send() }
            return await self.reload(subscription, request, reason: reason) { arrival.send() }
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
    private func end(_ task: Task<ReloadOutcome?, Never>, of subscription: SubscriptionRow) async -> ReloadOutcome? {
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

    /// Reloads one feed. Returns `nil` if it was cancelled.
    ///
    /// - Parameter arrived: Called when the document has arrived.
    private func reload(
        _ subscription: SubscriptionRow, _ request: Result<StoredRequest?, LibraryError>, reason: Reason,
        arrived: () -> Void
    ) async -> ReloadOutcome? {
        var seconds = 0.0
        func outcome(_ result: ReloadOutcome.Result, _ problems: [FeedProblem] = []) -> ReloadOutcome {
            ReloadOutcome(subscription: subscription, result: result, problems: problems, seconds: seconds)
        }
        do {
            guard let stored = try request.get() else { return nil }
            if let held = heldBack(stored, reason) { return outcome(.heldBack(held)) }
            let answer = try await fetch(stored)
            seconds = answer.seconds
            let bytes = answer.body.count
            waitingBytes.withLock { $0 += bytes }
            var waits = true
            func endWaiting() {
                if waits { waitingBytes.withLock { $0 -= bytes } }
                waits = false
            }
            defer { endWaiting() }
            if Task.isCancelled { return nil }
            let now = clock()
            if answer.status == 304, stored.etag == nil, stored.lastModified == nil {
                throw ReloadFailure(reason: "unexpected answer 304 Not Modified")
            }
            if answer.status == 304 {
                let next = stored.options.delayed(
                    FetchSchedule.next(headers: answer.headers, ttlMinutes: nil, now: now), now: now)
                try await library.changes.perform(.noteUnchanged(subscription.id, nextFetch: next, date: now))
                await fullTexts.fetch(of: subscription.id, url: stored.url, options: stored.options)
                return outcome(.unchanged)
            }
            guard (200..<300).contains(answer.status) else {
                throw ReloadFailure(
                    reason: HTTPStatus.sentence(for: answer.status),
                    notBefore: FetchSchedule.retryAfter(answer.headers["retry-after"], now: now),
                    isGone: answer.status == 410)
            }
            let (changes, problems) = try await readingLimiter.run(bytes) {
                endWaiting()
                arrived()
                return try await read(answer, of: subscription, stored, now: now)
            }
            if answer.isCut {
                let sentence =
                    "the document was cut off; tappa read what arrived and fetches the rest at the next reload"
                try await library.changes.perform(
                    .noteFailure(subscription.id, sentence, notBefore: nil, isGone: false, date: now))
                return outcome(.failed(sentence), problems)
            }
            await fullTexts.fetch(of: subscription.id, url: stored.url, options: stored.options)
            return outcome(changes.added + changes.updated > 0 ? .changed(changes) : .unchanged, problems)
        } catch FetchError.cancelled {
            return nil
        } catch {
            let failure = error as? ReloadFailure
            _ = try? await library.changes.perform(
                .noteFailure(
                    subscription.id, "\(error)", notBefore: failure?.notBefore, isGone: failure?.isGone ?? false,
                    date: clock()))
            return outcome(.failed("\(error)"))
        }
    }

    /// Parses a document and stores its new entries.
    private func read(
        _ answer: FetchResponse, of subscription: SubscriptionRow, _ stored: StoredRequest, now: Int64
    ) async throws -> (StoredChanges, [FeedProblem]) {
        let announcement = library.changes.announceFeed()
        let reading = try FeedParser.parse(
            answer.body, contentType: answer.headers["content-type"], base: answer.effectiveURL)
        let problems = reading.problems + (answer.isCut ? [FeedProblem("the document was cut off")] : [])
        // A truncated document is stored without validators, so that the rest is fetched next time.
        var record = FetchRecord(
            etag: answer.isCut ? nil : answer.headers["etag"],
            lastModified: answer.isCut ? nil : answer.headers["last-modified"],
            permanentURL: answer.permanentURL.flatMap { movesSecrets(stored, to: $0) ? nil : $0 },
            nextFetch: stored.options.delayed(
                FetchSchedule.next(headers: answer.headers, ttlMinutes: reading.feed.timeToLive, now: now), now: now
            ),
            date: now)
        record.problems = problems.map(\.description)
        let feed = PreparedFeed(reading.feed, record: record)
        let changes = try await library.changes.perform(
            .storeFeed(feed, in: subscription.id, rules: library.rules), announcement
        ).stored
        return (changes, problems)
    }

    /// Fetches the document of a feed, or runs its program.
    private func fetch(_ stored: StoredRequest) async throws -> FetchResponse {
        guard ProgramFeed.isOne(stored.url) else {
            guard !stored.options.isFromOutside || Origin(stored.url) != nil else {
                throw ReloadFailure(reason: "file addresses are allowed only in feeds that you added yourself")
            }
            return try await fetcher.fetch(
                FetchRequest(
                    url: stored.url, allowsPrivateHost: !stored.options.isFromOutside, etag: stored.etag,
                    lastModified: stored.lastModified,
                    headers: library.secrets.resolve(stored.headers, for: stored.url)))
        }
        guard stored.runsProgram, !library.isForeign, let program = ProgramFeed(stored.url) else {
            throw ReloadFailure(reason: "programs are allowed only in feeds that you added yourself")
        }
        let start = ContinuousClock.now
        var answer: FetchResponse?
        if let source = program.source {
            // A filter's output says nothing about the age of the document, so the request is unconditional.
            let headers = try library.secrets.resolve(stored.headers, for: source)
            let whole = try await fetcher.fetch(
                FetchRequest(url: source, allowsPrivateHost: true, headers: headers))
            guard (200..<300).contains(whole.status) else { return whole }
            answer = whole
        }
        do {
            let body = try await program.run(input: answer?.body)
            return FetchResponse(
                program: body, of: answer, seconds: start.duration(to: .now) / .seconds(1))
        } catch is CancellationError {
            throw FetchError.cancelled
        }
    }

    /// Whether a permanent redirect would send the feed's header lines to another origin. Then the feed keeps its
    /// address, which redirects without them.
    private func movesSecrets(_ stored: StoredRequest, to address: String) -> Bool {
        let hasSecrets = !stored.headers.isEmpty || UserInfo.split(stored.url).authorization != nil
        return hasSecrets && Origin(stored.url)?.trusts(address) != true
    }

    /// Returns the reason why a feed is not fetched now, or `nil` if it is.
    private func heldBack(_ stored: StoredRequest, _ reason: Reason) -> String? {
        if stored.isGone, reason != .insisting { return "gone (410); reload this feed alone to retry" }
        return FetchSchedule.heldBack(
            notBefore: stored.notBefore, nextFetch: stored.nextFetch, reason, now: clock())
    }

    private struct ReloadFailure: Error, CustomStringConvertible {
        var reason: String
        var notBefore: Int64?
        var isGone = false
        var description: String { reason }
    }
}
