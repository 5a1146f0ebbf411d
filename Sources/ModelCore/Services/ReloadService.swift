import FeedParsing
import Fetching
import Foundation
import Synchronization

/// What became of one feed in a reload.
package struct ReloadOutcome: Sendable {
    /// How it ended.
    package enum Result: Sendable {
        case changed(StoredChanges)
        case unchanged
        case failed(String)
        /// It was not asked for: gone for good, or the server wants to be left alone for a while.
        case heldBack(String)
    }

    package var subscription: SubscriptionRow
    package var result: Result
    /// Problems of a feed that could be read all the same.
    package var problems: [FeedProblem]
    /// Seconds of the transfer.
    package var seconds: Double
}

/// Fetches feeds, reads them and stores what is new: several at once, each whole or not at all.
package final class ReloadService: Sendable {
    private let library: Library
    private let fetcher: Fetcher
    private let clock: @Sendable () -> Int64
    private let fullTexts: FullTextService
    private let running = Mutex<[Int64: Task<ReloadOutcome?, Never>]>([:])

    /// Makes a service.
    ///
    /// - Parameter clock: Gives the present, in seconds since 1970.
    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Int64 = { Int64(clamping: Date().timeIntervalSince1970) }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
        fullTexts = FullTextService(library: library, fetcher: fetcher)
    }

    /// Bytes that have come and wait for being read: up to so many, more feeds may be asked for.
    private let waitingBytes = Mutex(0)
    private static let fewBytes = 8 << 20
    /// Bytes of documents that are read and stored: what was read takes several times their room until it is stored.
    private let readingTurns = ByteLimiter(limit: 16 << 20)

    /// Who asks for a reload.
    package enum Reason: Hashable, Sendable {
        /// The user, for all feeds: what a server has asked to wait for is waited for (Retry-After), and what is gone for good
        /// (410) is left alone.
        case user
        /// The user, for this very feed: it is asked whatever was said before.
        case insisting
        /// A timer: also what caching allows, and the pauses after failures, are kept.
        case timer
    }

    /// Reloads subscriptions and tells of each as it is done. Cancelling the task leaves whole feeds behind.
    ///
    /// - Parameters:
    ///   - subscriptions: The feeds; `nil`: all.
    ///   - jobs: How many documents may come at once; `nil`: as many as there are hosts, to 128, while they come quickly, and to
    ///     256 of those that were read before.
    ///   - reason: Who asks: what is held back depends on it.
    ///   - started: Called with each feed when its turn comes.
    ///   - report: Called with each outcome, in the order in which they are done.
    /// - Throws: ``LibraryError``; ``LibraryError/readOnly(_:)`` for a library that can only be read.
    package func reload(
        _ subscriptions: [SubscriptionRow]? = nil, jobs: Int? = nil, reason: Reason = .user,
        started: @escaping @Sendable (SubscriptionRow) async -> Void = { _ in },
        report: @escaping @Sendable (ReloadOutcome) async -> Void
    ) async throws(LibraryError) {
        // Nobody is asked for what cannot be stored.
        if let reason = library.readOnlyReason { throw .readOnly(reason) }
        let all: [SubscriptionRow]
        // What a server reads is not asked for here.
        if let subscriptions { all = subscriptions } else { all = try library.subscriptions() }
        let own = all.filter(\.isReadHere)
        await withTaskGroup(of: Progress.self) { group in
            var turns = HostLimiter(own, most: jobs)
            func begin() {
                var begun: [SubscriptionRow] = []
                while !Task.isCancelled, let next = turns.next() { begun.append(next) }
                guard !begun.isEmpty else { return }
                // Together: one look into the library for all that begin now.
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

    /// Stops the reload of one feed; the others go on.
    package func cancel(_ subscription: Int64) { running.withLock { $0[subscription] }?.cancel() }

    /// How far a feed is: its document is here, or it is done.
    private enum Progress: Sendable {
        case arrived(SubscriptionRow, Task<ReloadOutcome?, Never>)
        case done(SubscriptionRow, ReloadOutcome?)
    }

    /// Begins to reload one feed, in a task of its own, so that it can be stopped alone, and waits until its document is here.
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

    /// Reloads one feed; `nil` when it was cancelled.
    ///
    /// - Parameter arrived: Called when its document is here.
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
                    reason: ReloadService.sentence(status: answer.status),
                    notBefore: FetchSchedule.retryAfter(answer.headers["retry-after"], now: now),
                    isGone: answer.status == 410)
            }
            let (changes, problems) = try await readingTurns.run(bytes) {
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

    /// Reads a document and stores what is new of it.
    private func read(
        _ answer: FetchResponse, of subscription: SubscriptionRow, _ stored: StoredRequest, now: Int64
    ) async throws -> (StoredChanges, [FeedProblem]) {
        let announcement = library.changes.announceFeed()
        let reading = try FeedParser.parse(
            answer.body, contentType: answer.headers["content-type"], base: answer.effectiveURL)
        let problems = reading.problems + (answer.isCut ? [FeedProblem("the document was cut off")] : [])
        // Of a document that was cut off the rest is to be asked for again: it has no validators.
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

    /// Asks for a feed's document, or runs the program that gives it.
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
            // What a filter has made of a document says nothing of how old that is: it is asked for as a whole.
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

    /// Whether a feed that moves for good would take its header lines to another origin: then it stays where it is, and is
    /// asked there, which leads on without them.
    private func movesSecrets(_ stored: StoredRequest, to address: String) -> Bool {
        let hasSecrets = !stored.headers.isEmpty || UserInfo.split(stored.url).authorization != nil
        return hasSecrets && Origin(stored.url)?.trusts(address) != true
    }

    /// Why a feed is not asked for now; `nil`: it is.
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

    static func sentence(status: Int) -> String {
        switch status {
        case 401, 403: "access denied (\(status))"
        case 404: "not found (404)"
        case 410: "gone (410)"
        case 429: "too many requests (429)"
        case 500...599: "server error (\(status))"
        default: "the server answered \(status)"
        }
    }
}
