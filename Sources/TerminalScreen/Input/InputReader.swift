import CNcurses

/// Reads the bytes that a terminal sends, and decides how long to wait for the rest of a sequence.
struct InputReader {
    private var decoder = InputDecoder()
    private var lastInput = ContinuousClock.now
    /// The time to wait for the rest of a sequence after Esc, in milliseconds (row TER-05).
    private let escapeDelay: Int

    /// The maximum time to wait after Esc inside tmux, which waits itself and sends the bytes of a key together.
    private static let escapeDelayInTmux = 20
    /// The time to wait for the rest of an answer, in milliseconds.
    private static let answerDelay = 300
    /// The time to wait for the next part of a paste, in milliseconds.
    private static let pasteDelay = 5000

    /// - Parameter escapeDelay: The time to wait after Esc, in milliseconds. Inside tmux it is shorter.
    init(escapeDelay: Int, isInTmux: Bool) {
        self.escapeDelay = isInTmux ? min(escapeDelay, InputReader.escapeDelayInTmux) : escapeDelay
    }

    /// Adopts the keys of the terminal that was started.
    mutating func start() { decoder = InputDecoder(described: InputReader.describedKeys()) }

    /// The milliseconds until an incomplete sequence is decoded, or `nil` if there is none.
    var untilFlush: Int? {
        guard decoder.isWaiting else { return nil }
        let delay =
            decoder.isInsidePaste
            ? InputReader.pasteDelay
            : decoder.isInsideAnswer ? InputReader.answerDelay : escapeDelay
        return max(0, delay - Int(clamping: lastInput.duration(to: .now) / .milliseconds(1)))
    }

    mutating func read() -> [InputEvent] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = cnc_read(&buffer, Int32(buffer.count))
        if count < 0 { return [.terminate(.hangup)] }
        lastInput = .now
        return decoder.decode(buffer[..<Int(count)])
    }

    mutating func flush() -> [InputEvent] { decoder.flush() }

    private static func describedKeys() -> [[UInt8]: Key] {
        let names: [(String, Key)] = [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
            ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kich1", .insert), ("kcbt", .backTab),
        ]
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in names + (1...12).map({ ("kf\($0)", Key.function($0)) }) {
            guard let value = cnc_key_string(name) else { continue }
            let bytes = Array(String(cString: value).utf8)
            if bytes.count > 1, bytes[0] == 0x1B { keys[bytes] = key }
        }
        return keys
    }
}
