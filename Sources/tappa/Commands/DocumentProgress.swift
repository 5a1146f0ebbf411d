import Foundation
import Synchronization

/// Prints how many documents of a race were read: on one line of a terminal, or a line for every tenth.
final class DocumentProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// The last counts, and whether they were printed.
    private let last = Mutex((count: 0, all: 0, isPrinted: true))
    private static let step = 10

    func show(_ count: Int, of all: Int) {
        let isDue = isTerminal || count % DocumentProgress.step == 0
        last.withLock { $0 = (count, all, isDue) }
        guard isDue else { return }
        let line = "tappa: \(count) of \(all) documents"
        if isTerminal { printProgress(line) } else { printError(line) }
    }

    /// Leaves the last counts on a line of their own.
    func end() {
        let (count, all, isPrinted) = last.withLock { last in
            defer { last = (0, 0, true) }
            return last
        }
        guard count > 0, isTerminal || !isPrinted else { return }
        if isTerminal { printProgress("") }
        printError("tappa: \(count) of \(all) documents")
    }
}
