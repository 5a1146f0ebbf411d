import CTesting
import Foundation
import Platform

/// A program in a pseudo-terminal, observed from outside.
final class PseudoTerminal {
    private let descriptor: Int32
    private let child: pid_t
    private(set) var output: [UInt8] = []
    private let started: ContinuousClock.Instant

    init?(_ arguments: [String], columns: Int32 = 80, rows: Int32 = 24) {
        started = .now
        var pid: pid_t = 0
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        let list = words.map { UnsafePointer<CChar>($0) } + [nil]
        descriptor = list.withUnsafeBufferPointer { cpt_spawn($0.baseAddress, rows, columns, &pid) }
        child = pid
        guard descriptor >= 0 else { return nil }
    }

    /// Reads output up to a timeout. Returns `nil` at the end.
    private func read(milliseconds: Int32) -> Int? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) > 0 else { return 0 }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Platform.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        output += buffer[..<count]
        return count
    }

    /// Returns the milliseconds from the start until a text appears, or `nil` after a minute.
    func wait(for text: String) -> Double? {
        let wanted = Array(text.utf8)
        while started.duration(to: .now) < .seconds(60) {
            guard read(milliseconds: 50) != nil else { return nil }
            if output.contains(wanted) { return milliseconds(started.duration(to: .now)) }
        }
        return nil
    }

    /// Returns the milliseconds from now until a text appears again, or `nil` after ten seconds.
    func waitAgain(for text: String) -> Double? {
        let (start, before, wanted) = (ContinuousClock.now, output.count, Array(text.utf8))
        while start.duration(to: .now) < .seconds(10) {
            guard read(milliseconds: 50) != nil else { return nil }
            if output[before...].contains(wanted) { return milliseconds(start.duration(to: .now)) }
        }
        return nil
    }

    /// Sends a key without waiting for its effect.
    func send(_ key: String) { _ = write(descriptor, key, key.utf8.count) }

    /// Reads until there is no output for a while.
    func settle(milliseconds: Int32 = 150) {
        while let count = read(milliseconds: milliseconds), count > 0 {}
    }

    /// Returns the milliseconds from a key to the last byte of its effect, and the number of bytes.
    func press(_ key: String, quiet: Int32 = 15) -> (milliseconds: Double, bytes: Int)? {
        let start = ContinuousClock.now
        _ = write(descriptor, key, key.utf8.count)
        var last: ContinuousClock.Instant?
        var bytes = 0
        var wait: Int32 = 1000
        while let count = read(milliseconds: wait), count > 0 {
            last = .now
            bytes += count
            wait = quiet
        }
        return last.map { (milliseconds(start.duration(to: $0)), bytes) }
    }

    /// The peak memory of the program in MiB.
    var peakMemory: Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
        else { return nil }
        return kibibytes / 1024
    }

    /// The processor time that the program has used, in milliseconds.
    var processorTime: Double? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(child, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    func stop() {
        kill(child, SIGTERM)
        let deadline = ContinuousClock.now.advanced(by: .seconds(2))
        var status: Int32 = 0
        while ContinuousClock.now < deadline {
            _ = read(milliseconds: 10)
            if waitpid(child, &status, WNOHANG) == child {
                close(descriptor)
                return
            }
        }
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
        close(descriptor)
    }

    private func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
