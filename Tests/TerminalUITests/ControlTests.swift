import CommonTesting
import TerminalUI
import TerminalUIExtras
import TerminalUITesting
import Testing

/// Every control of the library in one form, as a sheet.
@MainActor
final class Form: ViewController {
    var log: [String] = []
    let field = TextField()
    lazy var button = Button("Save") { [weak self] in self?.log.append("saved") }
    let checkbox = Switch("Remember")
    let radio = RadioGroup(["small", "large"], selectedIndex: 0)
    let slider = Slider(0...10, value: 5, step: 1)
    let area = TextArea()

    private final class FormView: View {
        override func layoutSubviews() {
            var line = 0
            for view in subviews {
                let height = view is TextArea ? 3 : view.sizeThatFits(bounds.size).height
                view.frame = Rect(x: 0, y: line, width: bounds.width, height: height)
                line += height
            }
        }
    }

    override func makeView() -> View { FormView() }

    override func viewDidLoad() {
        preferredContentSize = Size(width: 30, height: 9)
        checkbox.onAction = { [weak self] in self?.log.append("remember \(self?.checkbox.isOn ?? false)") }
        radio.onAction = { [weak self] in self?.log.append("size \(self?.radio.selectedIndex ?? -1)") }
        slider.onAction = { [weak self] in self?.log.append("slider \(self?.slider.value ?? 0)") }
        for view in [field, checkbox, radio, slider, area, button] as [View] { self.view.addSubview(view) }
    }
}

@MainActor
@Suite struct ControlTests {
    let form = Form()
    let screen: TestScreen

    init() {
        let host = ViewController()
        screen = TestScreen(root: host, size: Size(width: 50, height: 14))
        form.title = "Form"
        screen.present(form, over: host)
    }

    @Test func tabCyclesAndKeysChangeControls() {
        screen.type("Zoë", then: "tab", "space", "tab", "down", "enter", "tab", "right", "right", "left", "tab")
        screen.type("one", then: "enter")
        screen.type("two", then: "tab", "enter")
        #expect(form.field.text == "Zoë")
        #expect(form.log == ["remember true", "size 1", "slider 6.0", "slider 7.0", "slider 6.0", "saved"])
        #expect(form.area.text == "one\ntwo")
        screen.press("tab")
        #expect(screen.application.window.focusedView === form.field)
        screen.press("backtab")
        #expect(screen.application.window.focusedView === form.button)
        #expect(screen.difference(from: "form") == nil)
    }

    @Test func clicksChangeControls() {
        screen.click(on: "Remember")
        screen.click(on: "large")
        screen.click(on: "[ Save ]")
        #expect(form.log == ["remember true", "size 1", "saved"])
    }

    @Test func aDisabledControlDoesNothing() {
        form.button.isEnabled = false
        screen.click(on: "[ Save ]")
        #expect(form.log.isEmpty)
        #expect(!form.button.canBecomeFocused)
    }

    @Test func fieldsEditWholeCharactersAndWords() {
        screen.type("one two 東京 👨‍👩‍👧", then: "ctrl-w")
        #expect(form.field.text == "one two 東京 ")
        screen.press("backspace", "backspace", "ctrl-a", "delete", "alt-f", "ctrl-k")
        #expect(form.field.text == "ne")
        screen.application.send(.paste("x\ny\u{1B}[A"))
        #expect(form.field.text == "nex y[A")
        screen.press("ctrl-z", "ctrl-z")
        #expect(form.field.text == "ne two 東")
    }

    /// A paste takes linear time: quadratic time would take minutes here.
    @Test func truncatesLongPastesAndSaysSo() {
        var leftOut = 0
        form.field.onOverflow = { leftOut = $0 }
        let text = String(repeating: "word 東京 ", count: 10_000)
        screen.application.send(.paste(text))
        #expect(form.field.text == text && leftOut == 0)
        screen.type("end")
        #expect(screen.text.contains("word 東京 end"))
        #expect(screen.press("ctrl-a", shows: "word 東京 word"))
        screen.application.send(.paste(text))
        #expect(form.field.text.count == TextField.maximumLength && leftOut == 60_003)
        screen.press("ctrl-z", "ctrl-z", "ctrl-z", "ctrl-z", "ctrl-z")
        #expect(form.field.text.isEmpty)
        screen.application.window.focus(form.area)
        let lines = String(repeating: "a line of some words\n", count: 20_000)
        screen.application.send(.paste(lines + String(repeating: "x", count: 300_000)))
        #expect(form.area.text.count == 20_000 * 21 + 300_000)
        screen.press("y", "backspace", "ctrl-z", "ctrl-z", "ctrl-z")
        #expect(form.area.text.isEmpty)
    }

    /// A paste without brackets arrives as keys. A change for each would take as long as the text each time.
    @Test func insertsKeysThatArriveTogetherAsOneChange() {
        var changes = 0
        form.field.onChange = { _ in changes += 1 }
        func keys(_ text: String) -> [InputEvent] { text.map { .key(KeyPress(.character($0))) } }
        let word = String(repeating: "x", count: 4000)
        screen.terminal.events =
            keys(word) + [.key(KeyPress(.left))] + keys("A b") + [.key(KeyPress(.backspace))]
            + [.key(KeyPress(.character("a"), .control))] + keys("c") + [.terminate(.hangup)]
        _ = screen.application.run()
        #expect(form.field.text == "c\(word.dropLast())A x")
        #expect(changes == 4)
    }

    @Test func aTextAreaWrapsJoinsAndUndoes() {
        screen.application.window.focus(form.area)
        screen.application.send(.paste("first\nsecond"))
        screen.press("up", "end", "delete", "down", "home", "backspace")
        #expect(form.area.text == "firstsecond")
        screen.press("ctrl-z")
        #expect(form.area.text == "first\nsecond")
        screen.press("ctrl-z")
        #expect(form.area.text == "")
    }
}

@MainActor
@Suite struct DataTableTests {
    @Test func headingsSortTables() {
        var rows = [("Basso", 3), ("Arroyo", 10), ("Nibali", 7)]
        let table = DataTableView(columns: [DataColumn("Rider"), DataColumn("Days", width: 6, isTrailing: true)])
        table.value = { row, column in DisplayText(column == 0 ? rows[row].0 : String(rows[row].1)) }
        table.onSort = { column, ascending in
            rows.sort { column == 0 ? $0.0 < $1.0 : $0.1 < $1.1 }
            if !ascending { rows.reverse() }
        }
        table.reload(rows: rows.count)
        let screen = TestScreen(of: table, width: 30, height: 6)
        screen.click(on: "Days")
        #expect(rows.map(\.1) == [3, 7, 10])
        #expect(screen.lines[0].hasSuffix("Days ▲"))
        screen.click(on: "Days")
        #expect(rows.map(\.1) == [10, 7, 3])
        screen.press("j", "alt-1")
        #expect(rows.map(\.0) == ["Arroyo", "Basso", "Nibali"])
        #expect(screen.lines[2].hasPrefix("Basso"))
        screen.press("/")
        screen.type("nib")
        #expect(table.selectedRow == 2)
        screen.press("enter", "n", "esc", "/")
        screen.type("a")
        #expect(table.selectedRow == 2)
        screen.press("enter", "n")
        #expect(table.selectedRow == 0)
    }

    /// In screen-reader mode a row is a record: values follow their names on as many lines as needed.
    @Test func linearModeReadsRowsAsRecords() {
        var rows = [("Basso", 3), ("a long name of a rider", 10), ("Nibali", 7), ("Pozzovivo", 1)]
        let table = DataTableView(columns: [
            DataColumn("#", name: "Place", width: 3, isTrailing: true), DataColumn("Rider", name: ""),
            DataColumn("Days", width: 6, isTrailing: true), DataColumn("Team"),
        ])
        table.value = { row, column in
            [DisplayText("\(row + 1)"), DisplayText(rows[row].0), DisplayText("\(rows[row].1)"), ""][column]
        }
        table.onSort = { _, ascending in rows.sort { ascending ? $0.1 < $1.1 : $0.1 > $1.1 } }
        table.reload(rows: rows.count)
        let screen = TestScreen(of: table, width: 26, height: 4)
        screen.application.window.isLinear = true
        screen.application.render()
        #expect(
            screen.lines == [
                "> Place 1, Basso, Days 3", "  Place 2, a long name of", "  a rider, Days 10",
                "  Place 3, Nibali, Days 7",
            ])
        screen.press("j", "j", "j")
        // The last row is fully visible and has the cursor.
        #expect(screen.lines == ["  Place 3, Nibali, Days 7", "> Place 4, Pozzovivo, Days", "  1", ""])
        #expect(screen.application.window.cursor == Point(x: 0, y: 1))
        screen.click(on: "Place 3")
        #expect(table.selectedRow == 2)
        screen.press("alt-3")
        #expect(screen.lines[0] == "sorted by Days, ascending")
        screen.press("home")
        #expect(Array(screen.lines.prefix(3)) == ["sorted by Days, ascending", "> Place 1, Pozzovivo, Days", "  1"])
    }

    @Test func outlinesExpand() {
        let outline = OutlineView()
        outline.roots = [
            OutlineNode("Italy", children: [OutlineNode("Asolo"), OutlineNode("Bormio")]), OutlineNode("Spain"),
        ]
        var opened = ""
        outline.onActivate = { opened = $0.title.string }
        let screen = TestScreen(of: outline, width: 30, height: 6)
        #expect(!screen.text.contains("Asolo"))
        screen.press("l", "j", "j", "enter")
        #expect(opened == "Bormio")
        screen.press("h", "h")
        #expect(!screen.text.contains("Asolo"))
        #expect(outline.selectedNode?.title == "Italy")
    }

    @Test func scrollViewsShowAPartOfTheirContent() {
        let scroll = ScrollView()
        let label = Label()
        label.paragraphs = (0..<50).map { TextParagraph(DisplayText("line \($0)")) }
        label.frame = Rect(x: 0, y: 0, width: 40, height: 50)
        scroll.content.addSubview(label)
        scroll.contentSize = Size(width: 40, height: 50)
        let screen = TestScreen(of: scroll, width: 20, height: 5)
        screen.press("j", "j")
        #expect(screen.lines.first == "line 2")
        scroll.scrollToVisible(Rect(x: 0, y: 49, width: 5, height: 1))
        screen.application.render()
        #expect(screen.lines.last == "line 49")
        screen.press("space")
        #expect(screen.lines.last == "line 49")
    }

    private final class Holder: ViewController {
        let control: View
        init(_ control: View) {
            self.control = control
            super.init()
        }
        override func viewDidLoad() {
            view.addSubview(control)
            control.frame = Rect(x: 2, y: 3, width: 30, height: 1)
        }
    }

    @Test func aPickerOffersItsNamesInAPopover() {
        let picker = Picker(["red", "green", "blue"], selectedIndex: 1)
        var actions = 0
        picker.onAction = { actions += 1 }
        let screen = TestScreen(root: Holder(picker), size: Size(width: 40, height: 16))
        #expect(screen.text.contains("green ▾"))
        #expect(screen.press("enter", shows: "• green"))
        screen.press("j", "enter")
        #expect(picker.selectedIndex == 2)
        #expect(actions == 1)
        screen.press("left")
        #expect(picker.selectedIndex == 1)
    }

    @Test func aMenuButtonOffersCommands() {
        var done = ""
        let button = MenuButton("File") {
            ["New", "Open"].map { name in Command(name, DisplayText(name), keys: []) { done = name } }
        }
        let screen = TestScreen(root: Holder(button), size: Size(width: 40, height: 16))
        screen.click(on: "File ▾")
        screen.press("j", "enter")
        #expect(done == "Open")
    }

    @Test func aStatusLineKeepsItsLastPartsAndShowsMessages() {
        let line = StatusLine()
        line.parts = ["main", "3 changes", "12:30"]
        let screen = TestScreen(root: Holder(line), size: Size(width: 34, height: 8))
        #expect(screen.lines[3] == "         main  3 changes  12:30")
        line.show("Saved 12 files", for: nil)
        screen.application.render()
        #expect(screen.lines[3] == "   Saved 12 files         12:30")
        line.clear()
        screen.application.render()
        #expect(screen.lines[3].contains("main"))
    }

    @Test func arrowsCycleThroughControls() {
        final class Page: ViewController {
            let buttons = ["One", "Two"].map { Button(DisplayText($0)) }
            override func viewDidLoad() {
                for (row, button) in buttons.enumerated() {
                    view.addSubview(button)
                    button.frame = Rect(x: 0, y: row, width: 10, height: 1)
                }
            }
        }
        let page = Page()
        let screen = TestScreen(root: page, size: Size(width: 40, height: 16))
        screen.press("down")
        #expect(page.buttons[1].isFocused)
        screen.press("k")
        #expect(page.buttons[0].isFocused)
    }
}

/// Editing compared with a minimal model: a text and a position in it.
@MainActor
@Suite struct EditingTests {
    private struct Model {
        var text: [Character] = []
        var place = 0

        var lineStart: Int { text[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
        var lineEnd: Int { text[place...].firstIndex(of: "\n") ?? text.count }

        mutating func remove(_ range: Range<Int>) {
            text.removeSubrange(range)
            place = range.lowerBound
        }

        mutating func press(_ key: String) {
            switch key {
            case "enter", "space": insert(key == "enter" ? "\n" : " ")
            case "backspace": if place > 0 { remove(place - 1..<place) }
            case "delete": if place < text.count { remove(place..<place + 1) }
            case "left": place = max(0, place - 1)
            case "right": place = min(text.count, place + 1)
            case "home", "ctrl-a": place = lineStart
            case "end", "ctrl-e": place = lineEnd
            case "ctrl-u": remove(lineStart..<place)
            case "ctrl-k": remove(place..<(place < lineEnd ? lineEnd : min(text.count, place + 1)))
            case "ctrl-w":
                var start = place
                while start > lineStart, text[start - 1] == " " { start -= 1 }
                while start > lineStart, text[start - 1] != " " { start -= 1 }
                if start == place, place > 0 { start -= 1 }
                remove(start..<place)
            default: insert(Character(key))
            }
        }

        private mutating func insert(_ character: Character) {
            text.insert(character, at: place)
            place += 1
        }
    }

    private static let keys = [
        "a", "b", "東", "é", "space", "space", "backspace", "delete", "left", "left", "right", "home", "end", "ctrl-a",
        "ctrl-e", "ctrl-u", "ctrl-k", "ctrl-w",
    ]

    /// The same keys give the same text and cursor as the model; undoing everything restores the start.
    private func walk(seed: UInt64, isArea: Bool) -> String? {
        var generator = SeededGenerator(seed: seed)
        let (area, field) = (TextArea(), TextField())
        let view: View = isArea ? area : field
        view.frame = Rect(x: 0, y: 0, width: 400, height: 50)
        let keys = EditingTests.keys + (isArea ? ["enter", "enter"] : [])
        var model = Model()
        var changes = 0
        var trail: [String] = []
        for _ in 0..<80 {
            let key = keys.randomElement(using: &generator) ?? "a"
            trail.append(key)
            guard let press = KeySequence(key)?.presses.first else { return "no key \(key)" }
            let before = model.text
            // In a field there is no previous line.
            if !isArea, key == "ctrl-w" || key == "backspace", model.place == 0 { continue }
            model.press(key)
            _ = view.handle(press)
            if model.text != before { changes += 1 }
            let text = isArea ? area.text : field.text
            guard text == String(model.text) else { return "\(trail): \(text) for \(String(model.text))" }
            let line = String(model.text[model.lineStart..<model.place])
            let row = model.text[..<model.place].count { $0 == "\n" }
            guard view.cursor == Point(x: DisplayText(line).columns, y: row) else { return "\(trail): the cursor" }
        }
        guard let undo = ("ctrl-z" as KeySequence).presses.first else { return "no key" }
        for _ in 0..<changes { _ = view.handle(undo) }
        let text = isArea ? area.text : field.text
        return text.isEmpty ? nil : "\(trail), taken back: \(text)"
    }

    @Test(arguments: [true, false]) func everyKeyDoesWhatItSays(isArea: Bool) {
        for seed in 1...300 { #expect(walk(seed: UInt64(seed), isArea: isArea) == nil) }
    }
}
