import CommonTesting
import Foundation
import Testing

/// A file system whose locks fail, such as a network file system without its lock service.
@Suite struct FileSystemsWithoutLocks: ProgramSuite {
    let temporary = TemporaryFolder()

    private static var hasCompiler: Bool { Program.run("/bin/sh", ["-c", "command -v cc"]).code == 0 }

    /// Fails each lock with the error `LOCK_ERROR` from the time on when the file `LOCKS_FAIL` exists. Creates the file
    /// `SLEPT` if anything waits then.
    private static let shim = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #include <stdlib.h>
        #include <unistd.h>
        #undef fcntl
        #define FORWARD(name) \\
            int name(int file, int command, ...) { \\
                va_list list; \\
                va_start(list, command); \\
                void *value = va_arg(list, void *); \\
                va_end(list); \\
                if ((command == F_SETLK || command == F_SETLKW) && access(getenv("LOCKS_FAIL"), F_OK) == 0) { \\
                    errno = atoi(getenv("LOCK_ERROR")); \\
                    return -1; \\
                } \\
                int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \\
                return real(file, command, value); \\
            }
        FORWARD(fcntl)
        FORWARD(fcntl64)
        /* SQLite's only way to wait. */
        int usleep(useconds_t time) {
            if (access(getenv("LOCKS_FAIL"), F_OK) == 0) close(creat(getenv("SLEPT"), 0600));
            int (*real)(useconds_t) = (int (*)(useconds_t))dlsym(RTLD_NEXT, "usleep");
            return real(time);
        }

        """

    /// Returns the environment of a program whose locks fail with an error once ``breakLocks()`` was called.
    private func environment(_ error: Int32) throws -> [String: String] {
        let (source, shim) = (temporary.path("shim.c"), temporary.path("shim.so"))
        try Data(FileSystemsWithoutLocks.shim.utf8).write(to: URL(fileURLWithPath: source))
        let compiled = Program.run("/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"])
        #expect(compiled.code == 0, "\(compiled.errors)")
        return [
            "LD_PRELOAD": shim, "LOCK_ERROR": "\(error)", "LOCKS_FAIL": temporary.path("broken"),
            "SLEPT": temporary.path("slept"),
        ]
    }

    private func breakLocks() throws { try Data().write(to: URL(fileURLWithPath: temporary.path("broken"))) }

    private func dashboard(_ environment: [String: String]) throws -> TmuxSession {
        try TmuxSession(
            "tappa --segment feeds", width: 240, height: 20, home: temporary.url,
            environment: environment.map { "\($0)=\($1)" }.joined(separator: " "))
    }

    /// What can't be stored or read safely ends with a sentence; what only reads a complete file works.
    @Test(.enabled(if: hasCompiler), .timeLimit(.minutes(1)), arguments: [ENOLCK, EIO])
    func endCommandsAndTheDashboardWithASentence(error: Int32) async throws {
        let environment = try environment(error)
        let listed = tappa("list")
        #expect(listed.code == 0)
        try breakLocks()
        let reason = "its file system can't lock files"
        for command in ["list", "status"] {
            let result = tappa(command, environment: environment)
            #expect(result.code == 0 && !result.output.isEmpty, "\(command)")
            if command == "list" { #expect(result.output == listed.output) }
            #expect(result.errors.contains(reason), "\(command): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1)
        }
        for command in [["reload"], ["add", "https://example.org/feed"], ["mark", "read", "1"]] {
            let result = tappa(command, environment: environment)
            #expect(result.code == 74 && result.output.isEmpty, "\(command): \(result.code)")
            #expect(result.errors.contains(reason), "\(command): \(result.errors)")
        }
        let tmux = try dashboard(environment)
        #expect(await tmux.wait(for: "ended with 74"))
        #expect(tmux.text.contains("can't lock"))
        // The last changes may be in the log, so reading the file alone would be wrong.
        let log = temporary.path(".local/share/tappa/library.sqlite-wal")
        try Data(count: 100).write(to: URL(fileURLWithPath: log))
        for command in ["list", "status"] {
            let result = tappa(command, environment: environment)
            #expect(result.code == 74 && result.output.isEmpty && result.errors.contains(reason), "\(command)")
        }
    }

    /// SQLite would wait ten seconds for each read.
    @Test(.enabled(if: hasCompiler), .timeLimit(.minutes(1)), arguments: [ENOLCK, EIO])
    func sayWhatFailsWhileTheDashboardIsOpen(error: Int32) async throws {
        let environment = try environment(error)
        #expect(tappa("list").code == 0)
        let tmux = try dashboard(environment)
        #expect(await tmux.wait(for: "▐Feeds"))
        try breakLocks()
        await tmux.press("j", "m", expecting: "file system can't lock files")
        await tmux.press("Q", expecting: "ended with 0")
        #expect(!FileManager.default.fileExists(atPath: temporary.path("slept")))
    }
}
