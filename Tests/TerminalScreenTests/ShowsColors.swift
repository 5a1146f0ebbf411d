import TerminalText
import Testing

@testable import TerminalScreen

/// Colours for terminals with few or many of them, and their components.
@MainActor @Suite struct ShowsColors {
    private typealias Depth = TerminalCapabilities.ColorDepth

    private func sequence(_ style: Style, _ depth: Depth, hasBright: Bool = true) -> String {
        let palette = ColorPalette(depth: depth, hasBright: hasBright)
        return String(palette.sequence(of: Cell(glyph: .space, style: style)).dropFirst(2).dropLast())
    }

    @Test func writesEachColorInEachDepth() {
        let colors: [(Color, [Depth: String], [Depth: String])] = [
            (
                .standard, [.none: "0", .sixteen: "0", .palette: "0", .direct: "0"],
                [.none: "0", .sixteen: "0", .direct: "0"]
            ),
            (
                .ansi(1), [.none: "0", .sixteen: "0;31", .palette: "0;31", .direct: "0;31"],
                [.none: "0", .sixteen: "0;41", .palette: "0;41", .direct: "0;41"]
            ),
            (
                .ansi(9), [.none: "0", .sixteen: "0;91", .palette: "0;91", .direct: "0;91"],
                [.none: "0", .sixteen: "0;101", .palette: "0;101", .direct: "0;101"]
            ),
            (
                .palette(15), [.sixteen: "0;97", .palette: "0;97", .direct: "0;97"],
                [.sixteen: "0;107", .palette: "0;107"]
            ),
            (
                .palette(16), [.sixteen: "0;30", .palette: "0;38;5;16", .direct: "0;38;5;16"],
                [.sixteen: "0;40", .palette: "0;48;5;16", .direct: "0;48;5;16"]
            ),
            (
                .palette(196), [.sixteen: "0;91", .palette: "0;38;5;196", .direct: "0;38;5;196"],
                [.sixteen: "0;101", .palette: "0;48;5;196"]
            ),
            (
                .rgb(18, 52, 86), [.none: "0", .palette: "0;38;5;23", .direct: "0;38;2;18;52;86"],
                [.direct: "0;48;2;18;52;86"]
            ),
            (.rgb(255, 255, 255), [.sixteen: "0;97", .palette: "0;38;5;231", .direct: "0;38;2;255;255;255"], [:]),
            (.rgb(0, 0, 5), [.sixteen: "0;30", .palette: "0;38;5;16", .direct: "0;38;2;0;1;5"], [:]),
        ]
        for (color, foregrounds, backgrounds) in colors {
            for (depth, expected) in foregrounds {
                #expect(sequence(Style(foreground: color), depth) == expected, "\(color) \(depth)")
            }
            for (depth, expected) in backgrounds {
                #expect(sequence(Style(background: color), depth) == expected, "\(color) \(depth)")
            }
        }
        #expect(sequence(Style(foreground: .red, background: .blue, attributes: .bold), .palette) == "0;1;31;44")
        for depth in [Depth.none, .direct] {
            let names: [(TextAttributes, Int)] = [(.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7)]
            for (attribute, number) in names { #expect(sequence(Style(attributes: attribute), depth) == "0;\(number)") }
            #expect(sequence(Style(attributes: TextAttributes(rawValue: 15)), depth) == "0;1;2;3;4")
            // Reversed text is never dim.
            #expect(sequence(Style(attributes: TextAttributes(rawValue: 31)), depth) == "0;1;3;4;7")
        }
    }

    /// With eight colours, bold represents the bright ones in text and dim represents grey; backgrounds use the darker
    /// ones.
    @Test func showsBrightColorsOfEightByAttributes() {
        for (index, expected) in [(1, "0;31"), (7, "0;37"), (8, "0;2"), (9, "0;1;31"), (15, "0;1;37")]
            as [(UInt8, String)]
        {
            #expect(sequence(Style(foreground: .ansi(index)), .sixteen, hasBright: false) == expected)
        }
        for (index, expected) in [(1, "0;41"), (8, "0"), (9, "0;41")] as [(UInt8, String)] {
            #expect(sequence(Style(background: .ansi(index)), .sixteen, hasBright: false) == expected)
        }
    }

    @Test func numbersPairsOfColorsOnce() {
        func cell(_ foreground: Color, _ background: Color = .standard, _ attributes: TextAttributes = []) -> Cell {
            Cell(glyph: .space, style: Style(foreground: foreground, background: background, attributes: attributes))
        }
        var palette = ColorPalette(depth: .palette)
        let looks = [
            cell(.red), cell(.standard, .red), cell(.red, .blue), cell(.blue, .red), cell(.red),
            cell(.red, .standard, .bold), cell(.standard), cell(.standard, .standard, .dim),
        ].map { palette.look(of: $0) }
        #expect(looks.map(\.pair) == [1, 2, 3, 4, 1, 1, 0, 0])
        #expect(looks.map(\.attributes) == [0, 0, 0, 0, 0, 1, 0, 2])
        var none = ColorPalette(depth: .none)
        #expect(none.look(of: cell(.red, .blue, .bold)) == (0, 1))
        // A link isn't a style.
        var linked = cell(.standard)
        linked.isLink = true
        #expect(palette.look(of: linked) == (0, 0) && linked.style == .standard)
    }

    @Test(arguments: [
        ("#0a0B0c", RGB(10, 11, 12)), ("ffffff", .white), ("#000000", .black), ("#123456", RGB(18, 52, 86)),
        ("#12345", nil), ("#1234567", nil), ("#gggggg", nil), ("+12345", nil), ("", nil), ("#", nil), ("##12345", nil),
    ]) func readsHexadecimalColors(text: String, color: RGB?) {
        #expect(RGB(hexadecimal: text) == color)
        if let color { #expect(RGB(hexadecimal: color.hexadecimal) == color && color.hexadecimal.count == 7) }
    }

    @Test func stepsTowardsTheFartherEndFirst() {
        let red = RGB(200, 0, 0)
        let onDark = red.steps(awayFrom: [.black, RGB(20, 20, 20)], 4)
        #expect(
            onDark.count == 10 && onDark[0] == red && onDark[4] == .white && onDark[5] == red && onDark[9] == .black)
        let onLight = red.steps(awayFrom: [.white], 4)
        #expect(onLight[0] == red && onLight[4] == .black && onLight[9] == .white)
        #expect(zip(onDark, onDark.dropFirst()).prefix(4).allSatisfy { $0.luminance < $1.luminance })
        #expect(red.standsOut(from: [], 21) && RGB.white.standsOut(from: [.black], 21))
        #expect(!RGB.white.standsOut(from: [.black, .white], 1.1) && RGB.white.standsOut(from: [.white], 1))
        // The standard's own values: pure red, green and blue (WCAG 2.2).
        for (color, luminance) in [(RGB(255, 0, 0), 0.2126), (RGB(0, 255, 0), 0.7152), (RGB(0, 0, 255), 0.0722)] {
            #expect(abs(color.luminance - luminance) < 0.0001)
        }
        #expect(abs(RGB(10, 10, 10).luminance - 10.0 / 255 / 12.92) < 0.0001)
        #expect(RGB(0x1C, 0x1C, 0x1C).nearestInPalette == (234, RGB(28, 28, 28)))
        #expect(RGB.black.contrast(with: .white) == RGB.white.contrast(with: .black))
    }

    // MARK: How many there are

    @Test func countsColorsAtEachLimit() {
        for (described, depth) in [
            (-1, .none), (0, .none), (7, .none), (8, .sixteen), (16, .sixteen), (255, .sixteen), (256, .palette),
            (1 << 24, .palette),
        ] as [(Int, Depth)] {
            #expect(ColorDetection.of(["TERM": "x"], described: described).atStart.depth == depth, "\(described)")
        }
        for (version, depth) in [("3599", .palette), ("3600", .direct), ("x", .palette), ("7200", .direct)]
            as [(String, Depth)]
        {
            #expect(ColorDetection.of(["VTE_VERSION": version]).atStart.depth == depth, "\(version)")
        }
        #expect(ColorDetection.of(["WT_SESSION": "1"]).atStart.depth == .direct)
        #expect(ColorDetection.of([:], isDirect: true).atStart.depth == .direct)
        #expect(ColorDetection.of(["TMUX": "x"], isDirect: true).atStart.depth == .palette)
        #expect(ColorDetection.of(["COLORTERM": "TRUECOLOR"]).atStart.depth == .direct)
        #expect(ColorDetection.of(["COLORTERM": "yes"]).atStart.depth == .palette)
        #expect(ColorDetection.of(["COLORTERM": "truecolor"], canWrite: false).atStart.depth == .palette)
    }

    @Test func limitsTheSettingToTheTerminal() {
        for requested in [Depth.none, .sixteen, .palette, .direct] {
            for (described, canWrite, maximum) in [
                (0, false, .none), (8, false, .sixteen), (256, false, .palette), (256, true, .direct),
                (8, true, .direct),
            ] as [(Int, Bool, Depth)] {
                let found = ColorDetection.of([:], described: described, canWrite: canWrite, requested: requested)
                #expect(found.atStart.depth == min(requested, maximum))
                #expect(found.atStart.explanation.hasPrefix("As set: ") == (requested <= maximum))
                #expect(!found.isOpen && !found.asksTerminal)
            }
        }
        #expect(ColorDetection.of([:], requested: .sixteen).atStart.explanation == "As set: 16.")
        #expect(!ColorDetection.of(["NO_COLOR": "1"]).isOpen && ColorDetection.of(["TERM": "xterm"]).isOpen)
        #expect(!ColorDetection.of([:], canWrite: false).isOpen && !ColorDetection.of(["STY": "1"]).asksTerminal)
        let open = ColorDetection.of(["TERM": "xterm"])
        #expect(open.support(after: .capability("Tc"))?.depth == .direct)
        #expect(open.support(after: .capability("Co")) == nil && open.support(after: .version("x")) == nil)
        #expect(open.support(after: .style("38;2;1;2;3"))?.depth == .direct)
        #expect(open.support(after: .style("38;5;16"))?.depth == .palette)
    }

    @Test func queriesAllColorsWithAnEndMark() {
        let question = String(decoding: ColorQuestion.bytes, as: UTF8.self)
        for index in 0..<16 { #expect(question.contains(";\(index);?"), "\(index)") }
        #expect(question.hasPrefix("\u{1B}]4;0;?") && question.contains("\u{1B}]10;?\u{07}\u{1B}]11;?\u{07}"))
        #expect(question.hasSuffix("\u{1B}[c"))
        for term in [
            "xterm", "xterm-256color", "rxvt-unicode", "kitty", "foot-extra", "alacritty", "xterm-ghostty", "wezterm",
            "contour", "konsole-256color", "st-256color", "iTerm2.app",
        ] { #expect(ColorQuestion.isLikeXterm(term), "\(term)") }
        for term in ["vt100", "linux", "screen", "tmux-256color", "dumb", ""] {
            #expect(!ColorQuestion.isLikeXterm(term), "\(term)")
        }
    }

    // MARK: Notifications

    private func notification(
        _ variables: [String: String], title: String = "Title", body: String = "Body; two\nlines"
    ) -> String {
        let bytes = TerminalNotification.bytes(title: title, body: body) { variables[$0] ?? "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func notifiesInEachTerminalsProtocol() {
        let rxvt = "\u{1B}]777;notify;Title;Body, two lines\u{1B}\\"
        for name in ["foot", "ghostty", "wezterm", "contour", "rio"] {
            #expect(notification(["TERM": name]) == rxvt, "\(name)")
            #expect(notification(["TERM": "xterm", "TERM_PROGRAM": name]) == rxvt, "\(name)")
        }
        #expect(
            notification(["TERM": "xterm-kitty"])
                == "\u{1B}]99;i=1:d=0:p=title;Title\u{1B}\\\u{1B}]99;i=1:d=1:p=body;Body, two lines\u{1B}\\")
        // kitty reports the identifier when the user opens the notification.
        let place = TerminalNotification.bytes(title: "T", body: "B", identifier: "race:giro/12") { name in
            name == "TERM" ? "xterm-kitty" : ""
        }
        let name = "726163653a6769726f2f3132"
        #expect(
            String(decoding: place, as: UTF8.self)
                == "\u{1B}]99;i=\(name):a=focus,report:d=0:p=title;T\u{1B}\\\u{1B}]99;i=\(name):a=focus,report:d=1:p=body;B\u{1B}\\"
        )
        var decoder = InputDecoder()
        #expect(
            decoder.decode(Array("\u{1B}]99;i=\(name);\u{1B}\\".utf8)) == [.report(.notification("race:giro/12"))])
        // Neither its closing, nor a button, nor one of another program.
        for other in ["i=\(name):p=close;", "i=\(name);2", "i=1;", "i=zz;", ";", "i=;"] {
            #expect(decoder.decode(Array("\u{1B}]99;\(other)\u{1B}\\".utf8)) == [], "\(other)")
        }
        #expect(notification(["TERM_PROGRAM": "iTerm.app"]) == "\u{1B}]9;Title: Body, two lines\u{07}")
        #expect(notification(["TERM": "xterm", "VTE_VERSION": "7200"]) == rxvt + "\u{07}")
        for variables in [
            [:], ["TERM": "xterm"], ["TERM": "alacritty"], ["TERM": "xterm-kitty", "TMUX": "x"],
            ["TERM": "foot", "STY": "1"], ["VTE_VERSION": "0"],
        ] { #expect(notification(variables) == "\u{07}", "\(variables)") }
        let hostile = notification(["TERM": "foot"], title: "a\u{1B}]0;x\u{07}b", body: "\u{9C}c\u{1B}\\d")
        #expect(hostile == "\u{1B}]777;notify;a]0,xb;c\\d\u{1B}\\")
        let long = String(repeating: "w", count: 400)
        #expect(notification(["TERM": "foot"], title: long, body: long).count { $0 == "w" } == 400)
    }

    /// Terminals that take the sequence for a notification don't get it.
    @Test func showsProgressWhereItIsKnown() {
        func isKnown(_ variables: [String: String]) -> Bool { TerminalProgress.isKnown { variables[$0] ?? "" } }
        for variables in [
            ["TERM": "xterm-kitty"], ["TERM": "xterm-ghostty"], ["WT_SESSION": "1"], ["VTE_VERSION": "7900"],
            ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20251201-1"],
            ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.6"],
            ["TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.7c"],
            ["TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "next-3.8"],
        ] { #expect(isKnown(variables), "\(variables)") }
        for variables in [
            [:], ["TERM": "xterm"], ["TERM": "foot"], ["VTE_VERSION": "7600"], ["TERM": "xterm-kitty", "STY": "1"],
            ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809"],
            ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.14"], ["TERM_PROGRAM": "iTerm.app"],
            ["TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.6b", "WT_SESSION": "1"],
        ] as [[String: String]] { #expect(!isKnown(variables), "\(variables)") }
        var progress = TerminalProgress()
        let shares = [0.1, 0.104, 7, nil, nil, -1, .nan]
        #expect(
            shares.map { String(decoding: progress.change(to: $0), as: UTF8.self) } == [
                "\u{1B}]9;4;1;10\u{1B}\\", "", "\u{1B}]9;4;1;100\u{1B}\\", "\u{1B}]9;4;0\u{1B}\\", "",
                "\u{1B}]9;4;1;0\u{1B}\\", "",
            ])
    }

    @Test func recognizesTerminalsByTheirNames() {
        let names = [
            "kitty", "foot", "alacritty", "ghostty", "wezterm", "contour", "iterm", "konsole", "vscode", "rio",
        ]
        for name in names {
            #expect(KnownTerminal.name { $0 == "TERM" ? "xterm-\(name)-1" : "" } == name)
            #expect(KnownTerminal.name { $0 == "TERM_PROGRAM" ? name.uppercased() : "" } == name)
            #expect(KnownTerminal.name { $0 == "COLORTERM" ? name : "" } == nil)
        }
        #expect(KnownTerminal.name { $0 == "TERM" ? "xterm-256color" : "" } == nil)
        // Links: VTE supports them from 0.50 on.
        func opensLinks(_ variables: [String: String]) -> Bool { HyperlinkSupport.isKnown { variables[$0] ?? "" } }
        #expect(!opensLinks(["VTE_VERSION": "4999"]) && opensLinks(["VTE_VERSION": "5000"]))
        #expect(opensLinks(["WT_SESSION": "1"]) && !opensLinks(["TERM": "foot", "STY": "1"]) && !opensLinks([:]))
        let answer: (String) -> TmuxAnswer? = { TmuxAnswer("1|1\n" + $0) }
        #expect(!HyperlinkSupport.isKnown(answer("a|x|hyperlinks\nb|x|RGB\n")) && !HyperlinkSupport.isKnown(answer("")))
        #expect(!HyperlinkSupport.isKnown(nil) && !HyperlinkSupport.isKnown(answer("a|x|nohyperlinks\n")))
    }
}
