import Dispatch
import Foundation
import Platform
import Testing

@testable import LibraryKernel

/// Threads wait until a state that they share meets a condition.
@Suite struct WaitsForStates {
    /// A condition that held between two changes was met, whatever the state is when the thread continues.
    @Test func continuesOnceTheConditionWasMet() async {
        let (monitor, isWaiting) = (Monitor(0), DispatchSemaphore(value: 0))
        let wasMet = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            Thread.detachNewThread {
                let wasMet = monitor.wait(until: Stopwatch.now + .seconds(60)) { state in
                    if state == 0 { isWaiting.signal() }
                    return state == 2
                }
                continuation.resume(returning: wasMet)
            }
            isWaiting.wait()
            for state in 1...3 { monitor.withState { $0 = state } }
        }
        #expect(wasMet)
    }

    @Test func endsAtItsDeadline() {
        let monitor = Monitor(0)
        #expect(!monitor.wait(until: Stopwatch.now + .milliseconds(5)) { $0 == 1 })
        monitor.withState { $0 = 1 }
        #expect(monitor.wait(until: Stopwatch.now) { $0 == 1 })
        // What came while nobody waited isn't left for the next wait.
        monitor.withState { $0 = 0 }
        #expect(!monitor.wait(until: Stopwatch.now + .milliseconds(5)) { $0 == 1 })
    }
}
