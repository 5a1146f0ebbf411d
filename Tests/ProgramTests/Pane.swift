import CPseudoTerminal
import CommonTesting
import Foundation
import Testing

/// A program in a pseudo-terminal that nobody reads but by ``read(until:within:)``.
final class Pane {
    /// The terminal; -1 once it is closed: its number may be another pane's then, whose bytes nobody is to take.
    private var descriptor: Int32
    let process: pid_t

    private init(descriptor: Int32, process: pid_t) { (self.descriptor, self.process) = (descriptor, process) }

    deinit { close() }

    /// Closes the terminal, as its window does.
    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Reads what was drawn, until a text is there, or until the last program that has the terminal has ended.
    func read(until text: String? = nil, within limit: Duration = Patience.whole) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let end = ContinuousClock.now + limit
        while descriptor >= 0, ContinuousClock.now < end {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 5) > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func type(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }

    /// Waits for the program's end, and reads what it draws meanwhile; false when it does not come.
    func hasEnded() -> Bool { end() != nil }

    /// Starts a program in a pane of 30 rows and 100 columns.
    static func spawn(_ words: [String]) throws -> Pane {
        var process: pid_t = 0
        let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let descriptor = cpt_spawn(pointers.map { UnsafePointer($0) }, 30, 100, &process)
        try #require(descriptor >= 0)
        return Pane(descriptor: descriptor, process: process)
    }

    /// Whether lines are edited and echoed, as a shell's are.
    var isSane: Bool {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return false }
        return mode.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
            && mode.c_oflag & tcflag_t(OPOST) != 0
    }

    /// Waits for the program's end and gives its exit status; the negative number of a signal; `nil`: it goes on, and was killed.
    func end(reading: Bool = true) -> (status: Int32, drawn: String)? {
        var drawn = ""
        var status: Int32 = 0
        let hasEnded = waitUntil {
            if waitpid(process, &status, WNOHANG) == process { return true }
            // A terminal that is closed already is read at once.
            if reading { drawn += read(within: .milliseconds(5)) }
            return false
        }
        guard hasEnded else {
            kill(process, SIGKILL)
            waitpid(process, &status, 0)
            return nil
        }
        // What is left of it; a child that decodes a picture may have the terminal for a moment more.
        if reading { drawn += read(within: .seconds(1)) }
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F), drawn)
    }
}
