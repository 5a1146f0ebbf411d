import CSpawn
import CommonTesting
import Foundation
import Synchronization
import Testing

/// The built program in a real tmux, driven by keys and read as text.
///
/// ```swift
/// let tmux = try TmuxSession("tappa --in-memory", width: 120, height: 39)
/// tmux.press("Tab")
/// #expect(await tmux.wait(for: "▐Feeds"))
/// ```
final class TmuxSession {
    /// The folder of the server's socket, deleted with the session because tmux leaves its sockets behind.
    private let folder = TemporaryFolder()
    /// The path of the server's socket.
    var socket: String { folder.path("tmux") }
    /// A temporary home for the program's files.
    let home: URL
    private let ownsHome: Bool

    init(_ command: String, width: Int, height: Int, home: URL? = nil, environment: String = "") throws {
        self.home = home ?? FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        ownsHome = home == nil
        try FileManager.default.createDirectory(at: self.home, withIntermediateDirectories: true)
        Leftovers.remove(folder.url)
        let settings =
            "HOME=\(self.home.path) XDG_DATA_HOME= XDG_CONFIG_HOME= XDG_STATE_HOME= TZ=UTC LC_ALL=C.UTF-8 \(environment)"
        let line = command.hasPrefix("tappa") ? Program.path.path + command.dropFirst(5) : command
        // A killed program leaves the cursor anywhere and a sequence unfinished. CAN ends the sequence, and from the
        // first column no line breaks within the words.
        let end = #"printf '\030\rended with %s\n' $?"#
        tmux("new-session", "-d", "-x", "\(width)", "-y", "\(height)", "env \(settings) \(line); \(end); cat")
        tmux("set-option", "-g", "status", "off")
        tmux("set-option", "-sg", "escape-time", "0")
        tmux("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// Starts a command, and expects a text in the pane.
    convenience init(
        _ command: String, width: Int, height: Int, home: URL? = nil, environment: String = "", expecting text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try self.init(command, width: width, height: height, home: home, environment: environment)
        #expect(await wait(for: text), sourceLocation: sourceLocation)
    }

    /// Ends the program and waits for it, because its last files would otherwise outlive the folder.
    deinit {
        let program = programID
        tmux("kill-server")
        _ = waitUntil(within: .seconds(5)) { program.map { kill($0, 0) != 0 } ?? true }
        if ownsHome { try? FileManager.default.removeItem(at: home) }
    }

    @discardableResult
    private func tmux(_ arguments: String...) -> String {
        Program.run("/usr/bin/env", ["tmux", "-S", socket, "-f", "/dev/null"] + arguments).output
    }

    /// Presses keys by their tmux names.
    func press(_ keys: String...) { for key in keys { tmux("send-keys", key) } }

    /// Presses keys, and expects a text in the pane.
    func press(
        _ keys: String..., expecting text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for key in keys { press(key) }
        #expect(await wait(for: text), sourceLocation: sourceLocation)
    }

    /// Sends bytes unchanged, and expects a text in the pane.
    func send(
        _ bytes: String, expecting text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        send(bytes)
        #expect(await wait(for: text), sourceLocation: sourceLocation)
    }

    /// Sends bytes unchanged.
    func send(_ text: String) { tmux("send-keys", "-l", text) }

    func resize(_ width: Int, _ height: Int) { tmux("resize-window", "-x", "\(width)", "-y", "\(height)") }

    /// Runs a tmux command, such as a detach.
    func command(_ words: String...) -> String {
        Program.run("/usr/bin/env", ["tmux", "-S", socket, "-f", "/dev/null"] + words).output
    }

    /// The text of the pane.
    var text: String { tmux("capture-pane", "-p") }

    /// The process of the program in the pane.
    var programID: Int32? {
        let shell = command("display-message", "-p", "#{pane_pid}").trimmingCharacters(in: .whitespacesAndNewlines)
        let children = Program.run("/usr/bin/env", ["pgrep", "-P", shell]).output
        return children.split(separator: "\n").first.flatMap { Int32($0) }
    }

    /// Waits until the pane shows a text, for ``Patience/whole`` at most.
    func wait(for text: String) async -> Bool { await wait { $0.contains(text) } }

    /// Waits until the pane's text meets a condition, and otherwise prints it.
    func wait(until isDone: (String) -> Bool) async -> Bool {
        if await eventually(every: .milliseconds(50), { isDone(text) }) { return true }
        print("The pane shows after \(Patience.whole) of waiting:\n\(text)")
        return false
    }
}

/// Removes leftovers when the test process ends, even after a crash: folders, and the tmux servers whose sockets are in
/// them.
///
/// A shell in its own session reads the folders from a pipe whose other end closes with the test process.
enum Leftovers {
    private static let reader = Mutex(
        popen(
            """
            exec >/dev/null 2>&1; exec setsid sh -c 'folders=
            while IFS= read -r folder; do folders="$folders $folder"; done
            for folder in $folders; do
                [ -S "$folder/tmux" ] && tmux -S "$folder/tmux" kill-server
                rm -rf "$folder"
            done'
            """, "we"))

    /// Deletes a folder when this process ends, and stops the server whose socket is in it.
    static func remove(_ folder: URL) {
        reader.withLock { reader in
            fputs(folder.path + "\n", reader)
            fflush(reader)
        }
    }
}

/// A suite whose tests run tappa in a home of their own.
protocol ProgramSuite {
    var temporary: TemporaryFolder { get }
    /// The options of every command.
    var options: [String] { get }
}

extension ProgramSuite {
    var home: URL { temporary.url }
    var options: [String] { [] }

    @discardableResult
    func tappa(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) -> Program.Outcome {
        tappa(arguments, input: input, environment: environment)
    }

    @discardableResult
    func tappa(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) -> Program.Outcome {
        Program.tappa(arguments + options, input: input, home: home, environment: environment)
    }

    /// Runs a shell script in which `"$0"` is the program.
    func shell(_ script: String) -> Program.Outcome { Program.shell(script, home: home) }

    /// Returns the objects in a JSON array.
    func rows(_ json: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    }
}

/// The built program and others.
enum Program {
    /// The end of a program, and what it printed.
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String

        /// Whether the program ended with an exit code after printing these errors.
        func failed(_ code: Int32, _ errors: String) -> Bool { self.code == code && self.errors == errors }
    }

    /// The folder of the source tree.
    static let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

    /// The built program beside the tests.
    static var path: URL { path(of: "tappa") }

    /// Returns the path of a program that was built with the tests.
    static func path(of name: String) -> URL {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while directory.path != "/" {
            let candidate = directory.appendingPathComponent(name)
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory), !isDirectory.boolValue
            {
                return candidate
            }
            directory.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: ".build/debug/\(name)")
    }

    /// Runs a program to its end; standard input is empty by default.
    static func run(_ program: String, _ arguments: [String], input: String? = nil, environment: [String: String] = [:])
        -> Program.Outcome
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map { folder.appendingPathComponent($0).path }
        _ = FileManager.default.createFile(atPath: files[0], contents: Data((input ?? "").utf8))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let settings = variables(environment)
        defer { for pointer in words + settings { free(pointer) } }
        var child: pid_t = 0
        let result = csp_start(
            words.map { UnsafePointer($0) }, settings.map { UnsafePointer($0) }, files[0], files[1], files[2], false,
            &child)
        guard result == 0 else { return Outcome(code: -1, output: "", errors: "not started") }
        let code = csp_wait(child)
        let texts = files.dropFirst().map {
            String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self)
        }
        return Outcome(code: code, output: texts[0], errors: texts[1])
    }

    /// Starts tappa without waiting for it.
    static func start(_ arguments: String...) -> pid_t {
        let words = ([path.path] + arguments).map { strdup($0) } + [nil]
        let settings = variables()
        defer { for pointer in words + settings { free(pointer) } }
        var child: pid_t = 0
        _ = csp_start(
            words.map { UnsafePointer($0) }, settings.map { UnsafePointer($0) }, nil, "/dev/null", "/dev/null", false,
            &child)
        return child
    }

    /// Waits for the end of a started process.
    static func wait(for process: pid_t) { _ = csp_wait(process) }

    /// Runs tappa with its own library.
    static func tappa(_ arguments: String..., input: String? = nil, home: URL? = nil) -> Program.Outcome {
        tappa(arguments, input: input, home: home)
    }

    /// Runs tappa with the given arguments and settings.
    static func tappa(
        _ arguments: [String], input: String? = nil, home: URL? = nil, environment: [String: String] = [:]
    ) -> Outcome {
        guard let home else {
            let own = TemporaryFolder()
            return withExtendedLifetime(own) {
                tappa(arguments, input: input, home: own.url, environment: environment)
            }
        }
        return run(path.path, arguments, input: input, environment: settings(home).merging(environment) { $1 })
    }

    /// Runs a shell script in which `"$0"` is the program.
    static func shell(_ script: String, home: URL) -> Program.Outcome {
        run("/bin/sh", ["-c", script, path.path], environment: settings(home))
    }

    /// The default home of all programs, so that no test touches the developer's own files.
    private static let home = {
        let folder = TemporaryFolder()
        Leftovers.remove(folder.url)
        return folder
    }()

    /// The environment of a program as C strings with a final null; the caller frees them.
    private static func variables(_ own: [String: String] = [:]) -> [UnsafeMutablePointer<CChar>?] {
        let all = ProcessInfo.processInfo.environment.merging(settings(home.url)) { $1 }.merging(own) { $1 }
        return all.map { strdup("\($0)=\($1)") } + [nil]
    }

    /// The variables that confine all files to a home.
    static func settings(_ home: URL) -> [String: String] {
        ["HOME": home.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "TZ": "UTC"]
    }
}
