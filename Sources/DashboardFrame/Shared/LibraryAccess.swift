import LibraryKernel
import ModelCore
import Platform
import TerminalUI

/// Reads and changes the library and its settings. Errors appear in the status line.
@MainActor
package final class LibraryAccess {
    package let library: Library
    package let settings: Settings
    package let status: StatusController
    package let changes: ChangeController
    /// The screens that keys wait for.
    package let awaitedScreens = AwaitedScreens()
    /// Returns the current time.
    package let clock: @Sendable () -> Instant
    package private(set) weak var router: (any DashboardRouter)?
    /// How long the main thread waits for a background read.
    private let patience: Duration
    /// The reads that nothing else holds, by number.
    private var questions: [Int: BackgroundRead] = [:]
    private var lastQuestion = 0
    /// When a read took longer than that.
    private var lastWait: ContinuousClock.Instant?

    /// - Parameters:
    ///   - patience: How long the main thread waits for a background read.
    ///   - router: Learns which settings have changed.
    package init(
        library: Library, settings: Settings, status: StatusController, clock: @escaping @Sendable () -> Instant,
        patience: Duration, router: (any DashboardRouter)? = nil
    ) {
        self.patience = patience
        self.library = library
        self.settings = settings
        self.status = status
        self.clock = clock
        self.router = router
        changes = ChangeController(library: library, status: status)
    }

    /// Waits for the effects of the changes that a key has made, so that they appear with the first frame after it.
    package func finishInput() {
        Coalescer.answersInput = true
        defer { Coalescer.answersInput = false }
        changes.awaitReceipts(atMost: min(patience, LibraryAccess.patienceForReceipts))
    }

    /// How long the frame of a key waits at most until its changes are stored.
    private static let patienceForReceipts = Duration.milliseconds(4)

    /// Runs work that returns a message, and shows the message or the error in the status line.
    package func tell(_ work: () throws -> String) {
        do {
            status.show(DisplayText(try work()))
        } catch {
            status.show(failure: error)
        }
    }

    /// Reads on a background thread what may take long, such as a search. Errors appear in the status line.
    ///
    /// The result is used at once if it comes within the time that nobody notices, otherwise when it comes.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether the main thread waits at all.
    ///   - cost: The processor time of an equal read before. The main thread doesn't wait for an expensive one again.
    ///   - body: The read. It may pass on parts of its value before it returns the whole.
    ///   - use: Receives the value, or a part of it. The value is `nil` if the read failed.
    /// - Returns: The read, which is cancelled when it is released.
    package func read<Value: Sendable>(
        isUrgent: Bool = true, cost: Duration = .zero,
        _ body: @escaping @Sendable (Library, (Value) -> Void) throws -> Value,
        then use: @escaping @MainActor (_ value: Value?, _ isWhole: Bool, _ cost: Duration) -> Void
    ) -> BackgroundRead {
        // Several slow reads for one key share the time.
        let isTired = lastWait.map { $0.duration(to: Clock.uptime) < self.patience * 4 } ?? false
        let patience = !isUrgent || isTired || cost > self.patience / 4 ? .zero : self.patience
        var isInTime = false
        let read = library.read(waiting: patience, body) { [weak self] result in
            if result.isWhole { isInTime = true }
            switch result.value {
            case .success(let value): use(value, result.isWhole, result.cost)
            case .failure(let error):
                self?.status.show(failure: error)
                use(nil, true, result.cost)
            }
        }
        if !isInTime, patience > .zero { lastWait = Clock.uptime }
        return read
    }

    /// Reads on a background thread what may take long, and uses the value unless the read fails.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Library) throws -> Value, then use: @escaping @MainActor (Value) -> Void
    ) -> BackgroundRead {
        read({ library, _ in try body(library) }, then: { value, _, _ in if let value { use(value) } })
    }

    /// Reads on a background thread what decides which screen follows, and uses the value unless the read fails. Further
    /// keys wait for it.
    package func readForScreen<Value: Sendable>(
        _ body: @escaping @Sendable (Library) throws -> Value, then use: @escaping @MainActor (Value) -> Void
    ) -> BackgroundRead {
        let ticket = awaitedScreens.add()
        return read({ library, _ in try body(library) }) { (value: Value?, _, _) in
            ticket.end()
            if let value { use(value) }
        }
    }

    /// Reads on a background thread what the user has asked for, and uses the value unless the read fails. Further keys
    /// wait for it, because it opens a question.
    package func ask<Value: Sendable>(
        _ body: @escaping @Sendable (Library) throws -> Value, then use: @escaping @MainActor (Value) -> Void
    ) {
        lastQuestion += 1
        let number = lastQuestion
        var isAnswered = false
        let ticket = awaitedScreens.add()
        let question = read({ library, _ in try body(library) }) { [weak self] (value: Value?, _, _) in
            isAnswered = true
            ticket.end()
            self?.questions[number] = nil
            if let value { use(value) }
        }
        if !isAnswered { questions[number] = question }
    }

    /// Reads from the library what takes no longer in a large one. Errors appear in the status line.
    package func read<Value>(_ fallback: Value, _ body: (Library) throws -> Value) -> Value {
        do {
            return try body(library)
        } catch {
            status.show(failure: error)
            return fallback
        }
    }

    /// Submits a change from which the next key may continue, such as a switch. Further keys wait until it is stored.
    package func submitStep(
        _ change: Change, isOwnStep: Bool = true, message: DisplayText? = nil,
        stored: @escaping @MainActor () -> Void = {}
    ) {
        let ticket = awaitedScreens.add()
        changes.submit(change, isOwnStep: isOwnStep, message: message) { _ in
            ticket.end()
            stored()
        }
    }

    /// Changes a setting. The new value applies once it is stored. If several changes are pending, only the last
    /// applies.
    package func set(_ value: String?, for name: String) {
        submitStep(.set(name, value)) { [weak self] in
            guard let self, !self.changes.willSet(name) else { return }
            self.settings.use(value, for: name)
            self.router?.settingDidChange(name)
        }
    }
}
