import CSpawn
import Platform

/// The program of the surrounding tmux. Its methods block, so don't call them on the main thread.
enum TmuxProgram {
    static var isAvailable: Bool { getenv("TMUX").map { $0.pointee != 0 } ?? false }

    /// The timeout in milliseconds.
    private static let patience: Int32 = 1000
    private static let capacity = 16_384

    /// Returns the output of a tmux command, or `nil` if tmux could not be started, took too long or failed.
    static func run(_ arguments: [String]) -> String? {
        let words = (["tmux"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var buffer = [CChar](repeating: 0, count: capacity)
        let count = csp_capture(words.map { UnsafePointer($0) }, &buffer, Int32(capacity), patience)
        return count < 0
            ? nil : String(decoding: buffer[..<Int(count)].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// The maximum length of an argument (`MAX_ARG_STRLEN` of Linux) with a margin.
    private static let maximumBytes = 120_000

    /// Copies text to tmux's buffer, and returns whether tmux accepted it. tmux 3.2 and later also forwards it to the
    /// terminal's clipboard.
    static func copy(_ text: String) -> Bool {
        let whole = String(decoding: Array(text.utf8.prefix(maximumBytes)), as: UTF8.self)
        return run(["set-buffer", "-w", "--", whole]) != nil || run(["set-buffer", "--", whole]) != nil
    }
}
