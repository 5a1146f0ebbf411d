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
    private static let pause = Duration.seconds(10)
    /// Entries from which the fetching of them is shown.
    private static let many = 250

    init(service: SyncService, library: Library, status: StatusController, clock: @escaping @Sendable () -> Int64) {
        self.service = service
        self.library = library
        self.status = status
        self.clock = clock
    }

    /// Begins to sync by itself.
    func begin() {
        observation = library.observe(.accounts) { [weak self] in self?.outboxMayHaveChanged() }
        timer = Task { [weak self] in
            while !Task.isCancelled {
                self?.start(nil, .timer)
                try? await Task.sleep(for: .seconds(Int(SyncService.interval)))
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
        status.progress = progress.fetched < progress.total ? (progress.fetched, progress.total) : nil
    }

    private func tell(_ account: Account, _ outcome: SyncOutcome, _ extent: SyncService.Extent) {
        guard extent == .whole else { return }
        switch outcome {
        case .done(let added, let sent): status.show(DisplayText("\(account.name): \(added) new, \(sent) sent"))
        case .heldBack(let reason): status.show(DisplayText("\(account.name): \(reason)"))
        case .failed(let reason): status.show(failure: "\(account.name): \(reason)")
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
        sending = Task { [weak self] in
            try? await Task.sleep(for: SyncController.pause)
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
