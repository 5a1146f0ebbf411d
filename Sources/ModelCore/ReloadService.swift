import FeedParsing
import Fetching
import Foundation

/// What became of one feed in a reload.
package struct ReloadOutcome: Sendable {
    /// How it ended.
    package enum Result: Sendable {
        case changed(StoredChanges)
        case unchanged
        case failed(String)
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

    /// Makes a service.
    ///
    /// - Parameter clock: Gives the present, in seconds since 1970.
    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Reloads subscriptions and tells of each as it is done. Cancelling the task leaves whole feeds behind.
    ///
    /// - Parameters:
    ///   - subscriptions: The feeds; `nil`: all.
    ///   - jobs: How many are fetched at once.
    ///   - report: Called with each outcome, in the order in which they are done.
    package func reload(
        _ subscriptions: [SubscriptionRow]? = nil, jobs: Int = 16,
        report: @escaping @Sendable (ReloadOutcome) async -> Void
    ) async throws(LibraryError) {
        let all: [SubscriptionRow]
        if let subscriptions { all = subscriptions } else { all = try library.subscriptions() }
        await withTaskGroup(of: ReloadOutcome?.self) { group in
            var waiting = all[...]
            for _ in 0..<max(1, min(jobs, all.count)) {
                if let next = waiting.popFirst() { group.addTask { await self.reload(next) } }
            }
            while let outcome = await group.next() {
                if let outcome { await report(outcome) }
                if !Task.isCancelled, let next = waiting.popFirst() { group.addTask { await self.reload(next) } }
            }
        }
    }

    /// Reloads one feed; `nil` when it was cancelled.
    private func reload(_ subscription: SubscriptionRow) async -> ReloadOutcome? {
        var seconds = 0.0
        do {
            let validators = try library.validators(of: subscription.id)
            let answer = try await fetcher.fetch(
                FetchRequest(url: subscription.url, etag: validators.etag, lastModified: validators.lastModified))
            seconds = answer.seconds
            if Task.isCancelled { return nil }
            if answer.status == 304 {
                try await library.noteUnchanged(subscription.id, date: clock())
                return ReloadOutcome(subscription: subscription, result: .unchanged, problems: [], seconds: seconds)
            }
            guard (200..<300).contains(answer.status) else {
                throw ReloadFailure(reason: ReloadService.sentence(status: answer.status))
            }
            let reading = try FeedParser.parse(
                answer.body, contentType: answer.headers["content-type"], base: answer.effectiveURL)
            let record = FetchRecord(
                etag: answer.headers["etag"], lastModified: answer.headers["last-modified"], date: clock())
            let changes = try await library.store(reading.feed, in: subscription.id, record: record)
            let isChanged = changes.added + changes.updated > 0
            return ReloadOutcome(
                subscription: subscription, result: isChanged ? .changed(changes) : .unchanged,
                problems: reading.problems, seconds: seconds)
        } catch FetchError.cancelled {
            return nil
        } catch {
            let reason = "\(error)"
            try? await library.noteFailure(reason, in: subscription.id, date: clock())
            return ReloadOutcome(subscription: subscription, result: .failed(reason), problems: [], seconds: seconds)
        }
    }

    private struct ReloadFailure: Error, CustomStringConvertible {
        var reason: String
        var description: String { reason }
    }

    private static func sentence(status: Int) -> String {
        switch status {
        case 401, 403: "the server refuses access (\(status))"
        case 404: "the server has no such document (404)"
        case 410: "the feed is gone for good (410)"
        case 429: "the server asks for fewer requests (429)"
        case 500...599: "the server has a problem of its own (\(status))"
        default: "the server answered \(status)"
        }
    }
}
