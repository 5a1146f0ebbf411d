import TerminalScreen

/// Checks that events don't depend on how the bytes of the terminal are split.
func decode(_ bytes: [UInt8]) throws {
    var (whole, pieces) = (InputDecoder(), InputDecoder())
    let events = whole.decode(bytes) + whole.flush()
    var others: [InputEvent] = []
    var rest = bytes[...]
    while let first = rest.first {
        let count = min(rest.count, 1 + Int(first) % 5)
        others += pieces.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
    }
    others += pieces.flush()
    try check(events == others, "the events depend on how the bytes are split")
}
