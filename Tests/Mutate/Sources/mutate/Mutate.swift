import ArgumentParser
import Foundation
import Synchronization

/// Puts deliberate faults into a copy of the project and reports those that no test notices.
@main
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate",
        abstract: "Tells which deliberate faults the tests notice.",
        discussion: """
            All chosen faults are built into one copy of the project, as switches; each test is run alone to learn which \
            faults it reaches; then each fault is put in force, and the tests that reach it are run. Which faults are chosen \
            depends on the seed alone, and stays the same as other lines come and go.
            """)

    @Option(help: "The project's folder.")
    var root = "."
    @Option(help: "Which faults are chosen.")
    var seed: UInt64 = 1
    @Option(help: "Seconds after which no fault is tried any more; the modules take turns.")
    var seconds = 600.0
    @Option(help: "The most faults a module.")
    var sample = 150
    @Option(help: "Processes at the same time.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "A file that is written with the survivors, and read by --again.")
    var survivors: String?
    @Flag(help: "Tries only those that the file of survivors has.")
    var again = false
    @Argument(help: "The modules.")
    var modules = [
        "TerminalText", "TerminalScreen", "TerminalUI", "TerminalUIExtras", "FeedParsing", "Fetching", "ModelCore",
        "tappa",
    ]

    /// A mutant's number and its result.
    private struct Result: Sendable {
        var number: Int
        var verdict: TestRunner.Verdict
    }

    func run() throws {
        let root = URL(fileURLWithPath: root).standardizedFileURL.path
        var chosen: [Mutant] = []
        for module in modules { chosen += try sample(of: module, root: root) }
        if again, let survivors {
            let lines = Set(
                try String(contentsOfFile: survivors, encoding: .utf8).split(separator: "\n").map(String.init))
            chosen = chosen.filter { lines.contains(key($0)) }
        }
        print("\(chosen.count) faults are built in")
        var tree = MutatedTree(root: root, mutants: chosen)
        try tree.build { note($0) }

        let mutants = tree.mutants
        var runner = TestRunner(copy: tree.copy.path)
        let failing = try runner.record(mutants: mutants.count, jobs: jobs) { note($0) }
        print("\(runner.tests.count) tests, \(failing.count) of them fail without any fault")

        let results = Mutex<[Result]>([])
        let start = ContinuousClock.now
        let names = mutants.map { $0?.module ?? "" }
        let limit = seconds
        let judge = runner
        _ = Work.map(turns(mutants), jobs: jobs) { number in
            guard start.duration(to: .now) < .seconds(limit) else { return }
            let result = Result(number: number, verdict: judge.judge(number, module: names[number]))
            results.withLock { $0.append(result) }
            if let line = line(result, mutants) { note(line) }
        }
        report(results.withLock { $0 }, mutants)
    }

    private func key(_ mutant: Mutant) -> String { "\(mutant.file): \(mutant.description)" }

    private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// The mutants of a module that the seed selects; more than are tried, because some don't compile.
    private func sample(of module: String, root: String) throws -> [Mutant] {
        var ranked: [(rank: UInt64, mutant: Mutant)] = []
        for file in MutatedTree.files(of: module, root: root) {
            let source = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            var counts: [String: Int] = [:]
            for mutant in MutantFinder.mutants(of: source, module: module, file: file) {
                let occurrence = counts[mutant.description, default: 0]
                counts[mutant.description] = occurrence + 1
                ranked.append((mutant.rank(seed: seed, occurrence: occurrence), mutant))
            }
        }
        if ranked.isEmpty { throw ValidationError("There is no module \(module), or nothing in it.") }
        return ranked.sorted { $0.rank < $1.rank }.prefix(sample + sample / 5).map(\.mutant)
    }

    /// The order in which mutants are tried: one of each module in turn, so that limited time covers all modules.
    private func turns(_ mutants: [Mutant?]) -> [Int] {
        let lists = modules.map { module in
            Array(mutants.indices.filter { mutants[$0]?.module == module }.prefix(sample))
        }
        return (0..<sample).flatMap { index in lists.compactMap { $0.count > index ? $0[index] : nil } }
    }

    /// The report line of a survivor.
    private func line(_ result: Result, _ mutants: [Mutant?]) -> String? {
        guard let mutant = mutants[result.number] else { return nil }
        let ran: String
        switch result.verdict {
        case .killed: return nil
        case .survived(let tests): ran = tests == 1 ? "1 test ran" : "\(tests) tests ran"
        case .notReached: ran = "no test comes here"
        }
        return "\(mutant.file):\(mutant.lines.lowerBound): \(mutant.description) (\(ran))"
    }

    private func report(_ results: [Result], _ mutants: [Mutant?]) {
        var lines: [String] = []
        for module in modules {
            let own = results.filter { mutants[$0.number]?.module == module }
            let killed = own.count { if case .killed = $0.verdict { true } else { false } }
            let share = own.isEmpty ? 0 : 100 * killed / own.count
            let name = module.padding(toLength: 16, withPad: " ", startingAt: 0)
            print("\n\(name) \(killed) of \(own.count) noticed, \(share) %")
            for result in own.sorted(by: { $0.number < $1.number }) {
                guard let mutant = mutants[result.number], let line = line(result, mutants) else { continue }
                print("  " + line)
                lines.append(key(mutant))
            }
        }
        guard let survivors else { return }
        do {
            try (lines.joined(separator: "\n") + "\n").write(toFile: survivors, atomically: true, encoding: .utf8)
        } catch {
            note("\(survivors): \(error)")
        }
    }
}
