import Foundation
import TerminalText
import Testing

@testable import TerminalScreen

private func key(_ character: Character) -> InputEvent { .key(KeyPress(.character(character))) }

/// Taking over a terminal, drawing, reading input and restoring it; each in a process of its own.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DrivesTerminals {
    /// A terminal with a pseudo-terminal as its standard input and output.
    @MainActor private final class Stage {
        let line: PseudoTerminal
        let terminal: NcursesTerminal
        private var marks = 0

        init(
            _ environment: [String: String] = [:], colors: TerminalCapabilities.ColorDepth? = nil,
            isStarted: Bool = true
        ) throws {
            line = try #require(PseudoTerminal(environment))
            terminal = NcursesTerminal(colors: colors)
            if isStarted { try terminal.start() }
        }

        /// Passes a new terminal to a test.
        static func run(
            _ environment: [String: String] = [:], isStarted: Bool = true, _ body: @MainActor (Stage) throws -> Void
        ) throws {
            try body(Stage(environment, isStarted: isStarted))
        }

        /// The output so far: everything before the next window title.
        func written() -> String {
            marks += 1
            let mark = "\u{1B}]2;mark \(marks)\u{1B}\\"
            terminal.setTitle(DisplayText("mark \(marks)"))
            let text = line.output(until: mark)
            #expect(text.hasSuffix(mark))
            return String(text.dropLast(mark.count))
        }

        func grid(_ draw: (Surface) -> Void) -> CellGrid {
            let grid = CellGrid(size: terminal.size)
            draw(Surface(grid))
            return grid
        }

        func show(_ text: DisplayText, _ style: Style = .standard) {
            terminal.present(grid { $0.draw(text, at: .zero, style: style) }, cursor: nil)
        }

        /// The events up to the first one that meets a condition.
        func events(until isLast: (InputEvent) -> Bool) async -> [InputEvent] {
            var events: [InputEvent] = []
            for _ in 0..<2000 {
                await terminal.ready(milliseconds: 10)
                events += terminal.wait(milliseconds: 0)
                if events.contains(where: isLast) { break }
            }
            return events
        }
    }

    /// The bytes of an arrow key over a slow connection, and the time to wait for them inside tmux.
    @Test func waitsForTheRestOfASlowKey() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run { _ = unsetenv("TMUX") }
            let slow = try await Stage()
            for byte in ["\u{1B}", "[", "A"] {
                slow.line.send(byte)
                try await Task.sleep(for: .milliseconds(40))
            }
            #expect(await slow.events { $0 == .key(KeyPress(.up)) }.filter { $0 != .key(KeyPress(.up)) } == [])
            let start = ContinuousClock.now
            slow.line.send("\u{1B}")
            #expect(await slow.events { $0 == .key(KeyPress(.escape)) }.contains(.key(KeyPress(.escape))))
            #expect(start.duration(to: .now) >= .milliseconds(90))
        }
    }

    @Test func takesOverAndRestoresATerminal() async {
        await #expect(processExitsWith: .success) {
            try await Stage.run(isStarted: false) { stage in
                let before = stage.line.modes
                #expect(stage.terminal.handOver { 1 } == nil)
                try stage.terminal.start()
                try stage.terminal.start()
                let raw = stage.line.modes
                #expect(raw.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0 && raw.c_oflag & tcflag_t(OPOST) == 0)
                #expect(raw.c_iflag & tcflag_t(ICRNL | IXON) == 0)
                #expect(stage.terminal.size == Size(width: 20, height: 5))
                let start = stage.written()
                #expect(start.components(separatedBy: "\u{1B}[?1049h").count == 2)
                for mode in ["22;2t", "?2004h", "?1004h", "?2031h", "?1000h", "?1002h", "?1006h"] {
                    #expect(start.contains("\u{1B}[" + mode), "\(mode)")
                }
                stage.terminal.stop()
                stage.terminal.stop()
                let end = stage.line.output(until: "\u{1B}[?1049l")
                for mode in ["?2026l", "?2031l", "?1004l", "?2004l", "?1006l", "?1002l", "?1000l", "23;2t"] {
                    #expect(end.contains("\u{1B}[" + mode), "\(mode)")
                }
                let after = stage.line.modes
                #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
                #expect(after.c_oflag == before.c_oflag)
                // It can be taken over again.
                try stage.terminal.start()
                #expect(stage.written().contains("\u{1B}[?1049h"))
            }
        }
    }

    /// ncurses has no attribute for struck text. Where the terminal can't show it, nothing blinks instead.
    @Test(arguments: [
        ("xterm-256color", true), ("tmux-256color", true), ("screen-256color", false), ("vt220", false),
    ])
    func strikesTextThrough(term: String, canStrike: Bool) async {
        await #expect(processExitsWith: .success) { [term, canStrike] in
            try await Stage.run(["TERM": term]) { stage in
                _ = stage.written()
                stage.show("old", Style(attributes: .struck))
                let text = stage.written()
                #expect(stage.terminal.capabilities.strikesText == canStrike)
                #expect(
                    text.contains(/\u{1B}\[(0;)?9m/) == canStrike && !text.contains(/\u{1B}\[(0;)?5m/),
                    "\(text.debugDescription)")
                stage.terminal.stop()
            }
        }
    }

    /// Neither a terminal that was started nor one that could not be leaves files open.
    @Test func closesItsFiles() async {
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
                let stage = try Stage(isStarted: false)
                try stage.terminal.start()
                stage.terminal.stop()
                let before = try open()
                for _ in 0..<5 {
                    try stage.terminal.start()
                    stage.terminal.stop()
                }
                for term in ["dumb", "no-such-terminal"] {
                    let other = NcursesTerminal()
                    setenv("TERM", term, 1)
                    #expect(throws: TerminalError.unsuitable(term: term)) { try other.start() }
                }
                #expect(try open() == before)
            }
        }
    }

    @Test func rejectsOutputsThatAreNoTerminal() async {
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                for term in ["dumb", "", "no-such-terminal"] {
                    let stage = try Stage(["TERM": term], isStarted: false)
                    #expect(throws: TerminalError.unsuitable(term: term)) { try stage.terminal.start() }
                }
                // Unknown terminals that resemble xterm are treated like it.
                try Stage(["TERM": "xterm-of-tomorrow"], isStarted: false).terminal.start()
            }
        }
        await #expect(processExitsWith: .success) {
            try await Stage.run(isStarted: false) { stage in
                let null = open("/dev/null", O_RDWR)
                dup2(null, 0)
                #expect(throws: TerminalError.notATerminal) { try stage.terminal.start() }
                dup2(stage.line.device, 0)
                dup2(null, 1)
                #expect(throws: TerminalError.notATerminal) { try stage.terminal.start() }
            }
        }
        #expect("\(TerminalError.notATerminal)" == "this is not a terminal")
        #expect("\(TerminalError.unsuitable(term: ""))".contains("TERM is not set"))
        #expect("\(TerminalError.unsuitable(term: "x"))".contains("'x'"))
    }

    @Test func sendsOnlyChanges() async {
        await #expect(processExitsWith: .success) {
            try await Stage.run { stage in
                let terminal = stage.terminal
                _ = stage.written()
                let first = stage.grid {
                    $0.draw("one 東京 e\u{301}", at: .zero, style: .standard)
                    $0.draw("two", at: Point(x: 3, y: 2), style: Style(foreground: .red, attributes: .bold))
                }
                terminal.present(first, cursor: nil)
                let whole = stage.written()
                #expect(whole.contains("one") && whole.contains("東京") && whole.contains("e\u{301}"))
                #expect(whole.contains("\u{1B}[3;4H") && whole.contains("two") && whole.contains("\u{1B}[31m"))
                #expect(!whole.contains("\u{1B}[?2026h"))
                terminal.present(first, cursor: nil)
                #expect(stage.written() == "")
                let second = stage.grid {
                    $0.draw("one 東都 e\u{301}", at: .zero, style: .standard)
                    $0.draw("two", at: Point(x: 3, y: 2), style: Style(foreground: .red, attributes: .bold))
                }
                terminal.present(second, cursor: nil)
                let change = stage.written()
                #expect(change.contains("都") && !change.contains("東") && !change.contains("two"))
                terminal.present(second, cursor: Point(x: 4, y: 1))
                let cursor = stage.written()
                #expect(cursor.contains("\u{1B}[2;5H") && cursor.contains("\u{1B}[?25h"))
                terminal.present(second, cursor: nil)
                #expect(stage.written().contains("\u{1B}[?25l"))
                terminal.invalidate()
                terminal.present(second, cursor: nil)
                let again = stage.written()
                #expect(again.contains("東都") && again.contains("two"))
            }
        }
    }

    @Test func namesTheWindowAndCopies() async {
        await #expect(processExitsWith: .success) {
            try await Stage.run { stage in
                let terminal = stage.terminal
                _ = stage.written()
                terminal.setTitle("Stage 1")
                terminal.setTitle("Stage 1")
                #expect(stage.written() == "\u{1B}]2;Stage 1\u{1B}\\")
                terminal.setTitle("")
                #expect(stage.written() == "\u{1B}[23;2t\u{1B}[22;2t")
                var clipboards: [Clipboard] = []
                terminal.copy("Stage 1") { clipboards.append($0) }
                #expect(stage.written() == "\u{1B}]52;c;U3RhZ2UgMQ==\u{07}" && clipboards == [.terminal])
                terminal.notify(title: "Title", body: "Body")
                #expect(stage.written() == "\u{07}")
                terminal.setMouse(enabled: true)
                #expect(stage.written() == "")
                terminal.setMouse(enabled: false)
                #expect(stage.written() == "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l")
                terminal.setMouse(enabled: false)
                #expect(stage.written() == "")
                terminal.setMouse(enabled: true)
                #expect(stage.written() == "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h")
            }
        }
    }

    /// The progress ends when the program leaves, also to another program, after which it is shown again.
    @Test func endsTheProgressWhenItLeaves() async {
        await #expect(processExitsWith: .success) {
            try await Stage.run(["TERM": "xterm", "TERM_PROGRAM": "ghostty"]) { stage in
                let (terminal, _) = (stage.terminal, stage.written())
                terminal.setProgress(0.5)
                #expect(stage.written() == "\u{1B}]9;4;1;50\u{1B}\\")
                _ = terminal.handOver { 1 }
                let (lent, end) = (stage.written(), "\u{1B}]9;4;0\u{1B}\\")
                #expect(lent.contains(end) && lent.contains("\u{1B}]9;4;1;50\u{1B}\\"))
                terminal.stop()
                #expect(stage.line.output(until: end).contains(end))
            }
        }
    }

    /// A slow terminal receives the output as it reads, and texts are truncated to the terminal's limit.
    @Test func writesAtTheSpeedOfTheTerminal() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage()
            _ = await stage.written()
            await stage.terminal.ready(milliseconds: 0)
            await MainActor.run {
                stage.terminal.copy(String(repeating: "abc", count: 30_000)) { _ in }
                stage.show("first")
                stage.show("last")
                let text = stage.line.output(until: "last") { _ = stage.terminal.wait(milliseconds: 0) }
                let copied = text.prefix { $0 != "\u{07}" }
                #expect(copied.utf8.count == 7 + (74_000 + 2) / 3 * 4 && copied.hasPrefix("\u{1B}]52;c;YWJj"))
                #expect(!text.contains("first"))
            }
        }
    }

    @Test func handsTheScreenToAnotherProgram() async {
        await #expect(processExitsWith: .success) {
            try await Stage.run { stage in
                stage.terminal.setMouse(enabled: false)
                let grid = stage.grid { $0.draw("words", at: .zero, style: .standard) }
                stage.terminal.present(grid, cursor: nil)
                _ = stage.written()
                let modes = stage.line.modes
                let found = stage.terminal.handOver { () -> Int in
                    let meanwhile = stage.line.modes
                    #expect(meanwhile.c_lflag & tcflag_t(ICANON) != 0)
                    let left = stage.line.output(until: "\u{1B}[?1049l")
                    #expect(left.contains("\u{1B}[?2004l"))
                    return 7
                }
                #expect(found == 7)
                #expect(stage.line.modes.c_lflag == modes.c_lflag)
                let back = stage.written()
                #expect(back.contains("\u{1B}[?1049h") && back.contains("\u{1B}[?2004h"))
                // As before: without the mouse, and with the window's title.
                #expect(!back.contains("\u{1B}[?1000h") && back.contains("\u{1B}]2;mark 1\u{1B}\\"))
                stage.terminal.present(grid, cursor: nil)
                #expect(stage.written().contains("words"))
            }
        }
    }

    @Test func receivesKeysPastesAndTheEnd() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage()
            stage.line.send("j")
            #expect(await stage.events { $0 == key("j") } == [key("j")])
            stage.line.send("\u{1B}")
            #expect(await stage.events { _ in true } == [.key(KeyPress(.escape))])
            stage.line.send("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~\u{1B}[<0;3;2Mx")
            let events = await stage.events { $0 == key("x") }
            #expect(
                events == [.paste("a\u{1B}[Ab"), .mouse(MouseEvent(.press(.left), at: Point(x: 2, y: 1))), key("x")])
            stage.line.send("\u{1B}OA\u{1B}[A\u{1B}[24~z")
            #expect(
                await stage.events { $0 == key("z") }
                    == [.key(KeyPress(.up)), .key(KeyPress(.up)), .key(KeyPress(.function(12))), key("z")])
        }
    }

    @Test func receivesSignals() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage()
            stage.line.resize(columns: 30, rows: 9)
            kill(getpid(), SIGWINCH)
            let size = Size(width: 30, height: 9)
            #expect(await stage.events { _ in true } == [.resize(size)])
            #expect(await stage.terminal.size == size)
            kill(getpid(), SIGTERM)
            #expect(await stage.events { _ in true } == [.terminate(.signal(SIGTERM))])
            for number in [SIGPOLL, SIGPWR] {
                kill(getpid(), number)
                #expect(await stage.events { _ in true } == [.terminate(.signal(number))])
            }
            kill(getpid(), SIGHUP)
            #expect(await stage.events { _ in true } == [.terminate(.hangup)])
            kill(getpid(), SIGCONT)
            #expect(await stage.events { $0 == .resume } == [.resize(size), .resume])
        }
    }

    /// ncurses crashes from 32,768 columns or rows on, at the start and when the size changes.
    @Test func boundsTheClaimedSize() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage(isStarted: false)
            stage.line.resize(columns: 65_535, rows: 65_535)
            try await stage.terminal.start()
            #expect(await stage.terminal.size == Size(width: 4096, height: 256))
            for (columns, rows, size) in [
                (65_535, 1, Size(width: 4096, height: 1)), (1, 65_535, Size(width: 1, height: 4096)),
                (33_000, 24, Size(width: 4096, height: 24)), (300, 33_000, Size(width: 300, height: 3495)),
                (30, 9, Size(width: 30, height: 9)),
            ] {
                stage.line.resize(columns: columns, rows: rows)
                kill(getpid(), SIGWINCH)
                #expect(await stage.events { _ in true } == [.resize(size)])
                #expect(await stage.terminal.size == size)
            }
            await stage.show("shown")
            #expect(await stage.written().contains("shown"))
        }
    }

    @Test func learnsColorsAndWholeFrames() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage()
            #expect(await stage.terminal.capabilities.colors == .palette)
            _ = await stage.written()
            // Nothing was queried yet, so nothing is queried again.
            stage.line.send("\u{1B}[Ij")
            #expect(await stage.events { $0 == key("j") } == [.focus(true), key("j")])
            #expect(await stage.written() == "")
            await stage.terminal.detectColors()
            await stage.terminal.detectColors()
            let question = await stage.written()
            #expect(question.components(separatedBy: "\u{1B}[?2026$p").count == 2)
            #expect(question.contains(ColorDetection.question))
            #expect(question.hasSuffix(String(decoding: ColorQuestion.bytes, as: UTF8.self)))
            stage.line.send("\u{1B}[?2026;2$y\u{1B}P1+r524742\u{1B}\\")
            stage.line.send("\u{1B}]10;rgb:ff/ff/ff\u{07}\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62cj")
            #expect(await stage.events { $0 == key("j") } == [key("j"), .colors, .colors])
            let capabilities = await stage.terminal.capabilities
            #expect(capabilities.colors == .direct && capabilities.colorsExplanation.contains("XTGETTCAP"))
            #expect(capabilities.ownColors == TerminalColors(foreground: .white, background: .black))
            // Frames are synchronized from now on.
            await stage.show("whole")
            let frame = await stage.written()
            #expect(frame.hasPrefix("\u{1B}[?2026h") && frame.contains("whole") && frame.hasSuffix("\u{1B}[?2026l"))
            await stage.show("whole", Style(foreground: .rgb(1, 2, 3)))
            #expect(await stage.written().contains("38;2;1;2;3m"))
            // A changed colour scheme or focus queries again; equal colours cause no event.
            for cause in ["\u{1B}[?997;1n", "\u{1B}[I"] {
                stage.line.send(cause + "\u{1B}]10;rgb:ff/ff/ff\u{07}\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62cj")
                let events = await stage.events { $0 == key("j") }
                #expect(events.filter { $0 != .focus(true) } == [key("j")])
                #expect(await stage.written().contains("\u{1B}]11;?"))
            }
        }
    }

    /// Whether kitty's pictures can be shown according to the last event about pictures.
    private static func showsPictures(_ events: [InputEvent]) -> Bool {
        let found = events.compactMap { event -> GraphicsSupport? in
            guard case .graphics(let support) = event else { return nil }
            return support
        }
        return found.last?.protocols == [.kitty]
    }

    /// The queries about colours and pictures both end with the device attributes, which may arrive late.
    @Test func endsEachQueryByItsOwnAnswer() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage(["TERM": "xterm"])
            #expect(await stage.terminal.capabilities.colors == .sixteen)
            await stage.terminal.detectColors()
            await stage.terminal.detectGraphics()
            _ = await stage.written()
            stage.line.send("\u{1B}P1+r524742\u{1B}\\")
            stage.line.send("\u{1B}]10;rgb:ff/ff/ff\u{07}\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62cj")
            _ = await stage.events { $0 == key("j") }
            // Only now there are enough colours to ask for pictures.
            #expect(await stage.written().contains(GraphicsDetection.Answers.question))
            #expect(await stage.terminal.capabilities.ownColors?.background == .black)
            stage.line.send("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}[?62ck")
            let events = await stage.events { $0 == key("k") }
            #expect(DrivesTerminals.showsPictures(events))
        }
        await #expect(processExitsWith: .success) {
            let stage = try await Stage(["TERM": "xterm-kitty"])
            await stage.terminal.detectColors()
            await stage.terminal.detectGraphics()
            // The first end mark belongs to the colours.
            stage.line.send("\u{1B}]10;rgb:ff/ff/ff\u{07}\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62cj")
            _ = await stage.events { $0 == key("j") }
            stage.line.send("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}[?62ck")
            let events = await stage.events { $0 == key("k") }
            #expect(DrivesTerminals.showsPictures(events))
        }
    }

    /// A terminal that doesn't know its colours yet, such as tmux at its start, is queried again.
    @Test func queriesAgainAfterASecond() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage()
            await stage.terminal.detectColors()
            stage.line.send("\u{1B}[?62cj")
            _ = await stage.events { $0 == key("j") }
            _ = await stage.written()
            let start = ContinuousClock.now
            var output = ""
            while !output.contains("\u{1B}]11;?"), start.duration(to: .now) < .seconds(20) {
                await stage.terminal.ready(milliseconds: 10)
                _ = await stage.terminal.wait(milliseconds: 0)
                output += await stage.written()
            }
            #expect(start.duration(to: .now) > .milliseconds(500) && output.contains("\u{1B}]11;?"))
        }
    }

    /// kitty draws a lone half of a flag two columns wide, so both halves are always sent together.
    @Test func sendsFlagsWhole() async {
        await #expect(processExitsWith: .success) {
            try await Stage.run { stage in
                stage.show("ab 🇫🇷 cd")
                #expect(stage.written().contains("🇫🇷"))
                // Only the second letter differs.
                stage.show("ab 🇫🇮 cd")
                #expect(stage.written().contains("🇫🇮"))
                stage.show("ab 🇬🇮 cd")
                #expect(stage.written().contains("🇬🇮"))
                stage.show("ab 🇬🇮 ce")
                let last = stage.written()
                #expect(last.contains("e") && last.contains("🇬🇮"))
            }
        }
    }

    @Test func synchronizesFramesWhereSupported() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage(["COLORTERM": "truecolor", "LC_ALL": "C"])
            let capabilities = await stage.terminal.capabilities
            #expect(capabilities.colors == .direct && !capabilities.hasUnicode && capabilities.hasBrightColors)
            for (answer, isSynchronized) in [(0, false), (2, true), (0, false)] {
                stage.line.send("\u{1B}[?2026;\(answer)$yj")
                #expect(await stage.events { $0 == key("j") } == [key("j")])
                _ = await stage.written()
                await stage.show(DisplayText("frame \(answer)"))
                let frame = await stage.written()
                #expect(frame.contains("\(answer)") && frame.contains("\u{1B}[?2026h") == isSynchronized)
            }
        }
    }

    @Test func writesLinksWhereSupported() async {
        await #expect(processExitsWith: .success) {
            try await DrivesTerminals.drawLink("xterm-kitty", isWritten: true)
        }
        await #expect(processExitsWith: .success) {
            try await DrivesTerminals.drawLink("xterm-256color", isWritten: false)
        }
    }

    @MainActor private static func drawLink(_ term: String, isWritten: Bool) throws {
        let stage = try Stage(["TERM": term])
        _ = stage.written()
        for address in ["https://example.org/a", "https://example.org/b"] {
            let link = try #require(Hyperlink(address, number: 3))
            stage.terminal.present(
                stage.grid {
                    $0.draw("a link", at: Point(x: 1, y: 1), style: .standard)
                    $0.link(3..<7, row: 1, to: link)
                }, cursor: nil)
            #expect(stage.written().contains("\u{1B}]8;id=3;\(address)\u{1B}\\") == isWritten)
        }
    }
}
