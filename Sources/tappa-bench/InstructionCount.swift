import Foundation

/// Counts the instructions of a piece of work with valgrind, where it is installed: the same for the same binary, whatever
/// else the machine does.
enum InstructionCount {
    private static let valgrind = "/usr/bin/valgrind"

    /// Millions of instructions of one step: the difference between a run of `few` and one of `many`, by step.
    ///
    /// - Parameter arguments: What this program is called with; the number of steps is added at the end.
    static func millions(_ arguments: [String], few: Int = 20, many: Int = 120) -> Double? {
        guard FileManager.default.isExecutableFile(atPath: valgrind),
            let first = count(arguments + [String(few)]), let second = count(arguments + [String(many)])
        else { return nil }
        return (second - first) / Double(many - few) / 1_000_000
    }

    private static func count(_ arguments: [String]) -> Double? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: valgrind)
        let program = CommandLine.arguments[0]
        process.arguments = ["--tool=callgrind", "--callgrind-out-file=/dev/null", program] + arguments
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = text.split(separator: "\n").last { $0.contains("Collected") }
        return line.flatMap { Double($0.split(separator: " ").last ?? "") }
    }
}
