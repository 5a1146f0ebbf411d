import Dispatch
import Synchronization

/// Runs asynchronous work and waits for it, for commands without an interface.
func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        isDone.signal()
    }
    isDone.wait()
    guard let outcome = result.withLock({ $0 }) else { preconditionFailure("the task finished") }
    return try outcome.get()
}
