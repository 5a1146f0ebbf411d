import CLibXML2

enum HTMLNames {
    /// The elements that libxml2 doesn't know, because they are younger than HTML 4.
    private static let younger: Set<String> = [
        "article", "aside", "audio", "bdi", "canvas", "data", "datalist", "details", "dialog", "figcaption", "figure",
        "footer", "header", "hgroup", "main", "mark", "math", "meter", "nav", "output", "picture", "progress", "rp",
        "rt", "ruby", "search", "section", "slot", "source", "summary", "svg", "template", "time", "track", "video",
        "wbr", "blink", "marquee", "nobr",
    ]

    private static let longest = 40

    /// Whether a tag of one of HTML's elements, or of a vocabulary with a prefix, begins at a `<`.
    static func beginTag(_ bytes: [UInt8], at start: Int) -> Bool {
        guard let name = name(bytes, at: start) else { return false }
        return name.contains(":") || younger.contains(name) || htmlTagLookup(name) != nil
    }

    /// Returns the lower-case name of a tag that begins at a `<`, or `nil` if no letter follows.
    static func name(_ bytes: [UInt8], at start: Int) -> String? {
        var index = start + 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "/") { index += 1 }
        // No name is longer, and a search to the end of the text would repeat itself at each sign.
        let name = bytes[index..<min(bytes.count, index + longest)].prefix {
            !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        guard name.first?.isLetter == true else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased()
    }
}
