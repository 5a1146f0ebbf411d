import Foundation

/// Runs a program and its children as one group, to its end or until a condition ends it.
enum Shell {
    struct Outcome {
        /// The program's exit code; `nil` if it was stopped or died from a signal.
        var code: Int32?
        var output: String
        var seconds: Double
    }

    /// - Parameters:
    ///   - words: The program's path and its arguments.
    ///   - limit: The time limit in seconds.
    ///   - isEnough: Called with the output every few hundredths of a second; `true` stops the program.
    static func run(
        _ words: [String], in folder: String, environment: [String: String] = [:], limit: Double = 3600,
        isEnough: (String) -> Bool = { _ in false }
    ) -> Outcome {
        let start = ContinuousClock.now
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { unlink(output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + words
        let arguments = words.map { strdup($0) } + [nil]
        let variables =
            ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            for pointer in arguments + variables { free(pointer) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var child: pid_t = 0
        guard posix_spawnp(&child, words[0], &actions, &attributes, arguments, variables) == 0 else {
            return Outcome(code: 127, output: "\(words[0]) could not be started", seconds: 0)
        }
        func printed() -> String {
            String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        }
        func outcome(_ code: Int32?) -> Outcome {
            Outcome(code: code, output: printed(), seconds: start.duration(to: .now) / .seconds(1))
        }
        var status: Int32 = 0
        while waitpid(child, &status, WNOHANG) == 0 {
            if start.duration(to: .now) > .seconds(limit) || isEnough(printed()) {
                kill(-child, SIGKILL)
                waitpid(child, &status, 0)
                return outcome(nil)
            }
            usleep(20_000)
        }
        // Remaining processes of its group.
        kill(-child, SIGKILL)
        return outcome(status & 0x7F == 0 ? (status >> 8) & 0xFF : nil)
    }
}
