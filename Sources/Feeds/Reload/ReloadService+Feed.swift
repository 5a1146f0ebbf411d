import FeedParsing
import Fetching
import Foundation
import LibraryKernel
import Platform
import WebAddresses

/// The reload of one feed.
extension ReloadService {
    /// Reloads one feed. Returns `nil` if it was cancelled.
    ///
    /// - Parameter arrived: Called when the document has arrived.
    func reload(
        _ subscription: SubscriptionRow, _ request: Result<StoredRequest?, LibraryError>, _ order: ReloadOrder,
        arrived: () -> Void
    ) async -> ReloadOutcome? {
        var outcome = ReloadOutcome(subscription: subscription, result: .unchanged, problems: [], seconds: 0)
        do {
            guard let stored = try request.get() else { return nil }
            if let reason = order.heldBack(subscription.id, stored, now: clock()) {
                outcome.result = .heldBack(reason)
                return outcome
            }
            let known = order.answers[subscription.id]
            var answer = if let known { try known.get() } else { try await fetch(stored) }
            outcome.seconds = answer.seconds
            if Task.isCancelled { return nil }
            if answer.status == 304 {
                try await noteUnchanged(answer, of: subscription, stored)
            } else {
                try rejectFailure(answer)
                let (changes, problems) = try await read(&answer, of: subscription, stored, arrived: arrived)
                outcome.problems = problems
                if changes.added + changes.updated > 0 { outcome.result = .changed(changes) }
            }
            outcome.merge = try await mergeMoved(subscription, answer, stored)
            if outcome.merge != nil { return outcome }
            if answer.isCut {
                outcome.result = .failed(ReloadService.truncation)
                return outcome
            }
            await fullTexts.fetch(of: subscription.id, url: stored.url, options: stored.options)
        } catch FetchError.cancelled {
            return nil
        } catch {
            try? await noteFailure(error, of: subscription)
            (outcome.result, outcome.problems) = (.failed("\(error)"), [])
        }
        return outcome
    }

    // MARK: Fetching

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
        let start = Stopwatch.now
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
            return try FetchResponse(
                program: body, of: answer, seconds: start.duration(to: Stopwatch.now) / .seconds(1))
        } catch is CancellationError {
            throw FetchError.cancelled
        }
    }

    /// Throws an error if the server didn't send a document.
    private func rejectFailure(_ answer: FetchResponse) throws {
        guard (200..<300).contains(answer.status) else {
            throw ReloadFailure(
                reason: Refusal.sentence(for: answer),
                notBefore: FetchSchedule.retryAfter(answer.headers["retry-after"], now: clock()),
                isGone: answer.status == 410)
        }
    }

    // MARK: Storing

    /// Parses a document and stores its new entries, once few enough other documents are being parsed.
    private func read(
        _ answer: inout FetchResponse, of subscription: SubscriptionRow, _ stored: StoredRequest, arrived: () -> Void
    ) async throws -> (StoredChanges, [FeedProblem]) {
        let bytes = answer.body.count
        waitingBytes.withLock { $0 += bytes }
        return try await readingLimiter.run(bytes) {
            waitingBytes.withLock { $0 -= bytes }
            arrived()
            let reservation = library.changes.reserve()
            let (feed, problems) = try prepare(&answer, of: subscription, stored, now: clock())
            let changes = try await library.changes.perform(
                StoreFeed(feed, in: subscription.id, rules: library.rules), reservation
            ).stored
            return (changes, problems)
        }
    }

    /// Parses a document and releases it, so that a feed that waits to be stored takes little memory.
    private func prepare(
        _ answer: inout FetchResponse, of subscription: SubscriptionRow, _ stored: StoredRequest, now: Instant
    ) throws -> (PreparedFeed, [FeedProblem]) {
        let reading: FeedReading
        do {
            reading = try FeedParser.parse(
                answer.body, contentType: answer.headers["content-type"], base: answer.effectiveURL)
        } catch {
            if let reason = Refusal.guardian(of: answer) { throw ReloadFailure(reason: reason) }
            throw error
        }
        answer.body = []
        var problems = reading.problems + (answer.isCut ? [FeedProblem("the document was cut off")] : [])
        // A document may name any address, so only the user follows it.
        var announced: String?
        if let address = reading.feed.newAddress, EntryFacts.page(of: address) != EntryFacts.page(of: stored.url) {
            problems.append(FeedProblem("the feed asks its readers to follow \(address) instead"))
            announced = address
        }
        // Stored without validators, the rest of a truncated document and the dates of entries in the clock's future come
        // with the next request.
        let isCut = answer.isCut || reading.isCutOff
        let isIncomplete = isCut || FetchSchedule.isClockBehind(answer.headers, now: now)
        var record = FetchRecord(
            etag: isIncomplete ? nil : answer.headers["etag"],
            lastModified: isIncomplete ? nil : FetchSchedule.lastModified(answer.headers["last-modified"], now: now),
            permanentURL: permanentAddress(answer, stored),
            nextFetch: FetchSchedule.next(headers: answer.headers, ttlMinutes: reading.feed.timeToLive, now: now),
            date: now)
        (record.timeToLive, record.skippedTimes) = (reading.feed.timeToLive, reading.feed.skippedTimes)
        (record.problems, record.announcedAddress) = (problems.map(\.description), announced)
        record.failure = answer.isCut ? ReloadService.truncation : nil
        record.isCut = isCut
        let feed = PreparedFeed(reading.feed, record: record, compressing: subscription.total == 0)
        return (feed, problems + feed.problems)
    }

    /// Returns the address to which a server moves a feed, if the feed may move there.
    private func permanentAddress(_ answer: FetchResponse, _ stored: StoredRequest) -> String? {
        answer.permanentURL.flatMap { movesSecrets(stored, to: $0) ? nil : $0 }
    }

    /// The number of reloads after which a permanent redirect to another feed merges the two. The first may be a
    /// mistake of the server. Later ones don't count, so that a merge that the user has undone isn't repeated.
    private static let lastingRedirects = 2

    /// Merges a feed with the one that has its new address, if the server redirects it there permanently.
    ///
    /// - Returns: What was done, or `nil` if nothing was.
    private func mergeMoved(
        _ subscription: SubscriptionRow, _ answer: FetchResponse, _ stored: StoredRequest
    ) async throws -> ReloadOutcome.Merge? {
        let address = permanentAddress(answer, stored)
        guard address != nil || stored.options.redirect != nil else { return nil }
        let noted = try await library.changes.perform(NoteRedirect(feed: subscription.id, address: address))
        guard let redirect = noted.answer as? NoteRedirect.Answer, redirect.times == ReloadService.lastingRedirects,
            let present = try library.feeds.feed(redirect.present)
        else { return nil }
        let change = Change(MergeFeeds(feed: subscription.id, present: present.id))
        let receipt = try await library.changes.perform(change)
        return receipt.count > 0
            ? ReloadOutcome.Merge(feed: subscription, into: present, change: change, receipt: receipt) : nil
    }

    /// Whether a permanent redirect would send the feed's header lines to another origin. Then the feed keeps its
    /// address, which redirects without them.
    private func movesSecrets(_ stored: StoredRequest, to address: String) -> Bool {
        let hasSecrets = !stored.headers.isEmpty || UserInfo.split(stored.url).authorization != nil
        return hasSecrets && Origin(stored.url)?.trusts(address) != true
    }

    private func noteUnchanged(
        _ answer: FetchResponse, of subscription: SubscriptionRow, _ stored: StoredRequest
    ) async throws {
        if stored.etag == nil, stored.lastModified == nil {
            throw ReloadFailure(reason: "unexpected answer 304 Not Modified")
        }
        let now = clock()
        let next = FetchSchedule.next(headers: answer.headers, ttlMinutes: stored.timeToLive, now: now)
        // What the response doesn't mention stays valid.
        let kept = FetchSchedule.statesValidity(answer.headers) ? nil : stored.validity.map { now + $0 }
        try await library.changes.perform(
            NoteUnchanged(
                subscription.id, etag: answer.headers["etag"], lastModified: answer.headers["last-modified"],
                permanentURL: permanentAddress(answer, stored), nextFetch: [next, kept].compactMap { $0 }.max(),
                date: now))
    }

    private static let truncation =
        "the document was cut off; tappa read what arrived and fetches the rest at the next reload"

    private func noteFailure(_ error: any Error, of subscription: SubscriptionRow) async throws {
        let failure = error as? ReloadFailure
        try await library.changes.perform(
            NoteFailure(
                subscription.id, "\(error)", notBefore: failure?.notBefore, isGone: failure?.isGone ?? false,
                date: clock()))
    }

    private struct ReloadFailure: Error, CustomStringConvertible {
        var reason: String
        var notBefore: Instant?
        var isGone = false
        var description: String { reason }
    }
}
