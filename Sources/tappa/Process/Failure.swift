import ArgumentParser
import Fetching
import LibraryKernel
import Platform
import TerminalText

/// The exit codes for failures, as defined by BSD's sysexits.
enum ExitStatus {
    static let usage = ExitCode(64)
    static let badData = ExitCode(65)
    static let noInput = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let inputOutput = ExitCode(74)
}

/// Prints a message to standard error and returns the exit code for the command to throw.
func fail(_ sentence: String, _ code: ExitCode) -> ExitCode {
    printError("tappa: \(sentence)")
    return code
}

/// Prints a sanitised line to standard error, after everything printed before.
func printError(_ line: String) {
    StandardOutput.flush()
    let bytes = Array((Signs.shown(Sanitizer.sanitize(line)) + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Prints progress in place of the previous one. An empty text erases it.
func printProgress(_ text: String) {
    let bytes = Array("\r\u{1B}[K\(Signs.shown(Sanitizer.sanitize(text)))".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

extension LibraryError {
    var exitCode: ExitCode {
        switch self {
        case .newerVersion, .damaged, .foreign, .foreignTriggers, .unreadable: ExitStatus.badData
        case .cannotOpen, .cannotStore, .readOnly, .replaced, .busy, .failed: ExitStatus.inputOutput
        case .rejected: ExitStatus.unavailable
        }
    }
}
