import CSpawn
import Glibc

extension GraphicsDetection.TmuxAnswer {
    /// Milliseconds that tmux may take.
    private static let patience: Int32 = 1000

    /// Asks tmux about a pane, by its own program; nothing is sent to the terminal. Not for the main thread.
    static func ask(pane: String) -> GraphicsDetection.TmuxAnswer? {
        let words = (["tmux"] + question(pane: pane)).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var buffer = [CChar](repeating: 0, count: 16_384)
        let count = csp_capture(words.map { UnsafePointer($0) }, &buffer, Int32(buffer.count), patience)
        guard count > 0 else { return nil }
        return Self(String(decoding: buffer[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
