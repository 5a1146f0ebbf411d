import CommonTesting
import Testing

@testable import WebAddresses

/// Addresses as browsers parse them, with values from the URL standard.
@Suite struct WebAddressTests {
    /// Addresses that are resolved against a page with a folder, a query and a fragment.
    private static let onAPage: [(String, String?)] = [
        ("http:g", "http://g/"), ("https:g", "https://a.example/dir/g"), ("g", "https://a.example/dir/g"),
        ("./g", "https://a.example/dir/g"), ("../g", "https://a.example/g"), ("../../g", "https://a.example/g"),
        ("/g", "https://a.example/g"), ("//b.example/x", "https://b.example/x"),
        ("///b.example/y", "https://b.example/y"), ("?x=1", "https://a.example/dir/page?x=1"),
        ("#f", "https://a.example/dir/page?q#f"), ("g?y#z", "https://a.example/dir/g?y#z"),
        ("g;x=1", "https://a.example/dir/g;x=1"), (".", "https://a.example/dir/"), ("..", "https://a.example/"),
        ("./", "https://a.example/dir/"), ("../", "https://a.example/"), ("http://b.example", "http://b.example/"),
        ("HTTP://B.EXAMPLE/Path", "http://b.example/Path"), ("http://b.example:80/", "http://b.example/"),
        ("https://b.example:443/x", "https://b.example/x"), ("http://b.example:443/x", "http://b.example:443/x"),
        ("http:\\\\b.example\\x\\y", "http://b.example/x/y"), ("\\g\\h", "https://a.example/g/h"),
        ("http://b.example/a b", "http://b.example/a%20b"), ("http://b.example/ü", "http://b.example/%C3%BC"),
        ("http://b.example/?q=ü b", "http://b.example/?q=%C3%BC%20b"),
        ("http://b.example/#ü b", "http://b.example/#%C3%BC%20b"),
        ("http://b.example/%7Efoo", "http://b.example/%7Efoo"), ("http://b.example/a%2fb", "http://b.example/a%2fb"),
        ("http://b.example/a/../b", "http://b.example/b"), ("http://b.example/a/./b", "http://b.example/a/b"),
        ("http://b.example/a/%2e%2e/b", "http://b.example/b"), ("http:///b.example/", "http://b.example/"),
        ("http:/b.example/", "http://b.example/"), ("http:b.example", "http://b.example/"),
        ("http://b.example/a\tb", "http://b.example/ab"), ("http://b.ex\nample/x", "http://b.example/x"),
        ("  http://b.example/  ", "http://b.example/"), ("http://u:p@b.example/", "http://u:p@b.example/"),
        ("http://b.example/\"q\"", "http://b.example/%22q%22"), ("http://b.example/<x>", "http://b.example/%3Cx%3E"),
        ("http://b.example/`{}|^", "http://b.example/%60%7B%7D|%5E"),
        ("http://b.example/?\"<>'`", "http://b.example/?%22%3C%3E%27`"),
        ("http://b.example?x", "http://b.example/?x"), ("http://b.example#x", "http://b.example/#x"),
        ("http://b.example:/", "http://b.example/"), ("http://b.example:0080/", "http://b.example/"),
        ("http://b.example:99999/", nil), ("http://bü.example/", "http://xn--b-eha.example/"),
        ("http://[::1]:80/x", "http://[::1]/x"), ("g/../h", "https://a.example/dir/h"),
        ("g//h", "https://a.example/dir/g//h"), ("//b.example", "https://b.example/"), ("/..", "https://a.example/"),
        ("/../x", "https://a.example/x"), ("./../../../x", "https://a.example/x"),
        ("%41", "https://a.example/dir/%41"), ("a?b/../c", "https://a.example/dir/a?b/../c"),
        ("a#b/../c", "https://a.example/dir/a#b/../c"), ("x'y", "https://a.example/dir/x'y"),
        ("a\\b?c\\d", "https://a.example/dir/a/b?c\\d"), ("http://b.example/a;b,c=d@e", "http://b.example/a;b,c=d@e"),
        ("http://B.Example./", "http://b.example./"), ("0", "https://a.example/dir/0"),
        ("a b", "https://a.example/dir/a%20b"), ("ü", "https://a.example/dir/%C3%BC"),
        ("?", "https://a.example/dir/page?"), ("#", "https://a.example/dir/page?q#"),
        ("http://b.example/日本", "http://b.example/%E6%97%A5%E6%9C%AC"),
        ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://straße.example/", "http://xn--strae-oqa.example/"),
        ("http://ÜBER.example/x", "http://xn--ber-goa.example/x"), ("http://☃.example/", "http://xn--n3h.example/"),
    ]

    private static let elsewhere: [(String, String, String?)] = [
        ("http://us er:pa!ss@b.example/", "https://a.example/", "http://us%20er:pa!ss@b.example/"),
        ("http://u;s:p=w@b.example/", "https://a.example/", "http://u%3Bs:p%3Dw@b.example/"),
        ("http://u!~:p@b.example/", "https://a.example/", "http://u!~:p@b.example/"),
        ("http://b.example/!~\u{7F}", "https://a.example/", "http://b.example/!~%7F"),
        ("http:g", "http://A.example:80/x/y/", "http://a.example/x/y/g"),
        ("https:g", "http://A.example:80/x/y/", "https://g/"),
        ("http:/b.example/", "http://A.example:80/x/y/", "http://a.example/b.example/"),
        ("http:b.example", "http://A.example:80/x/y/", "http://a.example/x/y/b.example"),
    ]

    @Test(arguments: onAPage.map { ($0, "https://a.example/dir/page?q#f", $1) } + elsewhere)
    func normalizesAddresses(link: String, base: String, expected: String?) {
        #expect(WebAddress.resolve(link, base: base) == expected)
        // A normalized address stays unchanged.
        if let expected { #expect(WebAddress.resolve(expected, base: base) == expected) }
    }

    @Test func rejectsAddressesOutsideTheWeb() {
        #expect(WebAddress("mailto:a@b.example", base: WebAddress("https://a.example/")) == nil)
        #expect(WebAddress("page") == nil && WebAddress("") == nil)
        #expect(WebAddress("page", base: WebAddress("file:///x"))?.isWeb == false)
        #expect(WebAddress.resolve("gemini://g.example/x", base: "https://a.example/") == "gemini://g.example/x")
        #expect(WebAddress.resolve("http://b.example:99999/", base: "") == nil)
    }

    @Test func resolvesLinksOfAnyScheme() {
        for (link, base, expected) in [
            (" x ", "https://a.example/dir/page", "https://a.example/dir/x"), ("", "https://a.example/", nil),
            (" \n", "https://a.example/", nil),
            ("mailto:a b@c.example", "https://a.example/", "mailto:a b@c.example"),
            ("x", nil, "x"), ("/x", nil, "/x"), ("https://a.example", nil, "https://a.example/"),
            ("mailto:a@b.example", nil, "mailto:a@b.example"),
            ("mailto:a@b.example", "https://a.example/", "mailto:a@b.example"),
            ("x", "gemini://g.example/dir/page", "gemini://g.example/dir/x"),
            ("../x y", "gemini://g.example/dir/page", "gemini://g.example/x%20y"),
            ("/x", "file:///home/a/feed.xml", "file:///x"),
            ("http://", "https://a.example/", nil), ("http://a b/", "https://a.example/", nil),
            ("HTTPS://A.example/X", nil, "https://a.example/X"),
        ] as [(String, String?, String?)] { #expect(WebAddress.resolve(link, base: base) == expected, "\(link)") }
        for (link, hasScheme) in [
            ("a:b", true), ("http:", true), ("a+b-c.d1:x", true), ("1a:b", false), (":a", false), ("a/b:c", false),
            ("a", false), ("", false), ("a?b:c", false), ("é:x", false), ("Z:", true),
        ] { #expect(WebAddress.hasScheme(link) == hasScheme, "\(link)") }
    }

    @Test(
        arguments: [
            ("http://a!b.example/", "http://a!b.example/"), ("http://a b.example/", nil),
            ("http://a\u{1}b.example/", nil),
            ("http://a.example/x\ry\tz\n", "http://a.example/xyz"), ("http://a%b.example/", nil),
        ] as [(String, String?)]) func resolvesUnusualAddresses(text: String, expected: String?)
    {
        #expect(WebAddress(text)?.text == expected)
    }

    /// Most addresses need no parsing; the quick check agrees with the parser.
    @Test func theQuickCheckAgreesWithParsing() {
        let pieces = [
            "http://", "https://", "HTTP://", "a.example", "A", "1.2", "-", ":", "80", "443", "8080", "0", "70000", "/",
            "255", "256", "01", ".1", "//", ".", "..", "/./", "%2e", "%41", "\\", "?", "#", "=", "&", "'", "\"", "<",
            "{", "^", "`", "|", " ", "\t", "@", "[", "]", "é", "\u{7F}", "word", "~", "!", "$", "*", "(", "+", ",", ";",
        ]
        let starts = [
            "http://a.example", "https://a.b", "http://a.example:8080/", "http://127.0.0", "https://1.2", "https://",
            "",
        ]
        var random = SeededGenerator(seed: 17)
        var same = 0
        for _ in 0..<40_000 {
            let start = starts.randomElement(using: &random) ?? ""
            let count = Int.random(in: 0...6, using: &random)
            let link = start + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let whole = WebAddress(link).flatMap { $0.isWeb ? $0.text : nil }
            let atOnce = WebAddress.isInNormalForm(link) ? link : whole
            if atOnce != whole { Issue.record("\(link.debugDescription): \(atOnce ?? "-"), \(whole ?? "-")") }
            if whole == link { same += 1 }
        }
        #expect(same > 2_000)
        for link in ["http://127.0.0.1:8099/a/0/0", "https://0.10.255.1/x?y"] {
            #expect(WebAddress.isInNormalForm(link))
        }
    }
}
