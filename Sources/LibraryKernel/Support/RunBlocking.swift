import Platform
import Synchronization

/// Runs asynchronous work in a task of its own, and blocks the thread until it ends.
package func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    guard let value = try runBlocking(atMost: nil, work) else { preconditionFailure("the task finished") }
    return value
}

/// Runs asynchronous work in a task of its own, and blocks the thread until it ends, or for a time.
///
/// - Parameter duration: The time after which the work is cancelled, or `nil` for no limit.
/// - Returns: The result, or `nil` if the work took longer.
package func runBlocking<Value: Sendable>(
    atMost duration: Duration?, _ work: @escaping @Sendable () async throws -> Value
) throws -> Value? {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isDone = Semaphore()
    let task = Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        isDone.signal()
    }
    if let duration {
        if !isDone.wait(atMost: duration) { task.cancel() }
    } else {
        isDone.wait()
    }
    return try result.withLock { $0 }?.get()
}
