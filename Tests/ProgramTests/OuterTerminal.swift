import CTesting
import CommonTesting
import Foundation
import Synchronization

/// A program in a pseudo-terminal whose other end answers queries like a graphical terminal.
///
/// It ends with the program, or a minute after its start at the latest.
final class OuterTerminal: Sendable {
    private let descriptor: Int32
    private let child: pid_t
    private let received = Mutex<[UInt8]>([])
    private let isStopped = Mutex(false)
    /// Signalled when nothing reads from the descriptor any more.
    private let hasStoppedReading = DispatchSemaphore(value: 0)

    /// Starts a program.
    ///
    /// - Parameter answers: Returns the reply to received output.
    init?(_ arguments: [String], columns: Int32, rows: Int32, answers: [String: String]) {
        var pid: pid_t = 0
        let words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        descriptor = cpt_spawn(words.map { UnsafePointer($0) }, rows, columns, &pid)
        child = pid
        guard descriptor >= 0 else { return nil }
        Thread.detachNewThread { [self] in read(answers) }
    }

    /// Starts tappa outside tmux with a temporary home.
    static func tappa(
        _ arguments: String..., home: URL, columns: Int32, rows: Int32, answers: [String: String] = [:]
    ) -> OuterTerminal? {
        let settings = ["-u", "TMUX", "HOME=\(home.path)", "XDG_CONFIG_HOME=", "XDG_STATE_HOME="]
        return OuterTerminal(
            ["env"] + settings + [Program.path.path, "--in-memory"] + arguments,
            columns: columns, rows: rows,
            answers: answers)
    }

    private func read(_ answers: [String: String]) {
        defer { hasStoppedReading.signal() }
        // Longer than the patience of any test.
        let end = ContinuousClock.now + Patience.whole * 6
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var unanswered = Data()
        while ContinuousClock.now < end, !isStopped.withLock({ $0 }) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 20) > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            received.withLock { $0 += buffer[..<count] }
            unanswered.append(contentsOf: buffer[..<count])
            for (question, answer) in answers {
                guard let place = unanswered.range(of: Data(question.utf8)) else { continue }
                unanswered = Data(unanswered[place.upperBound...])
                send(answer)
            }
            // The longest query is shorter.
            unanswered = Data(unanswered.suffix(64))
        }
    }

    /// Types a text.
    func send(_ text: String) { _ = write(descriptor, text, text.utf8.count) }

    /// The output received so far, as text.
    var output: String { received.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The number of bytes received so far.
    var count: Int { received.withLock { $0.count } }

    /// Waits until nothing has been received for a fifth of a second.
    func waitForQuiet() async {
        var before = -1
        while before != count {
            before = count
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Waits until the output meets a condition.
    func wait(until isDone: (String) -> Bool) async -> Bool {
        await eventually(every: .milliseconds(50)) { isDone(output) }
    }

    /// Ends the program and waits for it.
    func stop() {
        kill(child, SIGTERM)
        var status: Int32 = 0
        if !waitUntil(within: .seconds(5), { waitpid(child, &status, WNOHANG) != 0 }) { kill(child, SIGKILL) }
        // Another terminal may reuse the descriptor's number, so reading must have stopped by then.
        isStopped.withLock { $0 = true }
        hasStoppedReading.wait()
        close(descriptor)
    }
}
