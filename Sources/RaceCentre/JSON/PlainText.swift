/// Turns texts of race centres into plain ones of limited length.
enum PlainText {
    private static let entities: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "rsquo": "’", "lsquo": "‘",
        "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "euro": "€", "hellip": "…", "ndash": "–",
    ]

    /// Returns a text without surrounding white space and with spaces for control characters, and at most so many bytes
    /// of it.
    static func trimmed(_ text: String, upTo limit: Int) -> String {
        let inside = text.utf8.drop { $0 <= 0x20 }
        var end = inside.endIndex
        while end > inside.startIndex, inside[inside.index(before: end)] <= 0x20 { end = inside.index(before: end) }
        let text = inside[..<end]
        guard text.contains(where: { $0 < 0x20 }) else { return cut(Substring(text), upTo: limit) }
        return cut(Substring(decoding: text.map { max($0, 0x20) }, as: UTF8.self), upTo: limit)
    }

    /// Returns the first whole characters of a text.
    static func cut(_ text: Substring, upTo limit: Int) -> String {
        guard text.utf8.count > limit else { return String(text) }
        var count = 0
        let characters = text.prefix { character in
            count += character.utf8.count
            return count <= limit
        }
        return String(characters)
    }

    /// Returns the text of simple HTML: without elements, line ends as spaces, entities as characters.
    ///
    /// A `<` without a name or without its `>` is text, as in "gap < 10 s" and "a<b".
    static func text(ofHTML html: String, upTo limit: Int) -> String {
        var text = ""
        var rest = Substring(html)
        // Where the next tag may end: searched for once, however many begin before it.
        var next = rest.firstIndex(of: ">")
        while let start = rest.firstIndex(of: "<") {
            if let known = next, known < start { next = rest[start...].firstIndex(of: ">") }
            guard let end = next else { break }
            text += rest[..<start]
            rest = rest[start...].dropFirst()
            guard let first = rest.first, first.isASCII, first.isLetter || "/!?".contains(first) else {
                text += "<"
                continue
            }
            // The next tag begins before this one ends.
            if let other = rest[..<end].firstIndex(of: "<") {
                text += "<" + rest[..<other]
                rest = rest[other...]
                continue
            }
            text += " "
            rest = rest[end...].dropFirst()
        }
        text += rest
        text = String(text.map { $0.isWhitespace ? " " : $0 })
        let words = unescaped(text).split(separator: " ", omittingEmptySubsequences: true)
        return cut(Substring(words.joined(separator: " ")), upTo: limit)
    }

    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var parts = text.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(parts.removeFirst())
        for part in parts {
            if let end = part.firstIndex(of: ";"), let character = character(part[..<end]) {
                result += character + part[part.index(after: end)...]
            } else {
                result += "&" + part
            }
        }
        return result
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#"), name.utf8.count <= 8 else { return entities[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number >= 0x20, let scalar = Unicode.Scalar(number) else { return nil }
        return String(scalar)
    }

    /// Returns a name that is written in capitals with only its first letters as capitals: "DEL TORO" → "Del Toro".
    static func name(fromCapitals name: String) -> String {
        guard name.count > 1, name == name.uppercased() else { return name }
        var (result, isStart) = ("", true)
        for word in name.split(separator: " ", omittingEmptySubsequences: false) {
            if !result.isEmpty { result += " " }
            let isScottish = word.hasPrefix("MC") && word.count > 4
            isStart = true
            for (place, character) in word.enumerated() {
                let isCapital = isStart || isScottish && place == 2
                result += isCapital ? String(character) : character.lowercased()
                isStart = !character.isLetter
            }
        }
        return result
    }

    /// Repairs UTF-8 that was decoded as Latin-1: "TÃªte" → "Tête".
    static func repaired(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "Ã" || $0 == "Â" }) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard scalar.value < 0x100 else { return text }
            bytes.append(UInt8(clamping: scalar.value))
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
