/// A control sequence (ECMA-48, 5.4): parameter bytes 30–3F, intermediate bytes 20–2F and a final byte 40–7E.
struct ControlSequence {
    /// The prefix of private parameters, which mark answers, known or not, and never keys.
    let mark: UInt8?
    /// Whether intermediate bytes precede the final byte. No key has any.
    let hasIntermediates: Bool
    /// The final byte, which names the function.
    let final: UInt8
    /// The parameters with their sub-parameters as bytes.
    private let fields: [ArraySlice<UInt8>]

    /// Creates a sequence from the bytes between its introducer and its final byte.
    init(_ body: ArraySlice<UInt8>, final: UInt8) {
        mark = body.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
        hasIntermediates = body.contains { $0 < 0x30 }
        fields = body.split(separator: 0x3B, omittingEmptySubsequences: false)
        self.final = final
    }

    /// The numbers of the parameters without their sub-parameters.
    var parameters: [Int] { fields.indices.map { number($0) } }

    /// Returns the number of a parameter or of one of its sub-parameters, or `missing` if there is none.
    func number(_ field: Int, _ part: Int = 0, missing: Int = 0) -> Int {
        guard fields.indices.contains(field) else { return missing }
        let parts = fields[field].split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.indices.contains(part), !parts[part].isEmpty else { return missing }
        return InputDecoder.number(parts[part])
    }
}

/// Keys.
extension ControlSequence {
    /// The pressed key, or `nil` if the sequence is no key.
    var key: KeyPress? {
        guard isKey, !isRelease else { return nil }
        if let code = extendedCode { return extendedKey(code) }
        switch final {
        case 0x7E: return ControlSequence.numberedKeys[number(0)].map { KeyPress($0, modifiers) }
        // The position of the cursor (CPR) ends with the same byte as F3 with modifiers.
        case 0x52 where fields.count > 1 && (number(0) != 1 || !(2...16).contains(number(1))): return nil
        default: return ControlSequence.finalKeys[final].map { KeyPress($0, modifiers) }
        }
    }

    /// The character that an extended key stands for in a paste, such as the line feed that a popup of tmux sends as
    /// Ctrl-J.
    var pastedCharacter: Unicode.Scalar? {
        guard isKey, let code = extendedCode else { return nil }
        return character(code)
    }

    /// The code of an extended key: `CSI code ; modifiers u` (kitty, tmux) or `CSI 27 ; modifiers ; code ~` (xterm's
    /// modifyOtherKeys).
    private var extendedCode: Int? {
        switch final {
        case 0x75: number(0)
        case 0x7E where number(0) == 27 && fields.count == 3: number(2)
        default: nil
        }
    }

    private var isKey: Bool { mark == nil && !hasIntermediates }

    /// Whether kitty's protocol reports the release of a key.
    private var isRelease: Bool { number(1, 1) == 3 }

    /// The bits of xterm's modifiers: Shift 1, Alt 2, Control 4, and kitty's Super 8, Hyper 16, Meta 32.
    private var modifierBits: Int { max(0, number(1, missing: 1) - 1) }

    private var modifiers: KeyModifiers { KeyModifiers(rawValue: UInt8(modifierBits & 7)) }

    /// Returns the key for a code. It equals the one without the protocols, so Shift is part of a character, and
    /// Ctrl-J is Enter.
    private func extendedKey(_ code: Int) -> KeyPress? {
        guard modifierBits & 0x38 == 0 else { return nil }
        if let key = ControlSequence.codedKeys[code] { return KeyPress(key, modifiers) }
        if code == 9, modifiers.contains(.shift) { return KeyPress(.backTab) }
        guard let scalar = character(code) else { return nil }
        let alt = modifiers.intersection(.alt)
        if scalar.value < 0x20 || scalar.value == 0x7F { return InputDecoder.control(UInt8(scalar.value), alt) }
        return KeyPress(.character(Character(scalar)), alt.union(modifiers.intersection(.control)))
    }

    /// Returns the character that a terminal without the protocols sends for a code.
    private func character(_ code: Int) -> Unicode.Scalar? {
        if modifiers.contains(.control), (0x40..<0x7F).contains(code) { return Unicode.Scalar(UInt8(code & 0x1F)) }
        if modifiers.contains(.control), code == 0x20 { return "\0" }
        // Codes without a character are in the private use area, and C1 codes are none either.
        guard let scalar = Unicode.Scalar(number(0, 1, missing: code)) ?? nil,
            !(0x80...0x9F).contains(scalar.value), scalar.properties.generalCategory != .privateUse
        else { return nil }
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        return modifiers.contains(.shift) && upper.count == 1 ? upper.first : scalar
    }

    /// The keys by their final bytes, also after SS3.
    static let finalKeys: [UInt8: Key] = [
        0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end, 0x5A: .backTab, 0x4D: .enter,
        0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
    ]

    private static let numberedKeys: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12),
    ]

    /// The keys of kitty's protocol with codes in the private use area: F13 to F24 and the keypad.
    private static let codedKeys: [Int: Key] = {
        var keys: [Int: Key] = [
            57414: .enter, 57417: .left, 57418: .right, 57419: .up, 57420: .down, 57421: .pageUp, 57422: .pageDown,
            57423: .home, 57424: .end, 57425: .insert, 57426: .delete,
        ]
        for number in 13...24 { keys[57363 + number] = .function(number) }
        for (index, character) in "0123456789./*-+".enumerated() { keys[57399 + index] = .character(character) }
        keys[57415] = .character("=")
        return keys
    }()
}
