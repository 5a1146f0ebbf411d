import CSpawn
import Foundation

/// A library with a number of generated entries, and the equivalent for newsboat.
struct Workload {
    let database: String
    let newsboatArguments: [String]

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns a new, empty folder for a measurement.
    static func folder(_ name: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-bench-" + name)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    init(entries: Int, in folder: URL, tappa: String, newsboat: String?) throws {
        database = folder.appendingPathComponent("library.sqlite").path
        let perFeed = min(entries, 500)
        var urls: [String] = []
        for index in 0..<max(1, entries / perFeed) {
            let file = folder.appendingPathComponent("feed\(index).xml")
            try Data(Workload.feed(index, entries: perFeed).utf8).write(to: file)
            urls.append(file.absoluteString)
        }
        try Workload.run(tappa, ["add", "--database", database] + urls)
        try? Workload.run(tappa, ["reload", "--database", database])
        let urlFile = folder.appendingPathComponent("urls")
        let cache = folder.appendingPathComponent("cache.db").path
        let configuration = folder.appendingPathComponent("config")
        try Data(urls.joined(separator: "\n").utf8).write(to: urlFile)
        try Data("auto-reload no\nrefresh-on-startup no\n".utf8).write(to: configuration)
        newsboatArguments = ["-u", urlFile.path, "-c", cache, "-C", configuration.path]
        if let newsboat { try? Workload.run(newsboat, newsboatArguments + ["-x", "reload"]) }
    }

    /// Creates a library of races with a total number of stages, a thousand in each, and returns its path.
    static func stages(_ count: Int, in folder: URL, tappa: String) throws -> String {
        let database = folder.appendingPathComponent("library.sqlite").path
        let files = try (0..<max(1, count / 1000)).map { race in
            let year = 1900 + race
            let stages = (1...1000).map { number in
                """
                {"number": \(number), "start": "Workload \(number)", "finish": "Elsewhere", \
                "date": "\(year)-07-\(10 + number % 20)", "distance_km": \(100 + number % 99), "type": "flat", \
                "winner": "Somebody"}
                """
            }
            let text = #"{"race": "Race \#(race)", "year": \#(year), "stages": [\#(stages.joined(separator: ", "))]}"#
            let file = folder.appendingPathComponent("race\(race).json")
            try Data(text.utf8).write(to: file)
            return file.path
        }
        try Workload.run(tappa, ["race", "import", "--database", database] + files)
        return database
    }

    private static func feed(_ number: Int, entries: Int) -> String {
        var text = "<rss version=\"2.0\"><channel><title>Workload \(number)</title><link>http://localhost/</link>"
        for index in 0..<entries {
            let day = 1 + index % 28
            text += "<item><title>Entry \(number)-\(index) of a feed about climbs, sprints and descents</title>"
            text += "<guid>w:\(number):\(index)</guid><link>http://localhost/\(number)/\(index)</link>"
            text += "<pubDate>\(day) Oct 2026 0\(index % 10):15:00 GMT</pubDate><description>"
            text += String(repeating: "The peloton let the breakaway go before the last climb of the day. ", count: 8)
            text += "</description></item>"
        }
        return text + "</channel></rss>"
    }

    /// Runs a program, with its standard output in a file or discarded.
    static func run(_ program: String, _ arguments: [String], output: String? = nil) throws {
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard csp_start(words.map { UnsafePointer($0) }, nil, nil, output, nil, false, &child) == 0 else {
            throw Failure(description: "\(program) cannot be started")
        }
        let code = csp_wait(child)
        guard code == 0 else { throw Failure(description: "\(program) \(arguments.first ?? "") ended with \(code)") }
    }

    /// Runs a program, and returns the seconds and the peak memory in MiB.
    static func measure(_ words: [String]) -> (seconds: Double, memory: Double) {
        let start = ContinuousClock.now
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var child = pid_t()
        guard posix_spawnp(&child, words[0], &actions, nil, arguments, environ) == 0 else { return (.nan, .nan) }
        var (status, usage) = (Int32(0), rusage())
        wait4(child, &status, 0, &usage)
        let seconds = start.duration(to: .now) / .seconds(1)
        return status == 0 ? (seconds, Double(usage.ru_maxrss) / 1024) : (.nan, .nan)
    }

    /// Runs a program and returns the lines of its standard output or error, or `nil` if it fails.
    static func lines(of words: [String], _ stream: ReferenceWritableKeyPath<Process, Any?>) -> [String]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let output = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process[keyPath: stream] = output
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text.split(separator: "\n").map(String.init) : nil
    }
}
