import Foundation

// Measures whole programs in a pseudo-terminal: the time to the first list, memory, and the time from a key to the last
// byte of its effect. newsboat, ratatui and Textual are measured too if they are installed.

let arguments = CommandLine.arguments.dropFirst()
guard let tappa = arguments.first else {
    FileHandle.standardError.write(
        Data("usage: tappa-bench PATH-OF-TAPPA [ENTRIES ...] | --scenes | --races PATH-OF-TAPPA\n".utf8))
    exit(64)
}
if tappa == "--toolkit-keys" {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 4 else { exit(64) }
    ToolkitBenchmark.pressKeys(width: numbers[0], height: numbers[1], rows: numbers[2], count: numbers[3])
    exit(0)
}
if tappa == "--scene" { exit(await Scenes.run(arguments.dropFirst().first ?? "")) }
if tappa == "--scenes" {
    SceneBenchmark.run()
    exit(0)
}
if tappa == "--races" {
    try await RaceBenchmark.run(tappa: arguments.dropFirst().first ?? "tappa")
    exit(0)
}
let sizes = arguments.dropFirst().compactMap { Int($0) }
let bytes = (try? FileManager.default.attributesOfItem(atPath: tappa))?[.size] as? Int ?? 0
print("the program: \(format(Double(bytes) / 1e6)) MB; 'start' below is the time to its first frame with a list")
let newsboat = ["/usr/bin/newsboat", "/usr/local/bin/newsboat"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }

func format(_ value: Double) -> String { String(format: "%.2f", value) }

/// Starts a program several times and presses keys in it.
func measure(_ name: String, _ command: [String], ready: String, before: [String], runs: Int) {
    // The runs must not restore the state of earlier ones, nor leave theirs behind.
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-bench-state").path
    setenv("XDG_STATE_HOME", state, 1)
    try? FileManager.default.removeItem(atPath: state)
    var starts: [Double] = []
    for _ in 0..<runs {
        guard let terminal = PseudoTerminal(command) else { continue }
        if let time = terminal.wait(for: ready) { starts.append(time) }
        terminal.stop()
        try? FileManager.default.removeItem(atPath: state)
    }
    guard let terminal = PseudoTerminal(command), terminal.wait(for: ready) != nil else {
        return print("\(name): did not start")
    }
    terminal.settle()
    let memory = terminal.peakMemory ?? .nan
    for key in before {
        _ = terminal.press(key, quiet: 150)
    }
    var times: [Double] = []
    var bytes: [Double] = []
    for index in 0..<200 {
        guard let result = terminal.press(index % 20 < 10 ? "j" : "k") else { continue }
        times.append(result.milliseconds)
        bytes.append(Double(result.bytes))
    }
    // Typical updates: a page, back to the top, another segment and back, a popover and its dismissal.
    let updates = [
        ("page", "\u{6}"), ("first row", "\u{1B}[H"), ("popover", "p"), ("popover away", "p"), ("segment", "\t"),
    ].map { update in
        "\(update.0) \(terminal.press(update.1, quiet: 60)?.bytes ?? 0)"
    }
    terminal.stop()
    times.sort()
    let tail = times.isEmpty ? .nan : times[min(times.count - 1, times.count * 99 / 100)]
    print(
        "\(name): start \(format(median(starts))) ms, memory \(format(memory)) MiB, key median \(format(median(times))) ms, "
            + "p99 \(format(tail)) ms, \(Int(median(bytes).isNaN ? 0 : median(bytes))) bytes a key"
            + (name.hasPrefix("tappa") ? "; bytes sent: " + updates.joined(separator: ", ") : ""))
}

ToolkitBenchmark.run()
ToolkitBenchmark.runText()
ToolkitBenchmark.runImage()
SceneBenchmark.run()
PictureBenchmark.run(tappa: tappa)
ArticleBenchmark.run(tappa)
await FeedBenchmark.run()
await SyncBenchmark.run(tappa: tappa)
try await RaceBenchmark.run(tappa: tappa)

do {
    let races = try Workload.folder("races")
    defer { try? FileManager.default.removeItem(at: races) }
    let database = try Workload.stages(100_000, in: races, tappa: tappa)
    measure(
        "tappa, 100000 stages", [tappa, "--segment", "stages", "--database", database], ready: "Workload", before: [],
        runs: 9)
} catch {
    print("100000 stages: \(error)")
}

for size in sizes.isEmpty ? [1000, 100_000] : sizes {
    do {
        let folder = try Workload.folder("\(size)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let workload = try Workload(entries: size, in: folder, tappa: tappa, newsboat: newsboat)
        measure(
            "tappa, \(size) entries", [tappa, "--segment", "feeds", "--database", workload.database], ready: "Workload",
            before: ["G", "\r"], runs: 9)
        if let newsboat {
            measure(
                "newsboat, \(size) entries", [newsboat] + workload.newsboatArguments, ready: "Workload", before: ["\r"],
                runs: size > 10_000 ? 1 : 3)
        }
    } catch {
        print("\(size) entries: \(error)")
    }
}
