/// Reports changes that can't be stored for now, each state once.
struct WaitingReport: Sendable {
    /// The reason in a sentence without a full stop, or `nil` if there is no error.
    var delayReason: String?
    var tell: @Sendable (ChangeQueue.Waiting) -> Void = { _ in }
    private var last = ChangeQueue.Waiting()

    /// Returns what to report, or `nil` if it was reported before.
    ///
    /// - Parameter count: The number of changes that aren't stored.
    mutating func news(count: Int) -> ChangeQueue.Waiting? {
        let waiting = delayReason == nil ? .init() : ChangeQueue.Waiting(count: count, delayReason: delayReason)
        guard waiting != last else { return nil }
        last = waiting
        return waiting
    }
}
