import Foundation

/// A text that is repeated to make inputs of any length.
struct RepeatedPattern: Sendable {
    /// What is repeated, for messages.
    let name: String
    /// The least length in bytes at which the pattern is measured.
    let shortest: Int
    /// Whether it matters only to readers of markup.
    let isOfMarkup: Bool
    private let text: @Sendable (_ bytes: Int) -> String

    init(_ text: String) {
        (name, shortest, isOfMarkup) = (text.debugDescription, 4 << 10, false)
        self.text = { String(repeating: text, count: max(1, $0 / max(1, text.utf8.count))) }
    }

    /// - Parameter part: Returns a text for each repetition, so that names can differ.
    init(
        _ name: String, shortest: Int = 4 << 10, isOfMarkup: Bool = false, _ part: @escaping @Sendable (Int) -> String
    ) {
        (self.name, self.shortest, self.isOfMarkup) = (name, shortest, isOfMarkup)
        text = { bytes in
            var (result, size, index) = ("", 0, 0)
            while size < bytes {
                let next = part(index)
                result += next
                size += max(1, next.utf8.count)
                index += 1
            }
            return result
        }
    }

    /// Returns the pattern as often as it fits into a number of bytes, but at least once.
    func repeated(_ bytes: Int) -> String { text(bytes) }

    /// The patterns for `make test`: openings without ends, ends without openings, and parts of all formats.
    static let maximum: [RepeatedPattern] =
        openings + declarations
        + [
            "<p><b>", "</p>", "]]>", "<table><tr><td>", "<item><title>x", "&a;", "&amp;amp;", "[", "{\"a\":", "\"",
            "\"'", "(", "\\\"", "\u{1B}[", ",", "%s", "$x$", "*", "http://a.example/ ", "-", "\u{301}", "👩‍👩‍👧‍👦",
            "\u{0}", "x", "word ", " ", "\n", "a = 1\n", "a or ", "mailto:",
        ].map { RepeatedPattern($0) } + numbered

    /// Patterns for a reader of databases, to which all texts are alike.
    static let ofBytes = ["\u{0}", "x", "SQLite format 3\u{0}"].map { RepeatedPattern($0) }

    static let all: [RepeatedPattern] =
        maximum
        + [
            "<a>", "<br/>", "-->", "<li><ul>", "<td>x", "<span>a</span> ", "<a \"x>\" ", "<a b=\">' ", "<svg>",
            "<code>&amp;#1;</code>", "<sup><a>1</a></sup>", "<details><summary>", "<math><mi>", "<h1>x", "<q>", "<>",
            "<item><link>x</link></item>", "<entry>", "<trkpt lat=\"1\" lon=\"2\"/>", "<!-- -", "<script a='",
            "</style ",
            "<style>x</s", "&#x", "<script ", "<img src=x ", "&amp;", "&amp;eacute;", "&#x41;", "]", "[a](b)", "{",
            "{\"a\":1},",
            "[1],", "\\u0041", "'", "`", ")", "()", "\u{1B}]8;;", "\u{1B}[1;", "\u{1B}[A", "\u{1B}[200~", "\u{1B}P",
            ";",
            ":", "|", "||", "=", "#", "1", "a=b;", "%u ", "$$", "\\(", "{{", "**a** ", "/", "../", "//a", "a/b?c&",
            "a@b.example ", "--",
            ".",
            "...", "1.", "2026-11-20 ", "12:00", "20 Nov ", "é", "ﷺ", "\u{202E}", "\u{200D}", "a\u{301}", "🇵🇹", "👍🏽", "한",
            "ب", "\u{FEFF}", "Words, and more. ", "\t", "\r\n", "\n\n", "a\n", "a,b\n", "[[a]]\n", "not ", "-a ",
            "title:a ", "/a/ ", "bind-key a open\n", "macro a open; ", "tag \"a b\" ", "BEGIN:VEVENT\nEND:VEVENT\n",
            "206|||1|1\n", "\u{1B}[<0;1;1M", "        <div></div>", "<ol reversed></ol>",
        ].map { RepeatedPattern($0) } + moreNumbered

    /// What has no end, so that a reader may search for one again and again.
    private static let openings: [RepeatedPattern] = [
        "<a ", "<a href=\"", "<a b=\"c\" d='e\" ", "</a ", "<!d", "<!--", "<![CDATA[", "<?x ", "<script>", "<pre>&amp;",
        "&#", "<", "<!",
    ].map { RepeatedPattern($0) }

    /// Nested elements that declare prefixes, with others inside. They cost something only if there are many.
    private static let declarations = [
        RepeatedPattern("nested declarations", shortest: 48 << 10, isOfMarkup: true) { index in
            "<a " + (0..<20).map { "xmlns:p\(index)q\($0)='u' " }.joined() + ">"
                + String(repeating: "<b/>", count: 20)
        }
    ]

    private static let numbered = [
        RepeatedPattern("many attributes") { ($0 == 0 ? "<a " : "") + "a\($0)=\"b\" " },
        RepeatedPattern("many names") { "<a\($0)>" },
        RepeatedPattern("many keys") { "\"k\($0)\":1," },
        RepeatedPattern("many words") { "w\($0) " },
        RepeatedPattern("many values") { "k\($0) = \($0)\n" },
    ]

    private static let moreNumbered = [
        RepeatedPattern("<a xmlns:N=…>") { "<a xmlns:p\($0)=\"urn:x\($0)\">" },
        RepeatedPattern("100 attributes in each of nested elements") { index in
            (index % 100 == 0 ? "<a " : "") + "p\(index)=\"u\" " + (index % 100 == 99 ? ">" : "")
        },
        RepeatedPattern("declarations and their use") { "<p\($0):a xmlns:p\($0)='u'><p\($0):b/>" },
        RepeatedPattern("many ends") { "<a\($0)></b\($0)>" },
        RepeatedPattern("many entities") { "<!ENTITY a\($0) \"b\">" },
        RepeatedPattern("many anchors") { "<p id=\"a\($0)\"><a href=\"#a\($0 + 1)\">x</a>" },
        RepeatedPattern("many links") { "<a href=\"https://a.example/\($0)\">x</a> " },
        RepeatedPattern("many items") { "<item><guid>\($0)</guid><title>t</title></item>" },
        RepeatedPattern("many outlines") { "<outline text=\"a\" xmlUrl=\"https://a.example/\($0)\"/>" },
        RepeatedPattern("many feeds") { "https://a.example/\($0) tag\n" },
        RepeatedPattern("many objects") { "{\"id\":\($0),\"_id\":\"\($0)\"}," },
        RepeatedPattern("many tables") { "[t\($0)]\n" },
        RepeatedPattern("many numbers") { "\($0)," },
        RepeatedPattern("many stages") { "\($0),A,B,2026-11-20,150\n" },
    ]
}

/// The place in a document where a pattern is repeated.
struct InputFrame: Sendable {
    /// How the text is written there.
    enum Form { case plain, json, xml }

    let name: String
    private let before: String
    private let after: String
    private let form: Form

    /// - Parameter document: The document, with `@@` in the place of the repeated text.
    init(_ name: String, _ document: String, _ form: Form = .plain) {
        self.name = name
        let parts = document.components(separatedBy: "@@")
        (before, after) = (parts[0], parts.dropFirst().joined(separator: "@@"))
        self.form = form
    }

    /// Whether a target's whole input is markup in which prefixes can be declared.
    func isWholeMarkup(of target: String) -> Bool {
        name == "alone" && ["feed", "list", "page", "track"].contains(target)
    }

    func input(_ text: String) -> [UInt8] {
        let written =
            switch form {
            case .plain: text
            case .json:
                ((try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\"")
                    .dropFirst().dropLast().description
            case .xml: text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            }
        return Array((before + written + after).utf8)
    }

    static func all(of target: String) -> [InputFrame] { [InputFrame("alone", "@@")] + (frames[target] ?? []) }

    private static let frames: [String: [InputFrame]] = [
        "article": [
            InputFrame("in a paragraph", "<p>@@</p>"),
            InputFrame("in code", "<pre><code class=\"language-c\">@@</code></pre>"),
            InputFrame("in a table", "<table><tr><td>@@</td><td>x</td></tr></table>"),
            InputFrame("in a formula", "<script type=\"math/tex\">@@</script>"),
        ],
        "extract": [
            InputFrame("in an article", "<html><body><article><p>@@</p></article></body></html>"),
            InputFrame(
                "in a date", "<head><meta name=\"date\" content=\"@@\"></head><body><time>x</time></body>", .xml),
        ],
        "feed": [
            InputFrame(
                "in a description",
                "<rss><channel><item><guid>1</guid><description><![CDATA[@@]]></description></item></channel></rss>"),
            InputFrame(
                "in a title",
                "<rss><channel><item><guid>1</guid><title>@@</title></item></channel></rss>", .xml),
            InputFrame(
                "in an author and a category",
                "<rss><channel><item><guid>1</guid><author>@@</author><category>a</category></item></channel></rss>",
                .xml),
            InputFrame(
                "in a category", "<rss><channel><item><guid>1</guid><category>@@</category></item></channel></rss>",
                .xml),
            InputFrame(
                "in a text that is HTML",
                "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"html\">@@"),
            InputFrame("in a channel", "<rss><channel>@@</channel></rss>"),
            InputFrame("in markup", "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"xhtml\">@@"),
            InputFrame(
                "in JSON", "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"content_html\":\"@@\"}]}",
                .json),
            InputFrame("in JSON's items", "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[@@"),
        ],
        "list": [
            InputFrame("in OPML", "<opml><body>@@</body></opml>"),
            InputFrame("in an attribute", "<opml><body><outline xmlUrl=\"https://a.example/\" category=\"@@\"/>", .xml),
            InputFrame("in tags", "https://a.example/ @@\n"),
        ],
        "page": [
            InputFrame(
                "in a link", "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"a\" title=\"@@\">", .xml)
        ],
        "race": [
            InputFrame("in a name", "{\"race\":\"@@\",\"year\":2026,\"stages\":[]}", .json),
            InputFrame("in stages", "{\"race\":\"a\",\"year\":2026,\"stages\":[@@"),
            InputFrame("in a calendar", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120\nSUMMARY:@@\nEND:VEVENT\n"),
            InputFrame("in a table", "number,date,start,finish\n@@"),
        ],
        "track": [
            InputFrame("in a segment", "<gpx><trk><trkseg>@@"),
            InputFrame("in a point", "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>@@"),
        ],
        "terminal": [InputFrame("in a paste", "\u{1B}[200~@@\u{1B}[201~")],
        "configuration": [InputFrame("in a text", "a = \"@@\"\n"), InputFrame("in a list", "a = [@@]\n")],
        "import": [
            InputFrame("in a command", "browser \"@@\"\n"),
            InputFrame("in a rule", "ignore-article \"*\" \"title =~ \\\"@@\"\n"),
        ],
        "state": [InputFrame("in a name", "{\"version\":1,\"segment\":\"@@\"}", .json)],
        "download": [InputFrame("in a response", "65536||\"a\"\n206|@@||bytes 65536-131071/*|65536\n")],
        "centre-catalogue": [
            InputFrame("in races", "{\"races\":[@@"), InputFrame("in a name", "{\"races\":[{\"id\":\"@@\"}]}", .json),
        ],
        "centre-ticker": [
            InputFrame(
                "in a text",
                "[{\"model\":\"news\",\"type\":\"liv\",\"publicationAt\":\"2026-07-04T14:10:00+02:00\",\"title\":\"a\",\"text\":[\"@@\"],\"_id\":\"a\",\"_bind\":\"publication_en-2026-1\"}]",
                .json)
        ],
        "centre-competitors": [
            InputFrame("in a list", "[@@"),
            InputFrame(
                "in a name", "[{\"bib\":7,\"lastname\":\"@@\",\"_id\":\"r\",\"_bind\":\"allCompetitors-2026\"}]", .json),
        ],
        "centre-groups": [InputFrame("in a list", "[{\"stage\":1,\"groups\":[@@")],
        "centre-rankings": [InputFrame("in a list", "[{\"type\":\"ite\",\"rankings\":[@@")],
        "wikidata-season": [InputFrame("in rows", "{\"results\":{\"bindings\":[@@")],
        "race-screens": [
            InputFrame(
                "in a name",
                "{\"race\":\"Volta\",\"year\":2026,\"stages\":[{\"number\":1,\"date\":\"2026-11-20\",\"start\":\"A\",\"finish\":\"@@\"}]}",
                .json)
        ],
    ]
}
