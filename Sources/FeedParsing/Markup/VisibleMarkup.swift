extension Markup {
    /// Whether a text contains tags of HTML's elements.
    static func hasElements(_ text: String) -> Bool {
        guard text.has(UInt8(ascii: "<")) else { return false }
        let bytes = Array(text.utf8)
        var (index, ends) = (0, TagEnds(bytes))
        while let start = bytes.place(of: UInt8(ascii: "<"), from: index) {
            if HTMLNames.beginTag(bytes, at: start), ends.end(ofTag: start) != nil { return true }
            index = start + 1
        }
        return false
    }

    /// Whether HTML shows nothing, such as empty paragraphs or a picture of one pixel.
    static func isInvisible(_ html: String) -> Bool {
        var html = html
        guard html.withUTF8({ !beginsVisibly($0) }) else { return false }
        let bytes = Array(html.utf8)
        var isInvisible = true
        var index = 0
        while isInvisible, let start = bytes.place(of: UInt8(ascii: "<"), from: index) {
            index = start + 1
            isInvisible = !shows(bytes, tag: start)
        }
        return isInvisible && plainText(html).unicodeScalars.allSatisfy(blanks.contains)
    }

    /// No-break spaces and characters without a width.
    private static let blanks: Set<Unicode.Scalar> = [
        " ", "\u{A0}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}",
    ]

    /// Whether the first text outside of tags is visible, as in most texts.
    private static func beginsVisibly(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                // Scripts and styles have invisible text.
                guard index + 1 < bytes.count, bytes[index + 1] | 0x20 != UInt8(ascii: "s"),
                    bytes[index + 1] != UInt8(ascii: "!"), let end = bytes.place(of: UInt8(ascii: ">"), from: index)
                else { return false }
                index = end + 1
            case let byte where byte.isBlank: index += 1
            case let byte: return byte < 0x80 && byte != UInt8(ascii: "&")
            }
        }
        return false
    }

    /// The number of bytes of a tag to look at.
    private static let longestTag = 2000

    private static let shown = [
        "img", "video", "audio", "iframe", "embed", "object", "svg", "math", "picture", "source", "hr",
    ]

    /// Whether a tag begins an element that shows something without text.
    private static func shows(_ bytes: [UInt8], tag start: Int) -> Bool {
        guard let name = shown.first(where: { ActiveMarkup.matches(bytes, at: start + 1, $0) }) else { return false }
        guard name == "img" else { return true }
        let near = bytes[start..<min(bytes.count, start + longestTag)].prefix { $0 != UInt8(ascii: ">") }
        let tag = String(decoding: near, as: UTF8.self).lowercased().filter { $0 != "\"" && $0 != "'" }
        // Pictures of one pixel track visitors.
        return !["width=", "height="].contains { side in
            ["0", "1"].contains { size in
                [" ", "/", "px"].contains { tag.contains(" " + side + size + $0) } || tag.hasSuffix(" " + side + size)
            }
        }
    }

    /// Returns the content of a CDATA section that was escaped once too often, or any other text as it is.
    static func unwrapped(_ text: String) -> String {
        let (start, end) = ("<![CDATA[", "]]>")
        guard text.utf8.drop(while: \.isBlank).starts(with: start.utf8) else { return text }
        let trimmed = text.trimmingBlanks
        guard trimmed.hasPrefix(start), trimmed.hasSuffix(end) else { return text }
        let content = trimmed.dropFirst(start.count).dropLast(end.count)
        return content.contains(start) ? text : String(content)
    }
}
