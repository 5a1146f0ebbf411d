import Testing

@testable import WebAddresses

/// The hosts of addresses: names, international names and IP addresses.
@Suite struct HostTests {
    @Test func decodesHostNames() {
        for name in [
            "bücher", "他们为什么不说中文", "למההםפשוטלאמדבריםעברית", "почемужеонинеговорятпорусски", "a-ü", "ü", "3年b組金八先生",
        ] {
            let ascii = Punycode.host(name) ?? ""
            #expect(ascii.hasPrefix("xn--") && Punycode.decode(ascii.dropFirst(4)) == name, "\(name)")
            #expect(Punycode.decode(Substring(ascii.dropFirst(4).uppercased()))?.lowercased() == name)
        }
        for label in ["é", "a!", "99999999", String(repeating: "a", count: 64), "bcher-kv!"] {
            #expect(Punycode.decode(Substring(label)) == nil, "\(label)")
        }
        for (name, host) in [
            ("A.Example", "a.example"), ("bücher。example", "xn--bcher-kva.example"), ("a．b｡c", "a.b.c"),
            ("ü.ä", "xn--tda.xn--4ca"),
            ("ａ.example", "a.example"), ("\u{2028}ü", nil), (String(repeating: "ü", count: 70), nil),
        ] as [(String, String?)] { #expect(Punycode.host(name) == host, "\(name)") }
    }

    /// The samples of RFC 3492, section 7.1, and other long ones.
    @Test(arguments: [
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("למההםפשוטלאמדבריםעברית", "xn--4dbcagdahymbxekheh6e0a7fei0b"),
        ("なぜみんな日本語を話してくれないのか", "xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("bücher", "xn--bcher-kva"),
    ]) func readsNamesBeyondASCII(name: String, ascii: String) {
        #expect(Punycode.host(name + ".example") == ascii + ".example")
    }

    private static func host(_ text: String) -> String? { WebAddress("http://\(text)/")?.host }

    /// Values of the URL standard's host parser.
    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("127.1", "127.0.0.1"),
            ("0177.0.0.1", "127.0.0.1"), ("0X7F000001", "127.0.0.1"), ("10.0.0.1.", "10.0.0.1"),
            ("１２７.0.0.1", "127.0.0.1"), ("%31%32%37.0.0.1", "127.0.0.1"), ("0x", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"), ("4294967295", "255.255.255.255"), ("1.2.3.4.5", nil),
            ("256.1.1.1", nil), ("4294967296", nil), ("1.2.3.08", nil), ("a.1", nil), ("1..2", nil), ("1.256.1", nil),
            ("99999999999999999999", nil), ("1.a", "1.a"), ("0xg", "0xg"), ("1e2", "1e2"),
        ] as [(String, String?)])
    func readsIPv4AddressesOfAnyForm(text: String, expected: String?) { #expect(Self.host(text) == expected) }

    @Test(
        arguments: [
            ("[::1]", "[::1]"), ("[0:0:0:0:0:0:0:0]", "[::]"), ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"),
            ("[2001:DB8::0001]", "[2001:db8::1]"), ("[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]"),
            ("[::ffff:10.0.0.1]", "[::ffff:a00:1]"), ("[1::]", "[1::]"), ("[fe80::1%25eth0]", nil), ("[::1", nil),
            ("[]", nil), ("[10.0.0.1]", nil), ("::1", nil), ("[::1]x", nil), ("[:::1]", nil),
        ] as [(String, String?)])
    func readsIPv6Addresses(text: String, expected: String?) { #expect(Self.host(text) == expected) }

    /// Characters that only appear to be part of the host.
    @Test(
        arguments: [
            ("a\u{2100}b.example", nil), ("a\u{FF0F}b.example", nil), ("a%2Fb.example", nil), ("a%00b", nil),
            ("a\u{200B}b.example", nil), ("a\u{AD}b.example", nil), ("a\u{202E}b.example", nil), ("a\u{7F}b", nil),
            ("a%zz", nil), ("a%ff", nil), ("a[b", nil), ("a|b", nil), ("\u{210B}x.example", "hx.example"),
            ("%41.example", "a.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
        ] as [(String, String?)])
    func rejectsHiddenCharacters(text: String, expected: String?) { #expect(Self.host(text) == expected) }

    @Test(arguments: [
        ("https://a.example/b/c.mp3?x=/y.z#/w", "c.mp3"), ("https://a.example/b/#c", "b"),
        ("/home/u/tour.json", "tour.json"), ("https://a.example", "a.example"), ("?x", ""), ("", ""),
    ])
    func findsTheLastComponent(place: String, name: String) { #expect(WrittenAddress.lastComponent(of: place) == name) }

    /// A combining character after a separator doesn't join it.
    @Test func separatorsBeforeCombiningCharactersSeparate() {
        for (text, host) in [
            ("https://evil.example/\u{301}@good.example/", "evil.example"),
            ("https://evil.example?\u{301}@good.example/", "evil.example"),
            ("https://evil.example#\u{301}@good.example/", "evil.example"),
            ("https://evil.example\\\u{301}@good.example/", "evil.example"),
            ("https://good.example@\u{301}evil.example/", nil), ("https:/\u{301}/a.example/", nil),
        ] as [(String, String?)] {
            #expect(WebAddress(text)?.host?.hasPrefix("xn--") == true || WebAddress(text)?.host == host, "\(text)")
            #expect(WebAddress(text)?.host != "good.example", "\(text)")
            #expect(WrittenAddress(text)?.host != "good.example" || Origin(text) == nil, "\(text)")
        }
    }

    /// Long and strange input ends quickly and without a trap.
    @Test func survivesHostileInput() {
        for piece in ["ü", "a", ".", "/", "../", "@", ":", "[", "%", "\\", "?", "\u{301}", "1.", "\t"] {
            let long = String(repeating: piece, count: 20_000)
            for text in [long, "http://" + long, "http://a.example/" + long, "x://" + long, "http://a:" + long] {
                guard let address = WebAddress(text, base: WebAddress("http://b.example/x")) else { continue }
                #expect(WebAddress(address.text) == address)
                #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
    }

    /// RFC 5892, appendix A: joiners only where they change how a word is written.
    @Test func allowsJoinersInsideWords() {
        let name = "\u{646}\u{627}\u{645}\u{647}\u{200C}\u{627}\u{6CC}"
        #expect(WebAddress("http://\(name).com/")?.host == "xn--mgba3gch31f060k.com")
        #expect(WebAddress("http://\u{915}\u{94D}\u{200D}\u{937}.example/") != nil)
        for host in [
            "a\u{200C}b", "\u{200C}a\u{FC}", "\u{FC}\u{200C}", "\u{627}\u{200C}\u{628}", "\u{628}\u{200C}",
            "\u{628}\u{200D}\u{628}", "\u{628}\u{200C}\u{621}", "\u{628}\u{200C}\u{200C}\u{628}",
        ] {
            #expect(WebAddress("http://\(host).example/") == nil, "\(host)")
        }
    }
}
