import CLibXML2

/// Converts markup to plain text, for titles and names.
package enum Markup {
    /// Returns a text with all markup escaped.
    package static func escaped(_ text: String) -> String { MarkupWriting.escaped(text) }

    /// Returns the text without tags, with references decoded and white space collapsed. Block elements and the marks of
    /// footnotes separate words.
    ///
    /// - Parameters:
    ///   - isTitle: Whether tags are text that titles aren't marked up with (``TitleTags``), such as `<T>` in the title
    ///     of an entry about a program.
    ///   - size: The number of bytes to read. Nobody reads longer text as one line.
    package static func plainText(_ text: String, isTitle: Bool = false, bytes size: Int = 512 << 10) -> String {
        var text = text
        var bytes = text.withUTF8 { Array($0.prefix(size)) }
        let bracket = bytes.count < text.utf8.count ? bytes.lastIndex { "<>".utf8.contains($0) } : nil
        // A tag without its end would be text.
        if let bracket, bytes[bracket] == UInt8(ascii: "<") { bytes.removeSubrange(bracket...) }
        if bytes.place(of: UInt8(ascii: "<"), from: 0) != nil {
            let tags = isTitle ? TitleTags(bytes) : nil
            bytes = ActiveMarkup.cut(bytes, isText: { tags?.isText(at: $0) ?? false }) { bytes, start, ends in
                ends.end(ofTag: start).map { end in
                    let separates = isOfBlock(bytes, tag: start) || beginsFootnoteMark(bytes, tag: start, end: end)
                    let text = emoji(bytes, start..<end) ?? (separates ? [UInt8(ascii: " ")] : [])
                    return ActiveMarkup.End(place: end, text: text)
                }
            }
        }
        if bytes.place(of: UInt8(ascii: "&"), from: 0) != nil { bytes = decodeEntities(withoutDoubleEscapes(bytes)) }
        bytes = bytes.withUnsafeBufferPointer(Windows1252.repaired) ?? bytes
        collapseSpaces(&bytes)
        return String(utf8: bytes)
    }

    /// Returns the text without control characters other than white space.
    static func withoutControls(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isControl }))
    }

    /// Returns the text with white space collapsed and trimmed.
    package static func collapseSpaces(_ text: String) -> String {
        var bytes = Array(text.utf8)
        collapseSpaces(&bytes)
        return String(utf8: bytes)
    }

    private static func collapseSpaces(_ bytes: inout [UInt8]) {
        let kept = bytes.withUnsafeMutableBufferPointer { bytes in
            // Without a branch for each byte, because a processor can't predict where words start and end.
            var (kept, isAfterBlank) = (0, true)
            for index in bytes.indices {
                let byte = bytes[index]
                let isBlank = byte.isBlank
                bytes[kept] = isBlank ? 0x20 : byte
                kept &+= isBlank && isAfterBlank ? 0 : 1
                isAfterBlank = isBlank
            }
            return isAfterBlank && kept > 0 ? kept - 1 : kept
        }
        bytes.removeLast(bytes.count - kept)
    }

    /// The elements that separate words (rendering in the HTML standard, section 15.3), by first letter.
    private static let blocks: [UInt8: [String]] = Dictionary(
        grouping: [
            "address", "article", "aside", "audio", "blockquote", "br", "caption", "center", "dd", "details", "dialog",
            "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
            "h5",
            "h6", "header", "hgroup", "hr", "iframe", "img", "legend", "li", "main", "menu", "nav", "ol", "option", "p",
            "picture", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "video",
        ], by: { $0.utf8.first ?? 0 })

    private static func isOfBlock(_ bytes: [UInt8], tag start: Int) -> Bool {
        let name = bytes[start + 1] == UInt8(ascii: "/") ? start + 2 : start + 1
        guard name < bytes.count else { return false }
        return blocks[bytes[name] | 0x20]?.contains { ActiveMarkup.matches(bytes, at: name, $0) } ?? false
    }

    /// The number of bytes of an emoji picture's tag.
    private static let longestPicture = 1000
    private static let longestEmoji = 80

    /// Returns the character that a picture stands for, such as WordPress's emoji, with references.
    private static func emoji(_ bytes: [UInt8], _ place: Range<Int>) -> [UInt8]? {
        guard place.count < longestPicture, ActiveMarkup.matches(bytes, at: place.lowerBound + 1, "img") else {
            return nil
        }
        let tag = bytes[place]
        // Only ASCII changes its case, so that the places stay.
        let lower = String(decoding: tag.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        guard lower.contains("emoji") || lower.contains("wp-smiley"), let alt = lower.firstRange(of: " alt=") else {
            return nil
        }
        let value = tag.dropFirst(lower.utf8.distance(from: lower.startIndex, to: alt.upperBound))
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let character = Array(value.dropFirst().prefix { $0 != quote })
        return (1...longestEmoji).contains(character.count) ? character : nil
    }

    /// Whether a tag and the one at its end begin the mark of a footnote: a link in a superscript, or a superscript in a
    /// link.
    private static func beginsFootnoteMark(_ bytes: [UInt8], tag start: Int, end: Int) -> Bool {
        guard end < bytes.count, bytes[end] == UInt8(ascii: "<") else { return false }
        func isTag(_ name: String, at place: Int) -> Bool { ActiveMarkup.matches(bytes, at: place + 1, name) }
        return isTag("sup", at: start) && isTag("a", at: end) || isTag("a", at: start) && isTag("sup", at: end)
    }

    /// Returns the text with numeric references and HTML's named references decoded. Others stay.
    static func decodeEntities(_ text: String) -> String {
        guard text.has(UInt8(ascii: "&")) else { return text }
        return String(decoding: decodeEntities(Array(text.utf8)), as: UTF8.self)
    }

    /// The length of the longest reference, from `&` to `;`.
    private static let longestReference = 34

    private static func decodeEntities(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while let ampersand = bytes.place(of: UInt8(ascii: "&"), from: index) {
            result += bytes[index..<ampersand]
            index = ampersand + 1
            let near = bytes[index..<min(bytes.count, ampersand + longestReference)]
            guard let semicolon = near.firstIndex(of: UInt8(ascii: ";")),
                let scalar = entity(Substring(decoding: near[..<semicolon], as: UTF8.self))
            else {
                result.append(UInt8(ascii: "&"))
                continue
            }
            // Control characters have no meaning in text.
            if !scalar.isControl { result += UTF8.encode(scalar).map(Array.init) ?? [] }
            index = semicolon + 1
        }
        return result + bytes[index...]
    }

    // MARK: What is escaped twice

    /// Returns the text with double escapes such as `&amp;#8230;` reduced to single ones, as intended. Markup
    /// characters and code stay, since code may be about references.
    static func withoutDoubleEscapes(_ text: String) -> String {
        guard text.has(UInt8(ascii: "&")) else { return text }
        let bytes = Array(text.utf8)
        let result = withoutDoubleEscapes(bytes)
        return result.count == bytes.count ? text : String(utf8: result)
    }

    private static let ampersand = Array("&amp;".utf8)

    private static func withoutDoubleEscapes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var (index, copied) = (0, 0)
        var code = CodeTags(bytes)
        while let place = bytes.place(of: UInt8(ascii: "&"), from: index) {
            index = place + 1
            guard bytes[place...].starts(with: ampersand), !code.hold(place) else { continue }
            let start = place + ampersand.count
            let near = bytes[start..<min(bytes.count, start + longestReference)]
            guard let semicolon = near.firstIndex(of: UInt8(ascii: ";")),
                let scalar = entity(Substring(decoding: near[..<semicolon], as: UTF8.self)), isNoMarkup(scalar)
            else { continue }
            result += bytes[copied..<place] + "&".utf8
            (index, copied) = (semicolon + 1, start)
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }

    private static func isNoMarkup(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 || scalar == "'" || scalar == "\""
    }

    /// Determines whether positions are in code, in ascending order, looking at each tag once.
    private struct CodeTags {
        private let bytes: [UInt8]
        private var next: Int?
        private var isInCode = false
        private static let names = ["code", "pre", "kbd", "samp", "tt", "textarea"]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            next = bytes.place(of: UInt8(ascii: "<"), from: 0)
        }

        /// Whether a position is inside a code element.
        mutating func hold(_ place: Int) -> Bool {
            while let tag = next, tag < place {
                let isEnd = bytes[tag + 1] == UInt8(ascii: "/")
                let name = tag + (isEnd ? 2 : 1)
                if CodeTags.names.contains(where: { ActiveMarkup.matches(bytes, at: name, $0) }) { isInCode = !isEnd }
                next = bytes.place(of: UInt8(ascii: "<"), from: tag + 1)
            }
            return isInCode
        }
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        if name.first == "#" {
            let digits = name.dropFirst()
            let value =
                digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Windows1252.character)
        }
        if name == "apos" { return "'" }
        return htmlEntityLookup(String(name)).flatMap { Unicode.Scalar($0.pointee.value) }
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control character other than white space.
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: false
        case ..<0x20, 0x7F..<0xA0: true
        default: false
        }
    }
}
