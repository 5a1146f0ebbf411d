/// Distinguishes the tags with which titles are marked up from those that titles are about.
///
/// `<T>` is no element of HTML, and `<script>` or `<details>` without an end tag marks nothing up: both are text.
struct TitleTags {
    private let bytes: [UInt8]
    /// The elements with an end tag.
    private let closed: Set<String>

    /// The elements that people leave open, or that have no end.
    private static let open: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "blockquote", "br", "center", "cite", "code", "del",
        "dfn", "div", "em", "embed", "figure", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins",
        "kbd", "li", "mark", "marquee", "nobr", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "small", "span",
        "strike", "strong", "sub", "sup", "time", "tt", "u", "ul", "var", "wbr",
    ]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var closed: Set<String> = []
        var index = 0
        while let start = bytes.place(of: UInt8(ascii: "<"), from: index) {
            index = start + 1
            guard index < bytes.count, bytes[index] == UInt8(ascii: "/"), let name = HTMLNames.name(bytes, at: start)
            else { continue }
            closed.insert(name)
        }
        self.closed = closed
    }

    /// Whether a `<` begins no tag that marks the title up.
    func isText(at start: Int) -> Bool {
        guard HTMLNames.beginTag(bytes, at: start), let name = HTMLNames.name(bytes, at: start) else { return true }
        return !TitleTags.open.contains(name) && !closed.contains(name) && !name.contains(":")
    }
}
