import Foundation
import LibraryKernel
import Platform
import Synchronization
import TerminalText

/// The output of a command. If it can't be written, the command continues and finally reports the error, so that a
/// truncated file isn't mistaken for a complete one.
enum StandardOutput {
    private struct State {
        var waiting: [UInt8] = []
        var fault: Int32?
    }

    private static let state = Mutex(State())
    /// The size of the buffer in bytes.
    private static let maximum = 1 << 16
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Writes bytes, at once if the output is a terminal.
    static func write(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            state.waiting.append(contentsOf: bytes)
            if isTerminal || state.waiting.count >= maximum { empty(&state) }
        }
    }

    /// Flushes the buffer.
    ///
    /// - Returns: The error number (`errno`) of a failed write, now or before.
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

/// Whether the user can answer questions at a terminal.
var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

/// Prints a question and returns whether the user answers yes.
func confirms(_ question: String) -> Bool {
    printLine(question)
    return FileReading.typedLine()?.lowercased().hasPrefix("y") == true
}

/// Prints a sanitised line.
func printLine(_ line: String) { printText(Signs.shown(Sanitizer.sanitize(line))) }

/// The signs of the program's sentences, as the locale can show them. Documents and fields keep theirs.
enum Signs {
    private static let hasUnicode = ASCIISigns.hasUnicode { getenv($0).map { String(cString: $0) } }

    static func shown(_ text: String) -> String { hasUnicode ? text : ASCIISigns.text(text) }

    static func shown(_ utf8: [UInt8]) -> [UInt8] {
        hasUnicode ? utf8 : Array(ASCIISigns.text(String(decoding: utf8, as: UTF8.self)).utf8)
    }
}

/// Prints sanitised fields separated by tabs.
func printFields(_ fields: [String]) { printText(fields.map(Sanitizer.sanitize).joined(separator: "\t")) }

/// Prints the program's own or sanitised text and a line end.
func printText(_ text: String) { StandardOutput.write((text + "\n").utf8) }
