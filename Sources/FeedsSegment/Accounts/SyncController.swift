import Accounts
import DashboardFrame
import Feeds
import LibraryKernel
import TerminalUI

/// Syncs accounts in the background: at the start, every quarter of an hour, some seconds after the last mark, and when
/// the program quits.
@MainActor
package final class SyncController {
    private let library: Library
    private let service: SyncService
    private let status: StatusController
    private let clock: @Sendable () -> Instant
    private var task: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private var sending: Task<Void, Never>?
    private var observation: Observation?
    private var lastPending = 0
    /// Called after each complete sync.
    package let didFinish: () -> Void

    /// The delay after a mark in which other marks are collected.
    private let pause: Duration
    private let interval: Duration
    /// The number of entries from which progress is shown.
    private static let many = 250

    /// - Parameter second: The duration that counts as one second; tests shorten it.
    package init(
        service: SyncService, library: Library, status: StatusController, clock: @escaping @Sendable () -> Instant,
        second: Duration = .seconds(1), didFinish: @escaping () -> Void = {}
    ) {
        pause = second * 10
        interval = second * Int(SyncService.interval)
        self.service = service
        self.didFinish = didFinish
        self.library = library
        self.status = status
        self.clock = clock
    }

    /// Starts automatic syncs.
    package func begin() {
        observation = library.observe(.accounts) { [weak self] in self?.outboxMayHaveChanged() }
        timer = Task { [weak self, interval] in
            var isStart = true
            while !Task.isCancelled {
                self?.start(nil, .timer, isOccasion: isStart)
                isStart = false
                try? await Clock.sleep(for: interval)
            }
        }
        outboxMayHaveChanged()
    }

    /// A request of the user during a sync, which runs afterwards.
    private var next: Request?

    private struct Request {
        var accounts: [AccountID]?
    }

    /// Syncs accounts. If a sync is running, a request of the user runs afterwards.
    ///
    /// - Parameters:
    ///   - accounts: Their identifiers, or `nil` for all.
    ///   - isOccasion: Whether to try a server again that was away.
    package func start(_ accounts: [AccountID]?, _ extent: SyncService.Extent, isOccasion: Bool = false) {
        guard task == nil else {
            if extent == .whole { next = Request(accounts: accounts) }
            return
        }
        guard let all = status.attempt({ try library.accounts.all(now: clock()) }) else { return }
        let wanted = all.filter { accounts?.contains($0.id) ?? true }
        guard !wanted.isEmpty else { return }
        let service = service
        task = Task { [weak self] in
            let work = Task.detached {
                for account in wanted where !Task.isCancelled {
                    let outcome = await service.sync(account, extent, isOccasion: isOccasion) { [weak self] in
                        await self?.show($0)
                    }
                    await self?.tell(account, outcome, extent)
                }
            }
            await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                work.cancel()
            }
            self?.finish(extent)
        }
    }

    private func show(_ progress: SyncProgress) {
        guard progress.total >= SyncController.many else { return }
        status.progressUnit = "entries"
        status.progress = SyncController.shown(progress)
    }

    /// The progress of a sync that fetches many entries, or `nil` if it fetches few or has fetched all.
    package static func shown(_ progress: SyncProgress) -> (done: Int, total: Int)? {
        progress.fetched < progress.total && progress.total >= many ? (progress.fetched, progress.total) : nil
    }

    private func tell(_ account: Account, _ outcome: SyncOutcome, _ extent: SyncService.Extent) {
        let note = newNote(of: account, outcome)
        guard let (sentence, isFailure) = SyncController.sentence(account.name, outcome, extent) else {
            // That marks were dropped is news, whoever started the sync.
            if let note { status.show(DisplayText("\(account.name): \(note)")) }
            return
        }
        if isFailure { return status.show(failure: sentence) }
        status.show(DisplayText(note.map { "\(sentence); \($0)" } ?? sentence))
    }

    /// Returns the note that a sync has left, such as that marks were dropped, unless the account had it before.
    private func newNote(of account: Account, _ outcome: SyncOutcome) -> String? {
        guard case .done = outcome else { return nil }
        let present = try? library.accounts.all(now: clock()).first { $0.id == account.id }
        return present?.note.flatMap { $0 == account.note ? nil : $0 }
    }

    /// The message about a finished sync, or `nil` if the user did not start it.
    package static func sentence(_ account: String, _ outcome: SyncOutcome, _ extent: SyncService.Extent) -> (
        text: String, isFailure: Bool
    )? {
        guard extent == .whole else { return nil }
        return switch outcome {
        case .done(let added, let sent): ("\(account): \(added) new, \(sent) sent", false)
        case .heldBack(let reason): ("\(account): \(reason)", false)
        case .failed(let reason): ("\(account): \(reason)", true)
        }
    }

    private func finish(_ extent: SyncService.Extent) {
        task = nil
        if extent != .send {
            status.progress = nil
            didFinish()
        }
        outboxMayHaveChanged()
        if let request = next {
            next = nil
            start(request.accounts, .whole)
        }
    }

    /// Schedules sending some seconds after the last mark.
    private func outboxMayHaveChanged() {
        guard let pending = status.attempt({ try library.outbox.count() }) else { return }
        defer { lastPending = pending }
        guard pending > lastPending else { return }
        sending?.cancel()
        sending = Task { [weak self, pause] in
            try? await Clock.sleep(for: pause)
            guard !Task.isCancelled else { return }
            self?.start(nil, .send, isOccasion: true)
        }
    }

    /// Sends pending changes before the program quits if that takes only a moment. The rest stays in the outbox.
    package func end() {
        timer?.cancel()
        sending?.cancel()
        task?.cancel()
        observation = nil
        guard (try? library.outbox.count()) ?? 0 > 0 else { return }
        _ = try? runBlocking(atMost: .milliseconds(1_500)) { [service] in
            try await service.syncAll(.send, isOccasion: true)
        }
    }
}
