import Testing

@testable import ModelCore

/// What a link's words promise is held against where it leads.
@Suite struct LinkCautionTests {
    @Test(arguments: [
        ("Read more", "https://a.example/x"), ("a.example", "https://www.a.example/x"),
        ("https://a.example/page", "https://a.example/other"), ("www.a.example", "http://a.example"),
        ("blog.a.example", "https://a.example/blog"), ("a.example", "https://cdn.a.example"),
        ("index.html", "https://a.example"),
        ("1.5 km", "https://a.example"), ("version 2.0", "https://a.example"), ("", "https://a.example"),
        ("bücher.example", "https://xn--bcher-kva.example/"), ("münchen", "https://xn--mnchen-3ya.example"),
        ("e.g.", "https://a.example"), ("a.example:8080", "https://a.example:8080/"),
    ])
    func whatAgreesIsOpened(words: String, url: String) { #expect(LinkCaution(words: words, url: url) == nil) }

    @Test(arguments: [
        ("bank.example", "https://evil.example/login", "'bank.example', but it leads to 'evil.example'"),
        ("https://bank.example/login", "https://bank.example.evil.test/", "leads to 'bank.example.evil.test'"),
        ("Open", "https://bank.example@evil.example/", "the host is 'evil.example'"),
        ("Open", "https://xn--pple-43d.com/", "of several scripts"),
        ("Open", "https://аpple.com", "of several scripts"),
        ("Write", "mailto:a@b.example", "begins with 'mailto:'"),
        ("Run", "javascript:alert(1)", "begins with 'javascript:'"),
        ("file", "file:///etc/passwd", "begins with 'file:'"),
    ])
    func whatDoesNotIsTold(words: String, url: String, sentence: String) throws {
        let caution = try #require(LinkCaution(words: words, url: url))
        #expect(caution.reason.contains(sentence), "\(caution.reason)")
    }

    @Test func labelsThatAreNoneAreLeft() {
        #expect(LinkCaution(words: "x", url: "https://xn--99999999999999.example/") == nil)
        #expect(LinkCaution(words: "x", url: "https://xn--.example/") == nil)
    }
}
