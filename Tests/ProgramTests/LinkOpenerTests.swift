import Testing

@testable import tappa

/// Which links are opened, and with which program.
@Suite struct LinkOpenerTests {
    @Test(
        arguments: [
            ("https://a.example/x?y#z", true), ("HTTP://a.example", true), ("gemini://a.example/", true),
            ("mailto:a@b.example?subject=x", true), ("http://a.example:8080/%20", true),
            ("file:///etc/passwd", false), ("ftp://a.example/", false), ("javascript:alert(1)", false),
            ("data:text/html,x", false), ("about:blank", false), ("ssh://a.example/", false), ("tel:1", false),
            ("x-man-page://ls", false), ("smb://a.example/", false), ("vbscript:x", false),
            ("view-source:http://a/", false),
            ("https://user@a.example/", false), ("https://user:pw@a.example/", false), ("https:///x", false),
            ("https://a.example/\u{1B}[31m", false), ("https://a.example/ x", false), ("https://a.example/\nx", false),
            ("--new-window", false), ("/etc/passwd", false), ("", false), ("mailto:-x@y", false), ("mailto:x", false),
            ("mailto:a@b.example?attachment=/etc/passwd", false), ("gemini://", false), ("https://é.example/", false),
        ])
    func opensOnlyAllowedSchemes(link: String, isOpened: Bool) {
        #expect(LinkOpener.isOpened(link) == isOpened)
    }

    @Test(
        arguments: [
            ("firefox", ["/bin/firefox", "L"]), ("firefox --new-tab", ["/bin/firefox", "--new-tab", "L"]),
            ("firefox --url=%s -x", ["/bin/firefox", "--url=L", "-x"]), ("missing:lynx", ["/bin/lynx", "L"]),
            ("'my browser' \"a b\" c\\ d", ["/bin/my browser", "a b", "c d", "L"]),
            ("missing", ["/bin/xdg-open", "L"]),
            ("", ["/bin/xdg-open", "L"]), ("firefox $(id) ; rm", ["/bin/firefox", "$(id)", ";", "rm", "L"]),
        ])
    func takesTheBrowserFromTheVariable(variable: String, words: [String]) throws {
        let known: Set<String> = ["firefox", "lynx", "my browser", "xdg-open"]
        let browser = try LinkOpener.browser(variable, link: "L") { known.contains($0) ? "/bin/\($0)" : nil }
        #expect(browser?.call.words == words)
        #expect(browser?.isInTerminal == (words[0] == "/bin/lynx"))
    }
}
