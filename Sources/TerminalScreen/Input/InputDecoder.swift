/// Decodes the bytes from a terminal into events.
///
/// It understands the sequences of xterm-like terminals (ECMA-48 control sequences, SS3, SGR and X10 mouse reports,
/// bracketed paste, focus reports) and those in the terminal's terminfo entry. Bytes may arrive in pieces of any size.
/// Nothing here depends on time: the owner calls ``flush()`` after a delay, which turns a lone Esc into a key (row
/// TER-05).
public struct InputDecoder: Sendable {
    private var pending: [UInt8] = []
    private var pasted: [UInt8]?
    private let described: [[UInt8]: Key]
    private let describedLength: Int

    /// The maximum size of pasted text in bytes. The rest is read and dropped.
    public static let maximumPaste = 1 << 20

    /// Creates a decoder.
    ///
    /// - Parameter described: The sequences of the terminfo entry, which take precedence over the standard ones.
    public init(described: [[UInt8]: Key] = [:]) {
        self.described = described
        describedLength = described.keys.map(\.count).max() ?? 0
    }

    /// Whether a sequence is incomplete, so that ``flush()`` must be called after a delay.
    public var isWaiting: Bool { !pending.isEmpty || pasted != nil }

    /// Whether a paste is incomplete. Over a slow connection its parts may arrive far apart.
    public var isInsidePaste: Bool { pasted != nil }

    /// Whether an answer of the terminal is incomplete. It may take longer than a key.
    public var isInsideAnswer: Bool {
        pasted == nil && pending.count > 2 && InputDecoder.stringStarts.contains(pending[1])
    }

    /// The bytes after Esc that start a string in an answer: DCS, OSC and APC.
    private static let stringStarts: Set<UInt8> = [0x50, 0x5D, 0x5F]

    /// Decodes bytes and returns the completed events.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        // A few bytes at a time, because each event moves the bytes behind it.
        for byte in bytes {
            pending.append(byte)
            if pending.count >= InputDecoder.mostPending { events += drain(isComplete: false) }
        }
        return events + drain(isComplete: false)
    }

    /// The number of bytes to decode at once. No sequence that is waited for is as long.
    private static let mostPending = 4096

    /// Decodes incomplete bytes as if no more will arrive. A lone Esc becomes the Escape key, and a paste without an
    /// end is completed, so that keys work again.
    public mutating func flush() -> [InputEvent] {
        guard let collected = pasted else { return drain(isComplete: true) }
        defer { (pasted, pending) = (nil, []) }
        return [.paste(String(decoding: collected + pending, as: UTF8.self))]
    }

    private enum Match {
        case event(InputEvent?, length: Int)
        case pasteStart(length: Int)
        case incomplete
    }

    private mutating func drain(isComplete: Bool) -> [InputEvent] {
        var events: [InputEvent] = []
        while !pending.isEmpty {
            if pasted != nil {
                guard let text = takePaste() else { break }
                events.append(.paste(text))
                continue
            }
            switch match(isComplete: isComplete) {
            case .event(let event, let length):
                if let event { events.append(event) }
                pending.removeFirst(length)
            case .pasteStart(let length):
                pending.removeFirst(length)
                pasted = []
            case .incomplete:
                return events
            }
        }
        return events
    }

    private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

    private mutating func takePaste() -> String? {
        var collected = pasted ?? []
        // Otherwise each part would copy all before it.
        pasted = []
        let end = InputDecoder.pasteEnd
        var index = 0
        while index < pending.count {
            if pending[index] == 0x1B {
                let rest = pending[index...].prefix(end.count)
                if rest.elementsEqual(end) {
                    pending.removeFirst(index + end.count)
                    pasted = nil
                    return String(decoding: collected, as: UTF8.self)
                }
                if end.starts(with: rest) { break }
            }
            if collected.count < InputDecoder.maximumPaste { collected.append(pending[index]) }
            index += 1
        }
        pending.removeFirst(index)
        pasted = collected
        return nil
    }

    private func match(isComplete: Bool) -> Match {
        let first = pending[0]
        if describedLength > 0, let found = matchDescribed() { return found }
        if first == 0x1B { return matchEscape(isComplete: isComplete) }
        return matchCharacter(at: 0, modifiers: [], isComplete: isComplete)
    }

    private func matchDescribed() -> Match? {
        guard pending[0] == 0x1B else { return nil }
        for length in stride(from: min(describedLength, pending.count), to: 1, by: -1) {
            if let key = described[Array(pending[..<length])] {
                return .event(.key(KeyPress(key)), length: length)
            }
        }
        return nil
    }

    private func matchCharacter(at index: Int, modifiers: KeyModifiers, isComplete: Bool) -> Match {
        let byte = pending[index]
        if byte < 0x80 {
            return .event(.key(InputDecoder.control(byte, modifiers)), length: index + 1)
        }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        if pending.count < index + length, !isComplete { return .incomplete }
        let text = String(decoding: pending[index...].prefix(length), as: UTF8.self)
        let end = min(pending.count, index + length)
        guard let character = text.first, character != "\u{FFFD}" else { return .event(nil, length: index + 1) }
        return .event(.key(KeyPress(.character(character), modifiers)), length: end)
    }

    private static func control(_ byte: UInt8, _ modifiers: KeyModifiers) -> KeyPress {
        switch byte {
        case 0x0D, 0x0A: KeyPress(.enter, modifiers)
        case 0x09: KeyPress(.tab, modifiers)
        case 0x7F, 0x08: KeyPress(.backspace, modifiers)
        case 0x1B: KeyPress(.escape, modifiers)
        case 0x00: KeyPress(.character(" "), modifiers.union(.control))
        case 0x01...0x1A:
            KeyPress(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control))
        case 0x1C...0x1F:
            KeyPress(.character(Character(Unicode.Scalar(byte + 0x40))), modifiers.union(.control))
        default: KeyPress(.character(Character(Unicode.Scalar(byte))), modifiers)
        }
    }

    private func matchEscape(isComplete: Bool) -> Match {
        guard pending.count > 1 else {
            return isComplete ? .event(.key(KeyPress(.escape)), length: 1) : .incomplete
        }
        switch pending[1] {
        case 0x5B:
            if let found = matchControlSequence() { return found }
            if !isComplete { return .incomplete }
            return .event(.key(KeyPress(.character("["), .alt)), length: 2)
        case 0x4F:
            guard pending.count > 2 else {
                return isComplete ? .event(.key(KeyPress(.character("O"), .alt)), length: 2) : .incomplete
            }
            if let key = InputDecoder.finalKeys[pending[2]] { return .event(.key(KeyPress(key)), length: 3) }
            return .event(.key(KeyPress(.character("O"), .alt)), length: 2)
        case 0x09:
            // The Linux console sends this for Shift-Tab.
            return .event(.key(KeyPress(.backTab)), length: 2)
        case 0x1B:
            return .event(.key(KeyPress(.escape)), length: 1)
        case let start where InputDecoder.stringStarts.contains(start):
            if let found = matchControlString(isComplete: isComplete) { return found }
            return matchCharacter(at: 1, modifiers: .alt, isComplete: isComplete)
        default:
            return matchCharacter(at: 1, modifiers: .alt, isComplete: isComplete)
        }
    }

    /// ECMA-48: parameter bytes 30-3F, intermediate bytes 20-2F, one final byte 40-7E.
    private func matchControlSequence() -> Match? {
        var index = 2
        if index < pending.count, pending[index] == 0x4D { return matchX10Mouse() }
        // The Linux console's function keys 1 to 5 have a second bracket.
        if index < pending.count, pending[index] == 0x5B {
            guard index + 1 < pending.count else { return nil }
            let number = Int(pending[index + 1]) - 0x40
            return .event((1...5).contains(number) ? .key(KeyPress(.function(number))) : nil, length: index + 2)
        }
        // The same bytes are dropped, in whatever pieces they arrive.
        let end = min(pending.count, InputDecoder.longestSequence)
        while index < end, (0x20...0x3F).contains(pending[index]) { index += 1 }
        guard index < end else { return end == InputDecoder.longestSequence ? .event(nil, length: end) : nil }
        let final = pending[index]
        guard (0x40...0x7E).contains(final) else { return .event(nil, length: index) }
        let length = index + 1
        let body = pending[2..<index]
        if body.first == 0x3C {
            return .event(MouseEvent.decodedSGR(body.dropFirst(), final).map(InputEvent.mouse), length: length)
        }
        let parameters = body.split(separator: 0x3B, omittingEmptySubsequences: false).map(InputDecoder.number)
        if let report = TerminalReport.ofSequence(isPrivate: body.first == 0x3F, final: final, parameters) {
            return .event(.report(report), length: length)
        }
        // This prefix marks an answer, known or not, and never a key (ECMA-48, 5.4.1: private parameters).
        if let mark = body.first, (0x3C...0x3F).contains(mark) { return .event(nil, length: length) }
        if final == 0x7E, parameters.first == 200 { return .pasteStart(length: length) }
        return .event(InputDecoder.key(final: final, parameters), length: length)
    }

    /// The maximum length of a control sequence in bytes. Answers of terminals that list all their features have about
    /// sixty.
    private static let longestSequence = 256

    /// The maximum length of an answer in bytes. Longer ones are not answers.
    private static let longestString = 1024

    /// Matches an answer in a string: `ESC P`, `ESC ]` or `ESC _`, its content, and `ESC \` or BEL. The start of the
    /// content must match, because Alt with P, ] or _ sends the same prefix.
    private func matchControlString(isComplete: Bool) -> Match? {
        guard pending.count > 2 else { return isComplete ? nil : .incomplete }
        let isAnswer =
            switch (pending[1], pending[2]) {
            case (0x50, 0x3E), (0x50, 0x30...0x39), (0x5D, 0x30...0x39), (0x5F, 0x47): true
            default: false
            }
        guard isAnswer else { return nil }
        var index = 2
        while index < min(pending.count, InputDecoder.longestString) {
            if pending[index] == 0x1B, index + 1 == pending.count, !isComplete { return .incomplete }
            let isEnd = pending[index] == 0x1B && index + 1 < pending.count && pending[index + 1] == 0x5C
            if isEnd || pending[index] == 0x07 {
                return .event(
                    TerminalReport.ofString(pending[1], pending[2..<index]).map(InputEvent.report),
                    length: index + (isEnd ? 2 : 1))
            }
            index += 1
        }
        return isComplete || index >= InputDecoder.longestString ? .event(nil, length: index) : .incomplete
    }

    /// Returns the number that ASCII digits represent, limited so that it cannot overflow.
    static func number(_ bytes: some Sequence<UInt8>) -> Int {
        var value = 0
        for byte in bytes where (0x30...0x39).contains(byte) { value = min(value * 10 + Int(byte - 0x30), 1_000_000) }
        return value
    }

    private static let finalKeys: [UInt8: Key] = [
        0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end, 0x5A: .backTab, 0x4D: .enter,
        0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
    ]

    private static let numberedKeys: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12),
    ]

    private static func key(final: UInt8, _ parameters: [Int]) -> InputEvent? {
        let modifiers = parameters.count > 1 ? modifierSet(parameters[1]) : []
        switch final {
        case 0x49 where parameters == [0]: return .focus(true)
        case 0x4F where parameters == [0]: return .focus(false)
        case 0x7E:
            guard let number = parameters.first, let key = numberedKeys[number] else { return nil }
            return .key(KeyPress(key, modifiers))
        default:
            guard let key = finalKeys[final] else { return nil }
            return .key(KeyPress(key, modifiers))
        }
    }

    /// Decodes xterm's modifiers: 1 plus the bits Shift 1, Alt 2, Control 4.
    private static func modifierSet(_ parameter: Int) -> KeyModifiers {
        KeyModifiers(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 7)
    }

    /// Decodes `ESC [ M` and three bytes, each 32 more than its value.
    private func matchX10Mouse() -> Match? {
        guard pending.count >= 6 else { return nil }
        let value = { Int(pending[$0]) - 32 }
        let button = value(3)
        let event = MouseEvent.decoded(
            button: button, column: value(4), row: value(5), isRelease: button & 3 == 3 && button < 64)
        return .event(event.map(InputEvent.mouse), length: 6)
    }
}
