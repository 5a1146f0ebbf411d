import CLibXML2

/// Plain text from markup, for titles and names.
package enum Markup {
    /// Text in which no markup is left.
    package static func escaped(_ text: String) -> String { MarkupWriting.escaped(text) }

    /// The text without tags, entities resolved, white space folded.
    package static func plainText(_ text: String) -> String {
        // What is longer is no text that anybody reads as one line; its beginning stands for it.
        var text = text.utf8.count > longest ? String(decoding: Array(text.utf8.prefix(longest)), as: UTF8.self) : text
        let isPlain = text.withUTF8 { bytes in
            !bytes.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        }
        if isPlain { return foldBlanks(text) }
        return foldBlanks(decodeEntities(removeTags(text)))
    }

    private static let longest = 512 << 10

    /// The text with each run of white space as one space, and none at the ends.
    package static func foldBlanks(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var pendingBlank = false
        for byte in text.utf8 {
            if FeedParser.isBlank(byte) {
                pendingBlank = !result.isEmpty
            } else {
                if pendingBlank { result.append(0x20) }
                pendingBlank = false
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Takes out `<tag …>`, `</tag>`, comments and what is not for people; a `<` that begins none of these stays.
    private static func removeTags(_ text: String) -> String {
        ActiveMarkup.cut(text) { endOfTag($0, from: $1) }
    }

    /// The place after a tag that begins here; a `>` in quotes does not end it, unless the quotes never end.
    private static func endOfTag(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start + 1 < bytes.count, beginsTag(bytes[start + 1]) else { return nil }
        var quote: UInt8?
        var first: Int?
        for index in start + 1..<bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
                if byte == UInt8(ascii: ">"), first == nil { first = index + 1 }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
                bytes[index - 1] == UInt8(ascii: "=") || FeedParser.isBlank(bytes[index - 1])
            {
                quote = byte
            }
        }
        return first
    }

    private static func beginsTag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
    }

    /// Resolves numeric references and HTML's named entities; others stay as written.
    package static func decodeEntities(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            guard let semicolon = rest.prefix(34).firstIndex(of: ";"),
                let decoded = entity(rest[rest.index(after: ampersand)..<semicolon])
            else {
                result.append("&")
                rest = rest.dropFirst()
                continue
            }
            result.unicodeScalars.append(decoded)
            rest = rest[rest.index(after: semicolon)...]
        }
        return result + rest
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        if name.first == "#" {
            let digits = name.dropFirst()
            let value =
                digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap { Unicode.Scalar(windows1252[$0] ?? $0) }
        }
        if name == "apos" { return "'" }
        return htmlEntityLookup(String(name)).flatMap { Unicode.Scalar($0.pointee.value) }
    }

    /// References to the C1 controls mean windows-1252, as in HTML.
    private static let windows1252: [UInt32: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x2C6,
        0x89: 0x2030, 0x8A: 0x160, 0x8B: 0x2039, 0x8C: 0x152, 0x8E: 0x17D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C,
        0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x98: 0x2DC, 0x99: 0x2122, 0x9A: 0x161, 0x9B: 0x203A,
        0x9C: 0x153, 0x9E: 0x17E, 0x9F: 0x178,
    ]
}
