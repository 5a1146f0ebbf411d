import CommonTesting
import Foundation
import Testing

/// Several programs use one library for weeks, with difficult servers, a second computer, kills, full disks and wrong
/// clocks, in simulated time (`make soak` runs a thousand seeds).
@Suite(.timeLimit(.minutes(60))) struct KeepsPromisesForWeeks {
    private let seeds = ProcessInfo.processInfo.environment["WORLD_SEEDS"].flatMap { Int($0) } ?? 20

    /// The states that don't occur by themselves, each of which must have occurred.
    private static let rareStates = [
        "304 with a new tag", "Retry-After", "Retry-After kept", "account agrees", "clock set ahead", "clock set back",
        "cut document", "disk full", "feed restored", "gone", "identifiers changed", "journal replayed",
        "killed in a transfer", "not modified", "page host paused", "page paused", "race centre refused",
        "race left to another program", "recording continued", "recording downloaded", "recording retried",
        "result held back", "result shown after the delay", "retention", "retention brake",
        "shared with another program", "suspended in a transfer", "sync left to another program", "undone",
        "zone changed",
    ]

    private func run(_ arguments: [String]) async -> (code: Int32, output: String) {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let result = Program.run(Program.path(of: "simulated-world").path, arguments)
                continuation.resume(returning: (result.code, result.output))
            }
        }
    }

    @Test func breaksNoPromiseInAWeek() async throws {
        let half = seeds / 2
        async let first = run(["run", "1", "\(half)", "1"])
        async let second = run(["run", "\(half + 1)", "\(seeds - half)", "1"])
        var counts: [String: Int] = [:]
        for result in await [first, second] {
            #expect(result.code == 0, "\(result.output)")
            for line in result.output.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 2)
                guard words.count == 3, words[0] == "state", let count = Int(words[1]) else { continue }
                counts[String(words[2]), default: 0] += count
            }
        }
        for state in KeepsPromisesForWeeks.rareStates {
            #expect(counts[state, default: 0] > 0, "no seed has reached: \(state)")
        }
    }
}
