import Foundation

/// How long tests wait for an event. The time is long because a machine may be busy; only failing tests use all of it.
package enum Patience {
    /// Half a minute, or `TEST_PATIENCE` seconds.
    package static let whole = Duration.seconds(
        ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap { Int($0) } ?? 30)
}

/// Waits until a condition holds, ``Patience/whole`` at most.
///
/// - Parameters:
///   - limit: The longest time to wait.
///   - pause: The time between two looks, for conditions that cost something.
/// - Returns: Whether it holds.
package func eventually(
    within limit: Duration = Patience.whole, every pause: Duration = .milliseconds(5),
    isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else { return false }
        try? await Task.sleep(for: pause)
    }
    return true
}

/// The same for tests that block their thread, such as those that use a terminal through its file.
package func waitUntil(
    within limit: Duration = Patience.whole, every pause: Duration = .milliseconds(5), _ condition: () throws -> Bool
) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        Thread.sleep(forTimeInterval: pause / .seconds(1))
    }
    return true
}
