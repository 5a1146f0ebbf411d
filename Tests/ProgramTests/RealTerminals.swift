import CommonTesting
import Foundation
import Testing

/// Compares the screens of real terminals with the expected ones: xterm prints its screen, kitty reports it by remote
/// control. Runs on a virtual display where they are installed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RealTerminals {
    private static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func isThere(_ terminal: String) -> Bool { program(terminal) != nil && program("Xvfb") != nil }

    /// A virtual display, which ends with this value.
    private final class Display {
        private let server = Process()
        private(set) var name = ""

        init?() throws {
            guard let path = RealTerminals.program("Xvfb") else { return nil }
            let told = Pipe()
            server.executableURL = URL(fileURLWithPath: path)
            // It chooses a free number and reports it once it is ready.
            server.arguments = ["-displayfd", "1", "-screen", "0", "1000x700x24", "-nolisten", "tcp"]
            server.standardOutput = told
            server.standardError = FileHandle.nullDevice
            try server.run()
            let number = String(decoding: told.fileHandleForReading.availableData, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            guard !number.isEmpty else { return nil }
            name = ":" + number
        }

        deinit { kill(server.processIdentifier, SIGKILL) }

        /// Starts a terminal on it.
        func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                .merging(["DISPLAY": name, "LIBGL_ALWAYS_SOFTWARE": "1", "NO_COLOR": "", "TMUX": ""]) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }

    /// The lines without fillers of wide characters and trailing spaces.
    private func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var scalars = String.UnicodeScalarView()
            scalars.append(
                contentsOf: line.unicodeScalars.filter { $0 != "\u{FFFF}" && $0 != "\u{FFFD}" && $0 != "\r" })
            var text = String(scalars)
            while text.hasSuffix(" ") || text.hasSuffix("\u{A0}") { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private func expected(_ file: String) throws -> [String] {
        lines(
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .map { String($0.prefix { $0 != "\t" }) }.joined(separator: "\n"))
    }

    @Test(.enabled(if: isThere("xterm"), "xterm and Xvfb are not installed"), arguments: 1...3)
    func xtermShowsTheExpectedScreen(seed: Int) async throws {
        let temporary = TemporaryFolder()
        let display = try #require(try Display())
        let (file, printed) = (temporary.path("expected"), temporary.path("printed"))
        let terminal = try display.run(
            try #require(RealTerminals.program("xterm")),
            [
                "-geometry", "60x16", "-u8", "-xrm", "xterm*printerCommand: cat >> \(printed)", "-xrm",
                "xterm*printAttributes: 0", "-e", Program.path(of: "screen-walker").path, "\(seed)", "40", file,
            ], ["SCREEN_WALKER_PRINTS": "1"])
        defer { kill(terminal.processIdentifier, SIGKILL) }
        var seen: [String] = []
        #expect(
            await eventually(every: .milliseconds(50)) {
                guard let meant = try? expected(file), let text = try? String(contentsOfFile: printed, encoding: .utf8)
                else { return false }
                seen = lines(text)
                return seen == meant
            }, "\(seen) for \((try? expected(file)) ?? [])")
    }

    @Test(.enabled(if: isThere("kitty"), "kitty and Xvfb are not installed"), arguments: [4])
    func kittyShowsTheExpectedScreen(seed: Int) async throws {
        let temporary = TemporaryFolder()
        let display = try #require(try Display())
        let (file, socket) = (temporary.path("expected"), temporary.path("socket"))
        let kitty = try #require(RealTerminals.program("kitty"))
        let terminal = try display.run(
            kitty,
            [
                "--config", "NONE", "-o", "allow_remote_control=yes", "--listen-on", "unix:\(socket)", "-o",
                "initial_window_width=60c", "-o", "initial_window_height=16c", "-o", "remember_window_size=no",
                Program.path(of: "screen-walker").path, "\(seed)", "40", file,
            ], ["HOME": temporary.url.path])
        defer { kill(terminal.processIdentifier, SIGKILL) }
        #expect(await eventually { FileManager.default.fileExists(atPath: file) })
        var seen: [String] = []
        let isShown = try await eventually(every: .milliseconds(100)) {
            let question = Process()
            let answer = Pipe()
            question.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
            question.arguments = ["-k", "1", "5", kitty, "@", "--to", "unix:\(socket)", "get-text"]
            question.standardInput = FileHandle.nullDevice
            question.standardOutput = answer
            question.standardError = FileHandle.nullDevice
            try question.run()
            seen = lines(String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
            question.waitUntilExit()
            return seen == (try expected(file))
        }
        #expect(isShown, "\(seen) for \((try? expected(file)) ?? [])")
    }
}
