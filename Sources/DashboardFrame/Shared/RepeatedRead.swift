import LibraryKernel
import Platform

/// A value that is read from the library in the background, and again whenever the library has changed.
///
/// There is only one read at a time, and the pauses between them grow with their cost: a slow search isn't repeated for
/// each change while the library changes all the time.
@MainActor
package final class RepeatedRead<Value: Sendable> {
    /// Reads the value from a library. It may pass on parts before it returns the whole.
    package typealias Body = @Sendable (_ library: Library, _ part: (Value) -> Void) throws -> Value

    private let access: LibraryAccess
    /// Whether the main thread waits a few milliseconds for a cheap read, so that the value appears together with what
    /// asked for it.
    package var isUrgent: Bool
    private let body: () -> Body?
    private let use: (_ value: Value, _ isWhole: Bool) -> Void
    private var current: BackgroundRead?
    private var isWanted = false
    private var cost = Duration.zero
    private var earliest: ContinuousClock.Instant?
    private var pause: Task<Void, Never>?
    /// The processor time from which on a read is followed by a pause, and the ratio of the two.
    private static var expensive: Duration { .milliseconds(4) }
    private static var pausesPerRead: Int { 20 }

    /// - Parameters:
    ///   - isUrgent: Whether the main thread waits for a cheap read.
    ///   - body: Returns what to read now, or `nil` for nothing.
    ///   - use: Receives the value, and parts of it.
    package init(
        access: LibraryAccess, isUrgent: Bool = true, _ body: @escaping () -> Body?,
        then use: @escaping (_ value: Value, _ isWhole: Bool) -> Void
    ) {
        self.access = access
        self.isUrgent = isUrgent
        self.body = body
        self.use = use
    }

    /// Whether a read is under way or waits for its turn.
    package var isReading: Bool { isWanted || current != nil }

    /// Reads the value: at once if that was cheap before, otherwise after a pause.
    package func start() {
        isWanted = true
        startIfDue()
    }

    /// Cancels the read, and reads something else at once.
    package func restart() {
        current = nil
        pause?.cancel()
        (pause, earliest, cost) = (nil, nil, .zero)
        start()
    }

    private func startIfDue() {
        guard isWanted, current == nil, pause == nil else { return }
        if let earliest, earliest > Clock.uptime { return wait(until: earliest) }
        isWanted = false
        guard let body = body() else { return }
        var hasEnded = false
        let read = access.read(isUrgent: isUrgent, cost: cost, body) { [weak self] value, isWhole, cost in
            if isWhole {
                hasEnded = true
                self?.didEnd(cost)
            }
            if let value { self?.use(value, isWhole) }
            if isWhole { self?.startIfDue() }
        }
        if !hasEnded { current = read }
    }

    private func wait(until end: ContinuousClock.Instant) {
        pause = Task { [weak self] in
            try? await Clock.sleep(until: end)
            guard !Task.isCancelled, let self else { return }
            self.pause = nil
            self.startIfDue()
        }
    }

    private func didEnd(_ cost: Duration) {
        current = nil
        self.cost = cost
        earliest = cost > RepeatedRead.expensive ? Clock.uptime + cost * RepeatedRead.pausesPerRead : nil
    }
}
