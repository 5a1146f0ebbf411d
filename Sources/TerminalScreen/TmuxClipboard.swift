import CSpawn
import Glibc

/// The buffer of tmux, where the program runs in it.
enum TmuxClipboard {
    /// Whether there is one.
    static var isAvailable: Bool { getenv("TMUX").map { $0.pointee != 0 } ?? false }

    /// Milliseconds that tmux may take.
    private static let patience: Int32 = 1000
    /// What fits into an argument (`MAX_ARG_STRLEN` of Linux), with room to spare.
    private static let mostBytes = 120_000

    /// Puts text into the buffer; tmux 3.2 and later give it to the clipboard of the terminal too. Not for the main thread.
    ///
    /// - Returns: Whether tmux has taken it.
    static func copy(_ text: String) -> Bool {
        let whole = Array(text.utf8.prefix(mostBytes))
        return run(["set-buffer", "-w", "--"], whole) || run(["set-buffer", "--"], whole)
    }

    private static func run(_ arguments: [String], _ text: [UInt8]) -> Bool {
        let words = (["tmux"] + arguments + [String(decoding: text, as: UTF8.self)]).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var buffer = [CChar](repeating: 0, count: 16)
        return csp_capture(words.map { UnsafePointer($0) }, &buffer, Int32(buffer.count), patience) >= 0
    }
}
