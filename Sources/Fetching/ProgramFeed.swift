import CSpawn
import Foundation

/// A feed that a program of the user's prints, or that goes through one: `exec:PROGRAM ARGUMENTS` and
/// `filter:PROGRAM ARGUMENTS:ADDRESS`, as newsboat writes them (newsboat manual, "Scripts and Filters").
///
/// No shell reads the words. The program is bounded in time, in what it prints, and in what it leaves running: it has a session of its
/// own, which ends with it.
package struct ProgramFeed: Hashable, Sendable {
    /// The program and its arguments.
    package let words: [String]
    /// The address whose document goes through it; `nil`: it prints the feed by itself.
    package let source: String?

    /// Seconds that it may take, and bytes that it may print.
    private static let (patience, mostBytes) = (60.0, 16 << 20)
    private static let pause = Duration.milliseconds(10)

    /// Whether an address is of a program.
    package static func isOne(_ address: String) -> Bool { address.hasPrefix("exec:") || address.hasPrefix("filter:") }

    /// Reads an address; `nil` where it is none of a program, or names none.
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

    /// Why a program has given no document, in a sentence without a full stop.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Runs the program.
    ///
    /// - Parameter input: What it reads; `nil`: nothing.
    /// - Returns: What it has printed.
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
                description: "the program '\(words[0])' failed (\(code))"
                    + (files.firstError(most: 400).map { ": \($0)" } ?? ""))
        }
        // It may have been done before its size was looked at.
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

    /// Waits for the end; whoever takes too long, prints too much or is not wanted any more is ended with all that it has started.
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
                // What it has left running goes too.
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
