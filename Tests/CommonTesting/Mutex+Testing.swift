import Synchronization

extension Mutex where Value == Int {
    /// Adds one, and returns the result.
    package func increment() -> Int {
        withLock { value in
            value += 1
            return value
        }
    }
}
