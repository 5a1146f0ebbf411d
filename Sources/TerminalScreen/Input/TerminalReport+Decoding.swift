extension TerminalReport {
    /// Decodes the content of a string. XTVERSION starts with `>|`, colours are operating system commands, DECRQSS
    /// contains `1$r` and SGR parameters, XTGETTCAP `1+r` and names in hexadecimal.
    static func ofString(_ kind: UInt8, _ body: ArraySlice<UInt8>) -> TerminalReport? {
        if kind == 0x5D { return opened(body).map { .notification($0) } ?? color(body) }
        guard kind == 0x50 else { return nil }
        if body.starts(with: [0x3E, 0x7C]) {
            return .version(String(decoding: body.dropFirst(2), as: UTF8.self))
        }
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix("1$r"), text.hasSuffix("m") { return .style(String(text.dropFirst(3).dropLast())) }
        guard text.hasPrefix("1+r") else { return nil }
        return .capability(string(ofHexadecimal: text.dropFirst(3)))
    }

    /// Returns the text whose bytes a text begins with in hexadecimal.
    private static func string(ofHexadecimal text: Substring) -> String {
        let digits = Array(text.prefix { $0.isHexDigit })
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes `99;i=NAME;`, which is kitty's report that a notification was opened. The name is in hexadecimal.
    private static func opened(_ body: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        // A button has a number at the end, and closing a purpose behind the name.
        guard text.hasPrefix("99;i="), text.hasSuffix(";"), !text.contains(":") else { return nil }
        let name = string(ofHexadecimal: text.dropFirst(5))
        return name.isEmpty ? nil : name
    }

    /// Decodes `10;rgb:RRRR/GGGG/BBBB` or `4;number;rgb:…` with one to four digits a channel (XParseColor(3)).
    private static func color(_ body: ArraySlice<UInt8>) -> TerminalReport? {
        let fields = body.split(separator: 0x3B, omittingEmptySubsequences: false)
        // Titles are answers with a letter.
        guard let name = fields.first, name.allSatisfy({ (0x30...0x39).contains($0) }), let value = fields.last else {
            return nil
        }
        let command = InputDecoder.number(name)
        let slot: ColorSlot
        switch (command, fields.count) {
        case (10, 2): slot = .foreground
        case (11, 2): slot = .background
        case (4, 3) where InputDecoder.number(fields[1]) < 16: slot = .ansi(InputDecoder.number(fields[1]))
        default: return nil
        }
        let text = String(decoding: value, as: UTF8.self)
        guard text.hasPrefix("rgb:") || text.hasPrefix("rgba:"), let colon = text.firstIndex(of: ":") else {
            return nil
        }
        let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false).prefix(3)
        let values = parts.compactMap { part -> UInt8? in
            guard (1...4).contains(part.utf8.count), let value = Int(part, radix: 16), value >= 0 else { return nil }
            let maximum = (1 << (4 * part.utf8.count)) - 1
            return UInt8(value * 255 / maximum)
        }
        return values.count == 3 ? .color(slot, RGB(values[0], values[1], values[2])) : nil
    }

    static func ofSequence(_ sequence: ControlSequence) -> TerminalReport? {
        let parameters = sequence.parameters
        let isPrivate = sequence.mark == 0x3F
        return switch (isPrivate, sequence.final) {
        case (true, 0x63): .attributes(parameters)
        case (true, 0x53) where parameters.count == 3 && parameters[0] == 1 && parameters[1] == 0:
            .colorRegisters(parameters[2])
        // Larger cells would lead to pictures that don't fit into memory.
        case (false, 0x74)
        where parameters.count == 3 && parameters[0] == 6 && parameters[1...].allSatisfy((1...256).contains):
            .cellSize(Size(width: parameters[2], height: parameters[1]))
        case (true, 0x79) where parameters.count == 2: .mode(parameters[0], isKnown: (1...3).contains(parameters[1]))
        case (true, 0x6E) where parameters.count == 2 && parameters[0] == 997: .appearance(isDark: parameters[1] == 1)
        default: nil
        }
    }
}
