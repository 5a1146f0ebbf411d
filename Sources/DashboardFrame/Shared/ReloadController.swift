import Feeds
import LibraryKernel
import ModelCore
import Platform
import TerminalUI

/// Runs reloads in the background, one at a time, and shows their progress.
@MainActor
package final class ReloadController {
    private let service: ReloadService
    private let status: StatusController
    private var task: Task<Void, Never>?
    /// A feed of the current or last reload.
    package struct Item {
        /// The progress of the feed.
        package enum State {
            case running(since: ContinuousClock.Instant)
            case done(ReloadOutcome)
        }

        package var subscription: SubscriptionRow
        package var state: State

        /// The position in the list: running feeds, failed feeds, then others.
        package var rank: Int {
            guard case .done(let outcome) = state else { return 0 }
            if case .failed = outcome.result { return 1 }
            return 2
        }

        /// The seconds elapsed so far.
        package var seconds: Double {
            switch state {
            case .running(let start): start.duration(to: Clock.uptime) / .seconds(1)
            case .done(let outcome): outcome.seconds
            }
        }
    }

    private var items: [FeedID: Item] = [:]
    private var listeners = WeakListeners()
    private var failures = 0
    private var added = 0
    private var merges: [ReloadOutcome.Merge] = []
    /// Called after each reload.
    package let didFinish: () -> Void
    /// Lets the user undo that a feed was merged into another.
    private let offerUndo: (Change, Receipt) -> Void

    package init(
        service: ReloadService, status: StatusController, offerUndo: @escaping (Change, Receipt) -> Void = { _, _ in },
        didFinish: @escaping () -> Void
    ) {
        self.service = service
        self.status = status
        self.offerUndo = offerUndo
        self.didFinish = didFinish
    }

    package var isRunning: Bool { task != nil }

    /// A reload that the user has requested during another.
    private struct Request {
        var subscriptions: [SubscriptionRow]
        var reason: ReloadService.Reason
        var answers: [FeedID: FirstAnswer]
    }

    private var waiting: [Request] = []
    private var isAutomatic = false

    /// Reloads feeds.
    ///
    /// During an automatic reload, a request of the user waits for its end. A second request of the user is refused,
    /// unless it only stores what is already read.
    package func start(
        _ subscriptions: [SubscriptionRow], reason: ReloadService.Reason = .user, refresh: Int = 0,
        answers: [FeedID: FirstAnswer] = [:]
    ) {
        guard task == nil else {
            if isAutomatic || !answers.isEmpty {
                return waiting.append(Request(subscriptions: subscriptions, reason: reason, answers: answers))
            }
            return status.show(DisplayText("A reload is running. \(status.key(FeedCommands.stopReload)) stops it."))
        }
        guard !subscriptions.isEmpty else { return status.show("No feeds to reload.") }
        failures = 0
        added = 0
        merges = []
        items = [:]
        isAutomatic = reason == .timer
        status.progressUnit = "feeds"
        status.progress = (0, subscriptions.count)
        let service = service
        task = Task {
            let work = Task.detached {
                try await service.reload(subscriptions, reason: reason, refresh: refresh, answers: answers) {
                    subscription in
                    await self.noteStart(subscription)
                } report: { outcome in
                    await self.note(outcome)
                }
            }
            let result = await withTaskCancellationHandler {
                await work.result
            } onCancel: {
                work.cancel()
            }
            finish(result)
        }
    }

    /// Calls `hear` when an item has changed, as long as the owner exists.
    package func listen(_ owner: AnyObject, _ hear: @escaping @MainActor () -> Void) { listeners.add(owner, hear) }

    /// Whether a feed is being fetched.
    package func isReading(_ subscription: FeedID) -> Bool {
        if case .running = items[subscription]?.state { isRunning } else { false }
    }

    /// Stops the reload. Completed feeds stay.
    package func stop() {
        waiting = []
        task?.cancel()
    }

    /// Stops one feed. The others continue.
    package func cancel(_ subscription: FeedID) { service.cancel(subscription) }

    /// The running and completed feeds: running ones, then failed ones, each slowest first.
    package var watched: [Item] {
        ReloadController.ordered(Array(items.values))
    }

    /// Returns items in display order.
    package static func ordered(_ items: [Item]) -> [Item] {
        // The duration of running feeds grows, so each is read only once.
        items.map { (item: $0, seconds: $0.seconds) }.sorted {
            ($0.item.rank, -$0.seconds, $0.item.subscription.id) < ($1.item.rank, -$1.seconds, $1.item.subscription.id)
        }.map(\.item)
    }

    private func noteStart(_ subscription: SubscriptionRow) {
        items[subscription.id] = Item(subscription: subscription, state: .running(since: Clock.uptime))
        listeners.notify()
    }

    private func note(_ outcome: ReloadOutcome) {
        items[outcome.subscription.id] = Item(subscription: outcome.subscription, state: .done(outcome))
        listeners.notify()
        switch outcome.result {
        case .changed(let changes): added += changes.added
        case .unchanged, .heldBack: break
        case .failed: failures += 1
        }
        if let merge = outcome.merge {
            merges.append(merge)
            offerUndo(merge.change, merge.receipt)
        }
        if let progress = status.progress { status.progress = (progress.done + 1, progress.total) }
    }

    private func finish(_ result: Result<Void, any Error>) {
        let wasStopped = task?.isCancelled == true
        task = nil
        status.progress = nil
        didFinish()
        if case .failure(let error) = result {
            status.show(failure: "\(error)")
        } else if let merge = merges.last {
            status.show(
                DisplayText(
                    "\(merge.sentence)\(merges.count > 1 ? ", and \(merges.count - 1) more" : "")."
                        + " \(status.key(ProgramCommands.undo)) undoes it."))
        } else if !isAutomatic || added > 0 || wasStopped {
            status.show(ReloadController.sentence(added: added, failures: failures, wasStopped: wasStopped))
        }
        guard !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        start(next.subscriptions, reason: next.reason, answers: next.answers)
    }

    /// Returns the message about a finished reload.
    package static func sentence(added: Int, failures: Int, wasStopped: Bool) -> DisplayText {
        var sentence = added.counted("new entry", "new entries")
        if failures > 0 { sentence += ", \(failures.counted("feed")) failed" }
        return DisplayText(wasStopped ? "Stopped: \(sentence)" : sentence)
    }
}
