import Foundation

/// Counts the instructions of some work with valgrind, if installed. The result depends only on the binary, not on the
/// load of the machine.
enum InstructionCount {
    private static let valgrind = "/usr/bin/valgrind"

    /// Returns the millions of instructions for one step: the difference between runs with `few` and `many` steps,
    /// divided by the steps.
    ///
    /// - Parameter arguments: The arguments of this program, to which the number of steps is appended.
    static func millions(_ arguments: [String], few: Int = 20, many: Int = 120) -> Double? {
        guard FileManager.default.isExecutableFile(atPath: valgrind),
            let first = count(arguments + [String(few)]), let second = count(arguments + [String(many)])
        else { return nil }
        return (second - first) / Double(many - few) / 1_000_000
    }

    /// A copy of this program without debug information, which valgrind can't always read.
    private static let program: String? = {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-bench-stripped").path
        return (try? Workload.run("/usr/bin/strip", ["-o", copy, CommandLine.arguments[0]])).map { copy }
    }()

    private static func count(_ arguments: [String]) -> Double? {
        guard let program else { return nil }
        let words = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", program] + arguments
        let line = Workload.lines(of: words, \.standardError)?.last { $0.contains("Collected") }
        return line.flatMap { Double($0.split(separator: " ").last ?? "") }
    }
}
