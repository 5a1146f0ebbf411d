/// Waits until a condition holds, 30 seconds at most.
///
/// - Returns: Whether it holds.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while try !condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
