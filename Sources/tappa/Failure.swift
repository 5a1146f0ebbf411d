import ArgumentParser
import Fetching
import Platform
import ModelCore
import TerminalText

/// Exit codes beyond 0, as BSD's sysexits has them.
enum ExitStatus {
    static let usage = ExitCode(64)
    static let badData = ExitCode(65)
    static let noInput = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let inputOutput = ExitCode(74)
}

/// Ends a command with one sentence on standard error.
func fail(_ sentence: String, _ code: ExitCode) -> ExitCode {
    printError("tappa: \(sentence)")
    return code
}

/// Writes a line to standard error, safe to show, behind what was printed before it.
func printError(_ line: String) {
    StandardOutput.flush()
    let bytes = Array((Sanitizer.sanitize(line) + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Writes how far something is in the place of what was written so before; empty: nothing is left of it.
func printProgress(_ text: String) {
    let bytes = Array("\r\u{1B}[K\(Sanitizer.sanitize(text))".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

extension LibraryError {
    var exitCode: ExitCode {
        switch self {
        case .newerVersion, .damaged, .foreign, .foreignTriggers, .unreadable: ExitStatus.badData
        case .cannotOpen, .cannotStore, .readOnly, .replaced, .busy, .failed: ExitStatus.inputOutput
        }
    }
}
