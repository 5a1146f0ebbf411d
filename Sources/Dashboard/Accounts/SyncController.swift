import Dispatch
import ModelCore
import TerminalUI

/// Syncs accounts beside the interface: at the start, every quarter of an hour, some seconds after the last mark, and at the end.
@MainActor
final class SyncController {
    private let library: Library
    private let service: SyncService
    private let status: StatusController
    private let clock: @Sendable () -> Int64
    private var task: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private var sending: Task<Void, Never>?
    private var observation: Observation?
    private var lastPending = 0
    /// Called after each sync of all that a server has.
    var didFinish: () -> Void = {}

    /// How long marks wait for more of them.
    private let pause: Duration
    /// The time between two full syncs.
    private let interval: Duration
    /// Entries from which the fetching of them is shown.
    private static let many = 250

    /// - Parameter second: The duration that counts as one second; tests shorten it.
    init(
        service: SyncService, library: Library, status: StatusController, clock: @escaping @Sendable () -> Int64,
        second: Duration = .seconds(1)
    ) {
        pause = second * 10
        interval = second * Int(SyncService.interval)
        self.service = service
        self.library = library
        self.status = status
        self.clock = clock
    }

    /// Begins to sync by itself.
    func begin() {
        observation = library.observe(.accounts) { [weak self] in self?.outboxMayHaveChanged() }
        timer = Task { [weak self, interval] in
            while !Task.isCancelled {
                self?.start(nil, .timer)
                try? await Task.sleep(for: interval)
            }
        }
        outboxMayHaveChanged()
    }

    /// What its user has asked for while a sync ran: done after it.
    private var next: Request?

    private struct Request {
        var accounts: [Int64]?
    }

    /// Syncs accounts; while a sync runs, what a user asks for is done after it.
    ///
    /// - Parameter accounts: Their identities; `nil`: all.
    func start(_ accounts: [Int64]?, _ extent: SyncService.Extent) {
        guard task == nil else {
            if extent == .whole { next = Request(accounts: accounts) }
            return
        }
        guard let all = try? library.accounts(now: clock()) else { return }
        let wanted = all.filter { accounts?.contains($0.id) ?? true }
        guard !wanted.isEmpty else { return }
        let service = service
        task = Task { [weak self] in
            let work = Task.detached {
                for account in wanted where !Task.isCancelled {
                    let outcome = await service.sync(account, extent) { [weak self] in await self?.show($0) }
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
        status.progress = SyncController.shown(progress)
    }

    /// The progress of a sync that fetches many entries, or `nil` if it fetches few or has fetched all.
    static func shown(_ progress: SyncProgress) -> (done: Int, total: Int)? {
        progress.fetched < progress.total && progress.total >= many ? (progress.fetched, progress.total) : nil
    }

    private func tell(_ account: Account, _ outcome: SyncOutcome, _ extent: SyncService.Extent) {
        guard let (sentence, isFailure) = SyncController.sentence(account.name, outcome, extent) else { return }
        if isFailure { status.show(failure: sentence) } else { status.show(DisplayText(sentence)) }
    }

    /// The message about a finished sync, or `nil` if the user did not start it.
    static func sentence(_ account: String, _ outcome: SyncOutcome, _ extent: SyncService.Extent) -> (
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

    /// Marks are sent some seconds after the last of them.
    private func outboxMayHaveChanged() {
        let pending = (try? library.pendingCount()) ?? 0
        defer { lastPending = pending }
        guard pending > lastPending else { return }
        sending?.cancel()
        sending = Task { [weak self, pause] in
            try? await Task.sleep(for: pause)
            guard !Task.isCancelled else { return }
            self?.start(nil, .send)
        }
    }

    /// What waits is sent before the program ends, as far as that takes a moment only; the rest stays in the outbox.
    func end() {
        timer?.cancel()
        sending?.cancel()
        task?.cancel()
        observation = nil
        guard (try? library.pendingCount()) ?? 0 > 0 else { return }
        let (service, isDone) = (service, DispatchSemaphore(value: 0))
        let work = Task.detached {
            try? await service.syncAll(.send)
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(1_500))
        work.cancel()
    }
}
