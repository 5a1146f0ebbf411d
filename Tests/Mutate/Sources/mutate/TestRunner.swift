import Foundation

/// Runs selected tests of the built copy, with or without an active mutant.
struct TestRunner: Sendable {
    /// The copy of the project.
    let copy: String
    /// The test functions that reach each mutant, with their times in seconds; set by ``record(mutants:jobs:report:)``.
    private(set) var tests: [Test] = []

    /// A test function.
    struct Test: Sendable {
        /// The name in the test library: `Module.Suite/function()`.
        var name: String
        var seconds: Double
        var reached: Set<Int>

        var module: String { String(name.prefix { $0 != "." }) }
    }

    /// The result for a mutant.
    enum Verdict: Sendable {
        case killed
        case survived(tests: Int)
        case notReached
    }

    init(copy: String) { self.copy = copy }

    /// Tests that check the project's text, not its behaviour.
    private static let passedOver = ["ArrowTests"]
    /// The additional seconds that a mutant's tests may take.
    private static let patience = 30.0

    private var program: String { "\(copy)/.build/debug/tappaPackageTests.xctest" }

    /// Runs tests in a temporary folder. The tests stop the servers that they start.
    ///
    /// - Parameters:
    ///   - patterns: Regular expressions of full test names.
    ///   - mutant: The active mutant.
    ///   - reached: A file with a byte for each reached mutant.
    ///   - limit: The time limit in seconds.
    ///   - isEnough: Whether the output so far decides the result.
    func run(
        patterns: [String], mutant: Int? = nil, reached: String? = nil, limit: Double, isEnough: (String) -> Bool
    ) -> Shell.Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mutant-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = [
            "TMPDIR": folder.path, "TEST_PATIENCE": "6", "SOAK_ROUNDS": "2",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        if let mutant { environment[MutantSwitches.inForce] = "\(mutant)" }
        if let reached { environment[MutantSwitches.reached] = reached }
        let filters = patterns.flatMap { ["--filter", $0] }
        // An endless loop that appends mustn't exhaust the machine's memory.
        let shell = ["/bin/sh", "-c", "ulimit -v 12000000; exec \"$@\"", "sh"]
        return Shell.run(
            shell + [program, "--testing-library", "swift-testing", "--no-parallel"] + filters, in: copy,
            environment: environment,
            limit: limit, isEnough: isEnough)
    }

    private func run(
        _ names: [String], mutant: Int? = nil, reached: String? = nil, limit: Double, isEnough: (String) -> Bool
    ) -> Shell.Outcome {
        let patterns = names.map { "^" + NSRegularExpression.escapedPattern(for: $0) }
        return run(patterns: patterns, mutant: mutant, reached: reached, limit: limit, isEnough: isEnough)
    }

    /// Runs each test alone and records which mutants it reaches.
    ///
    /// - Returns: The tests that fail without any mutant, which can't be used.
    mutating func record(mutants: Int, jobs: Int, report: @escaping @Sendable (String) -> Void) throws -> [String] {
        let listed = Shell.run(["swift", "test", "list", "--skip-build"], in: copy)
        let names = listed.output.split(separator: "\n").map(String.init).filter { name in
            name.contains("/") && name.contains("(") && !TestRunner.passedOver.contains { name.contains($0) }
        }
        guard listed.code == 0, !names.isEmpty else {
            throw ProjectCopy.Problem(description: "no tests are listed:\n\(listed.output)")
        }
        let runner = self
        let results = Work.map(names, jobs: jobs) { name -> Test? in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            defer { unlink(file) }
            _ = FileManager.default.createFile(atPath: file, contents: Data(count: mutants))
            let outcome = runner.run([name], reached: file, limit: 300) { _ in false }
            guard outcome.code == 0 else {
                report("\(name) fails without any mutant:\n\(outcome.output.suffix(1500))")
                return nil
            }
            let bytes = FileManager.default.contents(atPath: file) ?? Data()
            let reached = Set(bytes.enumerated().filter { $0.element != 0 }.map(\.offset))
            return Test(name: name, seconds: outcome.seconds, reached: reached)
        }
        tests = results.compactMap { $0 }
        return zip(names, results).filter { $0.1 == nil }.map(\.0)
    }

    /// Runs the tests that reach a mutant while it is active: those of its module first, quick ones before slow ones.
    func judge(_ number: Int, module: String) -> Verdict {
        let reaching = tests.filter { $0.reached.contains(number) }
        if reaching.isEmpty { return .notReached }
        let own = reaching.filter { $0.module == module + "Tests" }
        let others = reaching.filter { $0.module != module + "Tests" }
        for list in [own, others] {
            var rest = list.sorted { $0.seconds < $1.seconds }[...]
            while !rest.isEmpty {
                // Runs batches of a few seconds each.
                var chosen: [Test] = []
                var seconds = 0.0
                while let next = rest.first, chosen.isEmpty || (seconds + next.seconds < 8 && chosen.count < 120) {
                    chosen.append(next)
                    seconds += next.seconds
                    rest.removeFirst()
                }
                let limit = seconds * 3 + TestRunner.patience
                let outcome = run(chosen.map(\.name), mutant: number, limit: limit) { $0.contains("✘") }
                if outcome.code != 0 { return .killed }
            }
        }
        return .survived(tests: reaching.count)
    }
}
