import Foundation

/// A feed that a program prints or filters: `exec:PROGRAM ARGUMENTS` and `filter:PROGRAM ARGUMENTS:ADDRESS`, in
/// newsboat's notation (newsboat manual, "Scripts and Filters").
///
/// No shell is involved. The program's time and output are limited. Everything that it started ends with
/// it.
package struct ProgramFeed: Hashable, Sendable {
    let words: [String]
    /// The address whose document it filters, or `nil` if it prints the feed itself.
    package let source: String?

    /// The maximum duration in seconds.
    private static let patience = 60.0

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
        let limits = GuardedProgram.Limits(patience: ProgramFeed.patience)
        let result = await GuardedProgram.run(ProgramCall([path] + words.dropFirst()), input: input, limits)
        switch result.end {
        case .ended(0): return result.output
        case .ended(let code):
            throw Failure(
                description: "the program '\(words[0])' "
                    + (code < 0 ? "was killed by signal \(-code)" : "failed (\(code))")
                    + (result.firstError(maximum: 400).map { ": \($0)" } ?? ""))
        case .notStarted: throw Failure(description: "can't start the program '\(words[0])'")
        case .tookTooLong:
            throw Failure(description: "the program '\(words[0])' took longer than a minute and was stopped")
        case .printedTooMuch:
            throw Failure(description: "the program '\(words[0])' printed more than 16 MiB and was stopped")
        case .cancelled: throw CancellationError()
        }
    }
}
