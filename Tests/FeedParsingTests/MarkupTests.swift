import CommonTesting
import Testing

@testable import FeedParsing

/// References, tags and links in pieces of HTML.
@Suite struct MarkupTests {
    @Test func separatesWordsAtBlocks() {
        let blocks = """
            address article aside audio blockquote br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
            h1 h2 h3 h4 h5 h6 header hgroup hr iframe img legend li main menu nav ol option p picture pre section summary table tbody td
            tfoot th thead tr ul video
            """
        for name in blocks.split(whereSeparator: \.isWhitespace) {
            for tag in ["<\(name)>", "</\(name)>", "<\(name.uppercased()) a='b'>", "<\(name)/>"] {
                #expect(Markup.plainText("a\(tag)b") == "a b", "\(tag)")
            }
        }
        for name in [
            "a", "abbr", "b", "code", "em", "i", "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u", "wbr",
            "divs", "h7", "pa", "x",
        ] {
            #expect(Markup.plainText("a<\(name)>b</\(name)>c") == "abc", "\(name)")
        }
    }

    @Test func keepsTextThatOnlyLooksLikeATag() {
        for (markup, text) in [
            ("1 < 2 > 0", "1 < 2 > 0"), ("a <3 b", "a <3 b"), ("<", "<"), ("a<!b>c", "ac"), ("a<?b>c", "a<?b>c"),
            ("a<b", "a<b"), ("a<b title=\"x>y\">c", "ac"), ("a<b title='x>y'>c", "ac"), ("a<b title=\"x>y>z", "ay>z"),
            ("a<b x=it's>c", "ac"), ("a<!-- > -->b", "ab"), ("a<style>x</style>b", "ab"), ("a\u{A0}b", "a\u{A0}b"),
            (" a \n b ", "a b"),
        ] { #expect(Markup.plainText(markup) == text, "\(markup)") }
    }

    /// Searches that share what they have found out end where searches for each tag alone end.
    @Test func findsEndsOfTagsLikeASearchForEach() {
        func end(_ bytes: [UInt8], ofTag start: Int) -> Int? {
            guard start + 1 < bytes.count, [0x61, 0x2F].contains(bytes[start + 1]) else { return nil }
            var (quote, first) = (UInt8?.none, Int?.none)
            for index in start + 1..<bytes.count {
                let byte = bytes[index]
                if let open = quote {
                    if byte == open { quote = nil }
                    if byte == UInt8(ascii: ">"), first == nil { first = index + 1 }
                } else if byte == UInt8(ascii: ">") {
                    return index + 1
                } else if [0x22, 0x27].contains(byte), [0x3D, 0x20].contains(bytes[index - 1]) {
                    quote = byte
                }
            }
            return first
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Array("<<<>a/='\" ".utf8).randomElement(using: &random) ?? 0x20
            }
            var ends = TagEnds(bytes)
            for start in bytes.indices where bytes[start] == UInt8(ascii: "<") {
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(ends.end(ofTag: start) == end(bytes, ofTag: start), "\(text), \(start)")
            }
        }
    }

    @Test func cutsLongPlainText() {
        for (length, kept) in [(512 << 10, 512 << 10), (512 << 10 + 1, 512 << 10)] {
            #expect(Markup.plainText(String(repeating: "x", count: length)).utf8.count == kept)
        }
    }

    /// References to C1 controls mean windows-1252, and nothing where that has no character.
    @Test func resolvesReferences() {
        for code in UInt8(0x80)...0x9F {
            let document = TextDecoding.decode([code], contentType: "text/xml; charset=windows-1252")
            let isLetter = document.problem == nil
            let expected = isLetter ? String(decoding: document.utf8, as: UTF8.self) : ""
            for reference in [
                "&#\(code);", "&#x\(String(code, radix: 16));", "&#X\(String(code, radix: 16, uppercase: true));",
            ] {
                #expect(Markup.decodeEntities(reference) == expected, "\(reference)")
            }
        }
        for (text, expected) in [
            ("&#65;&#x41;&#X41;", "AAA"), ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
            ("&eacute;&hellip;&nbsp;", "é…\u{A0}"), ("&Eacute;", "É"),
            ("&nosuch;&;&#;&#x;&#xD800;&#1114112;&", "&nosuch;&;&#;&#x;&#xD800;&#1114112;&"), ("&#128690;", "🚲"),
            ("a&b;c", "a&b;c"), ("&amp;amp;", "&amp;"), ("&eacute", "&eacute"), ("& eacute;", "& eacute;"),
            ("plain", "plain"), ("x&amp;y&amp;z", "x&y&z"),
        ] { #expect(Markup.decodeEntities(text) == expected, "\(text)") }
        #expect(Markup.escaped("<a b=\"c\">'&amp;") == "&lt;a b=&quot;c&quot;&gt;'&amp;amp;")
    }

    @Test func keepsReferencesInCode() {
        let double = "&amp;#8230;"
        for name in ["code", "pre", "kbd", "samp", "tt", "textarea", "CODE", "Pre"] {
            #expect(
                Markup.withoutDoubleEscapes("<\(name)>\(double)</\(name)>\(double)")
                    == "<\(name)>\(double)</\(name)>&#8230;", "\(name)")
        }
        for name in ["p", "codes", "b"] {
            #expect(
                Markup.withoutDoubleEscapes("<\(name)>\(double)</\(name)>") == "<\(name)>&#8230;</\(name)>", "\(name)")
        }
        for text in [
            "&amp;", "&amp;lt;", "&amp;#38;", "&amp;#60;", "&amp;#x3e;", "&amp;amp;", "&amp;nosuch;", "&amp;#127;",
            "a &amp; b",
        ] {
            #expect(Markup.withoutDoubleEscapes(text) == text, "\(text)")
        }
        #expect(Markup.withoutDoubleEscapes("&amp;#128;&amp;quot;&amp;apos;&amp;#39;") == "&#128;&quot;&apos;&#39;")
    }

    @Test func resolvesLinksInEachAttribute() {
        let base = "https://a.example/dir/page"
        for name in ["href", "src", "poster", "cite", "HREF"] {
            for (value, quoted, bare) in [
                ("x", "https://a.example/dir/x", true), ("../x", "https://a.example/x", true),
                ("/x?a=1&amp;b=2", "https://a.example/x?a=1&amp;b=2", true), (" x ", "https://a.example/dir/x", false),
                ("//b.example/x", "https://b.example/x", true), ("#x", "#x", true), ("", "", false),
                ("mailto:a@b.example", "mailto:a@b.example", true),
                ("https://b.example/x", "https://b.example/x", true), ("?q", "https://a.example/dir/page?q", true),
            ] {
                for quote in bare ? ["\"", "'", ""] : ["\"", "'"] {
                    let html = "1<a \(name)=\(quote)\(value)\(quote) x='y'>2 href=z</a>"
                    #expect(
                        RelativeLinks.resolved(in: html, base: base)
                            == "1<a \(name)=\(quote)\(quoted)\(quote) x='y'>2 href=z</a>", "\(html)")
                }
            }
        }
        for html in [
            "<a title='x'>", "<a data-href='x'>", "<img alt='src=x'>", "href='x'", "<a hrefs='x'>", "< a href='x'>",
            "</a href='x'>",
        ] {
            #expect(RelativeLinks.resolved(in: html, base: base) == html, "\(html)")
        }
        #expect(RelativeLinks.resolved(in: "<a href='x'>", base: nil) == "<a href='x'>")
        #expect(
            RelativeLinks.resolved(in: "<a b=c href = 'x' src=\"y\">", base: base)
                == "<a b=c href = 'https://a.example/dir/x' src=\"https://a.example/dir/y\">")
    }
}
