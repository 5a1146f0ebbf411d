import ArgumentParser
import Foundation

/// What the system has to allow before anything is begun: what runs out in the middle of work ends in a trap or in silence.
enum ResourceLimits {
    /// Files and connections at once: the library's, the terminal's, and some for fetching.
    private static let leastFiles: rlim_t = 32
    /// Those that are asked for where the system allows more.
    private static let wantedFiles: rlim_t = 1024
    /// Bytes of address space: threads that cannot be made are waited for without end.
    private static let leastAddressSpace: rlim_t = 512 << 20

    /// Opens those of the standard streams that are closed: what is opened next, the library or a connection, would have their
    /// numbers, and get what is printed. Nothing can be read there, and printing fails.
    static func openStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Takes as many open files as may be had.
    ///
    /// - Throws: An exit code, after a sentence, where too little is allowed.
    static func check() throws {
        // A file that may not grow is a disk that is full, rather than the end.
        signal(SIGXFSZ, SIG_IGN)
        var files = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        if getrlimit(resource, &files) == 0, files.rlim_cur < wantedFiles, files.rlim_cur < files.rlim_max {
            files.rlim_cur = min(wantedFiles, files.rlim_max)
            setrlimit(resource, &files)
        }
        if getrlimit(resource, &files) == 0, files.rlim_cur < leastFiles {
            throw fail(
                "the limit of \(files.rlim_cur) open files is too low; tappa needs \(leastFiles) (ulimit -n)",
                ExitStatus.unavailable)
        }
        var space = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur < rlim_t.max / 2 else {
            return
        }
        guard space.rlim_cur >= leastAddressSpace else {
            throw fail(
                "the limit of \(space.rlim_cur >> 20) MiB of address space is too low; tappa needs \(leastAddressSpace >> 20) MiB (ulimit -v)",
                ExitStatus.unavailable)
        }
    }
}
