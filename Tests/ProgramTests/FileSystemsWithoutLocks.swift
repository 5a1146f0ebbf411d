import CommonTesting
import Foundation
import Testing

/// A file system whose locks fail, such as a network file system without its lock service.
@Suite struct FileSystemsWithoutLocks {
    private let temporary = TemporaryFolder()

    private static var hasCompiler: Bool { Program.run("/bin/sh", ["-c", "command -v cc"]).code == 0 }

    /// Fails each lock with `ENOLCK`.
    private static let shim = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #undef fcntl
        #define FORWARD(name) \\
            int name(int file, int command, ...) { \\
                va_list list; \\
                va_start(list, command); \\
                void *value = va_arg(list, void *); \\
                va_end(list); \\
                if (command == F_SETLK || command == F_SETLKW) { errno = ENOLCK; return -1; } \\
                int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \\
                return real(file, command, value); \\
            }
        FORWARD(fcntl)
        FORWARD(fcntl64)

        """

    private func library() throws -> String {
        let (source, shim) = (temporary.path("shim.c"), temporary.path("shim.so"))
        try Data(FileSystemsWithoutLocks.shim.utf8).write(to: URL(fileURLWithPath: source))
        let compiled = Program.run("/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"])
        #expect(compiled.code == 0, "\(compiled.errors)")
        return shim
    }

    @Test(.enabled(if: hasCompiler), .timeLimit(.minutes(1)))
    func endCommandsAndTheDashboardWithASentence() async throws {
        let shim = try library()
        #expect(Program.tappa("list", home: temporary.url).code == 0)
        for command in ["status", "list", "reload"] {
            let result = Program.tappa([command], home: temporary.url, environment: ["LD_PRELOAD": shim])
            #expect(result.code == 74 && result.output.isEmpty, "\(command)")
            #expect(result.errors.contains("its file system can't lock files"), "\(command): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1)
        }
        let tmux = try TmuxSession(
            "tappa", width: 240, height: 20, home: temporary.url, environment: "LD_PRELOAD=\(shim)")
        #expect(await tmux.wait(for: "ended with 74"))
        #expect(tmux.text.contains("can't lock"))
    }
}
