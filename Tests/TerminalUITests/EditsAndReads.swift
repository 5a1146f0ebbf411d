import Foundation
import TerminalUITesting
import Testing

@testable import TerminalScreen
@testable import TerminalUI
@testable import TerminalUIExtras

/// Fields, areas and texts: every key, every click, and their behaviour at the ends.
@MainActor @Suite struct EditsAndReads {
    private func show(_ view: View, _ width: Int = 30, _ height: Int = 6) -> TestScreen {
        TestScreen(of: view, width: width, height: height)
    }

    // MARK: Words

    /// The start and end of the words before and after each position.
    @Test func findsTheEndsOfWords() {
        let text = Array(" one  two ")
        #expect((0...10).map { text.wordStart(before: $0) } == [0, 0, 1, 1, 1, 1, 1, 6, 6, 6, 6])
        #expect((0...10).map { text.wordEnd(after: $0) } == [4, 4, 4, 4, 9, 9, 9, 9, 9, 10, 10])
        #expect([Character]().wordStart(before: 0) == 0 && [Character]().wordEnd(after: 0) == 0)
    }

    @Test(arguments: [
        ("one two.", 0, "one"), ("one two.", 2, "one"), ("one two.", 3, " "), ("one two.", 4, "two"),
        ("one two.", 7, "two."),
        ("see https://a.b/c?d=1.", 8, "https://a.b/c?d=1"), ("it's, 12.5", 1, "it's"), ("it's, 12.5", 4, ","),
        ("it's, 12.5", 7, "12.5"), ("a-b_c", 2, "a-b_c"), ("x", 1, ""), ("", 0, ""), ("wow: yes", 1, "wow"),
        ("(abc)", 2, "abc"),
        ("a?", 0, "a"), ("...", 1, ".."),
    ]) func selectsTheWordAtAPosition(text: String, place: Int, word: String) {
        let characters = Array(text)
        #expect(String(characters[characters.word(around: place)]) == word)
    }

    @Test func selectsTheWordAtAColumn() {
        let text = DisplayText("東京 abc x")
        #expect(text.word(aroundColumn: 0) == 0..<4 && text.word(aroundColumn: 3) == 0..<4)
        #expect(
            text.word(aroundColumn: 4) == 4..<5 && text.word(aroundColumn: 5) == 5..<8
                && text.word(aroundColumn: 7) == 5..<8)
        #expect(text.word(aroundColumn: 9) == 9..<10 && text.word(aroundColumn: 10) == 10..<10)
    }

    // MARK: Fields

    /// A text, its insertion point, and the effect of each key on both.
    @Test func eachKeyEditsAField() {
        for (key, text, place) in [
            ("x", "one x two", 5), ("space", "one  two", 5), ("backspace", "onetwo", 3), ("delete", "one wo", 4),
            ("ctrl-d", "one wo", 4), ("left", "one two", 3), ("ctrl-b", "one two", 3), ("right", "one two", 5),
            ("ctrl-f", "one two", 5), ("ctrl-left", "one two", 0), ("alt-b", "one two", 0),
            ("ctrl-right", "one two", 7), ("alt-f", "one two", 7), ("home", "one two", 0), ("ctrl-a", "one two", 0),
            ("end", "one two", 7), ("ctrl-e", "one two", 7), ("ctrl-w", "two", 0), ("ctrl-u", "two", 0),
            ("ctrl-k", "one ", 4), ("tab", "one two", 4), ("backtab", "one two", 4), ("shift-right", "one two", 7),
        ] {
            let field = TextField()
            let screen = show(field)
            field.text = "one two"
            screen.press("ctrl-a", "right", "right", "right", "right")
            var changes = 0
            field.onChange = { _ in changes += 1 }
            screen.press(key)
            let expected = key == "x" ? "one xtwo" : text
            #expect(field.text == expected && screen.terminal.cursor == Point(x: place, y: 0), "\(key)")
            #expect(changes == (expected == "one two" ? 0 : 1), "\(key)")
            screen.press("ctrl-z")
            #expect(field.text == "one two", "\(key)")
        }
        let field = TextField()
        let screen = show(field)
        for key in [
            "backspace", "delete", "ctrl-w", "ctrl-u", "ctrl-k", "left", "right", "ctrl-left", "alt-f", "ctrl-z",
        ] {
            screen.press(key)
            #expect(field.text == "" && screen.terminal.cursor == .zero, "\(key)")
        }
        #expect(
            !field.handle(KeyPress(.escape)) && !field.handle(KeyPress(.up))
                && !field.handle(KeyPress(.character("x"), .alt)))
        #expect(field.handle(KeyPress(.character("X"), .shift)) && field.text == "X")
    }

    @Test func undoesTwoHundredEdits() {
        for isArea in [false, true] {
            let (field, area) = (TextField(), TextArea())
            let view: View = isArea ? area : field
            let screen = show(view, 80, 3)
            for index in 0..<205 { screen.press(String(index % 10)) }
            for _ in 0..<250 { screen.press("ctrl-_") }
            #expect((isArea ? area.text : field.text) == "01234", "\(isArea)")
            // Text set by the program can't be undone.
            screen.press("x")
            if isArea { area.text = "new" } else { field.text = "new" }
            screen.press("ctrl-z")
            #expect((isArea ? area.text : field.text) == "new")
            #expect(screen.terminal.cursor == Point(x: 3, y: 0))
        }
    }

    @Test func scrollsAFieldSidewaysAsFarAsNeeded() {
        let field = TextField()
        field.placeholder = "Nothing here yet"
        let screen = show(field, 8, 1)
        #expect(screen.lines[0] == "Nothing…")
        screen.type("abcdefghij")
        #expect(screen.lines[0] == "defghij" && screen.terminal.cursor == Point(x: 7, y: 0))
        screen.press("home")
        #expect(screen.lines[0] == "abcdefgh" && screen.terminal.cursor == .zero)
        screen.press("end", "left", "left")
        #expect(screen.terminal.cursor == Point(x: 5, y: 0))
        screen.resize(20, 1)
        #expect(screen.lines[0] == "abcdefghij" && screen.terminal.cursor == Point(x: 8, y: 0))
        screen.press("ctrl-a")
        screen.type("東京")
        #expect(screen.lines[0] == "東京abcdefghij" && screen.terminal.cursor == Point(x: 4, y: 0))
        screen.click(3, 0)
        screen.type("-")
        #expect(field.text == "東-京abcdefghij")
        screen.click(15, 0)
        screen.type("!")
        #expect(field.text.hasSuffix("j!"))
    }

    @Test func submitsValidTextAndReportsMistakes() {
        let field = TextField()
        var submitted: [String] = []
        field.onSubmit = { submitted.append($0) }
        field.validate = { $0.count < 3 ? "Three letters are needed here." : nil }
        let screen = show(field, 16, 5)
        #expect(field.sizeThatFits(Size(width: 16, height: 9)) == Size(width: 16, height: 1))
        screen.type("a")
        #expect(field.problem == nil)
        screen.press("enter")
        #expect(field.problem != nil && submitted.isEmpty)
        #expect(field.sizeThatFits(Size(width: 16, height: 9)) == Size(width: 16, height: 3))
        #expect(screen.lines.prefix(3) == ["a", "Three letters", "are needed here."])
        screen.type("bc")
        #expect(field.problem == nil && submitted.isEmpty)
        screen.press("backspace")
        #expect(field.problem != nil)
        field.text = "new"
        #expect(field.problem == nil)
        screen.press("enter")
        #expect(submitted == ["new"])
    }

    // MARK: Areas

    @Test func eachKeyEditsAnArea() {
        for (key, text, place) in [
            ("enter", "one\ntw\no\nthree", Point(x: 0, y: 2)), ("ctrl-home", "one\ntwo\nthree", .zero),
            ("ctrl-end", "one\ntwo\nthree", Point(x: 5, y: 2)), ("up", "one\ntwo\nthree", Point(x: 2, y: 0)),
            ("down", "one\ntwo\nthree", Point(x: 2, y: 2)), ("home", "one\ntwo\nthree", Point(x: 0, y: 1)),
            ("end", "one\ntwo\nthree", Point(x: 3, y: 1)), ("ctrl-u", "one\no\nthree", Point(x: 0, y: 1)),
            ("ctrl-k", "one\ntw\nthree", Point(x: 2, y: 1)), ("ctrl-w", "one\no\nthree", Point(x: 0, y: 1)),
            ("pageup", "one\ntwo\nthree", Point(x: 2, y: 0)), ("pagedown", "one\ntwo\nthree", Point(x: 2, y: 2)),
            ("tab", "one\ntwo\nthree", Point(x: 2, y: 1)), ("backtab", "one\ntwo\nthree", Point(x: 2, y: 1)),
        ] {
            let area = TextArea()
            let screen = show(area)
            area.text = "one\ntwo\nthree"
            screen.press("up", "home", "right", "right")
            var changes = 0
            area.onChange = { changes += 1 }
            screen.press(key)
            #expect(area.text == text && screen.terminal.cursor == place, "\(key)")
            #expect(changes == (text == "one\ntwo\nthree" ? 0 : 1), "\(key)")
            if changes == 0 { continue }
            screen.press("ctrl-z")
            #expect(area.text == "one\ntwo\nthree" && screen.terminal.cursor == Point(x: 2, y: 1), "\(key)")
        }
        let area = TextArea()
        area.indentsWithTab = true
        let screen = show(area)
        for (typed, expected) in [("", "    "), ("a", "a   "), ("abc", "abc "), ("abcd", "abcd    "), ("東", "東  ")] {
            area.text = ""
            screen.type(typed, then: "tab")
            #expect(area.text == expected, "\(typed)")
        }
        // Line ends: from one to the next, and joined.
        area.text = "ab\ncd"
        screen.press("home", "left")
        #expect(screen.terminal.cursor == Point(x: 2, y: 0))
        screen.press("right")
        #expect(screen.terminal.cursor == Point(x: 0, y: 1))
        screen.press("ctrl-w")
        #expect(area.text == "abcd")
        screen.press("ctrl-home", "left", "backspace", "ctrl-end", "right", "delete", "ctrl-k")
        #expect(area.text == "abcd")
        screen.press("ctrl-home", "up")
        #expect(screen.terminal.cursor == .zero)
        #expect(!area.handle(KeyPress(.escape)) && !area.handle(KeyPress(.character("x"), .alt)))
    }

    @Test func movesByRowsOfWrappedLines() {
        let area = TextArea()
        let screen = show(area, 6, 4)
        area.text = "abcdefghijkl\nxy"
        screen.press("ctrl-home", "right", "right", "right")
        screen.press("down")
        #expect(screen.terminal.cursor == Point(x: 3, y: 1))
        screen.press("down", "down")
        #expect(screen.terminal.cursor == Point(x: 2, y: 3))
        screen.press("up", "up")
        #expect(screen.terminal.cursor == Point(x: 2, y: 1))
        // The end of a wrapped row is the start of the next row.
        screen.press("ctrl-home", "right", "right", "right", "right", "right", "up")
        #expect(screen.terminal.cursor?.y == 0)
        screen.application.send(.mouse(MouseEvent(.wheel(1), at: .zero)))
        #expect(screen.terminal.cursor == Point(x: 0, y: 3))
        screen.application.send(.paste("1\r\n2\u{1B}[A\n3"))
        #expect(area.text == "abcdefghijkl\n1\n2[A\n3xy")
        screen.press("ctrl-z")
        #expect(area.text == "abcdefghijkl\nxy")
        #expect(area.handle(paste: ""))
    }

    // MARK: Reading

    private func text(_ count: Int = 40) -> TextView {
        let view = TextView()
        view.setParagraphs((0..<count).map { TextParagraph(DisplayText("line \($0)")) })
        return view
    }

    private func top(_ screen: TestScreen) -> Int {
        Int(screen.lines[0].split(separator: " ").dropFirst().first?.prefix { $0.isNumber } ?? "") ?? -1
    }

    @Test func eachKeyScrollsAText() {
        let view = text()
        let screen = show(view, 30, 9)
        for (key, line) in [
            ("j", 1), ("down", 2), ("k", 1), ("up", 0), ("k", 0), ("space", 8), ("pagedown", 16), ("ctrl-f", 24),
            ("b", 16), ("pageup", 8), ("ctrl-b", 0), ("ctrl-d", 4), ("ctrl-d", 8), ("ctrl-u", 4), ("G", 31), ("j", 31),
            ("space", 31), ("end", 31), ("g g", 0), ("end", 31), ("home", 0),
        ] {
            screen.press(key)
            #expect(top(screen) == line, "\(key)")
        }
        var beyond = 0
        view.onPageBeyondEnd = { beyond += 1 }
        screen.press("G", "space", "pagedown", "j")
        #expect(beyond == 2)
        screen.press("k", "space")
        #expect(beyond == 2 && top(screen) == 31)
        screen.mouse(.wheel(-1), 3, 3)
        #expect(top(screen) == 28)
        screen.mouse(.wheel(1), 3, 3)
        #expect(top(screen) == 31)
        view.isScrollEnabled = false
        #expect(!view.canBecomeFocused && view.commands.isEmpty)
    }

    @Test func showsHowFarOneHasRead() throws {
        let view = text()
        let screen = show(view, 30, 10)
        #expect(view.progress == 0.25)
        screen.press("pagedown")
        #expect(view.progress == 19.0 / 40)
        screen.press("G")
        #expect(view.progress == 1)
        screen.resize(30, 40)
        #expect(view.progress == nil)
        screen.resize(30, 39)
        #expect(view.progress != nil)
        var scrolls = 0
        view.onScroll = { scrolls += 1 }
        screen.press("k")
        #expect(scrolls > 0)
    }

    @Test func keepsOrForgetsThePositionInNewText() {
        let view = text()
        let screen = show(view, 30, 5)
        screen.press("pagedown", "pagedown")
        #expect(top(screen) == 8 && view.place == TextView.Place(paragraph: 8, offset: 0))
        view.setParagraphs((0..<50).map { TextParagraph(DisplayText("other \($0)")) }, keepsPlace: true)
        screen.application.render()
        #expect(top(screen) == 8)
        view.setParagraphs((0..<3).map { TextParagraph(DisplayText("few \($0)")) }, keepsPlace: true)
        screen.application.render()
        #expect(top(screen) == 0)
        view.setParagraphs((0..<50).map { TextParagraph(DisplayText("new \($0)")) })
        screen.application.render()
        #expect(top(screen) == 0 && view.place == TextView.Place(paragraph: 0, offset: 0))
        // Jumps lead back in order, at most fifty of them.
        for paragraph in [10, 20, 99] {
            view.jump(toParagraph: paragraph)
            screen.application.render()
        }
        #expect(top(screen) == 45)
        for line in [20, 10, 0, 0] {
            screen.press("ctrl-o")
            #expect(top(screen) == line)
        }
        for paragraph in 0..<53 { view.jump(toParagraph: paragraph % 40) }
        for _ in 0..<60 { screen.press("ctrl-o") }
        #expect(top(screen) == 2)
        view.jump(toParagraph: -4)
        screen.application.render()
        #expect(top(screen) == 0)
        view.setParagraphs(view.paragraphs, keepsPlace: false)
        #expect(view.commands.first { $0.name == "text.back" }?.isEnabled == false)
    }

    @Test func placesTextByItsMarginAndWidth() {
        let view = TextView()
        view.setParagraphs([TextParagraph("one two three four")])
        view.maximumColumns = 10
        let screen = show(view, 30, 4)
        #expect(screen.lines.prefix(2) == [" one two", " three four"])
        view.isCentered = true
        screen.application.render()
        #expect(screen.lines[0] == "          one two")
        view.isCentered = false
        view.margin = 4
        screen.application.render()
        #expect(screen.lines[0] == "    one two")
        // Below twenty columns there is no margin.
        screen.resize(19, 4)
        #expect(screen.lines[0] == "one two")
        view.maximumColumns = 92
        screen.resize(20, 4)
        #expect(screen.lines[0] == "    one two")
        #expect(view.sizeThatFits(Size(width: 40, height: 9)) == Size(width: 26, height: 1))
    }

    @Test func placesViewsBetweenParagraphs() {
        let view = text(6)
        let label = Label("attached")
        view.attachments = [TextAttachment(paragraph: 1, view: label) { $0 > 20 ? 2 : 0 }]
        let screen = show(view, 30, 6)
        let words = screen.lines.map { $0.trimmingCharacters(in: ["┃", " "]) }
        #expect(words.prefix(5) == ["line 0", "line 1", "attached", "", "line 2"])
        screen.press("j", "j")
        #expect(screen.lines[0].hasPrefix(" attached"))
        screen.resize(18, 6)
        #expect(!screen.text.contains("attached") && screen.text.contains("line 2"))
        screen.resize(30, 20)
        let other = Label("other")
        view.attachments = [TextAttachment(paragraph: 3, view: other) { _ in 1 }]
        screen.application.render()
        #expect(label.superview == nil && other.superview === view)
        #expect(screen.lines.prefix(5).last == " other" && !screen.text.contains("attached"))
    }

    @Test func followsALinkOnceAndInItsPlace() {
        let view = TextView()
        view.setParagraphs([
            TextParagraph([StyledSpan("ab "), StyledSpan("link", .link, link: 5), StyledSpan(" cd")]), .blank,
            TextParagraph([StyledSpan("other", .link, link: 6)]),
        ])
        var followed: [String] = []
        view.onFollow = { followed.append("\($0) \($1)") }
        view.addressOfLink = { $0 == 5 ? "https://a.example" : $0 == 6 ? "file:///x" : nil }
        let screen = show(view, 30, 5)
        screen.stopClock()
        for (x, y) in [(3, 0), (4, 0), (7, 0), (8, 0), (1, 2), (6, 2), (0, 2), (4, 4)] { screen.click(x, y) }
        #expect(followed == ["5 false", "5 false", "6 false"])
        #expect(screen.terminal.cells.links.count == 1)
        #expect(screen.terminal.cells.links.first?.columns == 4..<8)
        // A double click selects the word and follows no link.
        screen.click(5, 0)
        screen.click(5, 0)
        #expect(followed.count == 4 && screen.terminal.copied == "link")
        // A drag from a link to elsewhere is no click.
        screen.drag(from: Point(x: 4, y: 0), to: Point(x: 2, y: 2))
        #expect(followed.count == 4)
        // Pressed on a link and released beside it.
        screen.mouse(.press(.left), 5, 0)
        screen.mouse(.release, 2, 2)
        #expect(followed.count == 4)
        #expect(view.showLinkHints())
        screen.press("ctrl-a")
        #expect(view.links.hints == nil && followed.count == 4)
        view.onFollow = nil
        #expect(!view.showLinkHints())
        view.onFollow = { _, _ in }
        view.setParagraphs([TextParagraph("none")])
        #expect(!view.showLinkHints())
    }

    @Test func givesLinksLettersInTheirOrder() {
        let letters = Array("asdfghjklewruiopvcmnxtbzyq")
        for count in [1, 25, 26, 27, 60] {
            let places = (0..<count).map { (link: Int32($0 + 1), cell: Point(x: 0, y: $0)) }
            var hints = LinkHints(places, top: TextLayout.Position(paragraph: 0, line: 0), columns: 9)
            #expect(hints.items.map(\.link) == places.map(\.link))
            #expect(Set(hints.items.map { String($0.letters) }).count == count)
            #expect(hints.items.allSatisfy { $0.letters.count == (count > 26 ? 2 : 1) }, "\(count)")
            #expect(hints.items[count - 1].letters.last == letters[(count - 1) % 26])
            hints.typed = ["a"]
            #expect(hints.matching.count == (count > 26 ? 26 : 1))
        }
        #expect(letters.count == 26)
        let many = (0..<700).map { (link: Int32($0), cell: Point.zero) }
        #expect(LinkHints(many, top: TextLayout.Position(paragraph: 0, line: 0), columns: 9).items.count == 676)
    }

    // MARK: Prompts

    /// Typing and pasting replace a suggested text; an arrow key keeps it.
    @Test func replacesSuggestionsByTyping() {
        let host = HostController(View())
        let screen = TestScreen(root: host, size: Size(width: 60, height: 12))
        var answer = ""
        func ask() {
            host.present(
                TextPromptViewController(title: "Name", message: "Which?", text: "words") { answer = $0 })
        }
        for (keys, expected) in [
            (["n", "e", "w"], "new"), (["left", "right", "x"], "wordsx"), (["backspace"], ""), ([], "words"),
        ] {
            ask()
            for key in keys { screen.press(key) }
            screen.press("enter")
            #expect(answer == expected, "\(keys)")
        }
        screen.present(
            TextPromptViewController(title: "Address", message: "Where?", placeholder: "https://") { answer = $0 },
            over: host)
        #expect(screen.text.contains("https://"))
        screen.application.send(.paste("http://a.example/"))
        screen.press("enter")
        #expect(answer == "http://a.example/")
    }

    @Test func repeatsSlowCompletions() async {
        let host = HostController(View())
        let screen = TestScreen(root: host, size: Size(width: 60, height: 12))
        var (answer, closed, changes) = ("", 0, [String]())
        let prompt = TextPromptViewController(
            title: "Address", message: "Where?", check: { $0 == "good" ? nil : DisplayText("Not found: \($0).") }
        ) { answer = $0 }
        prompt.onClose = { closed += 1 }
        prompt.onChange = { changes.append($0) }
        host.present(prompt)
        screen.type("bad")
        #expect(changes == ["b", "ba", "bad"])
        #expect(screen.press("enter", shows: "Checking …"))
        #expect(await screen.wait(for: "Not found: bad."))
        #expect(screen.text.contains("Where?") && answer == "" && closed == 0)
        screen.press("ctrl-u")
        screen.type("good", then: "enter")
        #expect(await screen.wait { closed == 1 })
        #expect(answer == "good" && screen.application.window.presentedViewController == nil)
        // A completion is ignored if the field was left or changed meanwhile.
        answer = ""
        host.present(prompt)
        screen.press("enter")
        screen.type("x")
        #expect(await screen.wait { !screen.text.contains("Looking") })
        #expect(answer == "" && screen.application.window.presentedViewController != nil)
        screen.press("backspace", "enter", "esc")
        for _ in 0..<20 { await Task.yield() }
        #expect(answer == "" && closed == 2)
    }

    @Test func completesByTab() {
        let host = HostController(View())
        let screen = TestScreen(root: host, size: Size(width: 64, height: 12))
        let words = ["cycling", "cyclocross", "running"]
        func show(_ text: String) {
            screen.present(
                TextPromptViewController(
                    title: "Tag", message: "Which one?", text: text,
                    complete: { text in
                        words.filter { $0.hasPrefix(text) && $0 != text }.map { (text: $0, word: DisplayText($0)) }
                    }
                ) { _ in }, over: host)
        }
        func line() -> String { screen.lines.first { $0.contains("_") || $0.contains("cycl") } ?? "" }
        show("")
        #expect(screen.text.contains("Which one?"))
        screen.type("cy")
        #expect(screen.text.contains("⇥ cycling  cyclocross") && !screen.text.contains("Which one?"))
        #expect(screen.press("tab", shows: "⇥ ▸cycling  cyclocross"))
        #expect(screen.press("tab", shows: "⇥ cycling  ▸cyclocross"))
        #expect(screen.press("tab", shows: "⇥ ▸cycling  cyclocross"))
        screen.press("ctrl-u")
        screen.type("x")
        #expect(screen.text.contains("Which one?"))
        screen.press("tab", "esc")
        show("r")
        #expect(screen.press("tab", shows: "running"))
        screen.press("esc")
        // Links without room are left out.
        host.present(
            TextPromptViewController(
                title: "Tag", message: "Which one?",
                complete: { _ in (0..<9).map { (text: "word \($0)", word: DisplayText("candidate \($0)")) } }
            ) { _ in })
        screen.type("w")
        #expect(screen.text.contains("candidate 3 …") && !screen.text.contains("candidate 4"))
    }

    @Test func saysHowMuchOfAPasteIsLeftOut() {
        let host = HostController(View())
        let screen = TestScreen(root: host, size: Size(width: 64, height: 12))
        host.present(TextPromptViewController(title: "Words", message: "Which?") { _ in })
        screen.application.send(.paste(String(repeating: "a", count: TextField.maximumLength + 3)))
        #expect(screen.text.contains("The last 3 characters did not fit and were removed."))
    }
}
