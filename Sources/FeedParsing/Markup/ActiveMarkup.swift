/// Removes scripts, style sheets and applets with their content, and comments from HTML.
///
/// They would never be shown or run, but they need not be stored or passed on. Formulas for MathJax are in scripts too;
/// they stay, without attributes.
enum ActiveMarkup {
    private static let hidden = ["script", "style", "applet"]

    /// Returns the HTML without them, or the same string if there are none.
    static func removed(from html: String) -> String {
        var html = html
        guard html.withUTF8({ contains($0) }) else { return html }
        return String(utf8: cut(Array(html.utf8), keepsFormulas: true) { _, _, _ in nil })
    }

    /// The end of a removed part, and the text that replaces it.
    struct End {
        var place: Int
        var text: [UInt8]
    }

    /// Removes comments, hidden elements, and other parts that the closure recognises. Any other `<` stays.
    ///
    /// - Parameter isText: Whether a `<` that begins no comment is text, whatever follows.
    static func cut(
        _ bytes: [UInt8], keepsFormulas: Bool = false, isText: (_ start: Int) -> Bool = { _ in false },
        orTo otherEnd: (_ bytes: [UInt8], _ start: Int, _ ends: inout TagEnds) -> End?
    ) -> [UInt8] {
        var ends = TagEnds(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while let start = bytes.place(of: UInt8(ascii: "<"), from: index) {
            result += bytes[index..<start]
            let comment = endOfComment(bytes, from: start, ends)
            if comment == nil, isText(start) {
                result.append(UInt8(ascii: "<"))
                index = start + 1
            } else if let end = comment ?? endOfHiddenElement(bytes, from: start, ends) {
                if keepsFormulas, let formula = formula(bytes[start..<end]) { result += formula }
                index = end
            } else if let end = otherEnd(bytes, start, &ends) {
                result += end.text
                index = end.place
            } else {
                result.append(UInt8(ascii: "<"))
                index = start + 1
            }
        }
        return result + bytes[index...]
    }

    /// Returns a script with a formula, with nothing but its type, or `nil` for any other element.
    private static func formula(_ element: ArraySlice<UInt8>) -> [UInt8]? {
        guard let tagEnd = element.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let tag = String(decoding: element[..<tagEnd], as: UTF8.self).lowercased()
        guard tag.hasPrefix("<script"), tag.utf8.count < 200, tag.contains("math/tex") else { return nil }
        let content = element[(tagEnd + 1)...]
        guard let end = content.lastIndex(of: UInt8(ascii: "<")) else { return nil }
        return Array("<script type=\"math/tex\">".utf8) + content[..<end] + Array("</script>".utf8)
    }

    /// Whether there may be something to remove, by a quick look from one `<` to the next.
    private static func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var offset = 0
        while let found = bytes.place(of: UInt8(ascii: "<"), from: offset) {
            offset = found + 1
            guard offset < bytes.count else { return false }
            var index = offset
            if bytes[index] == UInt8(ascii: "!") { return true }
            if bytes[index] == UInt8(ascii: "/") { index += 1 }
            guard index + 1 < bytes.count else { continue }
            switch (bytes[index] | 0x20, bytes[index + 1] | 0x20) {
            case (UInt8(ascii: "s"), UInt8(ascii: "c")), (UInt8(ascii: "s"), UInt8(ascii: "t")),
                (UInt8(ascii: "a"), UInt8(ascii: "p")):
                return true
            default: continue
            }
        }
        return false
    }

    /// Returns the offset after a comment or document type at an offset. Without an end it extends to the end of the
    /// text.
    private static func endOfComment(_ bytes: [UInt8], from start: Int, _ ends: TagEnds) -> Int? {
        guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "!") else { return nil }
        if start + 3 < bytes.count, bytes[start + 2] == UInt8(ascii: "-"), bytes[start + 3] == UInt8(ascii: "-") {
            return bytes.place(of: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
        }
        // HTML treats CDATA sections as text.
        guard start + 2 < bytes.count, bytes[start + 2] | 0x20 == UInt8(ascii: "d") else { return nil }
        return ends.next(from: start)
    }

    /// Returns the offset after a hidden element, or a lone end tag of one, at an offset.
    private static func endOfHiddenElement(_ bytes: [UInt8], from start: Int, _ ends: TagEnds) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        let isEnd = bytes[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        guard nameStart < bytes.count,
            bytes[nameStart] | 0x20 == UInt8(ascii: "s") || bytes[nameStart] | 0x20 == UInt8(ascii: "a"),
            let name = hidden.first(where: { matches(bytes, at: nameStart, $0) })
        else { return nil }
        guard let tagEnd = ends.next(from: start) else { return bytes.count }
        if isEnd || bytes[tagEnd - 2] == UInt8(ascii: "/") { return tagEnd }
        var index = tagEnd
        while let end = bytes.place(of: "</", from: index) {
            if end + 2 < bytes.count, matches(bytes, at: end + 2, name) { return ends.next(from: end) ?? bytes.count }
            index = end + 2
        }
        return bytes.count
    }

    /// Whether an element's name is at an offset, ignoring case, and ends there.
    static func matches(_ bytes: [UInt8], at index: Int, _ name: String) -> Bool {
        var place = index
        for byte in name.utf8 {
            guard place < bytes.count, bytes[place] | 0x20 == byte else { return false }
            place += 1
        }
        guard place < bytes.count else { return true }
        let next = bytes[place]
        return next.isBlank || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }
}
