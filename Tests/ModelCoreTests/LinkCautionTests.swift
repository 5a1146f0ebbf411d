import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Compares the address in a link's text with its target.
@Suite struct LinkCautionTests {
    @Test(arguments: [
        ("Read more", "https://a.example/x"), ("a.example", "https://www.a.example/x"),
        ("https://a.example/page", "https://a.example/other"), ("www.a.example", "http://a.example"),
        ("blog.a.example", "https://a.example/blog"), ("a.example", "https://cdn.a.example"),
        ("index.html", "https://a.example"),
        ("1.5 km", "https://a.example"), ("version 2.0", "https://a.example"), ("", "https://a.example"),
        ("bücher.example", "https://xn--bcher-kva.example/"), ("münchen", "https://xn--mnchen-3ya.example"),
        ("e.g.", "https://a.example"), ("a.example:8080", "https://a.example:8080/"),
        ("https://b\u{FC}cher.example/x", "https://xn--bcher-kva.example/"), ("Bank.NET", "https://bank.net/"),
        ("https://www.a.example", "https://a.example/"),
        ("b\u{FC}cher.example", "https://www.xn--bcher-kva.example/"),
        ("www.b\u{FC}cher.example", "https://xn--bcher-kva.example/"), ("www.a.example", "https://www.a.example/"),
        ("https://a.example", "https://a.example./"),
        ("Open", "https://\u{430}\u{431}\u{432}.example/"), ("Open", "https://\u{E9}t\u{E9}.example/"),
        ("Open", "https://a.example/@b"),
        ("https://", "https://a.example/"), ("https://\u{2026}", "https://a.example/"),
        ("https://a..b", "https://a.example/"),
        ("see https://bank.net", "https://a.example/"), ("U.S.", "https://a.example/"),
        ("localhost", "https://a.example/"),
        ("192.168.1.9", "https://a.example/"),
        // Labels that can't be read.
        ("x", "https://xn--99999999999999.example/"), ("x", "https://xn--.example/"),
    ])
    func opensMatchingLinks(words: String, url: String) { #expect(LinkCaution(words: words, url: url) == nil) }

    @Test(arguments: [
        ("bank.example", "https://evil.example/login", "'bank.example', but the link leads to 'evil.example'"),
        ("https://bank.example/login", "https://bank.example.evil.test/", "leads to 'bank.example.evil.test'"),
        ("Open", "https://bank.example@evil.example/", "The real host is 'evil.example'"),
        ("Open", "https://xn--pple-43d.com/", "mixes scripts"),
        ("Open", "https://аpple.com", "mixes scripts"),
        ("Write", "mailto:a@b.example", "begins with 'mailto:'"),
        ("Run", "javascript:alert(1)", "begins with 'javascript:'"),
        ("file", "file:///etc/passwd", "begins with 'file:'"),
        ("https://localhost/", "https://evil.example/", "'localhost', but the link leads to 'evil.example'"),
        ("http://192.168.1.9/", "https://evil.example/", "'192.168.1.9', but the link leads to 'evil.example'"),
        (
            "https://bank.net", "https://bank.net.evil.example/",
            "'bank.net', but the link leads to 'bank.net.evil.example'"
        ),
        ("https://bank.net", "https://notbank.net/", "'bank.net', but the link leads to 'notbank.net'"),
        (
            "https://bank.net/login \u{2013} safe", "https://evil.example/",
            "'bank.net', but the link leads to 'evil.example'"
        ),
        ("www.com", "https://evil.com/", "'www.com', but the link leads to 'evil.com'"),
        (
            "bank.example/?to=https://evil.test", "https://evil.test/",
            "'bank.example', but the link leads to 'evil.test'"
        ),
        ("bank.example:443", "https://evil.example:443/", "'bank.example', but the link leads to 'evil.example'"),
        (
            "https://bank.net", "https://xn--bcher-kva.example/",
            "'bank.net', but the link leads to 'b\u{FC}cher.example'"
        ),
        ("https://bank.net", "https://evil.example\\@bank.net/", "but the link leads to 'evil.example'"),
        ("Open", "https://bank.net:pw@evil.example:8080/x", "The real host is 'evil.example'"),
        ("Open", "ftp://a.example/", "begins with 'ftp:'"), ("Open", "", "begins with ':'"),
        ("Open", "HTTPS://\u{3B1}b.example/", "mixes scripts"),
        ("Open", "https://\u{561}b.example/", "mixes scripts"),
        ("Open", "https://\u{430}\u{3B1}.example/", "mixes scripts"),
    ])
    func warnsOfMisleadingLinks(words: String, url: String, sentence: String) throws {
        let caution = try #require(LinkCaution(words: words, url: url))
        #expect(caution.reason.contains(sentence), "\(caution.reason)")
    }

    /// Suffixes that hosts and files share, and suffixes of hosts only.
    private static let endings = [
        "net", "sh", "rs", "py", "md", "zip", "java", "core", "js", "html", "txt", "com", "example", "de",
    ]

    /// With a scheme the text is an address, whatever the host's suffix.
    @Test(arguments: endings) func comparesWrittenAddressesWithTheLink(ending: String) throws {
        for scheme in ["http://", "https://", "HTTPS://", "ftp://", "feed://"] {
            for (host, end) in [
                ("bank", ""), ("bank", "/login"), ("www.bank", "?a=b"), ("bank", "#x"), ("Bank", ":8080/x"),
                ("my-bank_1", "/"),
                ("a.b.bank", "/https://evil.example/"), ("user@bank", "/"), ("bank", "./"),
            ] {
                let plain = host.replacing("user@", with: "").lowercased()
                for words in ["\(scheme)\(host).\(ending)\(end)", " \(scheme)\(host).\(ending)\(end)\n"] {
                    let caution = try #require(LinkCaution(words: words, url: "https://evil.example/login"), "\(words)")
                    #expect(
                        caution.reason == "The text says '\(plain).\(ending)', but the link leads to 'evil.example'.",
                        "\(words)")
                    #expect(caution.host == "evil.example")
                    for url in [
                        "https://\(plain).\(ending)/else", "http://www.\(plain).\(ending)",
                        "https://x.\(plain).\(ending)./",
                    ] {
                        #expect(LinkCaution(words: words, url: url) == nil, "\(words) \(url)")
                    }
                }
            }
        }
    }

    /// Without a scheme it may name a file or a program, unless it starts like a host.
    @Test(arguments: endings) func treatsNamesWithoutSchemeAsFiles(ending: String) {
        let isFile = !["com", "example", "de"].contains(ending)
        for (words, isHost) in [
            ("bank.\(ending)", !isFile), ("bank.\(ending)/login", !isFile), ("main.test.\(ending)", !isFile),
            ("www.bank.\(ending)", true), ("WWW.bank.\(ending)/x", true), ("my bank.\(ending)", false),
            ("src/main.\(ending)", false),
            (".\(ending)", false), ("bank.\(ending).", !isFile), ("bank..\(ending)", false),
            ("(bank.\(ending))", false),
        ] {
            #expect((LinkCaution(words: words, url: "https://evil.example/") != nil) == isHost, "\(words)")
        }
    }
}
