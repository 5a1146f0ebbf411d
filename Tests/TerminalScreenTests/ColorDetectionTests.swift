import Testing

@testable import TerminalScreen

@Suite struct ColorDetectionTests {
    @Test(arguments: [
        (["TERM": "xterm-256color"], 256, TerminalCapabilities.ColorDepth.palette, "terminfo"),
        (["TERM": "xterm"], 8, .sixteen, "terminfo"),
        (["TERM": "vt100"], 0, .none, "terminfo"),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], 256, .direct, "COLORTERM"),
        (["TERM": "xterm", "COLORTERM": "24bit"], 8, .direct, "COLORTERM"),
        (["TERM": "xterm-kitty"], 256, .direct, "kitty"),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], 256, .direct, "iterm"),
        (["TERM": "xterm-256color", "VTE_VERSION": "7200"], 256, .direct, "VTE"),
        (["TERM": "xterm-256color", "VTE_VERSION": "3400"], 256, .palette, "terminfo"),
        // The terminal that started tmux doesn't determine the one that shows it.
        (["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0", "COLORTERM": "truecolor"], 256, .palette, "terminfo"),
        (["TERM": "screen-256color", "STY": "1.pts", "COLORTERM": "truecolor"], 256, .palette, "terminfo"),
        (["TERM": "xterm-kitty", "NO_COLOR": "1"], 256, .none, "NO_COLOR"),
    ])
    func startsFromEnvironmentAndTerminfo(
        variables: [String: String], described: Int, depth: TerminalCapabilities.ColorDepth, words: String
    ) {
        let found = ColorDetection.of(variables, described: described).atStart
        #expect(found.depth == depth)
        #expect(found.explanation.contains(words))
    }

    @Test func prefersTheSetting() {
        let variables = ["TERM": "xterm-kitty", "NO_COLOR": "1"]
        #expect(ColorDetection.of(variables, requested: .sixteen).atStart.depth == .sixteen)
        #expect(ColorDetection.of(variables, requested: .direct).atStart.depth == .direct)
        let without = ColorDetection.of(variables, canWrite: false, requested: .direct).atStart
        #expect(without.depth == .palette && without.explanation.contains("description"))
        #expect(ColorDetection.of(variables, requested: .sixteen).support(after: .capability("RGB")) == nil)
    }

    @Test func fallsBackToTheAnswerOfTheTerminal() {
        let open = ColorDetection.of(["TERM": "xterm-256color"])
        #expect(open.support(after: .capability("RGB"))?.depth == .direct)
        #expect(open.support(after: .style("0;38:2::1:2:3"))?.depth == .direct)
        #expect(open.support(after: .style("0;38:5:16"))?.depth == .palette)
        #expect(open.support(after: .style("0")) == nil)
        #expect(!ColorDetection.of(["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"]).asksTerminal)
        #expect(!ColorDetection.of(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).asksTerminal)
        #expect(!ColorDetection.of(["TERM": "tmux-256color", "TMUX": "x"]).asksTerminal)
        #expect(ColorDetection.of(["TERM": "tmux-256color", "TMUX": "x"]).support(after: .capability("RGB")) == nil)
    }

    @Test func usesColoursThatAllTmuxClientsHave() {
        let inTmux = ColorDetection.of(["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0"])
        func answer(_ clients: String) -> TmuxAnswer? { .init("1|1|1|0\n" + clients) }
        #expect(inTmux.support(after: answer("a|kitty|256,RGB,title\n"))?.depth == .direct)
        let without = inTmux.support(after: answer("a|kitty|256,RGB\nb|xterm|256\n"))
        #expect(without?.depth == .palette && without?.explanation.contains("terminal-features") == true)
        #expect(inTmux.support(after: answer("")) == nil && inTmux.support(after: nil) == nil)
        #expect(ColorDetection.of(["TERM": "xterm"]).support(after: answer("a|kitty|RGB\n")) == nil)
    }

    @Test func readsAnswersNeverAsKeys() {
        var decoder = InputDecoder()
        func events(_ text: String) -> [InputEvent] { decoder.decode(Array(text.utf8)[...]) }
        #expect(events("\u{1B}P1+r524742=38\u{1B}\\") == [.report(.capability("RGB"))])
        #expect(events("\u{1B}P1+r5463\u{1B}\\") == [.report(.capability("Tc"))])
        #expect(events("\u{1B}P0+r524742\u{1B}\\").isEmpty)
        #expect(events("\u{1B}P1+r5\u{1B}\\") == [.report(.capability(""))])
        #expect(events("\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\") == [.report(.style("0;38:2::1:2:3"))])
        #expect(events("\u{1B}[?2026;2$y") == [.report(.mode(2026, isKnown: true))])
        #expect(events("\u{1B}[?2026;0$y") == [.report(.mode(2026, isKnown: false))])
        #expect(events("\u{1B}[?2026;4$y") == [.report(.mode(2026, isKnown: false))])
    }

    @Test @MainActor func takesSmallNumbersAsPaletteColours() {
        #expect(ColorPalette.directNumber(0, 0, 0) == 256)
        #expect(ColorPalette.directNumber(0, 0, 255) == 0x1FF)
        #expect(ColorPalette.directNumber(0, 1, 0) == 256)
        #expect(ColorPalette.directNumber(18, 52, 86) == 0x123456)
    }
}

extension ColorDetection {
    /// Returns the capabilities of a terminal with these variables.
    static func of(
        _ variables: [String: String], described: Int = 256, isDirect: Bool = false, canWrite: Bool = true,
        requested: TerminalCapabilities.ColorDepth? = nil
    ) -> ColorDetection {
        ColorDetection(
            environment: { variables[$0] ?? "" }, requested: requested, described: described,
            isDescribedAsDirect: isDirect, canWriteDirect: canWrite)
    }
}
