import Platform

/// Decides whether work that failed is tried again, and after which pause.
struct RetryPolicy {
    /// The pauses between attempts in milliseconds. The last one repeats.
    private static let pauses = [20, 50, 100, 250, 500, 1000, 2000]
    private var attempts = 0

    static func mayRetry(_ work: QueuedWork, after error: LibraryError) -> Bool {
        guard error.isTransient else { return false }
        switch work.patience {
        case .untilLeaving: return true
        case .seconds(let seconds):
            return error.isBusy && work.submitted.duration(to: Stopwatch.now) < .seconds(seconds)
        }
    }

    /// Returns the pause before the next attempt in milliseconds.
    mutating func nextPause() -> Int {
        defer { attempts += 1 }
        return RetryPolicy.pauses[min(attempts, RetryPolicy.pauses.count - 1)]
    }

    /// Starts again with the shortest pause, after a success.
    mutating func reset() { attempts = 0 }
}
