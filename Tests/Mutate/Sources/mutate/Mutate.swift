import ArgumentParser
import Foundation
import Synchronization

/// Puts deliberate faults into a copy of the project and reports those that no test notices.
@main
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate",
        abstract: "Reports which deliberate faults the tests notice.",
        discussion: """
            Builds all chosen faults into one copy of the project, as switches, and runs each suite of tests alone to \
            record which faults it reaches. Then it activates one fault after the other and runs the suites that reach it. \
            Half of the faults change whole decisions: a guard, a branch, an argument, a default, a loop, a call. \
            The seed alone chooses the faults, and the choice stays the same as other lines come and go. \
            Fails if the tests notice less than 90 % of the faults of a module.
            """)

    /// Modules without tests of their own: demonstrations, benchmarks and tools for tests.
    private static let demonstrations: Set<String> = [
        "Example", "Fuzzing", "FuzzTargets", "Gallery", "TerminalUITesting", "tappa-bench",
    ]
    /// The part of a module's faults that the tests must notice, in percent.
    private static let wanted = 90

    @Option(help: "The project's folder.")
    var root = "."
    @Option(help: "The folder of the copy; by default .build/mutants/tree.")
    var copy: String?
    @Option(help: "The number that chooses the faults.")
    var seed: UInt64 = 1
    @Option(help: "The number of faults a module.")
    var size = 30
    @Option(help: "The time limit for trying faults, in seconds; the modules take turns.")
    var seconds = 7200.0
    @Option(help: "The time limit for the tests of one fault, in seconds.")
    var patience = 120.0
    @Option(help: "The number of parallel processes.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "A file to write the survivors to, which --again reads.")
    var survivors: String?
    @Flag(help: "Try only the survivors in the file.")
    var again = false
    @Argument(help: "The modules; by default all that have code to test.")
    var modules: [String] = []

    private struct Result: Sendable {
        var number: Int
        var verdict: TestRunner.Verdict
    }

    mutating func run() throws {
        let root = URL(fileURLWithPath: root).standardizedFileURL.path
        if modules.isEmpty {
            let names = try FileManager.default.contentsOfDirectory(atPath: root + "/Sources").sorted()
            modules = names.filter { !Mutate.demonstrations.contains($0) }
        }
        let command = self
        var chosen: [Mutant] = []
        for module in modules { chosen += try sample(of: module, root: root) }
        modules = modules.filter { name in chosen.contains { $0.module == name } }
        if again, let survivors {
            let lines = Set(
                try String(contentsOfFile: survivors, encoding: .utf8).split(separator: "\n").map(String.init))
            chosen = chosen.filter { lines.contains(key($0)) }
        }
        print("\(chosen.count) faults in \(modules.count) modules")
        var tree = MutatedTree(root: root, copy: copy ?? root + "/.build/mutants/tree", mutants: chosen)
        try tree.build { note($0) }

        let mutants = tree.mutants
        var runner = TestRunner(copy: tree.copy.path, patience: patience)
        let failing = try runner.record(mutants: mutants.count, jobs: jobs) { command.note($0) }
        print("\(runner.suites.count) suites; \(failing) more fail without any fault")

        let results = Mutex<[Result]>([])
        let start = ContinuousClock.now
        let limit = seconds
        let judge = runner
        _ = Work.map(turns(mutants.indices.map { runner.withoutEffect.contains($0) ? nil : mutants[$0] }), jobs: jobs) {
            number in
            guard start.duration(to: .now) < .seconds(limit) else { return }
            let result = Result(number: number, verdict: judge.judge(number))
            results.withLock { $0.append(result) }
            if let line = command.line(result, mutants) { command.note(line) }
        }
        guard report(results.withLock { $0 }, mutants) else { throw ExitCode.failure }
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
        // As many decisions as details, in turn.
        let sorted = ranked.sorted { $0.rank < $1.rank }.map(\.mutant)
        let kinds = [sorted.filter(\.isDecision), sorted.filter { !$0.isDecision }]
        let maximum = size + size / 3
        let turns = (0..<maximum).flatMap { index in kinds.compactMap { $0.count > index ? $0[index] : nil } }
        return Array(turns.prefix(maximum))
    }

    /// The order in which mutants are tried: one of each module in turn, so that limited time covers all modules.
    private func turns(_ mutants: [Mutant?]) -> [Int] {
        let lists = modules.map { module in
            Array(mutants.indices.filter { mutants[$0]?.module == module }.prefix(size))
        }
        return (0..<size).flatMap { index in lists.compactMap { $0.count > index ? $0[index] : nil } }
    }

    private func line(_ result: Result, _ mutants: [Mutant?]) -> String? {
        guard let mutant = mutants[result.number] else { return nil }
        let suites: String
        switch result.verdict {
        case .killed: return nil
        case .survived(let ran, let all): suites = "\(ran) of \(all) suites ran"
        case .notReached: suites = "no test reaches it"
        }
        return "\(mutant.file):\(mutant.lines.lowerBound): \(mutant.description) (\(suites))"
    }

    /// Prints the figures and returns whether each module reaches what is wanted.
    private func report(_ results: [Result], _ mutants: [Mutant?]) -> Bool {
        var lines: [String] = []
        var isEnough = true
        for module in modules {
            let own = results.filter { mutants[$0.number]?.module == module }
            let killed = own.count { if case .killed = $0.verdict { true } else { false } }
            if own.isEmpty { continue }
            let share = 100 * killed / own.count
            if share < Mutate.wanted { isEnough = false }
            print(
                "\n\(module): \(killed) of \(own.count) noticed, \(share) %\(share < Mutate.wanted ? ", too few" : "")")
            for result in own.sorted(by: { $0.number < $1.number }) {
                guard let mutant = mutants[result.number], let line = line(result, mutants) else { continue }
                print("  " + line)
                lines.append(key(mutant))
            }
        }
        guard let survivors else { return isEnough }
        do {
            try (lines.joined(separator: "\n") + "\n").write(toFile: survivors, atomically: true, encoding: .utf8)
        } catch {
            note("\(survivors): \(error)")
        }
        return isEnough
    }
}
