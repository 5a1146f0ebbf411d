/// Distinguishes the tags with which titles are marked up from those that titles are about.
///
/// `<T>` is no element of HTML, and `<script>` or `The <b> element` without an end tag marks nothing up: all are text.
struct TitleTags {
    private let bytes: [UInt8]
    /// The elements with a tag, and with an end tag.
    private let opened: Set<String>
    private let closed: Set<String>

    /// The elements that people leave open.
    private static let open: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "blockquote", "center", "cite", "code", "del", "dfn",
        "div", "em", "figure", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "ins", "kbd", "li", "mark", "marquee",
        "nobr", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub",
        "sup", "time", "tt", "u", "ul", "var",
    ]
    /// The elements that have no end.
    private static let void: Set<String> = ["br", "embed", "hr", "img", "wbr"]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var (opened, closed): (Set<String>, Set<String>) = ([], [])
        var index = 0
        while let start = bytes.place(of: UInt8(ascii: "<"), from: index) {
            index = start + 1
            guard index < bytes.count, let name = HTMLNames.name(bytes, at: start) else { continue }
            if bytes[index] == UInt8(ascii: "/") { closed.insert(name) } else { opened.insert(name) }
        }
        (self.opened, self.closed) = (opened, closed)
    }

    /// Whether a `<` begins no tag that marks the title up.
    func isText(at start: Int) -> Bool {
        guard HTMLNames.beginTag(bytes, at: start), let name = HTMLNames.name(bytes, at: start) else { return true }
        // `<https://a.example/>` and `<mailto:a@b.example>` are addresses, unlike names with a prefix such as `<o:p>`.
        if name.contains(":") { return name.hasSuffix(":") || name.contains("@") }
        if bytes[start + 1] == UInt8(ascii: "/"), !opened.contains(name) { return standsAlone(name, at: start) }
        if TitleTags.void.contains(name) || closed.contains(name) { return false }
        return !(TitleTags.open.contains(name) && marksUp(name, at: start))
    }

    /// Whether an end tag without a tag is between blanks, as in `A missing </div> broke it`.
    private func standsAlone(_ name: String, at start: Int) -> Bool {
        let end = start + 3 + name.utf8.count
        return start > 0 && bytes[start - 1].isBlank && end < bytes.count && bytes[end].isBlank
    }

    /// Whether a tag without an end tag marks up what follows: it has attributes, or a word follows without a space, and
    /// not as in `The <b> element`.
    private func marksUp(_ name: String, at start: Int) -> Bool {
        let end = start + 1 + name.utf8.count
        guard end < bytes.count, bytes[end] == UInt8(ascii: ">") else { return true }
        guard end + 1 < bytes.count else { return false }
        let next = bytes[end + 1]
        return next.isLetter || next.isDigit || next >= 0x80 || next == UInt8(ascii: "<")
    }
}
