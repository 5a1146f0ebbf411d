import Foundation

/// Runs selected tests of the built copy, with or without an active mutant.
struct TestRunner: Sendable {
    let copy: String
    /// The time limit for the tests of one mutant, in seconds.
    let patience: Double
    /// The suites, set by ``record(mutants:jobs:report:)``.
    private(set) var suites: [Suite] = []
    /// The mutants that turned out to change nothing.
    private(set) var withoutEffect: Set<Int> = []

    struct Suite: Sendable {
        /// The name in the test library: `Module.Suite`.
        var name: String
        var seconds: Double
        var reached: Set<Int>

        /// A short suite that reaches little is cheap and likely to check what it reaches.
        var cost: Double { seconds * Double(reached.count) }
    }

    enum Verdict: Sendable {
        case killed
        case survived(ran: Int, of: Int)
        case notReached
    }

    /// Tests that check the project's text, not its behaviour.
    private static let passedOver = ["ArrowTests", "PromiseTests"]
    /// The additional seconds that a mutant's tests may take.
    private static let delay = 30.0

    private var program: String { "\(copy)/.build/debug/tappaPackageTests.xctest" }

    /// Runs suites in a temporary folder. The tests stop the servers that they start.
    ///
    /// - Parameters:
    ///   - names: The names of the suites.
    ///   - mutant: The active mutant.
    ///   - reached: A file with a byte for each reached mutant.
    ///   - limit: The time limit in seconds.
    ///   - isEnough: Whether the output so far decides the result.
    private func run(
        _ names: [String], mutant: Int? = nil, reached: String? = nil, limit: Double, isEnough: (String) -> Bool
    ) -> Shell.Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mutant-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = [
            "TMPDIR": folder.path, "TEST_PATIENCE": "6", "SOAK_ROUNDS": "2", "SWIFT_BACKTRACE": "enable=no",
        ]
        if let mutant { environment[MutantSwitches.inForce] = "\(mutant)" }
        if let reached { environment[MutantSwitches.reached] = reached }
        let filters = names.flatMap { ["--filter", "^" + NSRegularExpression.escapedPattern(for: $0) + "/"] }
        // An endless loop that appends mustn't exhaust the machine's memory.
        let shell = ["/bin/sh", "-c", "ulimit -v 12000000; exec \"$@\"", "sh"]
        return Shell.run(
            shell + [program, "--testing-library", "swift-testing", "--no-parallel"] + filters, in: copy,
            environment: environment, limit: limit, isEnough: isEnough)
    }

    /// Runs each suite alone and records which mutants it reaches.
    ///
    /// - Returns: The number of suites that fail without any mutant, which can't be used.
    mutating func record(mutants: Int, jobs: Int, report: @escaping @Sendable (String) -> Void) throws -> Int {
        let listed = Shell.run(["swift", "test", "list", "--skip-build"], in: copy)
        let names = listed.output.split(separator: "\n").filter { $0.contains("/") && $0.contains("(") }
            .map { String($0.prefix { $0 != "/" }) }.filter { !TestRunner.passedOver.contains(where: $0.hasSuffix) }
        guard listed.code == 0, !names.isEmpty else {
            throw ProjectCopy.Problem(description: "no tests are listed:\n\(listed.output)")
        }
        let runner = self
        let all = Set(names).sorted()
        let results = Work.map(all, jobs: jobs) { name -> (suite: Suite, withoutEffect: Set<Int>)? in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            defer { unlink(file) }
            _ = FileManager.default.createFile(atPath: file, contents: Data(count: mutants))
            let outcome = runner.run([name], reached: file, limit: 300) { _ in false }
            guard outcome.code == 0 else {
                report("\(name) fails without any mutant:\n\(outcome.output.suffix(1500))")
                return nil
            }
            let bytes = [UInt8](FileManager.default.contents(atPath: file) ?? Data())
            let reached = Set(bytes.indices.filter { bytes[$0] == 1 })
            let withoutEffect = Set(bytes.indices.filter { bytes[$0] == 2 })
            return (Suite(name: name, seconds: outcome.seconds, reached: reached), withoutEffect)
        }
        suites = results.compactMap { $0?.suite }
        withoutEffect = results.reduce(into: []) { $0.formUnion($1?.withoutEffect ?? []) }
        return all.count - suites.count
    }

    /// Runs the suites that reach a mutant while it is active, until one notices it or the time is over.
    func judge(_ number: Int) -> Verdict {
        let reaching = suites.filter { $0.reached.contains(number) }.sorted { $0.cost < $1.cost }
        if reaching.isEmpty { return .notReached }
        let start = ContinuousClock.now
        var rest = reaching[...]
        while !rest.isEmpty, start.duration(to: .now) < .seconds(patience) {
            // Runs batches of a few seconds each.
            var chosen: [Suite] = []
            var seconds = 0.0
            while let next = rest.first, chosen.isEmpty || (seconds + next.seconds < 8 && chosen.count < 20) {
                chosen.append(next)
                seconds += next.seconds
                rest.removeFirst()
            }
            let limit = seconds * 3 + TestRunner.delay
            let outcome = run(chosen.map(\.name), mutant: number, limit: limit) { $0.contains("✘") }
            if outcome.code != 0 { return .killed }
        }
        return .survived(ran: reaching.count - rest.count, of: reaching.count)
    }
}
