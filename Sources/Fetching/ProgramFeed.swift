import CSpawn
import Foundation

/// A feed that a program prints or filters: `exec:PROGRAM ARGUMENTS` and `filter:PROGRAM ARGUMENTS:ADDRESS`, in
/// newsboat's notation (newsboat manual, "Scripts and Filters").
///
/// No shell is involved. The program's time and output are limited. It runs in its own session, which is killed when it
/// ends.
package struct ProgramFeed: Hashable, Sendable {
    /// The program and its arguments.
    let words: [String]
    /// The address whose document it filters, or `nil` if it prints the feed itself.
    package let source: String?

    /// The maximum duration in seconds, and the maximum size of the output in bytes.
    private static let (patience, mostBytes) = (60.0, 16 << 20)
    private static let pause = Duration.milliseconds(10)

    /// Whether an address is that of a program feed.
    package static func isOne(_ address: String) -> Bool { address.hasPrefix("exec:") || address.hasPrefix("filter:") }

    /// Parses an address. Returns `nil` if it isn't a program feed or names no program.
    package init?(_ address: String) {
        if address.hasPrefix("exec:") {
            words = CommandWords.split(String(address.dropFirst(5)))
            source = nil
        } else if address.hasPrefix("filter:") {
            let rest = address.dropFirst(7)
            let schemes = ["https://", "http://", "file://"].compactMap { rest.range(of: ":" + $0)?.lowerBound }
            guard let colon = schemes.min() else { return nil }
            words = CommandWords.split(String(rest[..<colon]))
            source = String(rest[rest.index(after: colon)...])
        } else {
            return nil
        }
        guard words.first?.isEmpty == false else { return nil }
    }

    /// The reason why a program returned no document, as a sentence without a full stop.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs the program.
    ///
    /// - Parameter input: Its standard input, or `nil` for none.
    /// - Returns: Its output.
    /// - Throws: ``Failure``, and `CancellationError`.
    package func run(input: [UInt8]?) async throws -> [UInt8] {
        guard let path = CommandWords.path(of: words[0]) else {
            throw Failure(description: "no such program: '\(words[0])'")
        }
        guard let files = ProgramFiles(input: input.map { Data($0) }) else {
            throw Failure(description: "can't create temporary files")
        }
        defer { files.remove() }
        guard let child = files.start([path] + words.dropFirst()) else {
            throw Failure(description: "can't start the program '\(words[0])'")
        }
        let code = try await end(of: child, output: files.output)
        guard code == 0 else {
            throw Failure(
                description: "the program '\(words[0])' "
                    + (code < 0 ? "was killed by signal \(-code)" : "failed (\(code))")
                    + (files.firstError(most: 400).map { ": \($0)" } ?? ""))
        }
        // It may have ended before its output was measured.
        if ProgramFeed.isTooLarge(files.output) { throw tooLarge }
        return [UInt8](FileManager.default.contents(atPath: files.output) ?? Data())
    }

    private var tooLarge: Failure {
        Failure(description: "the program '\(words[0])' printed more than 16 MiB and was stopped")
    }

    private static func isTooLarge(_ path: String) -> Bool {
        var file = stat()
        return stat(path, &file) == 0 && Int(file.st_size) > mostBytes
    }

    /// Waits for the program to end. If it takes too long, prints too much or is cancelled, it is killed with
    /// everything it started.
    private func end(of child: pid_t, output: String) async throws -> Int {
        let start = ContinuousClock.now
        func stop(_ reason: any Error) -> any Error {
            kill(-child, SIGKILL)
            kill(child, SIGKILL)
            _ = csp_wait(child)
            return reason
        }
        while true {
            var status: Int32 = 0
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child {
                // Kills what it left running.
                kill(-child, SIGKILL)
                return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : -Int(status & 0x7F)
            }
            if Task.isCancelled { throw stop(CancellationError()) }
            if ProgramFeed.isTooLarge(output) { throw stop(tooLarge) }
            guard start.duration(to: .now) < .seconds(ProgramFeed.patience) else {
                throw stop(Failure(description: "the program '\(words[0])' took longer than a minute and was stopped"))
            }
            do { try await Task.sleep(for: ProgramFeed.pause) } catch { throw stop(error) }
        }
    }
}
