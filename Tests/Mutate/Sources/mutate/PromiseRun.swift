import Foundation
import Synchronization

/// Activates the register's faults one by one and runs the tests that should notice.
struct PromiseRun {
    /// The project's folder.
    var root: String
    /// Identifiers or files of the register; empty for all.
    var only: [String]
    /// The number of concurrent processes.
    var jobs: Int
    /// The path of a file for the faults that nothing noticed.
    var survivors: String?
    var note: @Sendable (String) -> Void

    /// The result for a fault.
    private enum Verdict: Sendable, Equatable {
        case noticed
        case survived(isReached: Bool)
        case unusable(String)
    }

    private struct Result: Sendable {
        var promise: Promise
        var fault: DeliberateFault
        var name: String
        var verdict: Verdict
    }

    func run() throws {
        let register = try PromiseRegister(root: root)
        for problem in register.problems { note(problem) }
        let chosen = register.promises.filter { only.isEmpty || only.contains($0.id) || only.contains($0.file) }
        var tree = FaultTree(root: root, promises: register.promises)
        note("\(tree.faults.count) faults are built in")
        try tree.build(report: note)
        let runner = TestRunner(copy: tree.copy.path)
        let failing = failingTests(runner, chosen)
        for test in failing.keys.sorted() { note("\(test): \(failing[test] ?? "")") }

        var tasks: [Result] = []
        for promise in chosen {
            for (index, fault) in promise.faults.enumerated() {
                let name = "\(promise.id).\(index + 1)"
                let verdict = Verdict.unusable(tree.rejected[name] ?? "")
                tasks.append(Result(promise: promise, fault: fault, name: name, verdict: verdict))
            }
        }
        let numbers = Dictionary(tree.faults.map { ($0.name, $0.number) }) { first, _ in first }
        let note = note
        let results = Work.map(tasks, jobs: jobs) { task in
            guard let number = numbers[task.name] else {
                note("\(task.name): \(task.verdict)")
                return task
            }
            var result = task
            let tests = task.promise.tests.filter { failing[$0] == nil }
            result.verdict =
                tests.isEmpty ? .unusable("no test of the promise passes") : PromiseRun.judge(runner, number, tests)
            if result.verdict != .noticed { note(PromiseRun.line(result)) }
            return result
        }
        report(results)
    }

    /// Tests that fail without a fault, or that don't exist, with the reason.
    private func failingTests(_ runner: TestRunner, _ promises: [Promise]) -> [String: String] {
        let names = Set(promises.flatMap(\.tests)).sorted()
        let groups = stride(from: 0, to: names.count, by: 40).map { Array(names[$0..<min($0 + 40, names.count)]) }
        let together = Work.map(groups, jobs: jobs) { group -> [String] in
            let outcome = runner.run(patterns: group.map(PromiseRun.pattern), limit: 900) { _ in false }
            return outcome.code == 0 ? [] : group
        }
        let doubtful = Work.map(together.flatMap { $0 }, jobs: jobs) { name -> (String, String?) in
            let outcome = runner.run(patterns: [PromiseRun.pattern(name)], limit: 300) { _ in false }
            if outcome.code != 0 { return (name, "fails without any fault") }
            return (name, nil)
        }
        return Dictionary(uniqueKeysWithValues: doubtful.compactMap { name, reason in reason.map { (name, $0) } })
    }

    private static func pattern(_ test: String) -> String {
        "\\." + NSRegularExpression.escapedPattern(for: test) + "\\("
    }

    private static func judge(_ runner: TestRunner, _ number: Int, _ tests: [String]) -> Verdict {
        let size = 1 << 16
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { unlink(file) }
        _ = FileManager.default.createFile(atPath: file, contents: Data(count: size))
        let outcome = runner.run(patterns: tests.map(pattern), mutant: number, reached: file, limit: 180) {
            $0.contains("✘")
        }
        if outcome.code != 0 { return .noticed }
        if outcome.output.contains("with 0 tests") { return .unusable("its tests don't exist") }
        let bytes = FileManager.default.contents(atPath: file) ?? Data()
        return .survived(isReached: bytes.count == size && bytes[number % size] != 0)
    }

    private static func line(_ result: Result) -> String {
        let reason =
            switch result.verdict {
            case .noticed: "noticed"
            case .survived(true): "not noticed"
            case .survived(false): "not reached by its tests"
            case .unusable(let reason): reason
            }
        return "\(result.name) \(result.fault.file): \(reason): \(result.promise.sentence)"
    }

    private func report(_ results: [Result]) {
        print("\nmodule             promises  faults  noticed")
        for module in Set(results.map(\.fault.module)).sorted() {
            let own = results.filter { $0.fault.module == module }
            let noticed = own.count { $0.verdict == .noticed }
            let promises = Set(own.map(\.promise.id)).count
            let columns = [("\(promises)", 9), ("\(own.count)", 8), ("\(noticed)", 9)]
            print(
                module.padding(toLength: 18, withPad: " ", startingAt: 0)
                    + columns.map { String(repeating: " ", count: max(1, $0.1 - $0.0.count)) + $0.0 }.joined())
        }
        let lines = results.filter { $0.verdict != .noticed }.map(PromiseRun.line)
        print("\(results.count - lines.count) of \(results.count) noticed")
        for line in lines { print("  " + line) }
        guard let survivors else { return }
        do {
            try (lines.joined(separator: "\n") + "\n").write(toFile: survivors, atomically: true, encoding: .utf8)
        } catch {
            note("\(survivors): \(error)")
        }
    }
}
