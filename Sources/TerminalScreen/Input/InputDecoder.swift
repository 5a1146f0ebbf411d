/// Decodes the bytes from a terminal into events.
///
/// It follows the grammar of ECMA-48: no byte of a control sequence or control string is a key, whether its meaning is
/// known or not, because terminals may answer at any time. It understands what xterm-like terminals send beyond that
/// (SS3, SGR and X10 mouse reports, bracketed paste, focus reports, extended keys) and the sequences of the terminal's
/// terminfo entry. Bytes may arrive in pieces of any size. Nothing here depends on time: the owner calls ``flush()``
/// after a delay, which turns a lone Esc into a key (row TER-05).
public struct InputDecoder: Sendable {
    private var pending: [UInt8] = []
    private var state = State.keys
    /// The content of the paste or string so far.
    private var collected: [UInt8] = []
    private let described: [[UInt8]: Key]
    private let describedLength: Int

    private enum State {
        /// Among keys and control sequences.
        case keys
        /// Inside a paste.
        case paste
        /// Inside a control string.
        case string(Introducer)
        /// Inside a control sequence that is too long to be known.
        case overlongSequence
    }

    /// The start of a control sequence or string: Esc and a byte, or one C1 code, which may be in UTF-8.
    private struct Introducer {
        /// The byte after Esc.
        let function: UInt8
        let length: Int
        /// The string terminator in the same form.
        let terminator: [UInt8]
        /// The key with Alt that sends the same bytes.
        var key: InputEvent? {
            guard terminator.first == 0x1B else { return nil }
            return .key(KeyPress(.character(Character(Unicode.Scalar(function))), .alt))
        }
    }

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
    public var isWaiting: Bool {
        if case .keys = state { !pending.isEmpty } else { true }
    }

    /// Whether a paste is incomplete. Over a slow connection its parts may arrive far apart.
    public var isInsidePaste: Bool {
        if case .paste = state { true } else { false }
    }

    /// Whether a control string, or a control sequence with at least one parameter, is incomplete. It may be an answer
    /// of the terminal, which may take longer than a key.
    public var isInsideAnswer: Bool {
        switch state {
        case .paste: false
        case .string, .overlongSequence: true
        case .keys:
            introducer.map { InputDecoder.strings.contains($0.function) || pending.count > $0.length } ?? false
        }
    }

    /// The bytes after Esc that start a control string: DCS, SOS, OSC, PM and APC.
    private static let strings: Set<UInt8> = [0x50, 0x58, 0x5D, 0x5E, 0x5F]

    /// Decodes bytes and returns the completed events.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        // A few bytes at a time, because each event moves the bytes behind it.
        for byte in bytes {
            pending.append(byte)
            if pending.count >= InputDecoder.maximumPending { events += drain(isComplete: false) }
        }
        return events + drain(isComplete: false)
    }

    /// The number of bytes to decode at once. No sequence that is waited for is as long.
    private static let maximumPending = 4096

    /// Decodes incomplete bytes as if no more will arrive. A lone Esc becomes the Escape key, a cut control sequence or
    /// string is dropped, and a paste without an end is completed, so that keys work again.
    public mutating func flush() -> [InputEvent] {
        defer { (state, pending, collected) = (.keys, [], []) }
        if isInsidePaste { return [.paste(InputDecoder.pastedText(collected + pending))] }
        return drain(isComplete: true)
    }

    /// What the decoder does with the first pending bytes.
    private enum Step {
        /// Removes bytes, which complete an event or not.
        case taken(Int, InputEvent? = nil)
        /// Waits for more bytes.
        case incomplete
    }

    private mutating func drain(isComplete: Bool) -> [InputEvent] {
        var events: [InputEvent] = []
        while !pending.isEmpty {
            let step =
                switch state {
                case .keys: takeKey(isComplete: isComplete)
                case .paste: takePaste()
                case .string(let introducer): takeString(introducer, isComplete: isComplete)
                case .overlongSequence: takeOverlongSequence()
                }
            guard case .taken(let length, let event) = step else { break }
            if let event { events.append(event) }
            pending.removeFirst(length)
        }
        return events
    }

    // MARK: Pastes

    private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

    private mutating func takePaste() -> Step {
        let end = InputDecoder.pasteEnd
        var index = 0
        while index < pending.count {
            if pending[index] == 0x1B {
                let rest = pending[index...].prefix(end.count)
                if rest.elementsEqual(end) {
                    defer { (state, collected) = (.keys, []) }
                    return .taken(index + end.count, .paste(InputDecoder.pastedText(collected)))
                }
                if end.starts(with: rest) { break }
            }
            if collected.count < InputDecoder.maximumPaste { collected.append(pending[index]) }
            index += 1
        }
        return index == 0 ? .incomplete : .taken(index)
    }

    /// Returns the text of a paste. Extended keys in it are characters: popups of tmux send a line feed as Ctrl-J.
    private static func pastedText(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x1B, index + 1 < bytes.count, bytes[index + 1] == 0x5B {
                let body = bytes[(index + 2)...].prefix(longestSequence).prefix { (0x30...0x3B).contains($0) }
                if body.endIndex < bytes.count,
                    let character = ControlSequence(body, final: bytes[body.endIndex]).pastedCharacter
                {
                    text += Array(String(character).utf8)
                    index = body.endIndex + 1
                    continue
                }
            }
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Keys

    private mutating func takeKey(isComplete: Bool) -> Step {
        if describedLength > 0, let found = matchDescribed() { return found }
        if let introducer {
            switch introducer.function {
            case 0x5B: return takeSequence(introducer, isComplete: isComplete)
            case 0x4F: return takeSingleShift(introducer, isComplete: isComplete)
            default: return takeStringStart(introducer, isComplete: isComplete)
            }
        }
        guard pending[0] == 0x1B else { return matchCharacter(at: 0, modifiers: [], isComplete: isComplete) }
        guard pending.count > 1 else { return isComplete ? .taken(1, .key(KeyPress(.escape))) : .incomplete }
        switch pending[1] {
        // The Linux console sends this for Shift-Tab.
        case 0x09: return .taken(2, .key(KeyPress(.backTab)))
        case 0x1B: return .taken(1, .key(KeyPress(.escape)))
        default: return matchCharacter(at: 1, modifiers: .alt, isComplete: isComplete)
        }
    }

    /// The introducer of a control sequence, a control string or a key of the keypad (SS3) at the start.
    private var introducer: Introducer? {
        guard let first = pending.first else { return nil }
        let found: Introducer
        switch first {
        case 0x1B where pending.count > 1:
            found = Introducer(function: pending[1], length: 2, terminator: [0x1B, 0x5C])
        case 0x80...0x9F: found = Introducer(function: first - 0x40, length: 1, terminator: [0x9C])
        case 0xC2 where pending.count > 1 && (0x80...0x9F).contains(pending[1]):
            found = Introducer(function: pending[1] - 0x40, length: 2, terminator: [0xC2, 0x9C])
        default: return nil
        }
        let isKnown = found.function == 0x5B || found.function == 0x4F || InputDecoder.strings.contains(found.function)
        return isKnown ? found : nil
    }

    private func matchDescribed() -> Step? {
        guard pending[0] == 0x1B else { return nil }
        for length in stride(from: min(describedLength, pending.count), to: 1, by: -1) {
            if let key = described[Array(pending[..<length])] {
                return .taken(length, .key(KeyPress(key)))
            }
        }
        return nil
    }

    private func matchCharacter(at index: Int, modifiers: KeyModifiers, isComplete: Bool) -> Step {
        let byte = pending[index]
        if byte < 0x80 { return .taken(index + 1, .key(InputDecoder.control(byte, modifiers))) }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        let found = 1 + pending[(index + 1)...].prefix(max(0, length - 1)).prefix { (0x80...0xBF).contains($0) }.count
        let end = index + found
        if found < length, end == pending.count, !isComplete { return .incomplete }
        // Bytes that are no character are dropped together, because the last ones could be C1 codes.
        guard let character = String(validating: pending[index..<end], as: UTF8.self)?.first,
            character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return .taken(end) }
        return .taken(end, .key(KeyPress(.character(character), modifiers)))
    }

    /// Returns the key of an ASCII character or a control code.
    static func control(_ byte: UInt8, _ modifiers: KeyModifiers) -> KeyPress {
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

    private func takeSingleShift(_ introducer: Introducer, isComplete: Bool) -> Step {
        let length = introducer.length
        guard pending.count > length else { return isComplete ? .taken(length, introducer.key) : .incomplete }
        if let key = ControlSequence.finalKeys[pending[length]] { return .taken(length + 1, .key(KeyPress(key))) }
        return introducer.key.map { .taken(length, $0) } ?? .taken(length + 1)
    }

    // MARK: Control sequences

    /// The maximum length of a control sequence in bytes. Answers of terminals that list all their features have about
    /// sixty.
    private static let longestSequence = 256

    private mutating func takeSequence(_ introducer: Introducer, isComplete: Bool) -> Step {
        let start = introducer.length
        guard pending.count > start else { return isComplete ? .taken(start, introducer.key) : .incomplete }
        // The bytes that are there are dropped.
        let cut = isComplete ? Step.taken(pending.count) : .incomplete
        if pending[start] == 0x4D {
            guard pending.count > start + 3 else { return cut }
            return .taken(start + 4, MouseEvent.decodedX10(pending[(start + 1)...].prefix(3)).map(InputEvent.mouse))
        }
        // The Linux console's function keys 1 to 5 have a second bracket.
        if pending[start] == 0x5B {
            guard pending.count > start + 1 else { return cut }
            let number = Int(pending[start + 1]) - 0x40
            return .taken(start + 2, (1...5).contains(number) ? .key(KeyPress(.function(number))) : nil)
        }
        let body = pending[start...].prefix(InputDecoder.longestSequence).prefix { (0x20...0x3F).contains($0) }
        // The same bytes are dropped, in whatever pieces they arrive.
        if body.count == InputDecoder.longestSequence {
            state = .overlongSequence
            return .taken(body.endIndex)
        }
        guard body.endIndex < pending.count else { return cut }
        let final = pending[body.endIndex]
        guard (0x40...0x7E).contains(final) else { return .taken(body.endIndex) }
        return take(ControlSequence(body, final: final), body, length: body.endIndex + 1)
    }

    private mutating func take(_ sequence: ControlSequence, _ body: ArraySlice<UInt8>, length: Int) -> Step {
        if sequence.mark == 0x3C {
            return .taken(length, MouseEvent.decodedSGR(body.dropFirst(), sequence.final).map(InputEvent.mouse))
        }
        if let report = TerminalReport.ofSequence(sequence) { return .taken(length, .report(report)) }
        switch sequence.final {
        case 0x49 where body.isEmpty: return .taken(length, .focus(true))
        case 0x4F where body.isEmpty: return .taken(length, .focus(false))
        case 0x7E where body.elementsEqual([0x32, 0x30, 0x30]):
            state = .paste
            return .taken(length)
        default: return .taken(length, sequence.key.map(InputEvent.key))
        }
    }

    private mutating func takeOverlongSequence() -> Step {
        let count = pending.prefix { (0x20...0x3F).contains($0) }.count
        guard count < pending.count else { return .taken(count) }
        state = .keys
        return .taken((0x40...0x7E).contains(pending[count]) ? count + 1 : count)
    }

    // MARK: Control strings

    /// The maximum length of an answer in bytes. Longer strings are read to their end and dropped.
    private static let longestString = 1024

    /// Starts a string. An introducer that nothing follows, or another key, was Alt with a key.
    private mutating func takeStringStart(_ introducer: Introducer, isComplete: Bool) -> Step {
        let length = introducer.length
        let isKey =
            switch pending[length...].prefix(2) {
            case let rest where rest.isEmpty: true
            case let rest where rest.first == 0x1B: rest.count < 2 || rest.last != 0x5C
            default: false
            }
        if isKey, !isComplete, pending.count < length + 2 { return .incomplete }
        if isKey { return .taken(length, introducer.key) }
        (state, collected) = (.string(introducer), [])
        return .taken(length)
    }

    /// Reads a string to its terminator: `ESC \`, ST as a C1 code if it started with one, or BEL. CAN, SUB and any other
    /// sequence cancel it.
    private mutating func takeString(_ introducer: Introducer, isComplete: Bool) -> Step {
        let terminators = [[0x1B, 0x5C], introducer.terminator]
        var index = 0
        while index < pending.count {
            let byte = pending[index]
            for terminator in terminators where terminator[0] == byte {
                let rest = pending[index...].prefix(terminator.count)
                if rest.elementsEqual(terminator) { return endString(introducer, length: index + rest.count) }
                if rest.count < terminator.count, !isComplete { return index == 0 ? .incomplete : .taken(index) }
            }
            switch byte {
            case 0x07: return endString(introducer, length: index + 1)
            case 0x18, 0x1A, 0x1B:
                (state, collected) = (.keys, [])
                return .taken(byte == 0x1B ? index : index + 1)
            default: if collected.count <= InputDecoder.longestString { collected.append(byte) }
            }
            index += 1
        }
        return .taken(index)
    }

    private mutating func endString(_ introducer: Introducer, length: Int) -> Step {
        defer { (state, collected) = (.keys, []) }
        guard collected.count <= InputDecoder.longestString else { return .taken(length) }
        return .taken(length, TerminalReport.ofString(introducer.function, collected[...]).map(InputEvent.report))
    }

    /// Returns the number that ASCII digits represent, limited so that it cannot overflow.
    static func number(_ bytes: some Sequence<UInt8>) -> Int {
        var value = 0
        for byte in bytes where (0x30...0x39).contains(byte) { value = min(value * 10 + Int(byte - 0x30), 1_000_000) }
        return value
    }
}
