import TerminalUI
import TerminalUIExtras
import TerminalUITesting
import Testing

/// Tab and Shift-Tab move through a form's fields wherever it appears; fields check their text.
@MainActor
@Suite struct FormTests {
    private let name = TextField()
    private let password = TextField()
    private let notes = TextArea()
    private let button = Button("Send")

    private func form() -> FormView {
        name.validate = { $0.count < 3 ? "Three letters at least." : nil }
        password.validate = { $0.isEmpty ? "A word is needed." : nil }
        return FormView([
            FormView.Row("Name", name), FormView.Row("Password", password),
            FormView.Row("Notes", notes, height: 2), FormView.Row(view: button),
        ])
    }

    @Test func FRM_01_tabCyclesThroughFields() {
        let screen = TestScreen(of: form(), width: 40, height: 8)
        var order: [View] = [name, password, notes, button]
        #expect(name.isFocused)
        for _ in 0..<5 {
            #expect(order[0].isFocused)
            order.append(order.removeFirst())
            screen.press("tab")
        }
        screen.press("backtab", "backtab")
        #expect(button.isFocused)
        // A field that handles Tab receives it.
        screen.press("backtab")
        notes.indentsWithTab = true
        screen.type("a", then: "tab")
        #expect(notes.isFocused && notes.text == "a   ")
        screen.press("backtab")
        var completed = 0
        password.onTab = { completed += 1 }
        screen.press("backtab")
        #expect(notes.isFocused || password.isFocused)
        screen.application.window.focus(password)
        screen.press("tab")
        #expect(password.isFocused && completed == 1)
    }

    /// Beside segments, Tab still moves through the fields of a form; elsewhere it selects the next segment.
    @Test func FRM_01_tabInAFormKeepsTheSegment() {
        let list = ViewController()
        list.title = "List"
        let page = HostController(form())
        page.title = "Form"
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, viewControllers: [list, page])
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 9))
        screen.press("tab")
        #expect(segments.selectedIndex == 1 && name.isFocused)
        screen.press("tab", "tab", "tab")
        #expect(segments.selectedIndex == 1 && button.isFocused)
    }

    @Test func FRM_01_scrollsToTheFocusedField() {
        let rows = (1...30).map { number in FormView.Row(DisplayText("Field \(number)"), TextField()) }
        let form = FormView(rows)
        let screen = TestScreen(of: form, width: 40, height: 5)
        for number in 1...30 {
            #expect(screen.text.contains("Field \(number)") && screen.terminal.cursor != nil, "\(number)")
            screen.press("tab")
        }
        #expect(screen.lines[0] == "Field 1")
        #expect(screen.press("backtab", shows: "Field 30"))
        // Also after a resize, and in a narrow pane where names are above.
        screen.resize(16, 3)
        #expect(screen.terminal.cursor != nil)
        #expect(screen.lines.contains { $0.hasPrefix("Field 30") } || screen.terminal.cursor?.y == 0)
        screen.mouse(.wheel(-1), 3, 1)
        #expect(form.contentOffset.y > 0)
    }

    @Test func FRM_02_showsMistakesBesideTheField() {
        let form = form()
        let screen = TestScreen(of: form, width: 40, height: 9)
        var sent: [String] = []
        name.onSubmit = { sent.append($0) }
        screen.type("ab")
        #expect(!screen.text.contains("Three letters"))
        screen.press("enter")
        #expect(sent.isEmpty && screen.lines[1].contains("Three letters at least."))
        screen.type("c")
        // The message disappears as soon as the text is valid.
        #expect(!screen.text.contains("Three letters"))
        screen.press("enter")
        #expect(sent == ["abc"])
        screen.press("tab", "tab")
        #expect(!form.check() && password.isFocused)
        screen.application.render()
        #expect(screen.lines[2].contains("A word is needed."))
        screen.type("x")
        #expect(form.check())
    }

    @Test func FRM_02_aPromptStaysUntilValid() {
        let root = ViewController()
        let screen = TestScreen(root: root, size: Size(width: 40, height: 12))
        var answer = ""
        screen.present(
            TextPromptViewController(
                title: "Number", message: "A number", validate: { Int($0) == nil ? "That is no number." : nil }
            ) { answer = $0 }, over: root)
        screen.type("x", then: "enter")
        #expect(screen.text.contains("That is no number.") && answer.isEmpty)
        screen.press("backspace")
        screen.type("7", then: "enter")
        #expect(answer == "7" && !screen.text.contains("Number"))
    }
}
