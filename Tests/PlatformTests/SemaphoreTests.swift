import Foundation
import Testing

@testable import Platform

@Suite struct SemaphoreTests {
    @Test func countsSignals() {
        let semaphore = Semaphore()
        #expect(!semaphore.wait(atMost: .zero) && !semaphore.wait(atMost: .seconds(-5)))
        for _ in 0..<2 { semaphore.signal() }
        #expect(semaphore.wait(atMost: .zero) && semaphore.wait(atMost: .seconds(Int64.max)))
        #expect(!semaphore.wait(atMost: .milliseconds(1)))
    }

    @Test func wakesAnotherThread() {
        let (begun, semaphore) = (Semaphore(), Semaphore())
        Thread.detachNewThread {
            begun.wait()
            semaphore.signal()
        }
        begun.signal()
        #expect(semaphore.wait(atMost: .seconds(60)))
    }
}
