import CTesting
import CommonTesting
import Foundation
import Testing

/// A program in a pseudo-terminal that only ``read(until:within:)`` reads.
final class Pane {
    /// The terminal's descriptor; -1 once closed, because another pane may reuse the number.
    private var descriptor: Int32
    let process: pid_t

    private init(descriptor: Int32, process: pid_t) { (self.descriptor, self.process) = (descriptor, process) }

    deinit { close() }

    /// Closes the terminal as its window would.
    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Reads the output until a text appears or no program has the terminal open.
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

    /// Waits for the program's end while reading its output; returns false if it doesn't end.
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

    /// Whether line editing and echo are on, as in a shell.
    var isSane: Bool {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return false }
        return mode.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
            && mode.c_oflag & tcflag_t(OPOST) != 0
    }

    /// Waits for the program's end and returns its exit status, the negative number of a signal, or `nil` if it had to
    /// be killed.
    func end(reading: Bool = true) -> (status: Int32, drawn: String)? {
        var drawn = ""
        var status: Int32 = 0
        let hasEnded = waitUntil {
            if waitpid(process, &status, WNOHANG) == process { return true }
            // A closed terminal is read at once.
            if reading { drawn += read(within: .milliseconds(5)) }
            return false
        }
        guard hasEnded else {
            kill(process, SIGKILL)
            waitpid(process, &status, 0)
            return nil
        }
        // Reads the rest; a child that decodes a picture may keep the terminal open for a moment.
        if reading { drawn += read(within: .seconds(1)) }
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F), drawn)
    }
}
