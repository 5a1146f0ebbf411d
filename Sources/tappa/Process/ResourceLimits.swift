import ArgumentParser
import Foundation

/// Checks the system's limits before anything starts, because running out later would trap or fail silently.
enum ResourceLimits {
    /// The minimum number of open files: for the library, the terminal and fetching.
    private static let minimumFiles: rlim_t = 32
    /// The requested number of open files.
    private static let requiredFiles: rlim_t = 1024
    /// The minimum address space in bytes. Without it the creation of threads would block forever.
    private static let minimumAddressSpace: rlim_t = 512 << 20

    /// Opens closed standard streams, because the next opened file would otherwise get their number and receive what is
    /// printed. Reading them and printing fail.
    static func openStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            _ = open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
        }
    }

    /// Raises the limit of open files.
    ///
    /// - Throws: An exit code, after a message, if the limits are too low.
    static func check() throws {
        // A limit on file sizes then acts like a full disk instead of ending the program.
        signal(SIGXFSZ, SIG_IGN)
        var files = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        if getrlimit(resource, &files) == 0, files.rlim_cur < requiredFiles, files.rlim_cur < files.rlim_max {
            files.rlim_cur = min(requiredFiles, files.rlim_max)
            setrlimit(resource, &files)
        }
        if getrlimit(resource, &files) == 0, files.rlim_cur < minimumFiles {
            throw fail(
                "the limit of \(files.rlim_cur) open files is too low; tappa needs \(minimumFiles) (ulimit -n)",
                ExitStatus.unavailable)
        }
        var space = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur < rlim_t.max / 2 else {
            return
        }
        guard space.rlim_cur >= minimumAddressSpace else {
            throw fail(
                "the limit of \(space.rlim_cur >> 20) MiB of address space is too low; tappa needs \(minimumAddressSpace >> 20) MiB (ulimit -v)",
                ExitStatus.unavailable)
        }
    }
}
