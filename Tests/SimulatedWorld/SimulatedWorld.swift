import Foundation

/// A program for tests that lets weeks pass in simulated time.
///
/// - `run SEED COUNT WEEKS`: runs that many seeds, and prints each state with how often it was reached. The first
///   failure is printed with its events, shortened, and ends the program with status 1.
/// - `replay FILE`: runs the events in a file, as printed after a failure.
@main
struct SimulatedWorld {
    static func main() async throws {
        signal(SIGXFSZ, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        var states: [String: Int] = [:]
        switch words.first {
        case "run" where words.count == 4:
            guard let first = UInt64(words[1]), let count = UInt64(words[2]), let weeks = Int(words[3]) else {
                exit(64)
            }
            for seed in first..<first + count {
                let events = WorldEvent.list(seed: seed, weeks: weeks)
                states["events", default: 0] += events.count
                guard let failure = try await World.run(events, in: parent, states: &states) else { continue }
                print("seed \(seed), event \(failure.0) of \(events.count): \(failure.1)")
                // Shortening takes a while.
                fflush(nil)
                let shortest = try await shortened(Array(events.prefix(failure.0 + 1)), failure.1)
                print("The shortest list of events that breaks a promise: \(shortest.failure)")
                for event in shortest.events { print(try text(event)) }
                exit(1)
            }
        case "replay" where words.count == 2:
            let lines = try String(contentsOfFile: words[1], encoding: .utf8).split(separator: "\n")
            let events = try lines.map { try JSONDecoder().decode(WorldEvent.self, from: Data($0.utf8)) }
            if let failure = try await World.run(events, in: parent, states: &states) {
                print("event \(failure.0): \(failure.1)")
                exit(1)
            }
        default: exit(64)
        }
        for (name, count) in states.sorted(by: { $0.key < $1.key }) { print("state \(count) \(name)") }
    }

    /// Memory, if the system has a file system in it, because the worlds write much.
    private static var parent: URL {
        let memory = URL(fileURLWithPath: "/dev/shm")
        return access(memory.path, W_OK) == 0 ? memory : FileManager.default.temporaryDirectory
    }

    private static func text(_ event: WorldEvent) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(event), as: UTF8.self)
    }

    /// Removes the events without which a promise is still broken (delta debugging).
    private static func shortened(_ events: [WorldEvent], _ failure: String) async throws -> (
        events: [WorldEvent], failure: String
    ) {
        var (events, failure) = (events, failure)
        var states: [String: Int] = [:]
        var size = max(1, events.count / 2)
        let end = Date().addingTimeInterval(120)
        while Date() < end {
            var start = 0
            var wasShortened = false
            while start < events.count, Date() < end {
                var fewer = events
                fewer.removeSubrange(start..<min(events.count, start + size))
                if let (index, words) = try await World.run(fewer, in: parent, states: &states),
                    words.filter({ !$0.isNumber }) == failure.filter({ !$0.isNumber })
                {
                    (events, failure, wasShortened) = (Array(fewer.prefix(index + 1)), words, true)
                } else {
                    start += size
                }
            }
            if size == 1, !wasShortened { break }
            size = max(1, size / 2)
        }
        return (events, failure)
    }
}
