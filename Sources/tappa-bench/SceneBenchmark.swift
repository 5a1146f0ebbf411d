import Foundation
import Platform

/// Compares the toolkit with ratatui and Textual in three scenes: a virtual list of 100,000 rows, a table of 1,000 rows
/// and 8 columns, and a change of all cells. The programs run alternately in a pseudo-terminal.
@MainActor
enum SceneBenchmark {
    /// A program that shows the scene whose name is its last argument.
    private struct Program {
        let name: String
        let command: [String]
    }

    /// Keys with the same effect.
    private struct Action {
        let name: String
        let keys: [String]
        /// The input before the first key, which is not measured.
        var preparation: String?
    }

    private struct Scene {
        let name: String
        let title: String
        /// A word of the first frame.
        let ready: String
        let actions: [Action]
    }

    /// The figures of a program in a scene.
    private struct Figures {
        var starts: [Double] = []
        var memory: [Double] = []
        var times: [String: [Double]] = [:]
        var bytes: [String: [Double]] = [:]
        var processorTimes: [String: [Double]] = [:]
    }

    private static let rounds = 5
    private static let keysPerRound = 20
    private static let (columns, rows): (Int32, Int32) = (120, 39)
    /// The silence in milliseconds after which the effect of a key is complete. Textual draws 60 frames a second.
    private static let quiet: Int32 = 40

    private static let down = "\u{1B}[B"
    /// Moves the selection to the last visible row, so that each further row scrolls.
    private static let toLastVisibleRow = String(repeating: down, count: 45)
    private static let row = Action(name: "next row", keys: [down], preparation: toLastVisibleRow)
    private static let page = Action(name: "next page", keys: ["\u{1B}[6~"])
    private static let ends = Action(name: "last or first row", keys: ["\u{1B}[F", "\u{1B}[H"])

    private static let scenes = [
        Scene(name: "list", title: "list of 100,000 rows", ready: "climbs,", actions: [row, page, ends]),
        Scene(name: "table", title: "table of 1,000 x 8", ready: "r0-c0", actions: [row, page]),
        Scene(
            name: "screens", title: "two screens", ready: "abcdefgh", actions: [Action(name: "all cells", keys: ["x"])]),
    ]

    /// Measures all scenes and prints a table.
    static func run() {
        let programs = installedPrograms()
        var figures = Array(repeating: Array(repeating: Figures(), count: programs.count), count: scenes.count)
        for _ in 0..<rounds {
            for (index, scene) in scenes.enumerated() {
                for (number, program) in programs.enumerated() {
                    measure(scene, program, &figures[index][number])
                }
            }
        }
        printTable(programs.map(\.name), figures)
    }

    /// tappa's program and those of other toolkits that are installed.
    private static func installedPrograms() -> [Program] {
        var programs = [Program(name: "tappa", command: [CommandLine.arguments[0], "--scene"])]
        let environment = ProcessInfo.processInfo.environment
        let ratatui = environment["RATATUI_SCENES"] ?? ".build/ratatui-scenes/release/ratatui_scenes"
        if FileManager.default.isExecutableFile(atPath: ratatui) {
            programs.append(Program(name: "ratatui", command: [ratatui]))
        } else {
            print("ratatui is not compared: run 'make bench-ratatui' to build its scenes.")
        }
        if let python = python(environment["TEXTUAL_PYTHON"] ?? "python3") {
            programs.append(Program(name: "Textual", command: [python, "Tests/Bench/textual_scenes.py"]))
        } else {
            print("Textual is not compared: set TEXTUAL_PYTHON to a Python interpreter with the package 'textual'.")
        }
        return programs
    }

    /// Returns the path of an interpreter without its launchers, or `nil` if it doesn't have Textual.
    private static func python(_ name: String) -> String? {
        let words = ["/usr/bin/env", name, "-c", "import sys, textual; print(sys.executable)"]
        return Workload.lines(of: words, \.standardOutput)?.last
    }

    private static func measure(_ scene: Scene, _ program: Program, _ figures: inout Figures) {
        guard let terminal = PseudoTerminal(program.command + [scene.name], columns: columns, rows: rows) else {
            return
        }
        defer { terminal.stop() }
        guard let start = terminal.wait(for: scene.ready) else { return }
        figures.starts.append(start)
        terminal.settle()
        for action in scene.actions {
            if let preparation = action.preparation { _ = terminal.press(preparation, quiet: 150) }
            let before = terminal.processorTime
            for index in 0..<keysPerRound {
                guard let result = terminal.press(action.keys[index % action.keys.count], quiet: quiet) else {
                    continue
                }
                figures.times[action.name, default: []].append(result.milliseconds)
                figures.bytes[action.name, default: []].append(Double(result.bytes))
            }
            if let before, let after = terminal.processorTime {
                figures.processorTimes[action.name, default: []].append((after - before) / Double(keysPerRound))
            }
        }
        if let memory = terminal.peakMemory { figures.memory.append(memory) }
    }

    private static func printTable(_ names: [String], _ figures: [[Figures]]) {
        print(
            "toolkits at \(columns)x\(rows): time from a key to its last byte, bytes a key, processor time a key "
                + "(medians of \(rounds) rounds of \(keysPerRound) keys); start to the first frame, peak memory; "
                + "load average \(format(loadAverage))")
        printLine("", names)
        for (scene, figures) in zip(scenes, figures) {
            printLine(
                "\(scene.title): start",
                figures.map { "\(format(median($0.starts))) ms, \(format(median($0.memory))) MiB" })
            for action in scene.actions {
                printLine("  \(action.name)", figures.map { summary(of: $0, action.name) })
            }
        }
    }

    private static func summary(of figures: Figures, _ action: String) -> String {
        guard let times = figures.times[action], let bytes = figures.bytes[action],
            let processorTimes = figures.processorTimes[action]
        else { return "no answer" }
        return "\(format(median(times))) ms, \(String(format: "%.0f", median(bytes))) B, "
            + "\(format(median(processorTimes))) ms"
    }

    private static func printLine(_ title: String, _ values: [String]) {
        let widths = [29] + values.map { _ in 28 }
        let line = zip([title] + values, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        print(line.joined())
    }

    private static var loadAverage: Double {
        var load = Double.nan
        return getloadavg(&load, 1) == 1 ? load : .nan
    }
}
