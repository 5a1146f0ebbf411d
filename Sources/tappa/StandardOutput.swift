import Foundation
import ModelCore
import Platform
import Synchronization
import TerminalText

/// What a command prints, in order. Where it cannot be written, the command goes on, and ends with a word of it: a file that was cut
/// off by a full disk is not taken for a whole one.
enum StandardOutput {
    private struct State {
        var waiting: [UInt8] = []
        var fault: Int32?
    }

    private static let state = Mutex(State())
    /// Bytes that are kept together until they are written.
    private static let most = 1 << 16
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Writes bytes as they are; at once where a person reads them.
    static func write(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            state.waiting.append(contentsOf: bytes)
            if isTerminal || state.waiting.count >= most { empty(&state) }
        }
    }

    /// Writes what is kept yet.
    ///
    /// - Returns: The number of the fault (`errno`), if any of it could not be written, now or before.
    @discardableResult
    static func flush() -> Int32? {
        state.withLock { state in
            empty(&state)
            return state.fault
        }
    }

    private static func empty(_ state: inout State) {
        if state.fault == nil {
            state.fault = state.waiting.withUnsafeBytes { FileWriting.write($0, to: STDOUT_FILENO) }
        }
        state.waiting.removeAll(keepingCapacity: true)
    }
}

/// Writes a line to standard output, safe to show when that is a terminal.
func printLine(_ line: String) { printText(Sanitizer.sanitize(line)) }

/// Writes fields to standard output with tabs between them, each safe to show.
func printFields(_ fields: [String]) { printText(fields.map(Sanitizer.sanitize).joined(separator: "\t")) }

/// Writes text of the program's own, or such as was made safe before, and ends the line.
func printText(_ text: String) { StandardOutput.write((text + "\n").utf8) }
