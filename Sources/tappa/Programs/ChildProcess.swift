import CSpawn
import Fetching
import Foundation

/// Why a program is not started, with what to write instead, as a sentence.
struct ProgramRefusal: Error, CustomStringConvertible {
    var description: String
}

/// Starts other programs without a shell and without this program's open files.
enum ChildProcess {
    /// Starts a program, by its path and arguments, with its standard output in a file. Returns `nil` if it can't be
    /// started.
    static func start(_ words: [String], output: String) -> pid_t? {
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let result = csp_start(pointers.map { UnsafePointer($0) }, nil, nil, output, nil, false, &child)
        return result == 0 ? child : nil
    }

    /// Waits for a child to exit, and returns its exit code or a negative signal number.
    static func wait(for child: pid_t) -> Int { Int(csp_wait(child)) }

    /// Returns how a program failed, or `nil` on success.
    ///
    /// - Parameters:
    ///   - name: The name of the program for the message.
    ///   - code: Its exit code, a negative signal number, or 127 if it could not be started.
    ///   - consequence: The effect of a failure of the program itself.
    static func problem(of name: String, _ code: Int, consequence: String = "") -> String? {
        switch code {
        case 0: nil
        case 127: "Can't start \(name)."
        case ..<0: "\(name) was killed by signal \(-code)."
        default: "\(name) failed (\(code))\(consequence)."
        }
    }

    /// Starts a program that receives values, with its output discarded. Returns `nil` if it can't be started.
    static func start(_ call: ProgramCall, inNewSession: Bool) -> pid_t? {
        var child: pid_t = 0
        let result = call.withPointers { csp_start($0, $1, nil, nil, nil, inNewSession, &child) }
        return result == 0 ? child : nil
    }

    /// Runs a program in this terminal and waits for it to exit. It ends with this program.
    ///
    /// - Returns: Its exit code, a negative signal number, or 127 if it could not be started.
    static func runInTerminal(_ call: ProgramCall) -> Int {
        Int(call.withPointers { csp_run_in_terminal($0, $1, STDIN_FILENO) })
    }

    /// Returns the output of a program, or `nil` if it could not be started, took longer than half a minute or failed.
    static func output(of words: [String]) -> String? {
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var buffer = [CChar](repeating: 0, count: 65_536)
        let count = csp_capture(pointers.map { UnsafePointer($0) }, &buffer, Int32(buffer.count), 30_000)
        return count < 0
            ? nil : String(decoding: buffer.prefix(Int(count)).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Returns the path of a program in `PATH`.
    static func find(_ name: String) -> String? { CommandWords.path(of: name) }
}
