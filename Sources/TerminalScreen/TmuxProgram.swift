import CSpawn
import Platform

/// The program of the tmux that this one runs in. Not for the main thread: it is waited for.
enum TmuxProgram {
    /// Whether there is one.
    static var isAvailable: Bool { getenv("TMUX").map { $0.pointee != 0 } ?? false }

    /// Milliseconds that it may take.
    private static let patience: Int32 = 1000
    private static let capacity = 16_384

    /// Runs a command of it.
    ///
    /// - Returns: What it has printed; `nil` when it could not be started, took too long or refused.
    static func run(_ arguments: [String]) -> String? {
        let words = (["tmux"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var buffer = [CChar](repeating: 0, count: capacity)
        let count = csp_capture(words.map { UnsafePointer($0) }, &buffer, Int32(capacity), patience)
        return count < 0
            ? nil : String(decoding: buffer[..<Int(count)].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// What fits into an argument (`MAX_ARG_STRLEN` of Linux), with room to spare.
    private static let mostBytes = 120_000

    /// Puts text into its buffer; tmux 3.2 and later give it to the clipboard of the terminal too.
    ///
    /// - Returns: Whether it has taken it.
    static func copy(_ text: String) -> Bool {
        let whole = String(decoding: Array(text.utf8.prefix(mostBytes)), as: UTF8.self)
        return run(["set-buffer", "-w", "--", whole]) != nil || run(["set-buffer", "--", whole]) != nil
    }
}
