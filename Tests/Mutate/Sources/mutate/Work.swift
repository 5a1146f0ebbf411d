import Dispatch
import Synchronization

enum Work {
    /// Calls a function for each element, with a limited number of calls at once.
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element], jobs: Int, _ body: @escaping @Sendable (Element) -> Result
    ) -> [Result] {
        let state = Mutex<(next: Int, results: [Int: Result])>((0, [:]))
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                let index = state.withLock { state in
                    defer { state.next += 1 }
                    return state.next
                }
                guard index < elements.count else { return }
                let result = body(elements[index])
                state.withLock { $0.results[index] = result }
            }
        }
        return state.withLock { state in elements.indices.compactMap { state.results[$0] } }
    }
}
